"""One table of who gets which page: address × method × role × own or foreign → what is answered.

Every address of the site has a row here, or stands under `ELSEWHERE` with the reason; an address without is a failure,
so whoever adds a page says for whom it is. A cell is an HTTP status, `in` for "sent to the sign-in", `to` for "sent
on".
The columns are `table_world.ROLES`; of the two lines of a method the first is about a thing of Harbour, in which the
roles are held, the second about one of Hill, which nobody but its owner may know of.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from django.db import connection, transaction
from django.template.backends.django import Template
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from league.accounts.models import League, Role
from league.competitions.models import Competition
from league.matches.models import Game, Match
from league.play.models import OnlineGame, PracticeGame
from tests.web import table_world
from tests.web.table_world import ROLES, Things


@dataclass(frozen=True)
class Row:
    """`name` of the address, its arguments, what is sent and what a GET asks, all made from the things asked for."""

    name: str
    get: tuple[str, str]
    post: tuple[str, str]
    args: Callable[[Things], list[Any]] = lambda _: []
    data: Callable[[Things], dict[str, Any]] = lambda _: {}
    query: Callable[[Things], dict[str, Any]] = lambda _: {}

    @property
    def asked(self) -> tuple[Callable[[Things], Any], ...]:
        """What tells one thing from another."""
        return self.args, self.data, self.query


def every(answer: int | str, *, anonymous: int | str | None = None) -> tuple[str, str]:
    """The same for everybody, perhaps with another answer for who is not signed in."""
    line = " ".join([str(answer if anonymous is None else anonymous), *[str(answer)] * (len(ROLES) - 1)])
    return line, line


def slug(things: Things) -> list[str]:
    return [things.slug]


def name_of_draft(things: Things) -> str:
    return Competition.objects.get(league__slug=things.slug, slug=things.draft).name


def draft(things: Things) -> list[str]:
    return [things.slug, things.draft]


def door_of(things: Things) -> str:
    return Match.objects.get(pk=things.match_id).door


def practice_code(_things: Things) -> list[str]:
    return [PracticeGame.objects.get().code]


def online_code(_things: Things) -> list[str]:
    return [OnlineGame.objects.get().code]


def game_code(things: Things) -> list[str]:
    return [Game.objects.filter(match=things.match_id).earliest("number").code]


def online_seat(_things: Things) -> list[str]:
    seat = OnlineGame.objects.get().seated()[0]
    return [seat.game.code, seat.key]


def owner_of(things: Things) -> int:
    return Role.objects.get(league__slug=things.slug, kind=Role.Kind.OWNER).user_id


#            anonymous · player · other · referee · head · desk · read only · manager · owner · elsewhere · superuser
READS = every(200)
NO_POST = every(405)
NO_GET = every(405)
# Pages that show drafts to the staff of a league: of Hill's draft nobody else learns.
DRAFTS = ("200 200 200 200 200 200 200 200 200 200 200", "404 404 404 404 404 404 404 404 404 200 404")
STAFF = ("in 404 403 200 200 200 200 200 200 404 404", "in 404 404 404 404 404 404 404 404 200 404")
CLOCKS = ("in 404 403 200 200 200 403 200 200 404 404", STAFF[1])
FOLLOWED = every(204)
DRAFTS_FOLLOWED = tuple(line.replace("200", "204") for line in DRAFTS)
STAFF_FOLLOW = tuple(line.replace("200", "204") for line in STAFF)
# Of the players of a league, whatever role they have.
LOBBY = (
    "in 200 200 403 403 403 403 403 403 403 403",
    "in 403 403 403 403 403 403 403 403 403 403",
)
# Only for the players of the match; its game has a log, so they are sent back to its page.
FIXTURE = (
    "in to 403 403 403 403 403 403 403 403 403",
    "in 404 404 404 404 404 404 404 404 403 404",
)
# After a sign-in: to the page of the match.
FIXTURE_AGAIN = (
    "in to to to to to to to to to to",
    "in 404 404 404 404 404 404 404 404 to 404",
)
NO_POST_FOR_CLOCKS = tuple(line.replace("200", "405") for line in CLOCKS)
# Asked for before anybody is asked who they are.
NO_POST_FOR_STAFF = NO_POST
CLOCKS_DO = tuple(line.replace("200", "to") for line in CLOCKS)
# Whoever types in what others wrote.
DESK = ("in 404 403 200 200 200 403 200 200 404 404", "in 404 404 404 404 404 404 404 404 200 404")
DESK_DO = tuple(line.replace("200", "to") for line in DESK)
OFFICIALS_DO = ("in 404 403 to to 403 403 to to 404 404", DESK_DO[1])
MANAGERS = ("in 404 403 403 403 403 403 200 200 404 404", "in 404 404 404 404 404 404 404 404 200 404")
STAFF_DO = tuple(line.replace("200", "to") for line in STAFF)
MANAGERS_DO = ("in 404 403 403 403 403 403 to to 404 404", "in 404 404 404 404 404 404 404 404 to 404")
MANAGERS_FAIL = tuple(line.replace("200", "422") for line in MANAGERS)
# Officials and desk helpers.
PUBLISHED = (every(200)[0], every(404)[0])
OWNERS = ("in 404 403 403 403 403 403 403 200 404 200", "in 404 404 404 404 404 404 404 404 200 200")
OWNERS_DO = ("in 404 403 403 403 403 403 403 to 404 to", "in 404 404 404 404 404 404 404 404 to to")
# Players of the match, officials and desk helpers.
KEEPERS = ("in 200 403 200 200 200 403 200 200 403 403", "in 404 404 404 404 404 404 404 404 200 404")
HAND_IN = ("in 200 403 200 200 403 403 200 200 403 403", KEEPERS[1])
KEEPERS_ASK = ("401 200 403 200 200 200 403 200 200 403 403", "404 404 404 404 404 404 404 404 404 200 404")
KEEPERS_FAIL = tuple(line.replace("200", "422") for line in KEEPERS_ASK)
AMENDERS = ("in 403 403 200 200 403 403 200 200 403 403", "in 404 404 404 404 404 404 404 404 200 404")
# Who waits for whom is nobody else's affair.
STAFF_ALONE = ("in 404 404 200 200 200 200 200 200 404 404", "in 404 404 404 404 404 404 404 404 200 404")
NOWHERE = " ".join(["404"] * len(ROLES))

RATING_SETTINGS = {
    "period_days": 14,
    "start_rating": 1500,
    "start_deviation": 350,
    "start_volatility": 0.06,
    "tau": 0.5,
}

COURT = {
    "minutes_in_hall": 10,
    "minutes_elsewhere": 1440,
    "hold_minutes": 5,
    "appeal_minutes": 1440,
    "hears": "head",
    "proof": "nobody",
}
TERMS = {"registration": "open", "admission": "by_hand"}

TABLE = [
    # --- Open pages ---
    Row("home:index", READS, READS),
    Row("home:live", READS, NO_POST),
    Row("home:scores", READS, NO_POST),
    Row("home:mine", READS, NO_POST),
    # "No content": a process of streams begins one instead (league/live/streams.py).
    Row("live:site", FOLLOWED, NO_POST),
    Row("live:match", DRAFTS_FOLLOWED, NO_POST, lambda t: [t.match_id]),
    Row("live:competition", DRAFTS_FOLLOWED, NO_POST, lambda t: [Competition.objects.get(slug=t.competition).pk]),
    Row("live:league", FOLLOWED, NO_POST, lambda t: [League.objects.get(slug=t.slug).pk]),
    Row("live:hall", FOLLOWED, NO_POST, lambda t: [League.objects.get(slug=t.slug).pk]),
    Row("live:desk", STAFF_FOLLOW, NO_POST, lambda t: [t.slug]),
    # A practice game: no league has it, and its address is its secret.
    Row("play:index", READS, every(422)),
    Row("play:table", READS, every(409), practice_code),
    Row("play:log", every(404), NO_POST, practice_code),
    Row("play:review", every(404), every(404), practice_code),
    # An online game: its address lets anybody watch, the key of a seat in a cookie lets one play.
    Row("play:online", READS, every(422)),
    Row("play:online_game", READS, every(403), online_code),
    Row("play:online_news", READS, NO_POST, online_code),
    Row("play:online_log", every(404), NO_POST, online_code),
    Row("play:online_review", every(404), every(404), online_code),
    Row("play:lobby", LOBBY, tuple(line.replace("200", "422") for line in LOBBY), slug),
    Row("play:fixture", FIXTURE_AGAIN, FIXTURE, game_code),
    Row("play:online_seat", every("to"), NO_POST, online_seat),
    Row("search:index", READS, NO_POST),
    Row("search:suggest", READS, NO_POST),
    Row("following:index", READS, NO_POST),
    Row("following:act", NO_GET, every("to"), data=lambda t: {"what": f"player:{t.player}"}),
    Row("calls:index", READS, NO_POST),
    # A guest has the slip of a player in the session: tests/web/test_calls.py.
    Row("calls:subscription", READS, every(200, anonymous=403), data=lambda _: {"do": "ask", "endpoint": "x"}),
    Row("help:notation", READS, READS),
    Row("address:index", READS, READS),
    # On a laptop with a certificate of its own everybody reads both: tests/web/test_address.py.
    Row("address:trust", every(404), NO_POST),
    Row("address:authority", every(404), NO_POST),
    Row("offline:page", READS, NO_POST),
    Row("offline:worker", READS, NO_POST),
    # Machines fetch them, so nobody gets more than everybody.
    Row("share:match", PUBLISHED, NO_POST, lambda t: ["en", t.match_id]),
    Row("share:competition", PUBLISHED, NO_POST, lambda t: ["en", t.slug, t.competition]),
    Row("share:round", PUBLISHED, NO_POST, lambda t: ["en", t.slug, t.competition, 1]),
    Row("share:player", PUBLISHED, NO_POST, lambda t: ["en", t.player]),
    Row("share:season", PUBLISHED, NO_POST, lambda t: ["en", t.slug, t.season]),
    Row("share:league", READS, NO_POST, lambda t: ["en", t.slug]),
    Row("themes:choose", NO_GET, every("to"), data=lambda _: {"theme": "dark"}),
    Row("ask:index", READS, NO_POST),
    Row("hall:detail", READS, NO_POST, slug),
    Row("healthz", READS, READS),
    Row("competitions:index", READS, READS),
    Row("competitions:detail", DRAFTS, DRAFTS, lambda t: [t.slug, t.competition]),
    Row("competitions:bracket", DRAFTS, DRAFTS, lambda t: [t.slug, t.cup]),
    Row("competitions:ranking", DRAFTS, DRAFTS, lambda t: [t.slug, t.cup]),
    # For a hall and for paper: as everybody sees it.
    Row("competitions:bracket_current", PUBLISHED, PUBLISHED, lambda t: [t.slug, t.cup]),
    Row("competitions:bracket_print", PUBLISHED, PUBLISHED, lambda t: [t.slug, t.cup]),
    # Hill's is a knock-out, which has no table.
    Row(
        "competitions:standings_wall",
        (every(200)[0], NOWHERE),
        (every(200)[0], NOWHERE),
        lambda t: [t.slug, t.competition],
    ),
    Row(
        "competitions:standing",
        (DRAFTS[0], NOWHERE),
        (DRAFTS[0], NOWHERE),
        lambda t: [t.slug, t.competition, t.player],
    ),
    Row("competitions:standings", (DRAFTS[0], NOWHERE), (DRAFTS[0], NOWHERE), lambda t: [t.slug, t.competition]),
    Row("competitions:places", (DRAFTS[0], NOWHERE), (DRAFTS[0], NOWHERE), lambda t: [t.slug, t.competition]),
    Row("competitions:cross_table", (DRAFTS[0], NOWHERE), (DRAFTS[0], NOWHERE), lambda t: [t.slug, t.competition]),
    Row("competitions:now", DRAFTS, NO_POST, lambda t: [t.slug, t.competition]),
    Row("competitions:schedule", DRAFTS, DRAFTS, lambda t: [t.slug, t.competition]),
    Row("competitions:players", DRAFTS, DRAFTS, lambda t: [t.slug, t.competition]),
    Row("competitions:rules", DRAFTS, DRAFTS, lambda t: [t.slug, t.competition]),
    Row("competitions:text", DRAFTS, DRAFTS, lambda t: [t.slug, t.competition]),
    # What is on the pages of others is published, and the same whoever looks.
    Row("competitions:share", PUBLISHED, PUBLISHED, lambda t: [t.slug, t.competition]),
    Row("embed:standings", PUBLISHED, NO_POST, lambda t: [t.slug, t.competition]),
    Row("embed:bracket", PUBLISHED, NO_POST, lambda t: [t.slug, t.cup]),
    Row(
        "oembed:index",
        PUBLISHED,
        NO_POST,
        query=lambda t: {"url": f"http://testserver/competitions/{t.slug}/{t.cup}/bracket/"},
    ),
    # What everybody sees, whoever asks.
    Row("competitions:calendar", PUBLISHED, NO_POST, lambda t: [t.slug, t.competition]),
    Row("competitions:files", PUBLISHED, PUBLISHED, lambda t: [t.slug, t.competition]),
    Row("competitions:file", PUBLISHED, NO_POST, lambda t: [t.slug, t.competition, "all.zip"]),
    # For oneself, and by the desk for anybody; this one is no ladder, which is told on its page.
    Row(
        "competitions:challenge",
        NO_GET,
        ("in to 403 to to to 403 to to 403 403", "404 404 404 404 404 404 404 404 404 to 404"),
        lambda t: [t.slug, t.competition],
        lambda t: {"do": "challenge", "challenger": t.entrant_id, "challenged": t.entrant_id},
    ),
    # As everybody sees it, so that nobody sees the rounds of a draft there.
    Row("competitions:round", PUBLISHED, PUBLISHED, lambda t: [t.slug, t.competition, 1]),
    Row("competitions:round_text", PUBLISHED, PUBLISHED, lambda t: [t.slug, t.competition, 1]),
    # Of a draft that is by invitation only nobody learns here.
    Row(
        "competitions:sign_up",
        PUBLISHED,
        (every("to")[0], NOWHERE),
        lambda t: [t.slug, t.open],
        lambda _: {"do": "name", "name": "Una New"},
    ),
    # Whoever holds the link is invited, or is the one who signed up.
    Row("sign_ups:invited", READS, every("to"), lambda t: [t.invitation], lambda _: {"do": "name", "name": "Una New"}),
    Row("sign_ups:mine", READS, every("to"), lambda t: [t.applicant]),
    # Whoever holds the link is the player.
    Row("personal:me", READS, every("to"), lambda t: [t.door], lambda t: {"competition": t.competition_id}),
    Row("personal:calendar", READS, NO_POST, lambda t: [t.door]),
    Row("matches:detail", DRAFTS, DRAFTS, lambda t: [t.match_id]),
    # For a hall: as everybody sees it.
    Row("matches:scoreboard", PUBLISHED, NO_POST, lambda t: [t.match_id]),
    Row("matches:log", DRAFTS, DRAFTS, lambda t: [t.match_id, t.record_id]),
    Row(
        "matches:confirm",
        NO_GET,
        ("in to to to to to to to to to to", "in 404 404 404 404 404 404 404 404 to 404"),
        lambda t: [t.match_id],
    ),
    Row("matches:hours", FIXTURE, FIXTURE, lambda t: [t.match_id]),
    Row(
        "matches:review",
        NO_GET,
        ("in to to to to to to to to to to", "in 404 404 404 404 404 404 404 404 to 404"),
        lambda t: [t.match_id],
    ),
    # Its game has no verified log; reviews that exist: tests/web/play/test_shared_review.py.
    Row("matches:move_review", every(404), every(404), lambda t: [t.match_id, 1]),
    Row("matches:clock", DRAFTS, NO_POST, lambda t: [t.match_id]),
    Row(
        "matches:run_clock",
        NO_GET,
        ("in to 403 to to to 403 to to 403 403", "in 404 404 404 404 404 404 404 404 to 404"),
        lambda t: [t.match_id, 1],
        lambda _: {"act": "start"},
    ),
    # --- Call the referee; settled by officials outside the match ---
    Row(
        "matches:referee",
        KEEPERS,
        tuple(line.replace("200", "to") for line in KEEPERS),
        lambda t: [t.match_id],
        lambda _: {"do": "clock"},
    ),
    Row(
        "matches:referee_call",
        AMENDERS,
        tuple(line.replace("200", "to") for line in AMENDERS),
        lambda t: [t.match_id, t.call_id],
        lambda _: {"do": "go"},
    ),
    Row(
        "table:referee",
        (every(200)[0], every(404)[0]),
        (every("to")[0], every(404)[0]),
        lambda t: [door_of(t)],
        lambda _: {"do": "clock"},
    ),
    Row("organize:referee_calls", DESK, OFFICIALS_DO, slug, lambda t: {"do": "go", "call": t.call_id}),
    Row("organize:zones", DESK, OFFICIALS_DO, draft, lambda t: {"do": "set", "official": owner_of(t)}),
    # --- The pads: signed in, and by the code on the card of the match ---
    Row("matches:keep", KEEPERS, tuple(line.replace("200", "to") for line in KEEPERS), lambda t: [t.match_id, 1]),
    # A desk helper keeps a tally, and hands in no log.
    Row("matches:tiles", HAND_IN, NO_POST, lambda t: [t.match_id, 1]),
    Row("matches:tiles_worker", READS, NO_POST, lambda t: [t.match_id, 1]),
    Row("matches:pad", KEEPERS, NO_POST, lambda t: [t.match_id, 1]),
    Row("matches:pad_taps", KEEPERS_ASK, KEEPERS_FAIL, lambda t: [t.match_id, 1]),
    Row("matches:pad_hand_in", NO_GET, KEEPERS_FAIL, lambda t: [t.match_id, 1]),
    Row("matches:pad_confirm", NO_GET, KEEPERS_FAIL, lambda t: [t.match_id, 1]),
    # A script without a name in it, the same for everybody.
    Row("matches:pad_worker", READS, NO_POST, lambda t: [t.match_id, 1]),
    # Whoever may not by their account may take a side.
    Row(
        "pads:begin",
        ("200 to 200 to to to 200 to to 200 200", NOWHERE),
        ("200 to 200 to to to 200 to to 200 200", NOWHERE),
        lambda t: [door_of(t)],
    ),
    Row(
        "pads:keep",
        ("to 200 to 200 200 200 to 200 200 to to", NOWHERE),
        (every("to")[0], NOWHERE),
        lambda t: [door_of(t), 1],
    ),
    Row("pads:tiles", ("to 200 to 200 200 to to 200 200 to to", NOWHERE), NO_POST, lambda t: [door_of(t), 1]),
    Row("pads:tiles_worker", READS, NO_POST, lambda t: [door_of(t), 1]),
    Row("pads:pad", ("to 200 to 200 200 200 to 200 200 to to", NOWHERE), NO_POST, lambda t: [door_of(t), 1]),
    Row("pads:taps", (KEEPERS_ASK[0], NOWHERE), (KEEPERS_FAIL[0], NOWHERE), lambda t: [door_of(t), 1]),
    Row("pads:hand_in", NO_GET, (KEEPERS_FAIL[0], NOWHERE), lambda t: [door_of(t), 1]),
    Row("pads:confirm", NO_GET, (KEEPERS_FAIL[0], NOWHERE), lambda t: [door_of(t), 1]),
    Row("pads:worker", READS, NO_POST, lambda t: [door_of(t), 1]),
    Row(
        "matches:score",
        ("in 200 403 200 200 200 403 200 200 403 403", "in 404 404 404 404 404 404 404 404 200 404"),
        ("in to 403 to to to 403 to to 403 403", "in 404 404 404 404 404 404 404 404 to 404"),
        lambda t: [t.match_id, 1],
        lambda _: {"do": "send", "points-1": "150", "points-2": "95"},
    ),
    # Officials who do not play in the match.
    Row(
        "matches:amend",
        AMENDERS,
        AMENDERS,
        lambda t: [t.official_id, 1],
        lambda _: {"do": "look", "points-1": "0", "points-2": "150", "kind": "ruled", "reason": "two racks"},
    ),
    Row(
        "matches:amendment",
        STAFF_ALONE,
        (
            "in 404 404 to to 403 403 to to 404 404",
            "in 404 404 404 404 404 404 404 404 to 404",
        ),
        lambda t: [t.amended_id, t.amendment_id],
        lambda _: {"do": "close"},
    ),
    # Players of the match, officials and desk helpers protest.
    Row(
        "disputes:protest",
        ("in 200 403 200 200 200 403 200 200 403 403", "404 404 404 404 404 404 404 404 404 200 404"),
        ("in 422 403 422 422 422 403 422 422 403 403", "404 404 404 404 404 404 404 404 404 422 404"),
        lambda t: [t.match_id, 1],
    ),
    # The protest accuses a person: sides and staff know of it. A player does not decide, nor does a desk helper.
    Row(
        "disputes:case",
        ("404 200 404 200 200 200 to 200 200 404 404", "404 404 404 404 404 404 404 404 404 200 404"),
        ("404 403 404 to to 403 to to to 404 404", "404 404 404 404 404 404 404 404 404 to 404"),
        lambda t: [t.dispute],
        lambda _: {"do": "take"},
    ),
    Row("disputes:judge", every(404, anonymous="in"), every(404, anonymous="in"), lambda _: ["no-such-secret"]),
    # Nobody has taken the case.
    Row(
        "disputes:photo",
        ("404 403 404 403 403 403 403 403 403 404 404", "404 404 404 404 404 404 404 404 404 403 404"),
        NO_POST,
        lambda t: [t.dispute, 1],
    ),
    Row("disputes:desk", DESK, DESK, slug),
    Row("disputes:settings", OWNERS, OWNERS_DO, slug, lambda _: COURT),
    Row("rulings:index", READS, READS, slug),
    Row("rulings:detail", every(404), every(404), lambda t: [t.slug, t.dispute]),
    # Whoever has the code of a published match gets in, account or not; Hill's is not published.
    Row(
        "table:match",
        (every(200)[0], every(404)[0]),
        (every("to")[0], every(404)[0]),
        lambda t: [door_of(t)],
        lambda _: {"do": "side", "side": "2"},
    ),
    Row("players:index", READS, READS),
    # Of Hill's players nothing is published, so only Hill's staff finds them.
    Row("players:detail", DRAFTS, DRAFTS, lambda t: [t.player]),
    Row("players:opponents", DRAFTS, DRAFTS, lambda t: [t.player]),
    Row("players:against", DRAFTS, DRAFTS, lambda t: [t.player, t.rival]),
    Row("players:titles", DRAFTS, DRAFTS, lambda t: [t.player]),
    Row("players:calendar", PUBLISHED, NO_POST, lambda t: [t.player]),
    Row(
        "players:claim",
        NO_GET,
        ("in to to to to to to to to to to", "in 404 404 404 404 404 404 404 404 to 404"),
        lambda t: [t.player],
    ),
    Row(
        "players:erase",
        ("in 200 404 404 404 404 404 404 404 404 404", "in 404 404 404 404 404 404 404 404 404 404"),
        ("in 422 404 404 404 404 404 404 404 404 404", "in 404 404 404 404 404 404 404 404 404 404"),
        lambda t: [t.mine],
        lambda _: {"typed": "somebody else"},
    ),
    # Whoever holds the link may use it; only who is somebody in the league already is told so.
    Row(
        "players:link",
        ("in 200 200 200 200 200 200 200 200 200 200", "in 200 200 200 200 200 200 200 200 200 200"),
        ("in 422 422 to to to to to to to to", "in to to to to to to to to to to"),
        lambda t: [t.secret],
    ),
    # So with an invitation to a role; only who has the role already is told so.
    Row(
        "accounts:invitation",
        every(200, anonymous="in"),
        ("in to to to to 422 to to to to to", every("to", anonymous="in")[0]),
        lambda t: [t.role_secret],
    ),
    # --- Logs ---
    Row("submit:index", every(200, anonymous="in"), every(422, anonymous=403)),
    Row(
        "submit:game",
        ("in 200 403 200 200 403 403 200 200 403 403", "in 404 404 404 404 404 404 404 404 200 404"),
        ("403 422 403 422 422 403 403 422 422 403 403", "403 404 404 404 404 404 404 404 404 422 404"),
        lambda t: [t.game],
    ),
    # The desk enters a card too.
    Row(
        "submit:card",
        ("in 200 403 200 200 200 403 200 200 403 403", "404 404 404 404 404 404 404 404 404 200 404"),
        ("403 422 403 422 422 422 403 422 422 403 403", "404 404 404 404 404 404 404 404 404 422 404"),
        lambda t: [t.game],
    ),
    # --- Accounts ---
    Row("accounts:first", every(404), every(404)),
    Row("accounts:sign_in", every("to", anonymous=200), every("to", anonymous=422)),
    Row("accounts:sign_out", NO_GET, every("to")),
    Row("accounts:sign_up", every("to", anonymous=200), every("to", anonymous=422)),
    Row("accounts:confirm_sent", READS, NO_POST),
    Row("accounts:confirm", READS, every(404), lambda _: ["nothing"]),
    Row("accounts:forgotten", READS, every(404)),
    Row("accounts:forgotten_sent", READS, NO_POST),
    Row("accounts:new_password", READS, READS, lambda _: ["1", "nothing"]),
    Row("accounts:new_password_done", READS, NO_POST),
    Row("accounts:detail", every(200, anonymous="in"), every("to", anonymous="in"), data=lambda _: {"full_name": "x"}),
    Row("accounts:password", every(200, anonymous="in"), every(422, anonymous="in")),
    Row("accounts:address", every(404, anonymous="in"), every(404, anonymous="in")),
    Row("accounts:closed", READS, NO_POST),
    Row("accounts:erase", every(200, anonymous="in"), every(422, anonymous="in"), data=lambda _: {"typed": "x"}),
    Row("api:index", READS, NO_POST),
    Row("api:reference", READS, NO_POST),
    Row("api:tokens", every(200, anonymous="in"), every(422, anonymous="in"), data=lambda _: {"name": ""}),
    Row(
        "api:revoke",
        NO_GET,
        ("in to 404 404 404 404 404 404 404 404 404", "in 404 404 404 404 404 404 404 404 to 404"),
        lambda t: [t.token_id],
    ),
    # --- Leagues ---
    Row("leagues:index", READS, READS),
    Row("leagues:detail", READS, READS, slug),
    Row("leagues:now", READS, NO_POST, slug),
    Row("leagues:files", READS, NO_POST, slug),
    Row("leagues:calendar", READS, NO_POST, slug),
    Row("leagues:table_calendar", READS, NO_POST, lambda t: [t.slug, t.table_id]),
    Row(
        "leagues:new",
        ("in 403 403 403 403 403 403 403 200 200 200",) * 2,
        ("in 403 403 403 403 403 403 403 422 422 422",) * 2,
        data=lambda _: {"name": ""},
    ),
    Row(
        "leagues:edit",
        OWNERS,
        OWNERS_DO,
        slug,
        lambda t: {"name": "New name", "time_zone": "Europe/Lisbon", "place": ""},
    ),
    Row("notices:index", READS, READS, slug),
    Row("notices:detail", READS, READS, lambda t: [t.slug, t.notice_id]),
    Row("notices:new", MANAGERS, MANAGERS_DO, slug, lambda _: {"title": "Moved", "text": "To the pier."}),
    Row(
        "notices:amend",
        MANAGERS,
        MANAGERS_DO,
        lambda t: [t.slug, t.notice_id],
        lambda _: {"title": "Moved", "text": "To the pier.", "seen": 1},
    ),
    Row("notices:withdraw", MANAGERS, MANAGERS_DO, lambda t: [t.slug, t.notice_id]),
    # --- Seasons: like the competitions published in Harbour, a draft in Hill ---
    Row("seasons:index", READS, READS, slug),
    Row("seasons:detail", DRAFTS, DRAFTS, lambda t: [t.slug, t.season]),
    Row("seasons:files", PUBLISHED, PUBLISHED, lambda t: [t.slug, t.season]),
    Row("seasons:file", PUBLISHED, NO_POST, lambda t: [t.slug, t.season, "dates.csv"]),
    Row("seasons:calendar", PUBLISHED, NO_POST, lambda t: [t.slug, t.season]),
    # --- Circuits: public from the start, without the drafts among their evenings ---
    Row("circuits:index", READS, READS, slug),
    Row("circuits:detail", READS, READS, lambda t: [t.slug, t.circuit]),
    Row("circuits:text", READS, READS, lambda t: [t.slug, t.circuit]),
    Row("circuits:table", READS, NO_POST, lambda t: [t.slug, t.circuit]),
    # --- Ratings ---
    Row("ratings:index", READS, NO_POST, slug),
    # Hill's games are no secret either, but Hill has no rating yet.
    Row("ratings:csv", PUBLISHED, NO_POST, slug),
    Row("ratings:player", PUBLISHED, NO_POST, lambda t: [t.slug, "udl", t.player]),
    Row("ratings:settings", MANAGERS, MANAGERS_DO, lambda t: [t.slug, "udl"], lambda _: RATING_SETTINGS),
    # --- The people of a league ---
    Row(
        "people:roles",
        (
            "in 404 403 403 403 403 403 200 200 404 200",
            "in 404 404 404 404 404 404 404 404 200 200",
        ),
        (
            "in 404 403 403 403 403 403 422 to 404 to",
            "in 404 404 404 404 404 404 404 404 to to",
        ),
        slug,
        # Which a manager is not offered.
        lambda _: {"who": "bob", "kind": "manager"},
    ),
    Row(
        "people:take_role",
        NO_GET,
        ("in 404 403 403 403 403 403 to to 404 403", "in 404 404 404 404 404 404 404 404 to 403"),
        lambda t: [t.slug, t.role_id],
    ),
    Row(
        "people:invite",
        NO_GET,
        (
            "in 404 403 403 403 403 403 200 200 404 403",
            "in 404 404 404 404 404 404 404 404 200 403",
        ),
        slug,
        lambda _: {"kind": "player"},
    ),
    Row(
        "people:revoke_invitation",
        NO_GET,
        (
            "in 404 403 403 403 403 403 to to 404 403",
            "in 404 404 404 404 404 404 404 404 to 403",
        ),
        lambda t: [t.slug, t.role_invitation_id],
    ),
    Row("people:decide_invitation", NO_GET, OWNERS_DO, lambda t: [t.slug, t.taken_invitation_id]),
    Row("people:reset_link", NO_GET, MANAGERS, lambda t: [t.slug, t.member]),
    Row("people:index", STAFF, STAFF, slug),
    Row("people:add", MANAGERS, MANAGERS_DO, slug, lambda _: {"name": "Cy", "since": "2026-11-21"}),
    Row("people:paste", MANAGERS, MANAGERS_DO, slug, lambda _: {"text": "Cy\nDee", "store": ""}),
    Row("people:claims", MANAGERS, MANAGERS, slug),
    Row("people:decide", NO_GET, MANAGERS_DO, lambda t: [t.slug, t.claim_id], lambda _: {"accept": ""}),
    Row("people:detail", MANAGERS, MANAGERS_DO, lambda t: [t.slug, t.free], lambda _: {"name": "Fay New"}),
    Row("people:end", NO_GET, MANAGERS_DO, lambda t: [t.slug, t.free], lambda _: {"day": "2026-12-01"}),
    Row("people:renew", NO_GET, MANAGERS_DO, lambda t: [t.slug, t.free], lambda _: {"day": "2026-12-01"}),
    Row("people:link", NO_GET, MANAGERS, lambda t: [t.slug, t.free]),
    Row("people:door", MANAGERS, MANAGERS_DO, lambda t: [t.slug, t.free]),
    Row("people:release", NO_GET, MANAGERS_DO, lambda t: [t.slug, t.free]),
    Row("people:merge", NO_GET, MANAGERS_DO, lambda t: [t.slug, t.free], lambda t: {"code": t.twin}),
    Row("people:unmerge", NO_GET, MANAGERS_DO, lambda t: [t.slug, t.merged, t.merge_id]),
    Row(
        "people:erase",
        MANAGERS,
        MANAGERS_FAIL,
        lambda t: [t.slug, t.free],
        lambda _: {"typed": "somebody else"},
    ),
    # --- Running competitions ---
    # Straight on to the league in which one has a part; a list, perhaps an empty one, for the others.
    Row("organize:index", ("in 200 200 to to to to to to to 200",) * 2, ("in 200 200 to to to to to to to 200",) * 2),
    Row("organize:home", STAFF, STAFF, slug),
    Row("organize:tables", STAFF, STAFF, slug),
    Row("organize:clock", CLOCKS, CLOCKS_DO, slug, lambda _: {"act": "start"}),
    Row("organize:competition", STAFF, STAFF, draft),
    Row("organize:cards", CLOCKS, NO_POST_FOR_CLOCKS, draft),
    Row("organize:slips", CLOCKS, NO_POST_FOR_CLOCKS, draft),
    Row("organize:grid", DESK, DESK_DO, slug),
    Row("organize:competition", STAFF, STAFF, draft),
    Row("organize:competition_grid", DESK, DESK_DO, draft),
    Row("organize:competition_tables", STAFF, STAFF, draft),
    Row(
        "organize:confirm",
        NO_GET,
        ("in 404 403 to to 403 403 to to 404 404", STAFF_DO[1]),
        slug,
        lambda t: {"result": t.result_id},
    ),
    Row("organize:league_files", STAFF, NO_POST_FOR_STAFF, slug),
    Row("organize:files", STAFF, STAFF, draft),
    Row("organize:file", STAFF, NO_POST_FOR_STAFF, lambda t: [*draft(t), "all.zip"]),
    Row("organize:import", MANAGERS, MANAGERS_FAIL, slug),
    Row("organize:import_results", MANAGERS, MANAGERS_FAIL, slug),
    Row("organize:entrants_table", MANAGERS, MANAGERS_FAIL, draft),
    Row("organize:confirm_import", NO_GET, ("in 404 403 to to 403 403 to to 404 404", STAFF_DO[1]), draft),
    Row("organize:new_season", MANAGERS, MANAGERS_FAIL, slug, lambda _: {"name": ""}),
    Row("organize:adjustments", MANAGERS, MANAGERS_FAIL, draft),
    Row("organize:new_circuit", MANAGERS, MANAGERS_FAIL, slug, lambda _: {"name": ""}),
    Row("organize:circuit", MANAGERS, MANAGERS_DO, lambda t: [t.slug, t.circuit], lambda _: {"do": "remove"}),
    Row("organize:season_files", STAFF, STAFF, lambda t: [t.slug, t.season]),
    Row("organize:season_file", STAFF, NO_POST_FOR_STAFF, lambda t: [t.slug, t.season, "dates.csv"]),
    Row("organize:season", STAFF, MANAGERS_DO, lambda t: [t.slug, t.season], lambda _: {"do": "publish"}),
    Row("organize:new", MANAGERS, MANAGERS_FAIL, slug, lambda _: {"name": ""}),
    Row("organize:plan", MANAGERS, MANAGERS_FAIL, draft, lambda _: {"name": ""}),
    Row("organize:entrants", MANAGERS, MANAGERS_DO, draft, lambda _: {"players": "Cy New"}),
    Row("organize:reopen", MANAGERS, MANAGERS_DO, lambda t: [t.slug, t.ladder]),
    Row("organize:cancel", MANAGERS, MANAGERS_FAIL, lambda t: [t.slug, t.ladder]),  # without a reason
    Row("organize:earlier", MANAGERS, MANAGERS, draft),
    # There is no such state, and the competition's page says so.
    Row("organize:undo", NO_GET, MANAGERS_DO, draft, lambda _: {"state": "1", "newest": "1"}),
    # Somebody who left keeps it, and its page says so.
    Row("organize:close_ladder", MANAGERS, MANAGERS_DO, lambda t: [t.slug, t.ladder], lambda _: {"do": "close"}),
    Row("organize:discard", MANAGERS, MANAGERS_DO, draft, lambda t: {"word": name_of_draft(t)}),
    Row("organize:rehearsals", MANAGERS, MANAGERS_FAIL, draft, lambda _: {"entrants": ""}),
    Row("organize:rehearsal", MANAGERS, MANAGERS, lambda t: [*draft(t), t.rehearsal_id]),
    Row("organize:remove_rehearsal", NO_GET, MANAGERS_DO, lambda t: [*draft(t), t.rehearsal_id]),
    Row("organize:discarded", MANAGERS, MANAGERS_DO, slug, lambda _: {"state": "1"}),
    Row("organize:seeds", MANAGERS, MANAGERS_DO, draft, lambda _: {"do": "lots"}),
    Row(
        "organize:registration",
        MANAGERS,
        MANAGERS_DO,
        draft,
        lambda _: {"registration": "open", "admission": "by_hand"},
    ),
    Row("organize:invite", NO_GET, MANAGERS, draft, lambda _: {"whom": "Mill", "uses": "1", "days": "1"}),
    Row("organize:revoke", NO_GET, MANAGERS_DO, lambda t: [t.slug, t.open, t.invitation_id]),
    Row(
        "organize:sign_ups",
        MANAGERS,
        MANAGERS_DO,
        lambda t: [t.slug, t.open],
        lambda t: {"do": "accept", "chosen": t.applicant_id},
    ),
    Row("organize:draw", NO_GET, MANAGERS_DO, draft),
    Row("organize:draw_next", NO_GET, MANAGERS_DO, draft),
    # No Swiss system is played there, which is told at the field.
    Row("organize:set_rounds", NO_GET, MANAGERS_FAIL, draft, lambda _: {"rounds": "3"}),
    Row("organize:pair", NO_GET, MANAGERS_DO, lambda t: [*draft(t), 1], lambda _: {"do": "anew"}),
    # A draft has no lots yet, and its page says so.
    Row("organize:table_lots", NO_GET, MANAGERS_DO, draft),
    Row("organize:publish", NO_GET, MANAGERS_DO, draft),
    # The competition itself is to be published first.
    Row("organize:publish_round", NO_GET, MANAGERS_FAIL, lambda t: [*draft(t), 1]),
    Row("organize:check_in", DESK, DESK, draft),
    Row("organize:check_in_one", NO_GET, DESK_DO, draft, lambda t: {"entrant": t.entrant_id, "do": "in"}),
    Row("organize:opening", NO_GET, MANAGERS_DO, draft, lambda _: {"open": "yes"}),
    Row("organize:present", MANAGERS, MANAGERS_DO, draft),
    Row("organize:rated", NO_GET, MANAGERS_DO, draft, lambda _: {"rated": "0"}),
    Row("organize:cash", DESK, DESK, draft),
    Row("organize:late_entry", MANAGERS, MANAGERS_DO, draft, lambda _: {"name": "Zoe Late"}),
    Row("organize:undo_late_entry", NO_GET, MANAGERS_DO, lambda t: [*draft(t), t.entrant_id]),
    Row("organize:late", DESK, DESK_DO, lambda t: [*draft(t), t.slot_id], lambda t: {"entrant": t.awaited_id}),
    Row("organize:withdraw", MANAGERS, MANAGERS_DO, lambda t: [*draft(t), t.entrant_id], lambda _: {"reason": "ill"}),
    Row("organize:undo_withdrawal", NO_GET, MANAGERS_DO, lambda t: [*draft(t), t.withdrawal_id]),
    Row("organize:hall_tables", MANAGERS, MANAGERS_DO, slug, lambda _: {"table": "", "name": "Nine"}),
    Row("organize:calls", DESK, DESK_DO, draft, lambda t: {"slot": t.slot_id, "do": "here"}),
    # Who needs an accessible table is told to officials alone.
    Row(
        "organize:wishes",
        ("in 404 403 200 200 403 403 200 200 404 404", STAFF[1]),
        MANAGERS_DO,
        draft,
        lambda t: {"do": "wish", "entrant": t.entrant_id},
    ),
    # No table is on the stream, which its page says.
    Row("organize:stream", NO_GET, MANAGERS_DO, lambda t: [*draft(t), t.slot_id], lambda _: {"on": "1"}),
    Row("organize:move", MANAGERS, MANAGERS_DO, lambda t: [*draft(t), t.slot_id], lambda _: {"table": ""}),
]

# What has no row, and why, by the beginning of the path.
ELSEWHERE = {
    "admin/": "Django's admin site, for those who run the site: tests/league/site/test_admin.py",
    "api/v1/": "the API, whose askers have tokens: tests/league/api/test_api_permissions.py",
    "i18n/": "Django's own view, which writes a cookie",
    "readyz": "the same for everybody, and another from machine to machine: tests/league/site/test_health.py",
}


@dataclass(frozen=True)
class Address:
    """The name within its space, and the path as it is written in the patterns."""

    name: str
    path: str


def addresses(patterns: list[URLPattern | URLResolver], space: str = "", path: str = "") -> Iterator[Address]:
    for one in patterns:
        here = f"{path}{one.pattern}"
        if isinstance(one, URLResolver):
            yield from addresses(one.url_patterns, f"{space}{one.namespace}:" if one.namespace else space, here)
        else:
            yield Address(f"{space}{one.name or ''}", here)


def without_row(rows: list[Row]) -> list[str]:
    """A second name for a path, as django-allauth has them for the pages of accounts, needs no row of its own."""
    every_one = list(addresses(get_resolver().url_patterns))
    listed = {row.name for row in rows}
    paths = {one.path for one in every_one if one.name in listed}
    return sorted({one.path for one in every_one if not one.path.startswith(tuple(ELSEWHERE))} - paths)


def test_every_address_of_the_site_has_a_row() -> None:
    assert without_row(TABLE) == []


def test_an_address_without_a_row_is_found_and_no_row_is_without_an_address() -> None:
    """The control."""
    one = next(row for row in TABLE if row.name == "organize:home")
    assert without_row([row for row in TABLE if row is not one]) == ["organize/<slug:league_slug>/"]
    assert {row.name for row in TABLE} <= {one.name for one in addresses(get_resolver().url_patterns)}


def test_nothing_is_excluded_that_is_not_there() -> None:
    paths = [one.path for one in addresses(get_resolver().url_patterns)]
    assert [start for start in ELSEWHERE if not any(path.startswith(start) for path in paths)] == []


@dataclass
class Scene:
    """The people with their browsers, and the things of both leagues."""

    clients: dict[str, Client]
    things: dict[str, Things]


@pytest.fixture
def scene(db) -> Scene:
    people, own, foreign = table_world.build()
    clients = {}
    for role in ROLES:
        clients[role] = Client()
        if people[role]:
            clients[role].force_login(people[role])
    return Scene(clients, {"own": own, "foreign": foreign})


def told(answer: Any) -> str:
    if answer.status_code not in {301, 302}:
        return str(answer.status_code)
    return "in" if answer.url.startswith("/sign-in/") else "to"


def area(row: Row) -> str:
    return row.name.partition(":")[0]


AREAS = sorted({area(row) for row in TABLE})
REFUSED = {"in", "403", "404", "405"}
OUTSIDE = ROLES.index("owner elsewhere")


def edges(line: str) -> set[str]:
    """Of a line of answers the least role that is allowed, the greatest of the league that is refused, and the owner
    of another league.
    """
    refused = [answer in REFUSED for answer in line.split()]
    allowed = [place for place, one in enumerate(refused) if not one]
    inside = [place for place, one in enumerate(refused[:OUTSIDE]) if one]
    return {ROLES[place] for place in {OUTSIDE, *allowed[:1], *inside[-1:]}}


def allowed(line: str) -> set[str]:
    """The least role that is allowed, whose request runs every statement of a page."""
    return {ROLES[place] for place, answer in enumerate(line.split()) if answer not in REFUSED} & edges(line)


def inner(line: str) -> set[str]:
    return {*ROLES} - edges(line)


def test_the_edges_of_a_line_are_where_its_answers_change() -> None:
    assert edges("in 404 403 200 200 403 403 200 200 404 404") == {"referee", "read only", "owner elsewhere"}
    assert edges(" ".join(["200"] * len(ROLES))) == {"anonymous", "owner elsewhere"}
    assert edges(NOWHERE) == {"owner", "owner elsewhere"}
    assert allowed("in 404 403 200 200 403 403 200 200 404 404") == {"referee"}


# The rows of an area share one scene: what a request changes is taken back before the next.
@pytest.mark.both
@pytest.mark.parametrize("name", AREAS)
def test_the_edges_of_every_line_are_answered_as_the_table_says(scene: Scene, name: str) -> None:
    assert wrong_cells(scene, name, edges if connection.vendor == "sqlite" else allowed) == {}


# Views decide on permissions before they render: pages that every edge has seen whole are left blank here.
@pytest.mark.slow("the other cells of the table, four fifths of it")
@pytest.mark.parametrize("name", AREAS)
def test_everybody_gets_what_the_table_says(scene: Scene, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setattr(Template, "render", lambda *_, **__: "")
    assert wrong_cells(scene, name, inner) == {}


def wrong_cells(scene: Scene, name: str, roles_of: Callable[[str], set[str]]) -> dict[str, dict[str, str]]:
    return {row.name: found for row in TABLE if area(row) == name and (found := differs(scene, row, roles_of))}


def differs(scene: Scene, row: Row, roles_of: Callable[[str], set[str]]) -> dict[str, str]:
    """The cells that are answered in another way, and how, for the roles of each line that are asked."""
    wrong = {}
    for method, whose, line in lines_of(scene, row):
        things = scene.things[whose]
        address = reverse(row.name, args=row.args(things))
        asked = roles_of(line)
        for role, expected in zip(ROLES, line.split(), strict=True):
            if role not in asked:
                continue
            found = ask(scene, role, method, address, row.data(things) if method == "post" else row.query(things))
            if found != expected:
                wrong[f"{method} {whose} as {role}"] = f"{found} instead of {expected}"
    return wrong


def lines_of(scene: Scene, row: Row) -> Iterator[tuple[str, str, str]]:
    """Method, whose things, the line of answers. Where the address names no thing, the second line is the first."""
    own, foreign = scene.things["own"], scene.things["foreign"]
    for method, (first, second) in (("get", row.get), ("post", row.post)):
        yield method, "own", first
        if [asked(own) for asked in row.asked] != [asked(foreign) for asked in row.asked]:
            yield method, "foreign", second
        else:
            assert first == second


def ask(scene: Scene, role: str, method: str, address: str, data: dict[str, Any]) -> str:
    """What one person is answered; whatever it changed is forgotten, so that the cells do not lean on each other."""
    with transaction.atomic():
        client = scene.clients[role]
        cookies = client.cookies.copy()
        answer = getattr(client, method)(address, data)
        client.cookies = cookies
        transaction.set_rollback(True)
    return told(answer)
