"""Every kind of page in a state worth looking at, for whoever looks: axe, the widths, the keyboard."""

from datetime import date, timedelta
from functools import partial
from random import Random

from django.utils import timezone

from games.notation.reading import dumps
from games.rulesets.uno import UNO_DOMINOES
from league.accounts.models import ResetLink, Role
from league.accounts.services import invite_to_role, take_invitation
from league.competitions.amendments.services import confirm_amendment, propose_amendment
from league.competitions.draw.plans import Plan, found
from league.competitions.following import follow
from league.competitions.models import Competition, Matchday, Slot
from league.competitions.ratings.services import rate_league
from league.matches.amendments import Wanted
from league.matches.clock import services as timekeeping
from league.matches.logs.submission import Fixture, schedule_matches, submit_log, verify_record
from league.matches.models import Amendment, Game, KnownBy, Match, Result, Side
from league.matches.permissions import Guest
from league.matches.results.entering import enter_sheet
from league.matches.results.reviews import choose, disagree
from league.players.services import claim, enrol, make_claim_link, merge
from referee.playouts.pips import playout
from referee.playouts.uno import playout_uno
from tests.browser.competition_places import further_formats, round_the_tables, seasons
from tests.browser.court_places import of_court
from tests.browser.league_places import of_adjustments, of_circuits, of_notices, of_titles
from tests.browser.online_places import of_hours, of_online
from tests.browser.organize_places import organizing, out_and_in, signing_up
from tests.browser.pair_places import of_pairs
from tests.browser.practice_places import of_practice
from tests.browser.spots import Spot
from tests.kept_rows import kept
from tests.league.matches.tapping import Pad, points, round_end
from tests.league.world import played_log
from tests.web import world as small
from tests.web.lives import two_lives
from tests.web.world import World

SYNTAX = {
    "line": 4,
    "column": 12,
    "code": "syntax",
    "severity": "impossible",
    "rule": "",
    "message": "line 4, column 12: expected a tile, found 'ten'",
}


LOOK = "See what each line means"


@partial(kept, minutes=5)  # clocks run in it
def furnished(*, long_line: str = "") -> tuple[World, list[Spot]]:
    """Build the small league with every state somewhere, and say where."""
    world = small.build()
    return world, furnish(world, long_line)


