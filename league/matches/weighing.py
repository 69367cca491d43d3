"""What several people's word about one game comes to. Pure.

Each source counts once, with its last word. The entry that says most about the game stands (a tally before a card, a
card before a bare score); the same from another source confirms it, anything else puts it under review.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

Outcome = tuple[tuple[int, ...], int | None]
"""Points by side in the order of the sides, and the number of the side that won."""


class Ground(Enum):
    """Why a result is official without anybody having confirmed it by a button."""

    AGREED = "agreed"
    SIGNED = "signed"
    ALONE = "alone"
    NOT_REQUIRED = ""


Awards = tuple[tuple[int, int], ...]
"""Side and points of every award, sorted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """What one source said: a side of the match, or somebody of the league's staff.

    `rank`: how much it says about the game, more is more. `awards`: None of what lists none. `sound`: nothing in it
    contradicts the rules. `signed`: it is a card that both sides signed. `ruling`: an official's decision, which stands
    before every entry. `alone`: an official said so where one is enough. `counts`: False of what a side may not have
    said itself, which confirms nothing (second_side.py).
    """

    key: int
    source: str
    rank: int
    outcome: Outcome
    awards: Awards | None = None
    sound: bool = True
    signed: bool = False
    ruling: bool = False
    alone: bool = False
    counts: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Opinion:
    """A reply of a source to another entry: it agrees, or disagrees without an entry of its own."""

    source: str
    agrees: bool
    outcome: Outcome
    awards: Awards | None = None


Said = Statement | Opinion


@dataclass(frozen=True, slots=True)
class Weighed:
    """`current` is the key of what stands, `contested` the keys of what differs from it, `agreed` of what confirms it.

    `reviewed`: somebody contradicts what stands. `ground` is None while somebody has still to confirm it, or to decide.
    """

    current: int
    contested: tuple[int, ...]
    agreed: tuple[int, ...]
    reviewed: bool
    ground: Ground | None


def weigh(said: Sequence[Said], *, confirmation_required: bool) -> Weighed | None:
    """In the order in which it was said; None where nobody said anything."""
    last = _last_of_each(said)
    statements = [one for one in last if isinstance(one, Statement)]
    if not statements:
        return None
    current = max(enumerate(statements), key=lambda one: (one[1].ruling, one[1].rank, one[0]))[1]
    decides = current.ruling and (current.alone or not confirmation_required)
    others = [] if decides else [one for one in last if one is not current]
    agreeing = [one for one in others if _supports(one, current) and (isinstance(one, Opinion) or one.counts)]
    contradicting = [one for one in others if not _supports(one, current) and _contradicts(one, current)]
    ground = None
    if current.sound and not contradicting:
        ground = _ground(current, agrees=bool(agreeing) and current.counts, confirmation_required=confirmation_required)
    return Weighed(current.key, _keys(contradicting), _keys(agreeing), bool(contradicting), ground)


def _last_of_each(said: Sequence[Said]) -> Sequence[Said]:
    """Keep the last word of each source; a disagreement is kept beside its statement."""
    last: dict[tuple[str, bool], Said] = {}
    for one in said:
        disagrees = isinstance(one, Opinion) and not one.agrees
        for replaced in (disagrees, True):
            last.pop((one.source, replaced), None)  # so that its place is that of its last time
        last[one.source, disagrees] = one
    return list(last.values())


def same(one: Said, other: Said) -> bool:
    """Tell whether winner, points and, if both list them, all awards agree."""
    listed = one.awards is not None and other.awards is not None
    return one.outcome == other.outcome and (not listed or one.awards == other.awards)


def _supports(one: Said, current: Statement) -> bool:
    return same(one, current) and not (isinstance(one, Opinion) and not one.agrees)


def _contradicts(one: Said, current: Statement) -> bool:
    """Tell whether it contradicts the current entry; an objection to an earlier entry does not."""
    return not isinstance(one, Opinion) or one.agrees != same(one, current)


def _keys(said: Sequence[Said]) -> tuple[int, ...]:
    return tuple(one.key for one in said if isinstance(one, Statement))


def _ground(current: Statement, *, agrees: bool, confirmation_required: bool) -> Ground | None:
    if agrees:
        return Ground.AGREED
    if current.signed:
        return Ground.SIGNED
    if not confirmation_required:
        return Ground.NOT_REQUIRED
    return Ground.ALONE if current.alone else None
