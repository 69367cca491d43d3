"""Rounds at tables of more than two, drawn and played for tests."""

from league.competitions.draw.advancing import advance
from league.competitions.draw.plans import Plan, found
from league.competitions.draw.publishing import publish
from league.competitions.draw.stages import draw
from league.competitions.models import Competition, Slot, Stage
from league.competitions.registration.entries import register
from league.matches.logs.submission import confirm_result
from league.matches.models import KnownBy, Match
from league.matches.results.entering import enter_sheet
from tests.league.competitions.cup import people
from tests.league.world import NOON

TABLES = Stage.Format.TABLE_ROUNDS
ORDER = ("place_points", "game_points", "difference")


def plan(**changes) -> Plan:
    wanted = {"name": "Tables", "ruleset": "all-fives", "format": TABLES, "seats": 4, "rounds": 3, "starts_at": NOON}
    return Plan(**(wanted | {"tie_breaks": ORDER} | changes))


def drafted(world, count=8, **changes) -> Competition:
    competition = found(world.league, plan(**changes), user=world.owner)
    register(competition, people(world, count))
    draw(competition, user=world.owner)
    return competition


def published(world, count=8, **changes) -> Competition:
    competition = drafted(world, count, **changes)
    publish(competition, user=world.owner)
    competition.refresh_from_db()
    return competition


def slots(competition, round_number) -> list[Slot]:
    rows = Slot.objects.filter(matchday__stage__competition=competition, matchday__number=round_number)
    return list(rows.select_related("match", "matchday__stage").order_by("number"))


def sides(match: Match) -> list[str]:
    return [str(one.entrant) for one in match.sides.order_by("number")]


def play(world, slot: Slot, *games: tuple[int, ...], official=True) -> None:
    """Scores of all sides by game, typed by the referee and confirmed by the owner."""
    slot.refresh_from_db()
    for game, scores in zip(slot.match.games.order_by("number"), games, strict=False):
        done = enter_sheet(game, world.referee, {"scores": list(scores)}, kind=KnownBy.SCORE, insist=True)
        if official:
            confirm_result(result=done.result, user=world.second_referee)
    advance(slot.match_id)
