"""Every kind of page in a state worth looking at, for whoever looks: axe, the widths, the keyboard."""

from dataclasses import replace
from datetime import date, timedelta
from functools import partial
from random import Random
from zoneinfo import ZoneInfo

from django.utils import timezone

from games.notation.reading import dumps
from games.rulesets.uno import UNO_DOMINOES
from league.accounts.models import ResetLink, Role
from league.accounts.services import invite_to_role, take_invitation
from league.competitions.amendments.services import confirm_amendment, propose_amendment
from league.competitions.attendance.check_in import check_in
from league.competitions.attendance.requested_byes import request_bye
from league.competitions.attendance.withdrawals import wait_for, withdraw
from league.competitions.cancelling import cancel
from league.competitions.draw.calling import hold, put_out_of_order
from league.competitions.draw.plans import Plan, found
from league.competitions.draw.publishing import publish
from league.competitions.draw.reopening import reopen
from league.competitions.draw.stages import draw
from league.competitions.draw.table_wishes import set_wishes
from league.competitions.draw.undo import discard
from league.competitions.following import follow
from league.competitions.import_export.importing import import_competition
from league.competitions.import_export.result_columns import RESULT_WORDS, guess, words_of
from league.competitions.import_export.result_tables import read_results
from league.competitions.import_export.tabular import read_sheet
from league.competitions.ladders.services import challenge
from league.competitions.models import Competition, Matchday, Season, Slot, Stage
from league.competitions.ratings.services import rate_league
from league.competitions.registration.admission import accept_sign_ups, refuse_sign_ups
from league.competitions.registration.entries import register
from league.competitions.registration.fees import let_off, take_fee
from league.competitions.registration.opening import RegistrationTerms, invite, set_registration
from league.competitions.registration.seeding import draw_lots, reseed
from league.competitions.registration.sign_ups import Introduction, apply_as_player, apply_by_name
from league.competitions.seasons.plans import DateRule, DivisionPlan, SeasonPlan, found_season
from league.competitions.seasons.services import draw_season, publish_season
from league.matches.amendments import Wanted
from league.matches.clock import services as timekeeping
from league.matches.logs.submission import Fixture, confirm_result, schedule_matches, submit_log, verify_record
from league.matches.models import Amendment, Game, KnownBy, Match, Result, Side, Table
from league.matches.permissions import Guest
from league.matches.results.entering import enter_sheet
from league.matches.results.reviews import choose, disagree
from league.players.services import claim, enrol, make_claim_link, merge
from league.rehearsals.evening import Mishaps
from league.rehearsals.services import ToRehearse, ask_to_rehearse
from referee.playouts.pips import playout
from referee.playouts.uno import playout_uno
from tests.browser.call_places import of_referee_calls
from tests.browser.court_places import of_court
from tests.browser.league_places import of_adjustments, of_circuits, of_notices, of_titles
from tests.browser.pair_places import of_pairs
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
        Spot("tally pad", f"/matches/{third.pk}/games/1/pad/", "ref"),
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


