"""Game log as data: tags and entries; `games.notation.reading` spells them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from games.moves import SEATS, Event, RoundStart

Tenths = int
"""Match-clock time elapsed, in tenths of a second."""


class Entry(NamedTuple):
    """One event line: its line number in the file, its time if written, its event.

    Entries with the same time and event are equal; the line does not matter.
    """

    line: int
    at: Tenths | None
    event: Event

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Entry) and self.event == other.event and self.at == other.at

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash((self.at, self.event))


@dataclass(frozen=True, slots=True)
class RoundLog:
    """Entries of one round, from its ``round`` line to the next ``round`` line.

    The latter is not included.
    """

    number: int
    entries: list[Entry]


class Columns(NamedTuple):
    """Entries as three columns of one length, without an object for each entry."""

    lines: Sequence[int]
    times: Sequence[Tenths | None]
    events: Sequence[Event]


_SEAT_TAGS = tuple((letter, f"Seat.{letter}") for letter in SEATS)


class GameLog:
    """One game as written down.

    ``tags`` keeps the order of the file. ``tag_lines`` and the line numbers of entries are left out of ``==``, so that
    ``loads(dumps(log)) == [log]``. ``last_line`` is the line of the last tag or entry. A log that was read holds its
    entries in ``columns`` until the first use of ``entries``.
    """

    __slots__ = ("_columns", "_entries", "tag_lines", "tags")

    def __init__(
        self,
        tags: dict[str, str],
        entries: list[Entry] | None = None,
        tag_lines: dict[str, int] | None = None,
        *,
        columns: Columns | None = None,
    ) -> None:
        self.tags = tags
        self.tag_lines = {} if tag_lines is None else tag_lines
        self._entries = [] if entries is None else entries
        self._columns = columns

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, GameLog):
            return NotImplemented
        return self.tags == other.tags and self.entries == other.entries

    __hash__ = None  # type: ignore[assignment]  # it can be changed

    def __repr__(self) -> str:
        return f"GameLog(tags={self.tags!r}, entries={self.entries!r}, tag_lines={self.tag_lines!r})"

    @property
    def entries(self) -> list[Entry]:
        """Entries as a list that can be changed; from then on the list alone counts."""
        columns = self._columns
        if columns is not None:
            self._entries = list(map(Entry._make, zip(*columns, strict=True)))
            self._columns = None
        return self._entries

    def each(self) -> Iterator[tuple[int, Tenths | None, Event]]:
        """Yield line, time and event of every entry: the fast way through a log."""
        return iter(self._entries) if self._columns is None else zip(*self._columns, strict=True)

    @property
    def ruleset(self) -> str:
        """Name of the ruleset."""
        return self.tags["Ruleset"]

    @property
    def options(self) -> dict[str, str]:
        """Ruleset options that this game overrides, as written."""
        return {name[7:]: value for name, value in self.tags.items() if name.startswith("Option.")}

    @property
    def seats(self) -> dict[str, str]:
        """Names by seat letter; two seats without names if none is tagged (NOTATION.md 2)."""
        tags = self.tags
        named = {letter: tags[name] for letter, name in _SEAT_TAGS if name in tags}
        return named or {"A": "", "B": ""}

    @property
    def last_line(self) -> int:
        """Line of the last tag or entry; 1 for a log that was not read from a text."""
        if self._columns is not None:
            return self._columns.lines[-1]
        if self._entries:
            return self._entries[-1].line
        return max(self.tag_lines.values(), default=1)

    @property
    def rounds(self) -> list[RoundLog]:
        """Entries by round; entries before ``round 1`` belong to none."""
        rounds: list[RoundLog] = []
        for entry in self.entries:
            if isinstance(entry.event, RoundStart):
                rounds.append(RoundLog(entry.event.number, []))
            if rounds:
                rounds[-1].entries.append(entry)
        return rounds