def furnish(world: World, long_line: str = "") -> list[Spot]:
    first, second, third = world.matches
    record = small.hand_in(world.game(first), world.ref, text=f"{small.LOG}# {long_line}\n")
    findings = [
        small.CORRECTION,
        small.CORRECTION | {"line": 11, "code": "claim-upheld", "severity": "note", "rule": "udl.muggins"},
        small.CORRECTION | {"line": 10, "code": "pass-when-able", "severity": "violation"},
    ]
    small.judge(record, "corrected", findings=findings)
    small.enter(record)
    # Its newest log gives no result, so the page shows the earlier one.
    small.judge(small.hand_in(world.game(first), world.ref), "incomplete")
    small.hand_in(world.game(second), world.ref)
    broken = '[Ruleset "udl"]\n\nround 1\nA hand 6-6 ten\n'
    small.judge(small.hand_in(world.game(third), world.ref, text=broken), "unreadable", findings=[SYNTAX])
    now = timezone.now()
    timekeeping.start_clock(world.game(second), world.ref, now - timedelta(minutes=6))
    timekeeping.give_time(world.game(second), world.ref, seconds=60, at=now - timedelta(minutes=5))
    timekeeping.start_clock(world.game(third), world.ref, now - timedelta(minutes=16))
    Pad(world.game(third), world.ref).send(points(0, 60), points(1, 45), round_end(0, 25), points(1, 10))
    cup = small.knock_out(world)
    card = without_log(world, KnownBy.CARD, CARD)
    score = without_log(world, KnownBy.SCORE, {"scores": [150, 95]})
    evening = rated_evenings(world)
    code, other = world.game(first).code, world.game(third).code
    people = furnish_people(world)
    follow(
        world.bob,
        [f"player:{world.entrants[0].player.code}", f"competition:{cup.pk}", "player:NOBODY"],
        now,
    )
    return [
        Spot("home", "/"),
        Spot("home of a player", "/", "bob"),
        Spot("live in a league", "/leagues/harbour/now/"),
        Spot("live in a competition", "/competitions/harbour/autumn/now/"),
        Spot("competitions", "/competitions/"),
        Spot("competition", "/competitions/harbour/autumn/"),
        Spot("standings", "/competitions/harbour/autumn/standings/", "bob"),
        Spot("standings on paper", "/competitions/harbour/autumn/standings/?all=1"),
        Spot("places by round", "/competitions/harbour/autumn/places/"),
        Spot("cross-table", "/competitions/harbour/autumn/cross-table/"),
        Spot("schedule", "/competitions/harbour/autumn/schedule/"),
        Spot("schedule of a knock-out", f"/competitions/harbour/{cup.slug}/schedule/"),
        Spot("players of a competition", "/competitions/harbour/autumn/players/"),
        Spot("rules of a competition", "/competitions/harbour/autumn/rules/"),
        Spot("rules of Uno Dominoes", f"/competitions/harbour/{uno_evening(world).slug}/rules/"),
        Spot("on your site", "/competitions/harbour/autumn/share/"),
        Spot("standings on another site", "/embed/harbour/autumn/standings/?theme=dark"),
        Spot("bracket on another site", f"/embed/harbour/{cup.slug}/bracket/"),
        Spot("knock-out", f"/competitions/harbour/{cup.slug}/"),
        Spot("bracket", f"/competitions/harbour/{cup.slug}/bracket/"),
        Spot("both brackets", f"/competitions/harbour/{two_lives(world, 6).slug}/bracket/"),
        Spot("final ranking", f"/competitions/harbour/{cup.slug}/ranking/"),
        Spot("bracket on the wall", f"/competitions/harbour/{cup.slug}/bracket/current/"),
        Spot("bracket on paper", f"/competitions/harbour/{cup.slug}/bracket/print/"),
        Spot("standings on the wall", "/competitions/harbour/autumn/standings/wall/"),
        Spot("show of pairings", "/hall/harbour/?competition=autumn&show=pairings"),
        Spot("show of clocks", "/hall/harbour/?competition=autumn&show=clocks"),
        Spot("show of standings", "/hall/harbour/?competition=autumn&show=standings"),
        Spot("show of a bracket", f"/hall/harbour/?competition={cup.slug}&show=bracket"),
        Spot("bracket followed", f"/competitions/harbour/{cup.slug}/bracket/?player={world.entrants[0].player.code}"),
        Spot("match provisional", f"/matches/{first.pk}/", "bob"),
        Spot("match being checked", f"/matches/{second.pk}/"),
        Spot("match unreadable", f"/matches/{third.pk}/", "ref"),
        Spot("scoreboard", f"/matches/{second.pk}/scoreboard/"),
        Spot("scoreboard of a tally", f"/matches/{third.pk}/scoreboard/"),
        Spot("match replayed", f"/matches/{replayed(world)}/"),
        Spot("match of Uno Dominoes", f"/matches/{replayed(world, UNO_DOMINOES.key)}/"),
        Spot("match from a card", f"/matches/{card}/", "alice"),
        Spot("match from a score", f"/matches/{score}/", "ref"),
        Spot("players", "/players/?q=a"),
        Spot("player", f"/players/{world.entrants[0].player.code}/"),
        Spot("following nobody", "/following/"),
        Spot("following", "/following/", "bob"),
        Spot("search", "/search/?q=a"),
        Spot("search without a find", "/search/?q=zzz"),
        Spot("opponents", f"/players/{world.entrants[0].player.code}/against/"),
        Spot("head-to-head", f"/players/{world.entrants[0].player.code}/against/{world.entrants[1].player.code}/"),
        Spot("sign in", "/sign-in/"),
        Spot("submit", "/submit/", "ref"),
        Spot("submit refused", f"/submit/{code}/", "ref", '[Ruleset "chess"]\n'),
        Spot("card", f"/submit/{other}/card/", "ref"),
        Spot(
            "card refused",
            f"/submit/{other}/card/",
            "ref",
            "ten",
            label=f"Final score: {third.sides.get(number=1).entrant.player.name}",
            button="Enter the card",
            answer="#card-error",
        ),
        Spot("submit unreadable", f"/submit/{other}/", "ref", broken),
        Spot("notation", "/notation/"),
        Spot("mending", f"/submit/{code}/?mend={record.pk}", "ref"),
        Spot("match with a running clock", f"/matches/{second.pk}/", "ref"),
        Spot("match after the bell", f"/matches/{third.pk}/", "alice"),
        Spot("score pad", f"/matches/{third.pk}/games/1/pad/", "ref"),
        Spot("keep score", f"/matches/{third.pk}/games/1/keep/", "ref"),
        Spot("tile pad", f"/matches/{third.pk}/games/1/tiles/", "ref"),
        Spot("whose phone", f"/t/{second.door}/pad/"),
        Spot("keep score by code", f"/t/{third.door}/pad/1/keep/", "ref"),
        Spot("tile pad by code", f"/t/{third.door}/pad/1/tiles/", "ref"),
        Spot("API", "/api/"),
        Spot("API reference", "/api/reference/"),
        Spot("tokens", "/account/tokens/", "bob"),
        Spot("address", "/address/"),
        Spot("trust this site", "/address/trust/"),
        Spot("muggins to ask", "/ask/"),
        Spot(
            "muggins answered",
            "/ask/?asked=1&ends=6-6+5+3&ruleset=udl&said=15&said_when=with-tile&c1=B&c1_when=after-next",
        ),
        Spot(
            "muggins refused", "/ask/", "", "6-5 3", "Open ends after the tile", "Whose points are they?", ".notice.bad"
        ),
        Spot("muggins by taps", "/ask/?by=board&board=6-6+6-3@6-6&pick=6-1"),
        Spot("not found", "/nowhere/"),
        Spot("an address of forms", "/sign-out/"),
        Spot("offline", "/offline/"),
        Spot("forbidden", f"/submit/{code}/", "charlie"),
        *evening,
        *amending(world),
        *further_formats(world),
        *organizing(world),
        *out_and_in(world),
        *round_the_tables(world),
        *entering(world),
        *seasons(world),
        *signing_up(world),
        *people,
        *of_pairs(world),
        *of_circuits(world),
        *of_adjustments(world),
        *of_court(world),
        *of_practice(),
        *of_online(),
        *of_hours(world),
    ]