def further_formats(world: World) -> list[Spot]:
    """A round at tables of four with one who did not come, and a ladder with a challenge to play."""
    there = [*world.entrants, enrol(league=world.league, name="Pia Moss", since=date(2026, 1, 1))]
    order = ["place_points", "game_points", "difference"]
    at_tables = Plan(
        name="Tables of Spring",
        ruleset="all-fives",
        format=Stage.Format.TABLE_ROUNDS,
        seats=4,
        rounds=2,
        tie_breaks=order,
        starts_at=small.FIRST,
    )
    ladder = Plan(
        name="Ladder of Spring", ruleset="udl", format=Stage.Format.LADDER, challenge_reach=2, challenge_days=14
    )
    for plan in (at_tables, ladder):
        made = found(world.league, plan, user=world.owner)
        register(made, there)
        draw(made, user=world.owner)
        publish(made, user=world.owner)
        if plan is at_tables:
            withdraw(made, there[-1], user=world.owner, reason="ill")
    one = challenge(made, there[2], there[1], by=world.owner)
    done = enter_sheet(one.slot.match.games.get(), world.ref, {"scores": [95, 150]}, kind=KnownBy.SCORE, insist=True)
    confirm_result(result=done.result, user=world.owner)
    challenge(made, there[2], there[0], by=world.owner)
    code = there[0].player.code
    return [
        Spot("tables of four", "/competitions/harbour/tables-of-spring/"),
        Spot("number of a table of four", f"/competitions/harbour/tables-of-spring/standings/{code}/"),
        Spot("round at tables of four", "/competitions/harbour/tables-of-spring/rounds/1/"),
        Spot("desk at tables of four", "/organize/harbour/competitions/tables-of-spring/grid/", "owner"),
        Spot("cards of tables of four", "/organize/harbour/competitions/tables-of-spring/cards/", "owner"),
        Spot("ladder", "/competitions/harbour/ladder-of-spring/"),
        Spot("places on a ladder", "/competitions/harbour/ladder-of-spring/places/"),
        Spot("ladder of the desk", "/competitions/harbour/ladder-of-spring/", "owner"),
        Spot("ladder of a player", "/competitions/harbour/ladder-of-spring/", "bob"),
        Spot("closing a ladder", "/organize/harbour/competitions/ladder-of-spring/close/", "owner"),
        Spot("newcomer at tables of four", "/organize/harbour/competitions/tables-of-spring/late-entry/", "owner"),
    ]


def reopened_codes(world: World) -> list[Spot]:
    """A card whose match is not in the new draw, and one of a draw that is being changed."""
    spots = []
    for name, published in (("Drawn Again Cup", True), ("Reopened Cup", False)):
        plan = Plan(name=name, ruleset="udl", format=Stage.Format.SINGLE_ELIMINATION, tables=("1", "2"))
        made = found(world.league, plan, user=world.owner)
        register(made, world.entrants)
        draw(made, user=world.owner)
        publish(made, user=world.owner)
        door = Slot.objects.filter(matchday__stage__competition=made, match__isnull=False)[0].match.door
        reopen(made, user=world.owner)
        reseed(made, [one.pk for one in world.entrants[1:] + world.entrants[:1]], user=world.owner)
        draw(made, user=world.owner)
        if published:
            publish(made, user=world.owner)
        spots.append(Spot(f"code of {name.lower()}", f"/t/{door}/"))
    return spots


def cancelling(world: World) -> list[Spot]:
    """The form that cancels a running competition, and a cancelled one with a played match and a fee to give back."""
    for name in ("Running Cup", "Cancelled Cup"):
        plan = Plan(name=name, ruleset="udl", tables=("1", "2"), fee=500)
        made = found(world.league, replace(plan, currency="€"), user=world.owner)
        register(made, world.entrants)
        draw(made, user=world.owner)
        publish(made, user=world.owner)
        take_fee(made, world.entrants[0], user=world.owner, owed=500)
        first, second = (
            slot.match for slot in Slot.objects.filter(matchday__stage__competition=made, match__isnull=False)[:2]
        )
        done = enter_sheet(first.games.get(), world.ref, {"scores": [150, 95]}, kind=KnownBy.SCORE)
        confirm_result(result=done.result, user=world.owner)
        enter_sheet(second.games.get(), world.owner, {"scores": [150, 95]}, kind=KnownBy.SCORE)
    cancel(made, user=world.owner, reason="The hall is flooded")
    cup, cancelled = "/organize/harbour/competitions", "/competitions/harbour/cancelled-cup/"
    return [
        Spot("cancel", f"{cup}/running-cup/cancel/", "owner"),
        Spot("cancelled", cancelled),
        Spot("cancelled for the desk", cancelled, "owner"),
        Spot("cash to give back", f"{cup}/cancelled-cup/cash/", "owner"),
    ]


