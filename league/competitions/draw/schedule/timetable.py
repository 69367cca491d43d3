"""Timetable of a draw, without double bookings of tables or people. Pure."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta, tzinfo
from itertools import count, takewhile

from league.competitions.draw.schedule.table_assignment import TableTurn, Wishes, seated

Span = tuple[datetime, datetime]
"""Start and end, the end excluded."""


@dataclass(frozen=True, slots=True)
class Seat:
    """Table and start of one match; None if the plan has none."""

    table: int | None
    starts_at: datetime | None


@dataclass(frozen=True, slots=True)
class Bookings:
    """Taken spans, by the keys of tables and of people.

    By person, because a person in two entrants cannot play both at once.
    """

    tables: Mapping[int, Sequence[Span]] = field(default_factory=dict)
    people: Mapping[int, Sequence[Span]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Timetable:
    """Tables, start times and bookings for a draw.

    `tables`: keys in the order in which they fill; empty: all matches of a round begin at once. Without `days_between`
    a round begins when the round before should end, else that many days after it at the same hour in `zone`. `dates`:
    starts of the first rounds, with priority over the rest; a round starts later only if the round before has not
    ended. `people`: the people of each entrant, for bookings.
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
        """Give each match of each round a seat, from the known entrants of each match.

        In a round no entrant is in two matches. `streamed`: for each round, the indexes of its stream matches.
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
        """Give a round's start from start and end of the round before; None without hours."""
        if start is None or over is None:
            return None
        if number < len(self.dates):
            return max(self.dates[number], over)
        return self._next(start, over) if number else start

    def _next(self, start: datetime, over: datetime) -> datetime:
        """Give the next start; a round longer than the pause skips to a later multiple."""
        return next_start(start, over, self.days_between, self.zone) if self.days_between else over

    def _round(self, matches: Sequence[Sequence[int]], start: datetime | None, streamed: Collection[int]) -> list[Seat]:
        if not self.tables:
            return [Seat(None, self._first_hour(who, start)) for who in matches]
        # Wishes never make a round longer: its last turn is that of the plan without wishes.
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
        """Yield the free turns of the tables from `start`, one match length after another."""
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
    """Give the next start, a multiple of `days_between` later, not before `over`.

    It is at the same wall time in `zone`.
    """
    local, following = start.astimezone(zone), start
    while following <= start or following < over:
        # In local time: 19:00 stays 19:00 across a change to summer time.
        local += timedelta(days=days_between)
        following = local.astimezone(start.tzinfo)
    return following
