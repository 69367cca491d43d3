"""Parts of a long replay: a page holds some rounds and links to the others. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from sys import maxsize

from referee.frames import RoundFrames

MOST_STEPS = 560
"""Steps of one part: about 25 kB on the wire."""
MOST_ROUNDS = 20
"""Rounds of one part: a table that branches at every double is laid out by a search."""


@dataclass(frozen=True, slots=True)
class ReplayPart:
    """Rounds `first` to `last`, in the lines `from_line` to `to_line` of the log.

    `key`: the value of `?rounds=` for this part; `shown`: the part is on this page.
    """

    key: str
    first: int
    last: int
    from_line: int
    to_line: int
    shown: bool


@dataclass(frozen=True, slots=True)
class ListedRound:
    """A round of the game, and the key of its part; "" if it is on this page."""

    number: int
    key: str


def parts_of(rounds: Sequence[RoundFrames]) -> list[list[RoundFrames]]:
    """Split the rounds, in order, into pages of at least one round."""
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
    """Return the place of the part with the round that `?rounds=` names.

    `61`, in a later game `g2.61`; else the last part, so that the page opens with the end of the game.
    """
    keys = [[f"{prefix}{one.number}" for one in part] for part in parts]
    return next((place for place, part in enumerate(keys) if asked in part), len(parts) - 1)


def listed(
    parts: Sequence[Sequence[RoundFrames]], prefix: str, shown: int
) -> tuple[list[ReplayPart], list[ListedRound]]:
    """List parts and rounds; no parts for a game in a single part.

    Every line of the log is in a part: the header in the first one.
    """
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