def called(world: World) -> list[Spot]:
    """An evening with a dispatcher: two tables, one of them out of order, a match on hold."""
    plan = Plan(name="Dispatched Cup", ruleset="udl", dispatches=True, tables=("8", "9"))
    made = found(world.league, plan, user=world.owner)
    people = [enrol(league=world.league, name=f"Guest Nr. {number}", since=small.FIRST.date()) for number in range(6)]
    register(made, people)
    draw(made, user=world.owner)
    publish(made, user=world.owner)
    put_out_of_order(made.tables.get(name="9"), user=world.owner)
    ready = Slot.objects.filter(matchday__stage__competition=made, match__called_at=None, match__isnull=False)
    hold(ready.order_by("pk")[0], user=world.owner)
    match = Match.objects.filter(slot__matchday__stage__competition=made, called_at__isnull=False).first()
    address = "/organize/harbour/competitions/dispatched-cup"
    return [
        Spot("calls", f"{address}/calls/", "owner"),
        Spot("tables out of order", f"{address}/wishes/", "owner"),
        Spot("hall that calls", "/hall/harbour/?competition=dispatched-cup"),
        Spot("personal link of a called player", f"/me/{match.sides.first().entrant.door}/"),
    ]


def organizing(world: World) -> list[Spot]:
    """The organizer's pages, with a draft and with a competition whose second round is still hidden."""
    for name, release in (
        ("Friday Cup", Competition.Release.ALL),
        ("Saturday Cup", Competition.Release.ROUND_BY_ROUND),
    ):
        plan = Plan(name=name, ruleset="udl", release=release, starts_at=small.FIRST, days_between=1, tables=("1", "2"))
        made = found(world.league, plan, user=world.owner)
        register(made, world.entrants)
        draw(made, user=world.owner)
    publish(made, user=world.owner)
    Table.objects.filter(league=world.league, name="1").update(stream=True)
    kept = Table.objects.get(league=world.league, name="2")
    set_wishes(made, world.entrants[0], user=world.owner, table=kept, needs_accessible=True)
    slot = Slot.objects.filter(matchday__stage__competition=made, berths__number=2).first()
    draft = Competition.objects.get(slug="friday-cup")
    discard(found(world.league, replace(plan, name="Sunday Cup"), user=world.owner), user=world.owner)
    draw_lots(draft, user=world.owner, rng=Random(4))
    reseed(draft, [one.pk for one in world.entrants[::-1]], user=world.owner)
    draw(draft, user=world.owner)
    wrong = Mishaps(no_show=True, protest=True, level_game=True, late_entry=True)
    rehearsal = ask_to_rehearse(draft, ToRehearse(6, seed=7, wishes=wrong), user=world.owner)
    rehearsed_cup = found(
        world.league, replace(plan, name="Monday Cup", format=Stage.Format.SINGLE_ELIMINATION), user=world.owner
    )
    bracket = ask_to_rehearse(rehearsed_cup, ToRehearse(5, seed=7), user=world.owner)
    cup = "/organize/harbour/competitions"
    return [
        Spot("organize", "/organize/harbour/", "owner"),
        Spot("new competition", "/organize/harbour/new/", "owner"),
        Spot("draft", f"{cup}/friday-cup/", "owner"),
        Spot("plan", f"{cup}/friday-cup/plan/", "owner"),
        Spot("earlier states", f"{cup}/friday-cup/earlier/", "owner"),
        Spot("discard", f"{cup}/friday-cup/discard/", "owner"),
        Spot(
            "discard mistyped",
            f"{cup}/friday-cup/discard/",
            "owner",
            "Sunday Cup",
            label="To say that you mean it, type “Friday Cup”",
            button="Discard it",
            answer="#word-error",
        ),
        Spot("rehearsals", f"{cup}/friday-cup/rehearsals/", "owner"),
        Spot("rehearsal", f"{cup}/friday-cup/rehearsals/{rehearsal.pk}/", "owner"),
        Spot("rehearsal of a bracket", f"{cup}/monday-cup/rehearsals/{bracket.pk}/", "owner"),
        Spot("discarded drafts", "/organize/harbour/discarded/", "owner"),
        Spot("add players", f"{cup}/friday-cup/entrants/", "owner"),
        Spot("rounds", f"{cup}/saturday-cup/", "owner"),
        Spot("reopen", f"{cup}/saturday-cup/reopen/", "owner"),
        *reopened_codes(world),
        *cancelling(world),
        *called(world),
        *of_referee_calls(world),
        Spot("move", f"{cup}/saturday-cup/slots/{slot.pk}/", "owner"),
        Spot("tables", "/organize/harbour/tables/", "owner"),
        Spot("tables set up", "/organize/harbour/tables/setup/", "owner"),
        Spot("who plays where", f"{cup}/saturday-cup/wishes/", "owner"),
        Spot("hall clock", "/organize/harbour/clock/?competition=autumn", "owner"),
        Spot("hall clock that waits", "/organize/harbour/clock/?competition=saturday-cup", "owner"),
        Spot("printed cards", f"{cup}/saturday-cup/cards/", "owner"),
        Spot("blank cards", f"{cup}/saturday-cup/cards/?round=1&blank=2&paper=letter", "owner"),
        Spot("printed slips", f"{cup}/saturday-cup/slips/", "owner"),
        *out_and_in(world),
        Spot("wall", "/hall/harbour/?competition=autumn"),
        Spot("wall that waits", "/hall/harbour/?competition=saturday-cup"),
    ]