CARD = {
    "scores": [150, 95],
    "rounds": [
        {"spinner": "6-6", "ended": "domino", "winner": 0, "totals": [45, 25]},
        {"spinner": "none", "totals": None},
        {"spinner": "4-4", "ended": "blocked", "winner": 1, "totals": [110, 95]},
        {"spinner": "5-5", "ended": "domino", "winner": 0, "totals": [150, 95]},
    ],
}


def without_log(world: World, kind: KnownBy, data: dict) -> int:
    """A match more, of which an official's card or score is known."""
    match = Match.objects.create(league=world.league, ruleset="udl", published_at=timezone.now())
    for number, entrant in enumerate(world.entrants[:2], start=1):
        Side.objects.create(match=match, number=number, entrant=entrant)
    enter_sheet(Game.objects.create(match=match), world.ref, data, kind=kind)
    return match.pk


def uno_evening(world: World) -> Competition:
    """Of halves without pips."""
    made = found(world.league, Plan(name="Uno Evening", ruleset=UNO_DOMINOES.key), user=world.owner)
    Competition.objects.filter(pk=made.pk).update(published_at=small.FIRST)
    return made


def replayed(world: World, ruleset: str = "udl") -> int:
    """A match more, with the whole log of its game."""
    match = Match.objects.create(league=world.league, ruleset=ruleset, published_at=timezone.now())
    for number, entrant in enumerate(world.entrants[:2], start=1):
        Side.objects.create(match=match, number=number, entrant=entrant)
    if ruleset == UNO_DOMINOES.key:
        text = dumps(playout_uno(rng=Random(7)).log).replace("Ana Ruiz", "{a}").replace("Bo Chen", "{b}")
    else:
        text = dumps(playout(ruleset, rng=Random(7), seats=("{a}", "{b}")).log)
    verify_record(small.hand_in(Game.objects.create(match=match), world.ref, text=text).pk)
    return match.pk


