"""What is hidden is exactly what is not visible, for whoever asks."""

import pytest
from django.contrib.auth.models import AnonymousUser
from django.utils import timezone

from league.api.resources.games import visible_games
from league.api.resources.results import visible_results
from league.matches.models import Game, Match, Result
from league.matches.visibility import hidden_matches, visible_matches
from tests.league.competitions.cup import enter_result
from tests.league.world import World

ASKERS = ("nobody", "alice", "referee", "owner", "charlie")


@pytest.fixture
def several(world: World) -> World:
    """Matches that are published and that are not, here and in a league elsewhere, with a result each."""
    for league, entrants in ((world.league, [world.ana, world.bo]), (world.elsewhere, [world.ana, world.bo])):
        for published_at in (timezone.now(), None):
            made = world.fixture(entrants=entrants, published_at=published_at)
            Match.objects.filter(pk=made.pk).update(league=league)
            enter_result(world, made, 1, official=False)
    return world


@pytest.mark.parametrize("name", ASKERS)
def test_a_match_is_either_hidden_or_visible(several: World, name: str) -> None:
    asker = getattr(several, name, AnonymousUser())
    hidden, visible = (
        set(found.values_list("pk", flat=True)) for found in (hidden_matches(asker), visible_matches(asker))
    )
    assert hidden.isdisjoint(visible)
    assert hidden | visible == set(Match.objects.values_list("pk", flat=True))
    # Of the two that are not published, staff sees that of its own league.
    assert len(hidden) == (1 if name in ("referee", "owner", "charlie") else 2)


@pytest.mark.parametrize("name", ASKERS)
def test_games_and_results_are_those_of_visible_matches(several: World, name: str) -> None:
    asker = getattr(several, name, AnonymousUser())
    matches = visible_matches(asker)
    assert set(visible_games(asker)) == set(Game.objects.filter(match__in=matches))
    assert set(visible_results(asker)) == set(Result.objects.filter(game__match__in=matches))
    assert visible_results(asker).count() in (2, 3)