def seasons(world: World) -> list[Spot]:
    """One being played, one that is over with a play-off to be made and a tie, and a draft."""
    house = ("Upper House", [f"Guest of the Season {n}" for n in range(4)], (0, 1, 0))
    below = ("Lower House", [f"Guest of the Season {n}" for n in range(4, 8)], (1, 0, 1))
    for name in ("Season One", "Season Two", "Season Three"):
        plan = SeasonPlan(
            name=name,
            plan=Plan(name="-", ruleset="udl", tables=("1", "2")),
            divisions=[
                DivisionPlan(name=title, names="\n".join(names), promote=up, relegate=down, play_off=off)
                for title, names, (up, down, off) in (house, below)
            ],
            starts_on=small.FIRST.date(),
            dates=DateRule(first=small.FIRST, every=7),
        )
        made = found_season(world.league, plan, user=world.owner)
        draw_season(made, user=world.owner)
        if name != "Season Three":
            publish_season(made, user=world.owner)
        if name == "Season Two":
            finish_season(made, world)
    return [
        Spot("seasons", "/seasons/harbour/"),
        Spot("season", "/seasons/harbour/season-one/"),
        Spot("season that is over", "/seasons/harbour/season-two/?division=2&matchday=2"),
        Spot("division", "/competitions/harbour/season-two-lower-house/"),
        Spot("new season", "/organize/harbour/new-season/", "owner"),
        Spot("season of its organizer", "/organize/harbour/seasons/season-one/", "owner"),
        Spot("end of a season", "/organize/harbour/seasons/season-two/", "owner"),
        Spot("draft of a season", "/organize/harbour/seasons/season-three/?division=2", "owner"),
        Spot("files of a season", "/seasons/harbour/season-one/files/"),
        Spot("files of a season for its staff", "/organize/harbour/seasons/season-one/files/", "owner"),
    ]


def finish_season(season: Season, world: World) -> None:
    """In the upper house the last two are level; in the lower one the better seed has won."""
    matches = Match.objects.filter(slot__matchday__stage__competition__division__season=season)
    for match in matches.order_by("pk"):
        record = small.hand_in(match.games.get(), world.ref)
        small.judge(record)
        seeds = {side.number: side.entrant.registrations.latest("pk").seed for side in match.sides.all()}
        small.enter(record, official_by=world.owner, winner=min(seeds, key=seeds.get))
    Stage.objects.filter(competition__division__season=season).update(finished_at=timezone.now())


