"""The times of a log held against the clock of its game: told, never judged."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from games.notation.reading import loads
from league.matches.clock.log_times import Difference, Differs, LogTimes, compare, log_times
from league.matches.clock.state import ClockMark, ClockRules
from league.matches.clock_acts import ClockAct

LISBON = ZoneInfo("Europe/Lisbon")
EIGHT = datetime(2026, 11, 20, 20, tzinfo=UTC)  # the hour of Lisbon in winter
RULES = ClockRules(total_ms=900_000)

LOG = """[Ruleset "udl"]
[Date "2026-11-20"]
[Start "20:00"]

round 1
A hand 7
0:04 A 6-6
0:09.5 B draw 2
B 6-3 on 6-6
14:30 A pass
15:00 bell
round 2
A hand 7
"""


def marks(*events: tuple) -> list[ClockMark]:
    return [
        ClockMark(ClockAct(act), EIGHT + timedelta(seconds=second), int(1000 * sum(given)))
        for act, second, *given in events
    ]


RUNG = marks(("start", 0), ("bell", 900))


def told(times: LogTimes, events: list[ClockMark]) -> list[tuple]:
    return [(one.what.value, one.log, one.clock) for one in compare(times, RULES, events, zone=LISBON)]


def test_what_a_log_says_about_time():
    assert log_times(loads(LOG)[0]) == LogTimes(
        date="2026-11-20",
        start="20:00",
        moves=(4_000, 9_500, 870_000),
        last_ms=900_000,
        bell=True,
        bell_ms=900_000,
        rounds_after_bell=1,
    )


@pytest.mark.parametrize(
    ("date", "start", "expected"),
    [
        ("2026-11-20", "19:30", ("2026-11-20", "19:30")),
        ("2026-11-20", "2026-11-20T19:30:15", ("2026-11-20", "19:30")),
        ("20 November", "half past seven", ("", "")),
        ("", "25:00", ("", "")),
    ],
)
def test_dates_and_hours_are_read_only_where_they_are_written_as_such(date, start, expected):
    text = LOG.replace('"2026-11-20"', f'"{date}"').replace('"20:00"', f'"{start}"')
    times = log_times(loads(text)[0])
    assert (times.date, times.start) == expected


def test_a_log_that_agrees_with_its_clock_has_no_differences():
    times = LogTimes(
        date="2026-11-20", start="20:01", moves=(4_000, 899_000), last_ms=900_000, bell=True, bell_ms=904_000
    )
    assert told(times, RUNG) == []


@pytest.mark.parametrize(
    ("times", "events", "expected"),
    [
        (LogTimes(date="2026-11-13", bell=True), RUNG, [("date", "2026-11-13", "2026-11-20")]),
        (LogTimes(start="19:30", bell=True), RUNG, [("start", "19:30", "20:00")]),
        (LogTimes(bell=True, bell_ms=840_000), RUNG, [("bell-time", 840_000, 900_000)]),
        (LogTimes(last_ms=540_000), RUNG, [("bell-on-clock-only", 540_000, 900_000)]),
        (LogTimes(), RUNG, [("bell-on-clock-only", None, 900_000)]),
        (
            LogTimes(bell=True, bell_ms=900_000, moves=(899_000, 903_000, 911_000), last_ms=911_000),
            RUNG,
            [("play-after-bell", 903_000, 900_000)],
        ),
        (LogTimes(moves=(905_000,), last_ms=905_000), RUNG, [("play-after-bell", 905_000, 900_000)]),
        (
            LogTimes(bell=True, bell_ms=900_000, last_ms=900_000),
            marks(("start", 0), ("stop", 600)),
            [("bell-in-log-only", 900_000, 600_000), ("later-than-clock", 900_000, 600_000)],
        ),
        (LogTimes(bell=True), marks(("start", 0), ("stop", 600)), [("bell-in-log-only", None, 600_000)]),
        (LogTimes(last_ms=500_000), marks(("start", 0), ("stop", 600)), []),
        (
            LogTimes(last_ms=610_000),
            marks(("start", 0), ("pause", 100), ("resume", 160), ("stop", 660)),
            [("paused", None, 60_000), ("later-than-clock", 610_000, 600_000)],
        ),
        (
            LogTimes(bell=True, bell_ms=900_000),
            marks(("start", 0), ("give", 100, 180), ("bell", 1080)),
            [("given", None, 180_000), ("bell-time", 900_000, 1_080_000)],
        ),
        (LogTimes(bell=True, rounds_after_bell=2), RUNG, [("overtime-in-log-only", 2, None)]),
        (
            LogTimes(bell=True),
            marks(("start", 0), ("bell", 900), ("overtime", 930), ("stop", 990)),
            [("overtime-on-clock-only", None, None)],
        ),
        (
            LogTimes(bell=True, rounds_after_bell=1),
            marks(("start", 0), ("bell", 900), ("overtime", 930), ("stop", 990)),
            [],
        ),
    ],
)
def test_each_difference_is_told_with_what_both_say(times, events, expected):
    assert told(times, events) == expected


def test_nothing_is_said_of_the_bell_while_the_clock_runs_or_stands():
    assert told(LogTimes(bell=True, bell_ms=900_000), marks(("start", 0))) == []
    assert told(LogTimes(bell=True, bell_ms=900_000), marks(("start", 0), ("pause", 9))) == []


def test_nothing_is_said_of_a_clock_that_was_not_started():
    assert told(LogTimes(date="2020-01-01"), []) == []
    assert told(LogTimes(date="2020-01-01"), marks(("start", 0), ("cancel", 5))) == []


def test_hours_on_both_sides_of_midnight_lie_close_together():
    late = [ClockMark(ClockAct.START, EIGHT.replace(hour=23, minute=59, second=30))]
    assert told(LogTimes(start="00:00"), late) == []
    assert told(LogTimes(start="00:10"), late) == [("start", "00:10", "23:59")]


def test_dates_and_hours_are_those_of_the_league():
    summer = [ClockMark(ClockAct.START, datetime(2026, 7, 3, 23, 30, tzinfo=UTC))]
    assert compare(LogTimes(date="2026-07-03", start="23:30"), RULES, summer, zone=LISBON) == [
        Difference(Differs.DATE, "2026-07-03", "2026-07-04"),
        Difference(Differs.START, "23:30", "00:30"),
    ]
