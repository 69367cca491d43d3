"""The challenges of a ladder as a file has them. Pure."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Protocol

from league.competitions.import_export.values import LONGEST_KEY, FiledChallenge, FiledCompetition

LADDER = "ladder"
CLOSED = frozenset({"withdrawn", "expired"})


class ChallengeReader(Protocol):
    """So much of the reader of a whole file (transfer.py)."""

    def wrong(self, place: str, code: str, found: object = "") -> None: ...

    def get(self, value: Mapping[str, Any], name: str, place: str, kind: type, default: Any = None) -> Any: ...

    def number(self, value: Mapping[str, Any], name: str, place: str, default: int = 0, most: int = 30_000) -> int: ...

    def word(self, value: Mapping[str, Any], name: str, place: str, longest: int) -> str: ...

    def moment(self, value: Mapping[str, Any], name: str, place: str) -> datetime | None: ...


def read(reader: ChallengeReader, value: Mapping[str, Any], place: str) -> FiledChallenge:
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


def check(reader: ChallengeReader, filed: FiledCompetition) -> None:
    """Whether they fit the ladder, its people and its matches."""
    ladders = {one.number for one in filed.stages if one.format == LADDER}
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
    """Either it has a match, or it was closed unplayed."""
    closed = one.closed_how in CLOSED and one.closed_at is not None
    if one.slot is None and not closed:
        reader.wrong(f"{one.place}.closed_how", "bad-value", one.closed_how)
    if one.slot is not None and (one.closed_how or one.closed_at):
        reader.wrong(f"{one.place}.closed_how", "bad-value", one.closed_how)


def _check_order(reader: ChallengeReader, filed: FiledCompetition) -> None:
    """A slot and a number in the order belong to one challenge."""
    slots: set[tuple[int, int, int]] = set()
    numbers: set[int] = set()
    for one in filed.challenges:
        if one.slot in slots:
            reader.wrong(f"{one.place}.slot", "slot-twice", one.slot)
        if one.decided and (one.decided in numbers or one.slot is None):
            reader.wrong(f"{one.place}.decided", "bad-number", one.decided)
        slots |= {one.slot} if one.slot else set()
        numbers |= {one.decided} if one.decided else set()