def signing_up(world: World) -> list[Spot]:
    """A draft that is open, with sign-ups of every kind and an order that came about by lot; one by invitation."""
    plan = Plan(name="Open Cup", ruleset="udl", starts_at=small.FIRST, fee=500, currency="€")
    made, other = (found(world.league, one, user=world.owner) for one in (plan, replace(plan, name="Guests Cup")))
    terms = RegistrationTerms(registration=Competition.Opening.OPEN, places=6)
    set_registration(made, terms, user=world.owner)
    set_registration(other, replace(terms, registration=Competition.Opening.INVITED), user=world.owner)
    secrets = [f"secret-{number}" for number in range(7)]
    for secret, name in zip(secrets, SIGNED_UP, strict=True):
        said = {"club": "Mill Street", "contact": "una@example.org", "word": "Comes by bus, at seven at the earliest"}
        apply_by_name(made, Introduction(name=name, born=1990, **said), secret=secret)
    apply_as_player(made, world.entrants[1].player, user=world.bob, secret="of-bob")
    rows = list(made.applicants.order_by("pk"))
    accept_sign_ups(made, [row.pk for row in rows[:2]], user=world.owner)
    refuse_sign_ups(made, [rows[2].pk], user=world.owner)
    register(made, [one for one in world.entrants if not made.registrations.filter(entrant=one).exists()])
    order = list(made.registrations.order_by("-seed").values_list("entrant", flat=True))
    reseed(made, order, user=world.owner)
    draw_lots(made, user=world.owner, rng=Random(7))
    invitation = invite(other, user=world.owner, whom="Players of Mill Street", uses=5)
    cup, public = "/organize/harbour/competitions/open-cup", "/competitions/harbour/open-cup/sign-up/"
    return [
        Spot("signing up", public),
        Spot("signing up with an account", public, "alice"),
        Spot("signed up with an account", public, "bob"),
        Spot("signing up refused", public, "", "12", label="Your name", button="Sign up", answer=".error"),
        Spot("invited", f"/sign-ups/invited/{invitation}/"),
        Spot("spent invitation", "/sign-ups/invited/nothing/"),
        Spot("own sign-up", f"/sign-ups/{secrets[3]}/"),
        Spot("own sign-up, waiting list", f"/sign-ups/{secrets[6]}/"),
        Spot("own sign-up, in", f"/sign-ups/{secrets[1]}/"),
        Spot("registration", f"{cup}/registration/", "owner"),
        Spot("invitations", "/organize/harbour/competitions/guests-cup/registration/", "owner"),
        Spot("sign-ups", f"{cup}/sign-ups/", "owner"),
        Spot("sign-ups refused", f"{cup}/sign-ups/?show=refused", "owner"),
        Spot("seeds", f"{cup}/seeds/", "owner"),
    ]


SIGNED_UP = ["Una Uno", "Ulf Two", "Uwe Not", "Ana Ruiz", "Utz Twice", "utz twice", "Cléo Diaz"]
PAST = "Fecha\tJornada\tJugador 1\tJugador 2\tTanteo\n3/10/2025\t1\tJosé Peña\tLía Soto\t150-95\n"
ALIKE_CROSS = (
    "Liga de Invierno\nNr\tJugador\t1\t2\t3\t4\n1\tAna Ruiz\tX\t2-1\t2-0\t\n2\tBo Chen\t1-2\tX\t0-2\t2-1\n"
    "3\tAna Ruíz\t0-2\t2-0\tX\t2-1\n4\tBo Chenn\t\t1-2\t1-2\tX\n"
)