def rated_evenings(world: World) -> list[Spot]:
    """A list of ratings with a history of six periods, one of them after a pause, and a league without any."""
    made = found(world.league, Plan(name="Winter Season", ruleset="udl", starts_at=small.FIRST), user=world.owner)
    Competition.objects.filter(pk=made.pk).update(published_at=small.FIRST)
    day = Matchday.objects.create(stage=made.stages.get(), number=1)
    for number, (week, winner) in enumerate(((0, 1), (1, 1), (2, 2), (3, None), (7, 1), (8, 2)), start=1):
        agreed = Fixture(
            league=world.league,
            entrants=world.entrants[:2],
            ruleset="udl",
            options={},
            published_at=small.FIRST,
        )
        match = schedule_matches([agreed])[0]
        Slot.objects.create(matchday=day, number=number, match=match)
        at = small.FIRST - timedelta(weeks=10 - week)
        record = small.hand_in(match.games.get(), world.ref, submitted_at=at)
        small.judge(record)
        small.enter(record, official_by=world.owner, winner=winner)
    rate_league(world.league.pk)
    ratings = "/leagues/harbour/ratings"
    return [
        Spot("ratings", f"{ratings}/", "owner"),
        Spot("no ratings", "/leagues/hill/ratings/"),
        Spot("rating of a player", f"{ratings}/udl/players/{world.entrants[0].player.code}/"),
        Spot("settings of ratings", f"{ratings}/udl/settings/", "owner"),
    ]


def amending(world: World) -> list[Spot]:
    """A cup in which a first match was amended while the final stands, and one whose amendment waits."""
    made = small.knock_out(world, players=4, played=4, name="Amended Cup")
    final = Match.objects.get(slot__matchday__stage__competition=made, slot__matchday__number=2)
    record = small.hand_in(final.games.get(), world.ref)
    small.judge(record)
    small.enter(record, official_by=world.owner)
    first, second = (
        match.games.get() for match in Match.objects.filter(slot__matchday__stage__competition=made).order_by("pk")[:2]
    )
    ruling = Wanted(
        kind=KnownBy.RULED,
        data={"scores": [0, 150], "winner": 2, "ended": "forfeit"},
        reason="Drew from the boneyard although a tile in hand could have been played, and did so twice",
        later=Amendment.Later.STAND,
    )
    confirm_amendment(propose_amendment(first, world.owner, ruling), world.ref)
    waits = propose_amendment(second, world.owner, ruling)
    return [
        Spot("amended match", f"/matches/{first.match_id}/"),
        Spot("amending", f"/matches/{first.match_id}/games/1/amend/", "ref"),
        Spot(
            "amending, the effect",
            f"/matches/{first.match_id}/games/1/amend/",
            "ref",
            "The names were swapped",
            label="Reason",
            button="Preview",
            answer="#effect",
        ),
        Spot("an amendment that waits", f"/matches/{second.match_id}/amendments/{waits.pk}/", "ref"),
        Spot("bracket that stands", f"/competitions/harbour/{made.slug}/bracket/"),
        Spot("amendments that wait", "/organize/harbour/", "ref"),
    ]


