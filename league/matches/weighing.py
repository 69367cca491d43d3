"""What several people's word about one game comes to. Pure.

Everybody counts once, with what they said last. What says most about the game stands (a tally before a card, a card
before a bare score); whoever said the same confirms it, and whoever said something else contests it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum

Outcome = tuple[tuple[int, ...], int | None]
"""Points by side in the order of the sides, and the number of the side that won."""


class Ground(Enum):
    """Why a result is official without anybody having confirmed it by a button."""

    AGREED = "agreed"
    SIGNED = "signed"
    NOT_REQUIRED = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """What one source said: a side of the match, or somebody of the league's staff.

    `rank`: how much it says about the game, more is more. `sound`: nothing in it contradicts the rules. `signed`: it is
    a card that both sides signed. `ruling`: an official's decision, beside which nothing else counts.
    """

    key: int
    source: str
    rank: int
    outcome: Outcome
    sound: bool = True
    signed: bool = False
    ruling: bool = False


@dataclass(frozen=True, slots=True)
class Weighed:
    """`current` is the key of what stands, `contested` the keys of what differs from it, `agreed` of what confirms it.
    `ground` is None while somebody has still to confirm it, or to decide.
    """

    current: int
    contested: tuple[int, ...]
    agreed: tuple[int, ...]
    ground: Ground | None


def weigh(said: Sequence[Statement], *, confirmation_required: bool) -> Weighed | None:
    """In the order in which it was said; None where nobody said anything."""
    last = list(_last_of_each(said).values())
    if not last:
        return None
    current = max(enumerate(last), key=lambda one: (one[1].ruling, one[1].rank, one[0]))[1]
    others = [] if current.ruling else [one for one in last if one is not current]
    agreed = tuple(one.key for one in others if one.outcome == current.outcome)
    contested = tuple(one.key for one in others if one.outcome != current.outcome)
    ground = None
    if current.sound and not contested:
        ground = _ground(current, agreed, confirmation_required=confirmation_required)
    return Weighed(current.key, contested, agreed, ground)


def _last_of_each(said: Sequence[Statement]) -> Mapping[str, Statement]:
    last: dict[str, Statement] = {}
    for one in said:
        last.pop(one.source, None)  # so that it stands where it was said last
        last[one.source] = one
    return last


def _ground(current: Statement, agreed: Sequence[int], *, confirmation_required: bool) -> Ground | None:
    if agreed:
        return Ground.AGREED
    if current.signed:
        return Ground.SIGNED
    return None if confirmation_required else Ground.NOT_REQUIRED