def out_and_in(world: World) -> list[Spot]:
    """Files, what is imported from tables, and a past season that waits for a second official."""
    sheet = read_sheet(PAST, words_of(RESULT_WORDS))
    zone = ZoneInfo(world.league.time_zone)
    read = read_results(sheet, guess(sheet, RESULT_WORDS), name="Season of 2025", ruleset="udl", zone=zone)
    import_competition(world.league, read.filed, user=world.owner)
    cup = "/organize/harbour/competitions"
    return [
        Spot("files", "/competitions/harbour/autumn/files/"),
        Spot("files for managers", f"{cup}/saturday-cup/files/", "owner"),
        Spot("import", "/organize/harbour/import/", "owner"),
        Spot(
            "past season refused",
            "/organize/harbour/import/results/",
            "owner",
            PAST,
            label="Table of results, one game a line",
            button="See what it makes",
            answer="#import-error",
        ),
        Spot(
            "import of a cross-table",
            "/organize/harbour/import/results/",
            "owner",
            ALIKE_CROSS,
            label="Table of results, one game a line",
            button="See what it makes",
            answer="#alike",
        ),
        Spot(
            "players from a table",
            f"{cup}/friday-cup/entrants/table/",
            "owner",
            "Rank\tParticipant\tMatch W-L-T\n1\tZoe New\t2 - 0 - 0\n",
            label="Table of players, one a line",
            button="See what each line means",
            answer="#lines",
        ),
        Spot("imported season", f"{cup}/season-of-2025/", "ref"),
    ]


def round_the_tables(world: World) -> list[Spot]:
    """A club night under way: some are here, some have paid, one has left, and a table is late."""
    more = [enrol(league=world.league, name=f"Guest of the Evening {n}", since=date(2026, 1, 1)) for n in range(4)]
    plan = Plan(
        name="Club Night",
        ruleset="udl",
        release=Competition.Release.ROUND_BY_ROUND,
        starts_at=timezone.now(),
        tables=("1", "2", "3"),
        fee=500,
        currency="€",
    )
    later = replace(plan, name="Club Draft", format=Stage.Format.SWISS)
    made, waiting = (found(world.league, one, user=world.owner) for one in (plan, later))
    for one in (made, waiting):
        register(one, [*world.entrants, *more])
        draw(one, user=world.owner)
    publish(made, user=world.owner)
    request_bye(waiting, more[1], number=2, user=world.ref)
    for entrant in more[:2]:
        check_in(waiting, entrant, user=world.ref)
        take_fee(waiting, entrant, user=world.ref, owed=500)
    let_off(waiting, more[2], user=world.ref, reason="lent the tables")
    withdraw(made, more[3], user=world.owner, reason="goes home")
    slot = Slot.objects.filter(matchday__stage__competition=made, match__state="scheduled").order_by("pk").first()
    wait_for(slot, slot.berths.get(number=1).entrant, user=world.ref)
    night, draft = "/organize/harbour/competitions/club-night", "/organize/harbour/competitions/club-draft"
    public = "/competitions/harbour/club-night"
    return [
        Spot("a club night", f"{night}/", "owner"),
        Spot("check-in", f"{draft}/check-in/", "ref"),
        Spot("draw with those who are here", f"{draft}/present/", "owner"),
        Spot("cash", f"{draft}/cash/", "ref"),
        Spot("newcomer", f"{night}/late-entry/", "owner"),
        Spot("withdrawing", f"{night}/entrants/{more[0].pk}/withdraw/", "owner"),
        Spot("late table", f"{night}/slots/{slot.pk}/late/", "owner"),
        Spot("tables of a club night", f"{night}/tables/", "owner"),
        Spot("pairings", f"{public}/rounds/1/", "bob"),
        Spot("pairings by name", f"{public}/rounds/1/?sort=name"),
        Spot("pairings to come", f"{public}/rounds/2/"),
        Spot("pairings on the projector", f"{public}/rounds/1/?wall=1"),
        Spot("pairings as text", f"{public}/rounds/1/text/"),
        Spot("standings as text", f"{public}/text/"),
        Spot("standings after a round, sorted", f"{public}/?after=1&sort=difference&player={more[0].player.code}"),
        Spot("a row of the standings", f"{public}/standings/{more[0].player.code}/", "bob"),
        Spot("personal page", f"/me/{more[0].door}/"),
        Spot("personal page at the desk", f"/me/{more[3].door}/", "ref"),
        Spot("personal link", f"/leagues/harbour/players/{more[0].player.code}/personal-link/", "owner"),
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
