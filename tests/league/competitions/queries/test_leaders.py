"""Leaders on the front of a league's page: places as the standings give them."""

from django.contrib.auth.models import AnonymousUser
from django.utils import timezone

from league.competitions.queries.league_front import league_front
from tests.league.competitions.cup import enter_result, published, slot


def leaders(world):
    found = league_front(world.league, AnonymousUser(), timezone.now()).leaders
    return [(row.rank, row.played) for row in found.rows] if found else None


def test_a_player_with_a_bye_keeps_the_place_among_the_leaders(world):
    cup = published(world, 3, format="swiss", rounds=2, release="round_by_round")
    assert leaders(world) is None, "a bye alone leads nothing"
    enter_result(world, slot(cup, 1, 1).match, 1)
    assert leaders(world) == [(1, 1), (2, 0), (3, 1)]
