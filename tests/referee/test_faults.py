"""One fault planted in an honest log: exactly that code comes back, at that line."""

from random import Random

import pytest

from referee import verify_text
from referee.playout import Habits, playout
from tests.referee.faults import PLANTERS, planted

HONEST = [playout("udl", rng=Random(n), habits=Habits(seconds=2.5 if n % 3 else 12)).log for n in range(24)]


@pytest.mark.parametrize("code", PLANTERS)
def test_a_planted_fault_is_found_and_nothing_else(code):
    rng, found = Random(code), 0
    for log in HONEST:
        plant = planted(code, log, rng)
        if plant is None:
            continue
        text, line = plant
        (verdict,) = verify_text(text)
        assert [(f.line, f.code) for f in verdict.findings if f.severity != "note"] == [(line, code)], text
        found += 1
    assert found >= 3, f"{code} could be planted only {found} times"
