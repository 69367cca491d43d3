"""Plain values of a competition file, made by `reading.py`, `result_tables.py`."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol

from league.competitions.formats.registry import LADDERS
from league.competitions.registration.enrolment import FiledEntrant

# Limits of the fields of a plan and of a stage: longest words, largest numbers.
PLAN_WORDS = {"ruleset": 40, "release": 16, "currency": 8, "level": 8, "final_level": 8, "direct_by": 6, "leaving": 5}
PLAN_WORDS |= {"requested_bye": 4}
PLAN_TRUTHS = ("pairs", "forfeit_points", "clubs_apart", "dispatches")
PLAN_NUMBERS = {"best_of": 11, "minutes": 1440, "days_between": 366, "fee": 100_000_000, "forfeit_after_min": 240}
PLAN_NUMBERS |= {
    "rest_minutes": 120,
    "most_byes": 10,
    "tie_break_edition": 9999,
    "win_points": 100,
    "draw_points": 100,
    "loss_points": 100,
    "bye_points": 100,
}
STAGE_NUMBERS = (
    "rounds", "groups", "seats", "challenge_reach", "challenge_days", "advance_each", "advance_rest",
)  # fmt: skip
# Fields that no import carries over and no comparison looks at.
NOT_CARRIED = frozenset(
    {
        "exported_at", "format", "edition", "league", "payments", "checked_in_at", "standings", "places", "finished",
        "published", "imported", "state", "known_by", "proved", "via", "confirmed_how", "confirmed_at", "entered_at",
        "needs_decision", "minor", "shown_as", "rounds_drawn", "closed", "follows", "ends",
    }
)  # fmt: skip
TOLD = 60
"""Letters of the wrong text that a mistake repeats."""

MOST_POINTS = 100_000
LONGEST_KEY = 16


@dataclass(frozen=True, slots=True)
class Mistake:
    """A mistake in a file.

    `place`: its place in the file, `rounds[3].slots[2].games[1].points`, or `line 12`; `code`: its kind; `column`: the
    column of a table, from 0.
    """

    place: str
    code: str
    found: str = ""
    column: int | None = None


@dataclass(frozen=True, slots=True)
class FiledBerth:
    """A berth in a file.

    `source`: (stage, round, slot) from which the winner or loser comes. `absent`: the others play without this entrant.
    """

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
    requested_bye: bool = False
    has_match: bool = False
    games: tuple[FiledGame, ...] = ()
    place: str = ""

    @property
    def sides(self) -> list[FiledBerth]:
        """The berths of entrants that play there."""
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
    """A challenge of a ladder.

    `slot`: (stage, round, slot) of its match; None if closed unplayed. `decided`: its number, from 1, in the order of
    decided challenges, from which the places follow; 0 while it is open.
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
    """An entrant of a later stage, and its place in the stage before."""

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
    """A competition in a file.

    `plan`: the fields of `plans.Plan` by name, as in the file.
    """

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


CLOSED = frozenset({"withdrawn", "expired"})


class ChallengeReader(Protocol):
    """The needed part of the reader of a whole file (reading.py)."""

    def wrong(self, place: str, code: str, found: object = "") -> None: ...

    def get(self, value: Mapping[str, Any], name: str, place: str, kind: type, default: Any = None) -> Any: ...

    def number(self, value: Mapping[str, Any], name: str, place: str, default: int = 0, most: int = 30_000) -> int: ...

    def word(self, value: Mapping[str, Any], name: str, place: str, longest: int) -> str: ...

    def moment(self, value: Mapping[str, Any], name: str, place: str) -> datetime | None: ...


def read_challenge(reader: ChallengeReader, value: Mapping[str, Any], place: str) -> FiledChallenge:
    slot = reader.get(value, "slot", place, list)
    if slot is not None and not (len(slot) == 3 and all(type(one) is int for one in slot)):
        reader.wrong(f"{place}slot", "bad-value", slot)
        slot = None
    return FiledChallenge(
        stage=reader.number(value, "stage", place, 1),
        challenger=reader.word(value, "challenger", place, LONGEST_KEY),
        challenged=reader.word(value, "challenged", place, LONGEST_KEY),
        made_at=reader.moment(value, "made_at", place),
        slot=tuple(slot) if slot else None,
        decided=reader.number(value, "decided", place),
        closed_at=reader.moment(value, "closed_at", place),
        closed_how=reader.word(value, "closed_how", place, 10),
        place=place.rstrip("."),
    )


def check_challenges(reader: ChallengeReader, filed: FiledCompetition) -> None:
    """Note challenges that do not fit the ladder, its entrants or its matches."""
    ladders = {one.number for one in filed.stages if one.format in LADDERS}
    known = {one.key for one in filed.entrants}
    berths = {
        (one.stage, one.number, slot.number): tuple(berth.entrant for berth in slot.berths)
        for one in filed.rounds
        for slot in one.slots
    }
    for one in filed.challenges:
        if one.stage not in ladders:
            reader.wrong(f"{one.place}.stage", "no-stage", one.stage)
        for name, key in (("challenger", one.challenger), ("challenged", one.challenged)):
            if key not in known:
                reader.wrong(f"{one.place}.{name}", "not-an-entrant", key)
        if one.challenger == one.challenged:
            reader.wrong(f"{one.place}.challenged", "against-oneself", one.challenged)
        if one.made_at is None:
            reader.wrong(f"{one.place}.made_at", "bad-hour")
        if one.slot is not None and berths.get(one.slot) != (one.challenged, one.challenger):
            reader.wrong(f"{one.place}.slot", "no-slot", one.slot)
        _check_end(reader, one)
    _check_order(reader, filed)


def _check_end(reader: ChallengeReader, one: FiledChallenge) -> None:
    """Note a challenge unless it either has a match or was closed unplayed."""
    closed = one.closed_how in CLOSED and one.closed_at is not None
    if one.slot is None and not closed:
        reader.wrong(f"{one.place}.closed_how", "bad-value", one.closed_how)
    if one.slot is not None and (one.closed_how or one.closed_at):
        reader.wrong(f"{one.place}.closed_how", "bad-value", one.closed_how)


def _check_order(reader: ChallengeReader, filed: FiledCompetition) -> None:
    """Note slots and numbers in the order that belong to several challenges."""
    slots: set[tuple[int, int, int]] = set()
    numbers: set[int] = set()
    for one in filed.challenges:
        if one.slot in slots:
            reader.wrong(f"{one.place}.slot", "slot-twice", one.slot)
        if one.decided and (one.decided in numbers or one.slot is None):
            reader.wrong(f"{one.place}.decided", "bad-number", one.decided)
        slots |= {one.slot} if one.slot else set()
        numbers |= {one.decided} if one.decided else set()
