"""Clock of an online game: the game clock of `league.matches.clock.state`, kept as plain values. Pure.

Time in which the server was away is a pause, so that it costs nobody anything.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta

from games.notation.gamelog import Tenths
from games.ruleset import Ruleset
from league.matches.clock.state import MILLISECOND, ClockMark, ClockState, GameClock, clock_rules
from league.matches.clock_acts import ClockAct

Marks = list[list[str]]
"""Acts on a clock as they are stored: act, and time in ISO format."""
TENTH_MS = 100
JOINED = timedelta(seconds=1)
"""Time between two pauses that are one."""


def started(now: datetime) -> Marks:
    return [[ClockAct.START, now.isoformat()]]


def with_pause(marks: Marks, since: datetime, until: datetime) -> Marks:
    """Add a pause, for a time in which nothing was done; one that begins at the end of the last one goes on from it."""
    act, at = marks[-1]
    if act == ClockAct.RESUME and since - datetime.fromisoformat(at) < JOINED:
        return [*marks[:-1], [ClockAct.RESUME, until.isoformat()]]
    return [*marks, [ClockAct.PAUSE, since.isoformat()], [ClockAct.RESUME, until.isoformat()]]


def clock_of(rules: Ruleset, marks: Sequence[Sequence[str]]) -> GameClock | None:
    """Return the clock; None for a game without one, and before the first deal."""
    kept = clock_rules(rules)
    if kept is None or not marks:
        return None
    return GameClock.of(kept, [ClockMark(ClockAct(act), datetime.fromisoformat(at)) for act, at in marks])


def elapsed(clock: GameClock, now: datetime) -> Tenths:
    """Return the time of a line; it goes on after the bell, for calls have a window then."""
    shown = clock.reading(now)
    since_bell = timedelta() if shown.rung_at is None else max(timedelta(), now - shown.rung_at)
    return (shown.elapsed_ms + since_bell // MILLISECOND) // TENTH_MS


def rings_at(clock: GameClock, now: datetime) -> datetime | None:
    """Return the time of the bell: past if it has rung, None while the clock stands."""
    shown = clock.reading(now)
    return shown.rung_at if shown.state is ClockState.RUNG else shown.rings_at
