"""The evening of the demonstration, and a part for everybody."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from league.rehearsals.demo_people import DEMO_PARTS, HARBOURS, PASSWORD, evening_of

README = Path(__file__).resolve().parents[3] / "README.md"


@pytest.mark.parametrize("month", [1, 7])
def test_it_is_an_evening_of_today_at_every_hour(month: int) -> None:
    for minute in range(0, 24 * 60, 20):
        now = datetime(2026, month, 15, tzinfo=UTC) + timedelta(minutes=minute)
        tonight = evening_of(now)
        assert (tonight.hour, tonight.minute) == (19, 0)
        assert timedelta(hours=1) <= now - tonight < timedelta(hours=2)
        assert now.astimezone(tonight.tzinfo).date() == tonight.date()
        assert str(tonight.tzinfo) in HARBOURS


def test_the_readme_names_every_part_as_the_start_prints_it() -> None:
    text = README.read_text("utf-8")
    assert PASSWORD in text
    for part in DEMO_PARTS:
        assert f"| `{part.username}` | {part.role} | {part.to_try} |" in text
