"""A double elimination for the tests of the pages, and its matches made official one by one."""

from datetime import date

from league.competitions.draw.advancing import advance
from league.competitions.draw.plans import Plan, found
from league.competitions.draw.publishing import publish
from league.competitions.draw.stages import draw
from league.competitions.models import Competition
from league.competitions.registration.entries import register
from league.matches.models import Match
from league.players.services import enrol
from tests.web import world as small


def two_lives(world: small.World, players: int) -> Competition:
    people = [enrol(league=world.league, name=f"Guest {number}", since=date(2026, 1, 1)) for number in range(players)]
    cup = found(world.league, Plan(name="Two Lives", ruleset="udl", format="double_elimination"), user=world.owner)
    register(cup, people)
    draw(cup, user=world.owner)
    publish(cup, user=world.owner)
    return cup


def official(world: small.World, match: Match) -> None:
    """The first side wins it."""
    record = small.hand_in(match.games.get(number=1), world.ref)
    small.judge(record)
    small.enter(record, official_by=world.owner)
    advance(match.pk)
