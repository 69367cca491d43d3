"""What a file of a competition holds, as plain values: what `transfer.py` and `archives.py` make of it."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

# Of a plan and of a stage: longest words, largest numbers.
PLAN_WORDS = {"ruleset": 40, "release": 16, "currency": 8, "level": 8, "final_level": 8}
PLAN_NUMBERS = {"best_of": 11, "minutes": 1440, "days_between": 366, "fee": 100_000_000, "forfeit_after_min": 240}
PLAN_NUMBERS |= {
    "tie_break_edition": 9999,
    "win_points": 100,
    "draw_points": 100,
    "loss_points": 100,
    "bye_points": 100,
}
STAGE_NUMBERS = (
    "rounds", "groups", "seats", "challenge_reach", "challenge_days", "advance_each", "advance_rest",
)  # fmt: skip
# What no import carries over, and so no comparison sees.
NOT_CARRIED = frozenset(
    {
        "exported_at", "format", "edition", "league", "payments", "checked_in_at", "standings", "places", "finished",
        "published", "imported", "state", "known_by", "proved", "via", "confirmed_how", "confirmed_at", "entered_at",
        "needs_decision", "minor", "shown_as", "rounds_drawn", "closed", "follows", "ends",
    }
)  # fmt: skip
TOLD = 60
"""Letters of what was found, told with what is wrong about it."""

MOST_POINTS = 100_000
LONGEST_KEY = 16


@dataclass(frozen=True, slots=True)
class Mistake:
    """`place`: where in the file, `rounds[3].slots[2].games[1].points`, or `line 12`; `code` says what."""

    place: str
    code: str
    found: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class FiledPartner:
    """The second of a pair; the first is told of with the entrant."""

    name: str
    club: str = ""
    number: str = ""
    born: int | None = None
    minor: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class FiledEntrant:
    key: str
    name: str
    club: str = ""
    number: str = ""
    born: int | None = None
    minor: bool = False
    rating: int | None = None
    free_reason: str = ""
    withdrawn_because: str = ""
    place: str = ""
    partner: FiledPartner | None = None


@dataclass(frozen=True, slots=True)
class FiledBerth:
    """`source`: (stage, round, slot) whose winner or loser comes here. `absent`: the others play without this one."""

    entrant: str | None
    source: tuple[int, int, int] | None = None
    takes: str = ""
    absent: bool = False


@dataclass(frozen=True, slots=True)
class FiledGame:
    number: int
    points: tuple[int, ...]
    winner: int | None
    ended: str = ""
    ruled: bool = False
    official: bool = True
    needs_decision: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class FiledSlot:
    number: int
    berths: tuple[FiledBerth, ...]
    table: str = ""
    starts_at: datetime | None = None
    third_place: bool = False
    group: int = 0
    conditional: bool = False
    not_needed: bool = False
    has_match: bool = False
    games: tuple[FiledGame, ...] = ()
    place: str = ""

    @property
    def sides(self) -> list[FiledBerth]:
        """Who meets there."""
        return [berth for berth in self.berths if not berth.absent]


@dataclass(frozen=True, slots=True, kw_only=True)
class FiledRound:
    stage: int
    number: int
    section: str = ""
    nth: int = 0
    kind: str = "round"
    name: str = ""
    missing_before: int = 0
    missing_rounds: tuple[int, ...] = ()
    reason: str = ""
    slots: tuple[FiledSlot, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class FiledChallenge:
    """Of a ladder. `slot`: (stage, round, slot) of its match; None once it was closed unplayed. `decided`: the
    how-manieth of the decided challenges it was, from 1, for the places follow from their order; 0 while it is open.
    """

    stage: int
    challenger: str
    challenged: str
    made_at: datetime | None
    slot: tuple[int, int, int] | None = None
    decided: int = 0
    closed_at: datetime | None = None
    closed_how: str = ""
    place: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class FiledEntry:
    """Who plays in a stage after the first one, and where they come from."""

    entrant: str
    seed: int
    entry_place: int
    group: int
    place: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class FiledStage:
    number: int = 1
    format: str = "round_robin"
    third_place: bool = False
    reset: bool = True
    rounds: int = 0
    groups: int = 0
    seats: int = 0
    challenge_reach: int = 0
    challenge_days: int = 0
    advance_each: int = 0
    advance_rest: int = 0
    place_points: tuple[int, ...] = ()
    finished: bool = False
    entries: tuple[FiledEntry, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class FiledCompetition:
    """`plan`: the fields of `plans.Plan` by name, as the file has them."""

    key: str
    plan: Mapping[str, Any]
    stages: tuple[FiledStage, ...]
    entrants: tuple[FiledEntrant, ...]
    rounds: tuple[FiledRound, ...]
    challenges: tuple[FiledChallenge, ...] = ()

    @property
    def matches(self) -> int:
        return sum(len(slot.berths) > 1 for one in self.rounds for slot in one.slots)

    @property
    def games(self) -> int:
        return sum(len(slot.games) for one in self.rounds for slot in one.slots)
