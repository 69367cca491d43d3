"""Drawn rounds: the common output of all formats. Pure.

Rounds have slots, whose berths are seeds or come from an earlier slot.
"""

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
    """

    berths: tuple[DrawnBerth, ...]
    third_place: bool = False
    group: int = 0
    conditional: bool = False

    @property
    def is_bye(self) -> bool:
        return len(self.berths) == 1


@dataclass(frozen=True, slots=True)
class DrawnRound:
    """A round of a draw.

    Rounds are in playable order: berths come from earlier rounds only.
    """

    kind: RoundKind
    slots: tuple[DrawnSlot, ...]
    section: Section = Section.MAIN
