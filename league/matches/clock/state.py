"""The clock of a game: a pure function of its events and the server's time.

Nothing ticks. The state of the clock is in its events, so a server shows the right time even after a restart or an
outage. Lengths are whole milliseconds, instants are aware datetimes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from enum import StrEnum

from games.ruleset import BellMode, Ruleset, Tie
from league.matches.clock_acts import ClockAct

Milliseconds = int

SECOND = 1_000
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MILLISECOND = timedelta(milliseconds=1)

WARNINGS_S = (300, 60)
"""Seconds before the bell at which the table is warned (SCREENS.md B-8)."""
REGRET_MS = 60 * SECOND
"""Milliseconds within which a start can be taken back as a mistake."""
MOST_GIVEN_MS = 3_600 * SECOND
"""Longest time that can be given at once."""


class ClockState(StrEnum):
    """State of a clock.

    `RUNG`: the time is up. `OVER`: the game is over, with or without a bell.
    """

    NOT_STARTED = "not-started"
    RUNNING = "running"
    PAUSED = "paused"
    RUNG = "rung"
    OVERTIME = "overtime"
    OVER = "over"


class ClockRefusal(StrEnum):
    """Code of the reason why an act is not possible."""

    NOT_RUNNING = "not-running"
    NOT_PAUSED = "not-paused"
    NOT_RUNG = "not-rung"
    NOT_DUE = "not-due"
    ALREADY_RUNNING = "already-running"
    ALREADY_STARTED = "already-started"
    ALREADY_PAUSED = "already-paused"
    ALREADY_OVERTIME = "already-overtime"
    RUNG = "rung"
    OVER = "over"
    TOO_LATE = "too-late"
    BAD_TIME = "bad-time"


_ACT, _STATE, _NO = ClockAct, ClockState, ClockRefusal
REFUSED: Mapping[ClockAct, Mapping[ClockState, ClockRefusal]] = {
    _ACT.START: {
        _STATE.RUNNING: _NO.ALREADY_RUNNING,
        _STATE.PAUSED: _NO.ALREADY_STARTED,
        _STATE.RUNG: _NO.RUNG,
        _STATE.OVERTIME: _NO.RUNG,
        _STATE.OVER: _NO.OVER,
    },
    _ACT.PAUSE: {
        _STATE.NOT_STARTED: _NO.NOT_RUNNING,
        _STATE.PAUSED: _NO.ALREADY_PAUSED,
        _STATE.RUNG: _NO.RUNG,
        _STATE.OVERTIME: _NO.RUNG,
        _STATE.OVER: _NO.OVER,
    },
    # A clock that was stopped before its bell can resume: a stop may be a slip of the hand.
    _ACT.RESUME: {
        _STATE.NOT_STARTED: _NO.NOT_PAUSED,
        _STATE.RUNNING: _NO.ALREADY_RUNNING,
        _STATE.RUNG: _NO.RUNG,
        _STATE.OVERTIME: _NO.RUNG,
    },
    _ACT.GIVE: {_STATE.RUNG: _NO.RUNG, _STATE.OVERTIME: _NO.RUNG, _STATE.OVER: _NO.OVER},
    _ACT.BELL: {_STATE.NOT_STARTED: _NO.NOT_DUE, _STATE.RUNNING: _NO.NOT_DUE, _STATE.PAUSED: _NO.NOT_DUE},
    _ACT.OVERTIME: {
        _STATE.NOT_STARTED: _NO.NOT_RUNG,
        _STATE.RUNNING: _NO.NOT_RUNG,
        _STATE.PAUSED: _NO.NOT_RUNG,
        _STATE.OVERTIME: _NO.ALREADY_OVERTIME,
        _STATE.OVER: _NO.OVER,
    },
    _ACT.STOP: {_STATE.NOT_STARTED: _NO.NOT_RUNNING, _STATE.OVER: _NO.OVER},
    _ACT.CANCEL: {
        _STATE.NOT_STARTED: _NO.NOT_RUNNING,
        _STATE.RUNG: _NO.RUNG,
        _STATE.OVERTIME: _NO.RUNG,
        _STATE.OVER: _NO.OVER,
    },
}
"""Refusals by state alone; other conditions are in `GameClock.why_not`."""

AFTER: Mapping[ClockAct, ClockState] = {
    _ACT.START: _STATE.RUNNING,
    _ACT.RESUME: _STATE.RUNNING,
    _ACT.PAUSE: _STATE.PAUSED,
    _ACT.OVERTIME: _STATE.OVERTIME,
    _ACT.STOP: _STATE.OVER,
    _ACT.CANCEL: _STATE.NOT_STARTED,
}


@dataclass(frozen=True, slots=True)
class ClockRules:
    """The clock rules of a ruleset with its house rules."""

    total_ms: Milliseconds
    bell_mode: BellMode = BellMode.STOP
    tie: Tie = Tie.OVERTIME
    warnings_ms: tuple[Milliseconds, ...] = tuple(second * SECOND for second in WARNINGS_S)


def clock_rules(rules: Ruleset) -> ClockRules | None:
    """Return the clock rules; None for a game without a clock."""
    return ClockRules(rules.clock_s * SECOND, rules.bell_mode, rules.tie) if rules.clock_s else None


@dataclass(frozen=True, slots=True)
class ClockMark:
    """One event: the act and its time; `given_ms` is the time that was given."""

    act: ClockAct
    at: datetime
    given_ms: Milliseconds = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ClockReading:
    """The reading of a clock. `elapsed_ms + remaining_ms == length_ms`.

    `length_ms` is the game's time and the time given. `warnings`: how long before the bell, and when, for upcoming
    warnings. `set_back`: the time asked for is before the last event; the reading is that of the event.
    """

    state: ClockState
    length_ms: Milliseconds
    given_ms: Milliseconds
    elapsed_ms: Milliseconds
    overtime_ms: Milliseconds
    started_at: datetime | None
    rings_at: datetime | None
    rung_at: datetime | None
    warnings: tuple[tuple[Milliseconds, datetime], ...] = ()
    set_back: bool = False

    @property
    def remaining_ms(self) -> Milliseconds:
        return self.length_ms - self.elapsed_ms


@dataclass(frozen=True, slots=True)
class GameClock:
    """A clock after its last event.

    `GameClock.of(rules, events)` makes one, `reading(now)` returns its reading. `refused` holds impossible events; they
    have no effect on the clock. `bell_kept`: the bell is among the events; the time may be up without it (`rung_at` of
    the reading).
    """

    rules: ClockRules
    state: ClockState = ClockState.NOT_STARTED
    given_ms: Milliseconds = 0
    elapsed_ms: Milliseconds = 0
    overtime_ms: Milliseconds = 0
    last_ms: Milliseconds | None = None
    started_ms: Milliseconds | None = None
    given_at_start_ms: Milliseconds = 0
    rung_ms: Milliseconds | None = None
    bell_kept: bool = False
    refused: tuple[ClockMark, ...] = ()

    @classmethod
    def of(cls, rules: ClockRules, marks: Iterable[ClockMark] = ()) -> GameClock:
        """Build the clock from events in the order of their numbers.

        An event with a time before the last one counts at the time of the last one.
        """
        clock = cls(rules)
        for mark in marks:
            clock = clock.after(mark)
        return clock

    @property
    def length_ms(self) -> Milliseconds:
        return self.rules.total_ms + self.given_ms

    @property
    def due_ms(self) -> Milliseconds | None:
        """Instant of the bell, if the clock is running."""
        if self.state is not ClockState.RUNNING or self.last_ms is None:
            return None
        return self.last_ms + self.length_ms - self.elapsed_ms

    def placed(self, at: datetime) -> tuple[datetime, Milliseconds]:
        """Return the time at which an act is placed, and how far it was moved.

        An act before the last event means that the server's clock was set back; it is placed at the last event.
        """
        asked = since_epoch(at)
        now = max(asked, asked if self.last_ms is None else self.last_ms)
        return instant(now), now - asked

    def why_not(self, mark: ClockMark) -> ClockRefusal | None:
        """Return why the act is not possible at its time; None if it is."""
        now = since_epoch(self.placed(mark.at)[0])
        clock = self._moved(now)
        if refusal := REFUSED[mark.act].get(clock.state):
            return refusal
        match mark.act:
            case ClockAct.GIVE if not 0 < mark.given_ms <= MOST_GIVEN_MS:
                return ClockRefusal.BAD_TIME
            case ClockAct.RESUME if clock.state is ClockState.OVER and clock.rung_ms is not None:
                return ClockRefusal.RUNG
            case ClockAct.BELL if clock.bell_kept or clock.rung_ms is None:
                return ClockRefusal.RUNG if clock.bell_kept else ClockRefusal.NOT_DUE
            case ClockAct.CANCEL if clock.started_ms is None or now - clock.started_ms > REGRET_MS:
                return ClockRefusal.TOO_LATE
        return None

    def after(self, mark: ClockMark) -> GameClock:
        """Return the clock with one more event, or with one more refused event."""
        if self.why_not(mark):
            return replace(self, refused=(*self.refused, mark))
        clock = self._moved(since_epoch(self.placed(mark.at)[0]))
        match mark.act:
            case ClockAct.BELL:
                return replace(clock, bell_kept=True)
            case ClockAct.GIVE:
                return replace(clock, given_ms=clock.given_ms + mark.given_ms)
            case ClockAct.START:
                clock = replace(clock, started_ms=clock.last_ms, given_at_start_ms=clock.given_ms)
            case ClockAct.CANCEL:
                clock = replace(clock, elapsed_ms=0, started_ms=None, given_ms=clock.given_at_start_ms)
        return replace(clock, state=AFTER[mark.act])

    def reading(self, now: datetime) -> ClockReading:
        """Return the reading at this time, with or without the bell among the events."""
        placed, set_back_ms = self.placed(now)
        clock = self._moved(since_epoch(placed))
        due = clock.due_ms
        coming = [
            (before, instant(due - before))
            for before in sorted(self.rules.warnings_ms, reverse=True)
            if due is not None and before < clock.length_ms - clock.elapsed_ms
        ]
        return ClockReading(
            state=clock.state,
            length_ms=clock.length_ms,
            given_ms=clock.given_ms,
            elapsed_ms=clock.elapsed_ms,
            overtime_ms=clock.overtime_ms,
            started_at=_instant_or_none(clock.started_ms),
            rings_at=_instant_or_none(due),
            rung_at=_instant_or_none(clock.rung_ms),
            warnings=tuple(coming),
            set_back=set_back_ms > 0,
        )

    def bell_missing(self, now: datetime) -> datetime | None:
        """Return when the bell rang if no event records it yet, else None."""
        rung = self._moved(since_epoch(self.placed(now)[0])).rung_ms
        return None if rung is None or self.bell_kept else instant(rung)

    def _moved(self, now: Milliseconds) -> GameClock:
        """Return the clock at an instant not before its last event.

        At the bell's millisecond it has rung.
        """
        if self.last_ms is None:
            return replace(self, last_ms=now)
        passed, due = now - self.last_ms, self.due_ms
        if due is not None and now >= due:
            return replace(self, state=ClockState.RUNG, elapsed_ms=self.length_ms, rung_ms=due, last_ms=now)
        if self.state is ClockState.RUNNING:
            return replace(self, elapsed_ms=self.elapsed_ms + passed, last_ms=now)
        if self.state is ClockState.OVERTIME:
            return replace(self, overtime_ms=self.overtime_ms + passed, last_ms=now)
        return replace(self, last_ms=now)


def since_epoch(at: datetime) -> Milliseconds:
    """Return whole milliseconds, rounded down."""
    return (at - EPOCH) // MILLISECOND


def instant(since: Milliseconds) -> datetime:
    return EPOCH + since * MILLISECOND


def _instant_or_none(since: Milliseconds | None) -> datetime | None:
    return None if since is None else instant(since)


def paused_ms(marks: Sequence[ClockMark]) -> Milliseconds:
    """Return how long the clock was paused, stops that were taken back included."""
    total, since = 0, None
    for mark in marks:
        match mark.act:
            case ClockAct.START | ClockAct.CANCEL:
                total, since = 0, None
            case ClockAct.PAUSE | ClockAct.STOP:
                since = since_epoch(mark.at) if since is None else since
            case ClockAct.RESUME if since is not None:
                total, since = total + since_epoch(mark.at) - since, None
    return total
