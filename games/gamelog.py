"""The written record of a game as data: tags, and entries in order. Spelling is the business of `games.notation`."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from games.moves import SEATS, Event, RoundStart

Tenths = int
"""Match-clock time elapsed, in tenths of a second."""


class Entry(NamedTuple):
    """One event line: its line number in the file, its time if one is written, what happened.

    Two entries are equal if they say the same; where they stand in a file does not matter.
    """

    line: int
    at: Tenths | None
    event: Event

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Entry) and self.event == other.event and self.at == other.at

    def __hash__(self) -> int:
        return hash((self.at, self.event))


@dataclass(frozen=True, slots=True)
class RoundLog:
    """The entries of one round, from its ``round`` line to the line before the next one."""

    number: int
    entries: list[Entry]


@dataclass(slots=True)
class GameLog:
    """One game as written down.

    ``tags`` keeps the order of the file. ``tag_lines`` and the line numbers of entries say where things stand and
    take no part in ``==``, so that ``loads(dumps(log)) == [log]``. ``last_line`` is the line of the last tag or entry.
    """

    tags: dict[str, str]
    entries: list[Entry] = field(default_factory=list)
    tag_lines: dict[str, int] = field(default_factory=dict, compare=False)

    @property
    def ruleset(self) -> str:
        """Name of the ruleset."""
        return self.tags["Ruleset"]

    @property
    def options(self) -> dict[str, str]:
        """Options of the ruleset that this game overrides, as written."""
        return {name[7:]: value for name, value in self.tags.items() if name.startswith("Option.")}

    @property
    def seats(self) -> dict[str, str]:
        """Names by seat letter; empty names where no seat is tagged (NOTATION.md 2: two seats then)."""
        named = {letter: self.tags[f"Seat.{letter}"] for letter in SEATS if f"Seat.{letter}" in self.tags}
        return named or {"A": "", "B": ""}

    @property
    def last_line(self) -> int:
        """Line of the last tag or entry; 1 for a log that was not read from a text."""
        if self.entries:
            return self.entries[-1].line
        return max(self.tag_lines.values(), default=1)

    @property
    def rounds(self) -> list[RoundLog]:
        """The entries by round; what stands before ``round 1`` belongs to none."""
        rounds: list[RoundLog] = []
        for entry in self.entries:
            if isinstance(entry.event, RoundStart):
                rounds.append(RoundLog(entry.event.number, []))
            if rounds:
                rounds[-1].entries.append(entry)
        return rounds
