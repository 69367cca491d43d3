"""Two matches are rated at the same moment: no game is lost, and the list is what a rebuild gives."""

import contextlib
import threading

import pytest

from league.competitions.models import RatedGame, RatingList
from league.competitions.ratings import services as ratings
from league.players.services import enrol
from tests.league.competitions.draw.test_advancing import both_at_once
from tests.league.competitions.rated import competition, met, rows
from tests.league.world import NOON


@pytest.fixture
def two_matches(shared_world):
    """Of the same week, with one player in both."""
    cup = competition(shared_world)
    third = enrol(league=shared_world.league, name="Cy Diaz", since=NOON.date())
    return [
        met(shared_world, cup, shared_world.ana, shared_world.bo, 1).pk,
        met(shared_world, cup, shared_world.ana, third, 2).pk,
    ]


def meeting_before_they_compute(monkeypatch):
    """Both have noted their game before either computes; where a lock keeps the second out, the first goes on after a
    second.
    """
    both, compute = threading.Barrier(2), ratings._compute

    def wait_and_compute(*arguments):
        with contextlib.suppress(threading.BrokenBarrierError):
            both.wait(timeout=1)
        return compute(*arguments)

    monkeypatch.setattr(ratings, "_compute", wait_and_compute)


def is_a_rebuild(world) -> bool:
    found = rows()
    ratings.recompute(world.league, "udl")
    return rows() == found


def test_two_matches_rated_at_once_are_both_in_the_list(shared_world, two_matches, monkeypatch):
    """The list itself is founded by one of them."""
    with monkeypatch.context() as slowly:
        meeting_before_they_compute(slowly)
        assert both_at_once(ratings.rate_match, *two_matches) == []
    assert set(RatedGame.objects.values_list("game__match", flat=True)) == set(two_matches)
    assert RatingList.objects.count() == 1
    assert is_a_rebuild(shared_world)


def test_a_match_rated_twice_at_once_counts_once(shared_world, two_matches):
    assert both_at_once(ratings.rate_match, two_matches[0], two_matches[0]) == []
    assert RatedGame.objects.count() == 1
    ratings.rate_match(two_matches[1])
    assert is_a_rebuild(shared_world)


@pytest.mark.postgres
def test_without_the_lock_one_of_them_would_fail(shared_world, two_matches, monkeypatch):
    """The control of the first test: both write a row of the one player in the one week. The sweep does what was
    lost.
    """
    RatingList.objects.create(league=shared_world.league, ruleset="udl")
    with monkeypatch.context() as off:
        lists = RatingList.objects.select_related("league")
        off.setattr(ratings, "locked_list", lambda league, ruleset: lists.get(league=league, ruleset=ruleset))
        meeting_before_they_compute(off)
        assert len(both_at_once(ratings.rate_match, *two_matches)) == 1
    assert RatedGame.objects.count() == 1
    assert ratings.rate_missed() == 1
    assert RatedGame.objects.count() == 2
    assert is_a_rebuild(shared_world)
