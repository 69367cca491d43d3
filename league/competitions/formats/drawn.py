"""Drawn rounds: the common output of all formats. Pure.

Rounds have slots, whose berths are seeds or come from an earlier slot.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum


class Section(StrEnum):
    """Part of a stage; most formats have a single part."""

    MAIN = ""
    WINNERS = "winners"
    LOSERS = "losers"
    FINAL = "final"


class RoundKind(StrEnum):
    """Kind of a round, for its displayed name."""

    PLAIN = "round"
    ROUND_OF_16 = "round_of_16"
    QUARTER_FINALS = "quarter_finals"
    SEMI_FINALS = "semi_finals"
    FINAL = "final"


@dataclass(frozen=True, slots=True)
class Source:
    """An earlier slot: `round_number` and `slot_number` from 1; its winner or `loser`."""

    round_number: int
    slot_number: int
    loser: bool = False


@dataclass(frozen=True, slots=True)
class DrawnBerth:
    """A seed, from 1, or the outcome of an earlier slot; both if that slot is a bye."""

    seed: int | None = None
    source: Source | None = None


@dataclass(frozen=True, slots=True)
class DrawnSlot:
    """A match with two berths (3 to 6 in table rounds), or a bye with a single berth.

    The first berth leads the first round of the match. `group`: the group of a stage, from 1; 0 without groups.
    `conditional`: played only if the second berth won the slot that it comes from (the reset of a grand final).
    `place`: in a losers' bracket its number in the round if nobody had a bye, from 1; else 0.
    """

    berths: tuple[DrawnBerth, ...]
    third_place: bool = False
    group: int = 0
    conditional: bool = False
    place: int = 0

    @property
    def is_bye(self) -> bool:
        return len(self.berths) == 1


@dataclass(frozen=True, slots=True)
class DrawnRound:
    """A round of a draw.

    Rounds are in playable order: berths come from earlier rounds only. `phase`: of a losers' bracket its number if
    nobody had a bye, from 1; else 0.
    """

    kind: RoundKind
    slots: tuple[DrawnSlot, ...]
    section: Section = Section.MAIN
    phase: int = 0


SlotKey = tuple[str, int, int]
"""Section, round and place of a slot in a bracket; the same for every number of byes."""


def slots_by_key(rounds: Sequence[DrawnRound]) -> dict[SlotKey, tuple[int, int]]:
    """Give round number and slot number of each slot, both from 1."""
    found = {}
    nth: Counter[Section] = Counter()
    for number, one in enumerate(rounds, start=1):
        nth[one.section] += 1
        for place, slot in enumerate(one.slots, start=1):
            found[one.section.value, one.phase or nth[one.section], slot.place or place] = number, place
    return found
