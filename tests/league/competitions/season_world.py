"""A season of small divisions, played by writing results into the rows."""

from datetime import UTC, datetime

from league.competitions.draw.advancing import advance
from league.competitions.draw.plans import Plan
from league.competitions.models import Season, Slot
from league.competitions.seasons.plans import DateRule, DivisionPlan, SeasonPlan, found_season
from league.competitions.seasons.services import draw_season, publish_season
from league.players.models import Entrant
from tests.league.competitions.cup import enter_result

# Seven in the evening in Lisbon.
FIRST = datetime(2027, 1, 5, 19, tzinfo=UTC)
TOP = ["Ana Ruiz", "Bo Chen", "Cy Diaz", "Di Eze"]
MIDDLE = ["Eva Fox", "Fay Gil", "Gus Hay", "Hal Ito"]
LAST = ["Ida Jay", "Jon Kay", "Kim Lee", "Leo Mar"]


def season_plan(*, places=((0, 1, 0), (1, 1, 0), (1, 0, 0)), names=(TOP, MIDDLE, LAST), **changes) -> SeasonPlan:
    """`places` of each division: promote, relegate, play off."""
    divisions = [
        DivisionPlan(name=f"Division {number}", names="\n".join(who), promote=up, relegate=down, play_off=off)
        for number, (who, (up, down, off)) in enumerate(zip(names, places, strict=True), start=1)
    ]
    wanted = {
        "name": "Winter 2027",
        "plan": Plan(name="-", ruleset="udl"),
        "divisions": divisions,
        "starts_on": FIRST.date(),
        "dates": DateRule(first=FIRST, every=7),
    }
    return SeasonPlan(**(wanted | changes))


def founded(world, **changes) -> Season:
    return found_season(world.league, season_plan(**changes), user=world.owner)


def published_season(world, **changes) -> Season:
    season = founded(world, **changes)
    draw_season(season, user=world.owner)
    publish_season(season, user=world.owner)
    season.refresh_from_db()
    return season


def slots(competition):
    rows = Slot.objects.filter(matchday__stage__competition=competition, match__isnull=False)
    return rows.select_related("match").order_by("matchday__number", "number")


def play_out(world, competition, *, order=None, official=True) -> None:
    """Every match of a competition: whoever stands first in `order` (names, else the seeds) wins."""
    by_seed = [str(one.entrant) for one in competition.registrations.select_related("entrant__player").order_by("seed")]
    best = order or by_seed
    for slot in slots(competition):
        sides = {side.number: str(side.entrant) for side in slot.match.sides.select_related("entrant__player")}
        winner = min(sides, key=lambda number: best.index(sides[number]))
        enter_result(world, slot.match, winner, official=official)
        advance(slot.match_id)


def play_season(world, season, orders=None) -> None:
    for one in season.divisions.order_by("level"):
        play_out(world, one.competition, order=(orders or {}).get(one.level))


def who(division) -> list[str]:
    rows = division.competition.registrations.select_related("entrant__player").order_by("seed")
    return [str(one.entrant) for one in rows]


def entrant(world, name) -> Entrant:
    return Entrant.objects.get(league=world.league, player__name=name)
