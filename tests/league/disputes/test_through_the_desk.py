"""After two dismissed protests in a competition the desk files a player's next one; a final waits for its ruling."""

import pytest

from league.competitions.draw.plans import Plan, found
from league.competitions.draw.publishing import publish
from league.competitions.draw.stages import draw
from league.competitions.models import Matchday, Stage
from league.competitions.registration.entries import register
from league.disputes.finals import is_before_final
from league.disputes.protests import protesting
from league.disputes.protests.protesting import Point
from league.errors import Refused
from league.matches.clock.services import start_clock
from league.matches.models import Game, Match
from tests.league.disputes.courtroom import Kind, Outcome, rule

pytestmark = pytest.mark.django_db

CONDUCT = Point(kind=Kind.CONDUCT)


@pytest.fixture
def games(world):
    plan = Plan(name="Cup", ruleset="udl", format=Stage.Format.ROUND_ROBIN, best_of=3)
    cup = found(world.league, plan, user=world.owner)
    register(cup, [world.ana, world.bo])
    draw(cup, user=world.owner)
    publish(cup, user=world.owner)
    match = Match.objects.get(slot__matchday__stage__competition=cup)
    games = list(Game.objects.select_related("match__league").filter(match=match))
    with pytest.raises(Refused, match="not begun"):
        protesting.first_answer(games[0], world.bob, CONDUCT)
    start_clock(games[0], world.referee)
    return games


def dismissed(world, game, who, **more):
    dispute = protesting.protest(game, who, CONDUCT, "He laughed", **more)
    rule(dispute, world.referee, Outcome.DISMISSED, "That is allowed")


def test_the_third_protest_goes_through_the_desk(world, games):
    for game in games[:2]:
        dismissed(world, game, world.bob)
    with pytest.raises(Refused) as caught:
        protesting.protest(games[2], world.bob, CONDUCT, "He laughed")
    assert caught.value.code == "through-the-desk"
    assert protesting.first_answer(games[2], world.alice, CONDUCT)
    protesting.protest(games[2], world.referee, CONDUCT, "He laughed", side=2)


def test_a_protest_that_the_desk_filed_counts_for_its_side(world, games):
    dismissed(world, games[0], world.bob)
    assert protesting.first_answer(games[1], world.bob, CONDUCT)
    dismissed(world, games[1], world.referee, side=2)
    with pytest.raises(Refused):
        protesting.first_answer(games[2], world.bob, CONDUCT)


def test_a_protest_before_a_final_holds_until_the_ruling(world, games):
    assert not is_before_final(games[0].match_id)
    Matchday.objects.update(kind=Matchday.Kind.SEMI_FINALS)
    assert protesting.protest(games[0], world.bob, CONDUCT, "He laughed").hold_until is None
    Matchday.objects.update(kind=Matchday.Kind.QUARTER_FINALS)
    assert not is_before_final(games[0].match_id)
