"""Competitions drawn and played for tests: any number of entrants, results from logs or straight into the rows."""

from django.utils import timezone

from league.competitions.draw.plans import Plan, found
from league.competitions.draw.publishing import publish
from league.competitions.draw.stages import draw
from league.competitions.models import Competition, Slot, Stage
from league.competitions.registration.entries import register
from league.matches.models import KnownBy, Match, Record, Result
from league.players.services import enrol
from tests.league.world import NOON

KNOCK_OUT = Stage.Format.SINGLE_ELIMINATION


def people(world, count):
    """Entrants named P1, P2, … after Ana and Bo, who have accounts."""
    more = [enrol(league=world.league, name=f"P{number}", since=NOON.date()) for number in range(3, count + 1)]
    return [world.ana, world.bo, *more][:count]


def drafted(world, count=8, **plan) -> Competition:
    """A draft with its draw, seeds as `people` has them."""
    wanted = {"name": "Cup", "ruleset": "udl", "format": KNOCK_OUT, "starts_at": NOON}
    competition = found(world.league, Plan(**(wanted | plan)), user=world.owner)
    register(competition, people(world, count))
    draw(competition, user=world.owner)
    return competition


def published(world, count=8, **plan) -> Competition:
    competition = drafted(world, count, **plan)
    publish(competition, user=world.owner)
    competition.refresh_from_db()
    return competition


def slot(competition, round_number, place) -> Slot:
    found = Slot.objects.filter(matchday__stage__competition=competition).select_related("match", "matchday")
    return found.get(matchday__number=round_number, number=place)


def names(competition, round_number):
    """Who stands in each slot of a round, by berth; None where nobody is known."""
    slots = Slot.objects.filter(matchday__stage__competition=competition, matchday__number=round_number)
    return [
        [str(berth.entrant) if berth.entrant else None for berth in one.berths.order_by("number")]
        for one in slots.order_by("number")
    ]


def enter_result(world, match: Match, winner: int | None, *, official=True, points=(150, 95)) -> Result:
    """A result of every game that is needed, written into the rows; whoever is told is the test's affair."""
    needed = match.best_of // 2 + 1 if winner else match.best_of
    for game in match.games.order_by("number")[:needed]:
        record = Record.objects.create(
            game=game,
            submitted_by=world.referee,
            submitted_at=timezone.now(),
            upload_sha256=f"{game.pk:064d}",
            seats={"A": 1, "B": 2},
            state=Record.State.VERIFIED,
        )
        best, other = points
        result = Result.objects.create(
            game=game,
            record=record,
            scores={"1": other if winner == 2 else best, "2": best if winner == 2 else other},
            winner=winner,
            ended="target",
            state=Result.State.OFFICIAL if official else Result.State.PROVISIONAL,
            known_by=KnownBy.LOG,
            entered_at=record.submitted_at,
        )
    Match.objects.filter(pk=match.pk).update(state=Match.State.DECIDED if official else Match.State.PROVISIONAL)
    return result
