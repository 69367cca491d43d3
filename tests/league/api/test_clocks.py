"""The clock of a match, as the page of the match has it."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from league.matches.clock.services import pause_clock, resume_clock, start_clock
from league.matches.models import Match
from tests.league.api.played import Played
from tests.league.world import NOON

UDL_MS = 900_000
PAGE = ("game", "version", "state", "remaining_ms", "overtime_ms")


@pytest.fixture
def at(monkeypatch) -> Callable[[int], None]:
    """It is so many seconds past noon."""

    def move(seconds: int) -> None:
        monkeypatch.setattr(timezone, "now", lambda: NOON + timedelta(seconds=seconds))

    return move


def clock_of(match: Match) -> dict[str, Any] | None:
    return Client().get(f"/api/v1/matches/{match.pk}").json()["clock"]


def test_a_clock_from_before_its_start_to_its_bell(played: Played, at) -> None:
    game, official, match = played.open_game, played.world.referee, played.open_match
    at(0)
    still = {
        "game": 1,
        "state": "not-started",
        "remaining_ms": UDL_MS,
        "overtime_ms": 0,
        "rings_at": None,
        "rung_at": None,
        "version": 0,
    }
    assert clock_of(match) == still
    start_clock(game, official)
    at(60)
    left = {"remaining_ms": UDL_MS - 60_000}
    running = still | left | {"state": "running", "rings_at": "2026-11-20T12:15:00Z", "version": 1}
    assert clock_of(match) == running
    pause_clock(game, official)
    at(120)
    assert clock_of(match) == still | left | {"state": "paused", "version": 2}
    resume_clock(game, official)
    at(959)
    last = still | {"state": "running", "remaining_ms": 1000, "rings_at": "2026-11-20T12:16:00Z", "version": 3}
    assert clock_of(match) == last
    at(970)
    rung = still | {"state": "rung", "remaining_ms": 0, "rung_at": "2026-11-20T12:16:00Z", "version": 3}
    assert clock_of(match) == rung


def test_it_says_what_the_page_s_script_is_told(played: Played, at) -> None:
    at(0)
    start_clock(played.open_game, played.world.referee)
    at(61)
    [told] = Client().get(f"/matches/{played.open_match.pk}/clock/").json()["clocks"]
    found = clock_of(played.open_match)
    assert {name: found[name] for name in PAGE} == told


def test_the_clock_of_a_game_with_a_result_that_nobody_started_is_none(played: Played) -> None:
    decided = Match.objects.get(slot__matchday__stage__competition=played.competition)
    assert [clock_of(decided), clock_of(played.match)] == [None, None]


def test_a_match_that_is_played_without_a_clock_has_none(played: Played) -> None:
    assert clock_of(played.world.fixture(ruleset="all-fives")) is None
