"""Several who run a season at the same moment. Real threads, on the database of this run."""

import pytest

from league.competitions.amendments.services import confirm_amendment, propose_amendment
from league.competitions.models import PlayOff, Season
from league.competitions.seasons.next_season import carry_over, make_play_offs
from league.competitions.seasons.promotion import season_differences
from league.competitions.seasons.services import draw_season, publish_season
from league.errors import Refused
from tests.league.competitions.season_world import MIDDLE, TOP, founded, play_season, published_season
from tests.league.competitions.seasons.test_next_season import NEXT
from tests.league.competitions.seasons.test_season_amending import match_of, winner_is
from tests.league.matches.results.test_entering_at_once import at_once


@pytest.fixture
def world(shared_world):
    return shared_world


def codes(found):
    return sorted(one.code if isinstance(one, Refused) else "done" for one in found)


def test_two_who_make_the_next_season_at_once_make_one(world):
    season = published_season(world, names=(TOP, MIDDLE), places=((0, 1, 0), (1, 0, 0)))
    play_season(world, season)
    found = at_once(*[lambda: carry_over(season, NEXT, user=world.owner)] * 2)
    assert codes(found) == ["done", "followed-already"]
    assert (Season.objects.count(), season.moves.count()) == (2, 8)


def test_two_who_make_the_play_offs_at_once_make_them_once(world):
    season = published_season(world, names=(TOP, MIDDLE), places=((0, 0, 0), (0, 0, 1)))
    play_season(world, season)
    found = at_once(*[lambda: make_play_offs(season, user=world.owner)] * 2)
    assert codes(found) == ["done", "no-play-offs"]
    assert PlayOff.objects.count() == 1


def test_two_who_found_a_season_at_once_found_one(world):
    found = at_once(*[lambda: founded(world)] * 2)
    assert codes(found) == ["done", "name-taken"]
    assert Season.objects.count() == 1


def test_a_season_is_published_once_whoever_comes_second(world):
    season = founded(world, names=(TOP, MIDDLE), places=((0, 1, 0), (1, 0, 0)))
    draw_season(season, user=world.owner)
    assert sorted(at_once(*[lambda: publish_season(season, user=world.owner)] * 2)) == [False, True]


def test_an_amendment_while_the_next_season_is_made_is_in_it_or_marked(world):
    season = published_season(world, names=(TOP, MIDDLE), places=((0, 1, 0), (1, 0, 0)))
    play_season(world, season)
    match = match_of(season, 1, "Cy Diaz", "Di Eze")
    game = match.games.select_related("match__league").get(number=1)
    proposal = propose_amendment(game, world.referee, winner_is(match, "Di Eze"))
    found = at_once(
        lambda: confirm_amendment(proposal, world.second_referee),
        lambda: carry_over(season, NEXT, user=world.owner),
    )
    # Whoever confirms sees another effect once the next season is made, and looks again.
    assert codes(found) in (["done", "done"], ["done", "effect-changed"])
    assert season_differences(season) == []