def entering(world: World) -> list[Spot]:
    """The desk's grid and the pages at the table: nothing entered yet, one side's word, and two that differ."""
    now = timezone.now()
    agreed = Fixture(
        league=world.league, entrants=world.entrants[:2], ruleset="udl", options={}, starts_at=now, published_at=now
    )
    untouched, one, two, logs, taken = schedule_matches([agreed] * 5)
    for match, sides in ((one, (1,)), (two, (1, 2)), (taken, (1,))):
        for side in sides:
            said = {"scores": [150, 95] if side == 1 else [90, 150]}
            enter_sheet(match.games.get(), Guest(match.pk, side), said, kind=KnownBy.SCORE)
    for seed, user in ((6, world.alice), (11, world.bob)):  # two games that end 85–150
        log = played_log(seed, names=tuple(one.player.code for one in world.entrants[:2]))
        record = submit_log(game=logs.games.get(), user=user, raw=log.encode()).record
        verify_record(record.pk)
    result = Result.objects.select_related("game__match__league").get(game__match=taken)
    disagree(result, Guest(taken.pk, 2), sentence="I had five more: 4-1 on the open end of the second hand.")
    choose(result, world.ref, reason="Both cards say 150–95.")
    return [
        Spot("under review, a player", f"/matches/{two.pk}/", "bob"),
        Spot("under review, an official", f"/matches/{logs.pk}/", "ref"),
        Spot("under review, decided", f"/matches/{taken.pk}/", "bob"),
        Spot("desk grid", "/organize/harbour/grid/", "ref"),
        Spot("at the table", f"/t/{untouched.door}/"),
        Spot("at the table, entering", f"/t/{untouched.door}/", "alice"),
        Spot("at the table, waiting", f"/t/{one.door}/", "alice"),
        Spot("at the table, to confirm", f"/t/{one.door}/", "bob"),
        Spot("at the table, two differ", f"/t/{two.door}/", "bob"),
        Spot("unknown card", "/t/AAAAAAAAAAAA/"),
        Spot("entering a score", f"/matches/{untouched.pk}/games/1/score/", "ref"),
    ]


def furnish_people(world: World) -> list[Spot]:
    """The pages of leagues, their people and accounts. Bob owns the league and is asked to answer a claim."""
    since = date(2026, 1, 1)
    young, twin = (
        enrol(league=world.league, name=name, since=since, **more).player
        for name, more in (("Dee Fox", {"born": 2015}), ("Ana Ruiz", {"club": "Hillside", "number": "12"}))
    )
    Role.objects.create(user=world.bob, league=world.league, kind=Role.Kind.OWNER)
    merge(
        kept=twin,
        absorbed=enrol(league=world.league, name="Anna Ruiz", since=since).player,
        league=world.league,
        by=world.bob,
    )
    claim(young, world.charlie)
    secret = make_claim_link(twin, world.league, world.bob)
    ResetLink.objects.create(user=world.alice, made_by=world.bob, made_at=timezone.now())
    invited = invite_to_role(world.league, world.bob, kind=Role.Kind.PLAYER)
    take_invitation(invite_to_role(world.league, world.bob, kind=Role.Kind.REFEREE), world.charlie)
    pasted = "Ana Ruiz\nNew Name, Hillside, 7\nBo Chen\nCléo Diaz\n"
    return [
        Spot("leagues", "/leagues/"),
        Spot("league", "/leagues/harbour/"),
        Spot("league of its owner", "/leagues/harbour/", "bob"),
        Spot("new league", "/leagues/new/", "bob"),
        Spot("settings of a league", "/leagues/harbour/edit/", "bob"),
        *of_notices(world),
        *of_titles(world),
        Spot("members", "/leagues/harbour/players/", "bob"),
        Spot("new player", "/leagues/harbour/players/add/", "bob"),
        Spot(
            "pasting", "/leagues/harbour/players/paste/", "bob", pasted, "Names", "See what each line means", "#lines"
        ),
        Spot("player's file", f"/leagues/harbour/players/{twin.code}/", "bob"),
        Spot("erasing a name", f"/leagues/harbour/players/{twin.code}/erase/", "bob"),
        Spot("claims", "/leagues/harbour/claims/", "bob"),
        Spot("roles", "/leagues/harbour/roles/", "bob"),
        Spot("invitation", f"/invitation/{invited}/", "charlie"),
        Spot("claim link", f"/players/link/{secret}/", "charlie"),
        Spot("claimable player", f"/players/{world.entrants[2].player.code}/", "charlie"),
        Spot("own player", f"/players/{world.entrants[0].player.code}/", "alice"),
        Spot("erasing one's name", f"/players/{world.entrants[0].player.code}/erase/", "alice"),
        Spot("account", "/account/", "alice"),
        Spot("password", "/account/password/", "alice"),
        Spot("erasing an account", "/account/erase/", "alice"),
        Spot("sign up", "/sign-up/"),
        Spot("forgotten", "/password/forgotten/"),
        Spot("dead reset link", "/password/new/1-nothing/"),
    ]
