"""One fault planted in an honest log: exactly that code comes back, at that line."""

from functools import cache
from random import Random

import pytest

from games.rulesets import get
from referee import verify_text
from referee.playouts.pips import Habits, playout
from tests.referee.faults import PLANTERS, planted

NAMES = ("Ana Ruiz", "Bo Chen", "Cy Doe", "Dee Fox")
SYSTEMS = ("udl", "muggins", "all-fives", "double-six")
# What a system's own rules have no place for.
ABSENT = {
    "udl": {"must-play-drawn"},
    "muggins": {"must-play-drawn", "wrong-chips", "after-bell", "wrong-count"},
    "all-fives": {"must-play-drawn", "wrong-chips", "after-bell"},
    "double-six": {"draw-when-able", "must-play-drawn", "wrong-chips", "after-bell", "wrong-count"},
}
CASES = [(system, code) for system in SYSTEMS for code in PLANTERS if code not in ABSENT[system]]


@cache  # not at import: every process that collects would play them
def honest(system, **options):
    """Games of every number of seats, fast and slow ones."""
    low, high = get(system).seats
    found = []
    for n in range(24):
        habits = Habits(seconds=2.5 if n % 3 else 12)
        seats = NAMES[: low + n % (high - low + 1)]
        found.append(playout(system, rng=Random(n), seats=seats, habits=habits, options=options).log)
    return found


def found_where_planted(code, logs):
    rng, found = Random(code), 0
    for log in logs:
        plant = planted(code, log, rng)
        if plant is None:
            continue
        text, line = plant
        (verdict,) = verify_text(text)
        assert [(f.line, f.code) for f in verdict.findings if f.severity != "note"] == [(line, code)], text
        found += 1
    assert found >= 3, f"{code} could be planted only {found} times"


@pytest.mark.parametrize(("system", "code"), CASES)
def test_a_planted_fault_is_found_and_nothing_else(system, code):
    found_where_planted(code, honest(system))


def test_a_drawn_tile_that_was_not_played_is_found_where_draws_by_choice_are_allowed():
    found_where_planted("must-play-drawn", honest("double-six", must_play_drawn="true"))
