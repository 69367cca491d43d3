"""What every format gives back: rounds of slots, whose berths are seeds or come from an earlier slot. Pure."""

from dataclasses import dataclass
from enum import StrEnum


class Section(StrEnum):
    """Which part of a stage a round belongs to; most formats have one part only."""

    MAIN = ""
    WINNERS = "winners"
    LOSERS = "losers"
    FINAL = "final"


class RoundKind(StrEnum):
    """Under which name people know a round."""

    PLAIN = "round"
    ROUND_OF_16 = "round_of_16"
    QUARTER_FINALS = "quarter_finals"
    SEMI_FINALS = "semi_finals"
    FINAL = "final"


@dataclass(frozen=True, slots=True)
class Source:
    """An earlier slot: `round_number` and `slot_number`, both from 1; its loser where `loser`, else its winner."""

    round_number: int
    slot_number: int
    loser: bool = False


@dataclass(frozen=True, slots=True)
class DrawnBerth:
    """A seed, from 1, or whoever comes out of an earlier slot; both where that slot is a bye."""

    seed: int | None = None
    source: Source | None = None


@dataclass(frozen=True, slots=True)
class DrawnSlot:
    """Two berths make a match (3 to 6 in table rounds), whose first berth leads its first round; a single one is a bye.

    `group`: which of a stage's groups meets here, from 1; 0 where there is only one. `conditional`: played only if the
    slot that it comes from was won by its second berth (the reset of a grand final).
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
    """Rounds are numbered in the order in which they can be played: the berths of each come from earlier ones only."""

    kind: RoundKind
    slots: tuple[DrawnSlot, ...]
    section: Section = Section.MAIN
