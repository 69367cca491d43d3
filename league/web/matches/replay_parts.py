"""A long game in parts: the page of a match holds some of its rounds, and says where the others stand. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from sys import maxsize

from referee.frames import RoundFrames

MOST_STEPS = 560
"""Steps of one part: about 25 kB on the wire."""
MOST_ROUNDS = 20
"""Rounds of one part: a table that parts at every double is laid by a search."""


@dataclass(frozen=True, slots=True)
class ReplayPart:
    """Rounds `first` to `last`, in the lines `from_line` to `to_line` of the log. `key` is what `?rounds=` asks for;
    `shown`: they are on this page.
    """

    key: str
    first: int
    last: int
    from_line: int
    to_line: int
    shown: bool


@dataclass(frozen=True, slots=True)
class ListedRound:
    """A round of the game, and the key of its part; "" where it is on this page."""

    number: int
    key: str


def parts_of(rounds: Sequence[RoundFrames]) -> list[list[RoundFrames]]:
    """The rounds in their order, so many together as one page holds, and at least one."""
    parts: list[list[RoundFrames]] = []
    room = 0
    for one in rounds:
        if not parts or len(one.frames) > room or len(parts[-1]) == MOST_ROUNDS:
            parts.append([])
            room = MOST_STEPS
        parts[-1].append(one)
        room -= len(one.frames)
    return parts


def asked_for(parts: Sequence[Sequence[RoundFrames]], prefix: str, asked: str) -> int:
    """The place of the part with the round that `?rounds=` names (`61`, in a later game `g2.61`), else of the last one:
    who opens the page sees how the game ended.
    """
    keys = [[f"{prefix}{one.number}" for one in part] for part in parts]
    return next((place for place, part in enumerate(keys) if asked in part), len(parts) - 1)


def listed(
    parts: Sequence[Sequence[RoundFrames]], prefix: str, shown: int
) -> tuple[list[ReplayPart], list[ListedRound]]:
    """Of a game in one part no parts are listed. Every line of the log is in a part: the header in the first one."""
    keys = [f"{prefix}{part[0].number}" for part in parts]
    ends = [0, *(part[-1].frames[-1].line for part in parts[:-1]), maxsize]
    told = [
        ReplayPart(key, part[0].number, part[-1].number, ends[place] + 1, ends[place + 1], place == shown)
        for place, (key, part) in enumerate(zip(keys, parts, strict=True))
    ]
    rounds = [
        ListedRound(one.number, "" if place == shown else keys[place])
        for place, part in enumerate(parts)
        for one in part
    ]
    return told if len(told) > 1 else [], rounds
