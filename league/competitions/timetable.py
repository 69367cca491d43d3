"""When and where the matches of a draw are played, so that no table and nobody is booked twice. Pure."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta, tzinfo
from itertools import count

Span = tuple[datetime, datetime]
"""From when to when, the end not included."""


@dataclass(frozen=True, slots=True)
class Seat:
    """Where and when one match is played; None where the plan does not say."""

    table: int | None
    starts_at: datetime | None


@dataclass(frozen=True, slots=True)
class Bookings:
    """What is taken already, by the keys of tables and of entrants."""

    tables: Mapping[int, Sequence[Span]] = field(default_factory=dict)
    entrants: Mapping[int, Sequence[Span]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Timetable:
    """`tables`: keys in the order in which they fill; none: every match of a round begins at once. Without
    `days_between` a round begins when the one before should be over, else so many days after it at the same hour of
    `zone`.
    """

    starts_at: datetime | None
    zone: tzinfo
    minutes: int
    days_between: int = 0
    tables: Sequence[int] = ()
    taken: Bookings = field(default_factory=Bookings)

    def plan(self, rounds: Sequence[Sequence[Iterable[int]]]) -> list[list[Seat]]:
        """A seat for each match of each round, given the entrants of each match as far as they are known. In a round
        nobody is in two matches.
        """
        if self.starts_at is None:
            return [[Seat(self._table(place), None) for place in range(len(one))] for one in rounds]
        planned: list[list[Seat]] = []
        start = over = self.starts_at
        for one in rounds:
            start = self._next(start, over) if planned else start
            seats = list(self._round(one, start))
            planned.append(seats)
            over = max((seat.starts_at + self._length for seat in seats if seat.starts_at), default=start)
        return planned

    @property
    def _length(self) -> timedelta:
        return timedelta(minutes=self.minutes)

    def _table(self, place: int) -> int | None:
        return self.tables[place % len(self.tables)] if self.tables else None

    def _next(self, start: datetime, over: datetime) -> datetime:
        """A round that lasts longer than the days between takes the next of those days."""
        return next_start(start, over, self.days_between, self.zone) if self.days_between else over

    def _round(self, matches: Sequence[Iterable[int]], start: datetime) -> Iterator[Seat]:
        passed: list[Seat] = []
        cells = self._cells(start)
        for entrants in matches:
            who = list(entrants)
            if not self.tables:
                yield next(seat for seat in self._cells(start) if self._are_free(who, seat))
                continue
            seat = next((one for one in passed if self._are_free(who, one)), None)
            if seat:
                passed.remove(seat)
            while seat is None:
                cell = next(cells)
                if self._are_free(who, cell):
                    seat = cell
                else:
                    passed.append(cell)
            yield seat

    def _cells(self, start: datetime) -> Iterator[Seat]:
        """Where a match may be, from `start` on, one length of a match after the other."""
        for turn in count():
            at = start + self._length * turn
            for table in self.tables or (None,):
                if table is None or self._is_free(self.taken.tables.get(table, ()), at):
                    yield Seat(table, at)

    def _are_free(self, entrants: Iterable[int], seat: Seat) -> bool:
        return all(self._is_free(self.taken.entrants.get(one, ()), seat.starts_at) for one in entrants)

    def _is_free(self, spans: Sequence[Span], at: datetime | None) -> bool:
        return at is None or not any(begin < at + self._length and at < end for begin, end in spans)


def next_start(start: datetime, over: datetime, days_between: int, zone: tzinfo) -> datetime:
    """The first hour so many days (or a multiple of them) after `start` that is not before `over`."""
    local, following = start.astimezone(zone), start
    while following <= start or following < over:
        # In wall time: seven in the evening stays seven when the clocks change.
        local += timedelta(days=days_between)
        following = local.astimezone(start.tzinfo)
    return following
