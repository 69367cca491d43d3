"""When and where the matches of a draw are played, so that no table and nobody is booked twice. Pure."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta, tzinfo
from itertools import count, takewhile

from league.competitions.draw.table_assignment import TableTurn, Wishes, seated

Span = tuple[datetime, datetime]
"""From when to when, the end not included."""


@dataclass(frozen=True, slots=True)
class Seat:
    """Where and when one match is played; None where the plan does not say."""

    table: int | None
    starts_at: datetime | None


@dataclass(frozen=True, slots=True)
class Bookings:
    """What is taken already, by the keys of tables and of people: who is in two entrants cannot be in two places."""

    tables: Mapping[int, Sequence[Span]] = field(default_factory=dict)
    people: Mapping[int, Sequence[Span]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Timetable:
    """`tables`: keys in the order in which they fill; none: every match of a round begins at once. Without
    `days_between` a round begins when the one before should be over, else so many days after it at the same hour of
    `zone`. `dates`: when the first rounds begin, whatever else says; later only where the round before is not over.
    `people`: who plays for each entrant, by whom bookings go.
    """

    starts_at: datetime | None
    zone: tzinfo
    minutes: int
    days_between: int = 0
    tables: Sequence[int] = ()
    taken: Bookings = field(default_factory=Bookings)
    wishes: Wishes = field(default_factory=Wishes)
    dates: Sequence[datetime] = ()
    people: Mapping[int, Sequence[int]] = field(default_factory=dict)

    def plan(
        self, rounds: Sequence[Sequence[Iterable[int]]], *, streamed: Sequence[Collection[int]] = ()
    ) -> list[list[Seat]]:
        """A seat for each match of each round, given the entrants of each match as far as they are known. In a round
        nobody is in two matches. `streamed`: of each round, the places of the matches that are for the stream.
        """
        planned: list[list[Seat]] = []
        start = over = self.dates[0] if self.dates else self.starts_at
        for number, one in enumerate(rounds):
            start = self._start_of(number, start, over)
            seats = self._round([list(who) for who in one], start, streamed[number] if streamed else ())
            planned.append(seats)
            over = max((seat.starts_at + self._length for seat in seats if seat.starts_at), default=start)
        return planned

    @property
    def _length(self) -> timedelta:
        return timedelta(minutes=self.minutes)

    def _start_of(self, number: int, start: datetime | None, over: datetime | None) -> datetime | None:
        """Of a round, given when the one before it starts and is over; None where the plan does not say."""
        if start is None or over is None:
            return None
        if number < len(self.dates):
            return max(self.dates[number], over)
        return self._next(start, over) if number else start

    def _next(self, start: datetime, over: datetime) -> datetime:
        """A round that lasts longer than the days between takes the next of those days."""
        return next_start(start, over, self.days_between, self.zone) if self.days_between else over

    def _round(self, matches: Sequence[Sequence[int]], start: datetime | None, streamed: Collection[int]) -> list[Seat]:
        if not self.tables:
            return [Seat(None, self._first_hour(who, start)) for who in matches]
        # Wishes never make a round longer: it has the turns that it has without any.
        cells = self._seated(matches, start, Wishes())
        if self.wishes.any or streamed:
            last = max((cell.turn for cell in cells), default=0)
            cells = self._seated(matches, start, self.wishes, last=last, streamed=streamed)
        return [Seat(cell.table, cell.starts_at) for cell in cells]

    def _seated(
        self,
        matches: Sequence[Sequence[int]],
        start: datetime | None,
        wishes: Wishes,
        *,
        last: int = -1,
        streamed: Collection[int] = (),
    ) -> list[TableTurn]:
        near = list(takewhile(lambda cell: cell.turn <= last, self._cells(start)))
        further = (cell for cell in self._cells(start) if cell.turn > last)
        return seated(matches, near, further, wishes, self._are_free, streamed=streamed)

    def _first_hour(self, who: Sequence[int], start: datetime | None) -> datetime | None:
        if start is None:
            return None
        hours = (start + self._length * turn for turn in count())
        return next(at for at in hours if self._nobody_is_elsewhere(who, at))

    def _cells(self, start: datetime | None) -> Iterator[TableTurn]:
        """Where a match may be, from `start` on, one length of a match after the other."""
        for turn in count():
            at = start + self._length * turn if start else None
            for table in self.tables:
                if self._is_free(self.taken.tables.get(table, ()), at):
                    yield TableTurn(turn, table, at)

    def _are_free(self, entrants: Sequence[int], cell: TableTurn) -> bool:
        return self._nobody_is_elsewhere(entrants, cell.starts_at)

    def _nobody_is_elsewhere(self, entrants: Iterable[int], at: datetime | None) -> bool:
        people = (one for entrant in entrants for one in self.people.get(entrant, (entrant,)))
        return all(self._is_free(self.taken.people.get(one, ()), at) for one in people)

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
