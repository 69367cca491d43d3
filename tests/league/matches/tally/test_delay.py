"""Running scores with a delay: what is public, and from when on."""

from datetime import UTC, datetime, timedelta
from types import SimpleNamespace

import pytest

from league.matches.live_score import delayed, live_score, public_from

START = datetime(2026, 11, 26, 20, 0, tzinfo=UTC)


def at(second: int) -> datetime:
    return START + timedelta(seconds=second)


def copies(delay: int, *seconds: int) -> dict[str, object] | None:
    """The row after a score of 5 more points at each second."""
    row = None
    for place, second in enumerate(seconds, start=1):
        score = {"points": [5 * place, 0], "round": 1, "at": at(second).isoformat()}
        row = delayed(score, row, delay)
    return row


def shown(row: dict[str, object] | None, second: int) -> int | None:
    live = live_score(SimpleNamespace(number=1, tally=row, score=None), at(second))
    return live and live.points[1]


SECONDS = (29, 30, 69, 100)


@pytest.mark.parametrize(("delay", "seen"), [(0, [10, 10, 15, 15]), (30, [None, 5, 10, 15]), (60, [None, None, 5, 15])])
def test_a_score_is_public_once_its_delay_is_over(delay: int, seen: list[int | None]) -> None:
    taps = (0, 20, 40)
    rows = [copies(delay, *(one for one in taps if one <= second)) for second in SECONDS]
    assert [shown(row, second) for row, second in zip(rows, SECONDS, strict=True)] == seen


def test_a_copy_keeps_the_scores_that_are_not_public_and_the_last_that_is() -> None:
    row = copies(30, *range(0, 600, 10))
    assert [moment for moment, _score in public_from(row)] == [at(second + 30) for second in (560, 570, 580, 590)]


def test_a_tap_without_a_score_keeps_what_is_shown() -> None:
    row = copies(30, 0, 20)
    assert delayed({name: row[name] for name in ("points", "round", "at")}, row, 30) == row
