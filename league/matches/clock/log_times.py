"""Comparison of a log's times with its game's clock. Pure.

Differences are to be looked at, never judged. A log's times are match-clock time elapsed (NOTATION.md 2). They come
from the scorer's hand, the clock's from the server; both may be wrong, and neither changes a verdict.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta, tzinfo
from enum import StrEnum

from games.moves import Bell, Draw, Pass, Play, RoundStart
from games.notation.gamelog import GameLog
from league.matches.clock.state import ClockMark, ClockRules, ClockState, GameClock, Milliseconds, paused_ms
from league.matches.clock_acts import ClockAct

# Writing down and pressing a button take a moment.
NEAR_MS = 5_000
START_NEAR = timedelta(minutes=2)
TENTH_MS = 100
HOUR = re.compile(r"(?:\d{4}-\d\d-\d\d[T ])?([01]\d|2[0-3]):([0-5]\d)(?::[0-5]\d)?")


class Differs(StrEnum):
    """Kind of a difference between a log and a clock."""

    DATE = "date"
    START = "start"
    PAUSED = "paused"
    GIVEN = "given"
    BELL_TIME = "bell-time"
    BELL_IN_LOG_ONLY = "bell-in-log-only"
    BELL_ON_CLOCK_ONLY = "bell-on-clock-only"
    PLAY_AFTER_BELL = "play-after-bell"
    LATER_THAN_CLOCK = "later-than-clock"
    OVERTIME_IN_LOG_ONLY = "overtime-in-log-only"
    OVERTIME_ON_CLOCK_ONLY = "overtime-on-clock-only"


@dataclass(frozen=True, slots=True)
class Difference:
    """A difference between a log and a clock.

    `log` and `clock` are the values of each: milliseconds elapsed, a date or an hour as text, a number; None if it has
    no value.
    """

    what: Differs
    log: Milliseconds | str | None = None
    clock: Milliseconds | str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LogTimes:
    """The times written in a log.

    `moves`: the times of timed plays, draws and passes; `bell`: the bell is written, with or without its own time;
    `rounds_after_bell`: rounds that begin after a written bell.
    """

    date: str = ""
    start: str = ""
    moves: tuple[Milliseconds, ...] = ()
    last_ms: Milliseconds | None = None
    bell: bool = False
    bell_ms: Milliseconds | None = None
    rounds_after_bell: int = 0


def log_times(log: GameLog) -> LogTimes:
    """Read the times of a log.

    Dates and hours are read only if written as `2026-11-20` and `19:30`.
    """
    moves: list[Milliseconds] = []
    last: Milliseconds | None = None
    bell, bell_ms, rounds_after = False, None, 0
    for _line, at, event in log.each():
        elapsed = None if at is None else at * TENTH_MS
        last = last if elapsed is None else elapsed
        if isinstance(event, Play | Draw | Pass) and elapsed is not None:
            moves.append(elapsed)
        elif isinstance(event, Bell):
            bell, bell_ms = True, elapsed
        elif isinstance(event, RoundStart) and bell:
            rounds_after += 1
    date = log.tags.get("Date", "").strip()
    hour = HOUR.fullmatch(log.tags.get("Start", "").strip())
    return LogTimes(
        date=date if re.fullmatch(r"\d{4}-\d\d-\d\d", date) else "",
        start=f"{hour[1]}:{hour[2]}" if hour else "",
        moves=tuple(moves),
        last_ms=last,
        bell=bell,
        bell_ms=bell_ms,
        rounds_after_bell=rounds_after,
    )


def compare(times: LogTimes, rules: ClockRules, marks: Sequence[ClockMark], *, zone: tzinfo) -> list[Difference]:
    """Return the differences between the log of a finished game and its clock.

    Dates and hours are in the league's time `zone`. A clock that was not started has no differences, and the bell has
    none while the clock can still ring.
    """
    if not marks:
        return []
    clock = GameClock.of(rules, marks)
    shown = clock.reading(marks[-1].at)
    if shown.started_at is None:
        return []
    found = _of_the_start(times, shown.started_at.astimezone(zone))
    stood = paused_ms(marks)
    if stood:
        found.append(Difference(Differs.PAUSED, clock=stood))
    if shown.given_ms:
        found.append(Difference(Differs.GIVEN, clock=shown.given_ms))
    if shown.rung_at:
        found += _of_the_bell(times, shown.length_ms)
        overtime = any(mark.act is ClockAct.OVERTIME for mark in marks)
        if times.bell and overtime and not times.rounds_after_bell:
            found.append(Difference(Differs.OVERTIME_ON_CLOCK_ONLY))
        if times.rounds_after_bell and not overtime:
            found.append(Difference(Differs.OVERTIME_IN_LOG_ONLY, log=times.rounds_after_bell))
    elif clock.state is ClockState.OVER:
        found += _without_a_bell(times, shown.elapsed_ms)
    return found


def _of_the_start(times: LogTimes, started: datetime) -> list[Difference]:
    found = []
    if times.date and times.date != f"{started:%Y-%m-%d}":
        found.append(Difference(Differs.DATE, times.date, f"{started:%Y-%m-%d}"))
    if times.start:
        hour, minute = (int(part) for part in times.start.split(":"))
        apart = abs(started - started.replace(hour=hour, minute=minute, second=0, microsecond=0))
        # Ten to midnight and ten past it are twenty minutes apart.
        if min(apart, timedelta(days=1) - apart) >= START_NEAR:
            found.append(Difference(Differs.START, times.start, f"{started:%H:%M}"))
    return found


def _of_the_bell(times: LogTimes, rang_ms: Milliseconds) -> list[Difference]:
    """Compare the bell. `rang_ms`: the elapsed time of the clock when it rang."""
    found = []
    if not times.bell and (times.last_ms is None or times.last_ms <= rang_ms):
        found.append(Difference(Differs.BELL_ON_CLOCK_ONLY, times.last_ms, rang_ms))
    if times.bell_ms is not None and abs(times.bell_ms - rang_ms) > NEAR_MS:
        found.append(Difference(Differs.BELL_TIME, times.bell_ms, rang_ms))
    late = [at for at in times.moves if at > rang_ms]
    if late:
        found.append(Difference(Differs.PLAY_AFTER_BELL, late[0], rang_ms))
    return found


def _without_a_bell(times: LogTimes, stopped_ms: Milliseconds) -> list[Difference]:
    """Compare with a clock that was stopped before it rang."""
    found = []
    if times.bell:
        found.append(Difference(Differs.BELL_IN_LOG_ONLY, times.bell_ms, stopped_ms))
    if times.last_ms is not None and times.last_ms > stopped_ms + NEAR_MS:
        found.append(Difference(Differs.LATER_THAN_CLOCK, times.last_ms, stopped_ms))
    return found
