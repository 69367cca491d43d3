"""Pages of competitions and seasons of every format: round by round, at tables, cancelled, reopened."""

from dataclasses import replace
from datetime import date

from django.utils import timezone

from league.competitions.attendance.check_in import check_in
from league.competitions.attendance.no_shows import wait_for
from league.competitions.attendance.requested_byes import request_bye
from league.competitions.attendance.withdrawals import withdraw
from league.competitions.cancelling import cancel
from league.competitions.draw.plans import Plan, found
from league.competitions.draw.publishing import publish
from league.competitions.draw.reopening import reopen
from league.competitions.draw.stages import draw
from league.competitions.ladders.services import challenge
from league.competitions.models import Competition, Season, Slot, Stage
from league.competitions.registration.entries import register
from league.competitions.registration.fees import let_off, take_fee
from league.competitions.registration.seeding import reseed
from league.competitions.seasons.plans import DateRule, DivisionPlan, SeasonPlan, found_season
from league.competitions.seasons.services import draw_season, publish_season
from league.matches.logs.submission import confirm_result
from league.matches.models import KnownBy, Match
from league.matches.results.entering import enter_sheet
from league.players.services import enrol
from tests.browser.spots import Spot
from tests.web import world as small
from tests.web.world import World


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
        Spot("round in brief", "/competitions/harbour/running-cup/rounds/1/"),
        Spot("cancelled", cancelled),
        Spot("cancelled for the desk", cancelled, "owner"),
        Spot("cash to give back", f"{cup}/cancelled-cup/cash/", "owner"),
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
