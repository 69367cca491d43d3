"""Weigh all entries and replies about one game. Pure.

Each source counts once, with its last entry. The entry with the most detail is the current one (a tally before a card,
a card before a bare score); an equal entry of another source confirms it, any other puts it under review.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

Outcome = tuple[tuple[int, ...], int | None]
"""Points by side in the order of the sides, and the number of the side that won."""


class Ground(Enum):
    """The reason for an official result without a confirmation by button."""

    AGREED = "agreed"
    SIGNED = "signed"
    ALONE = "alone"
    NOT_REQUIRED = ""


Awards = tuple[tuple[int, int], ...]
"""Side and points of every award, sorted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """An entry of one source: a side of the match, or a person of the league's staff.

    `rank`: more for more detail. `awards`: None if it lists none. `sound`: it breaks no rule. `signed`: a card that
    both sides signed. `ruling`: an official's decision, which outranks every entry. `alone`: by an official if one
    is enough. `counts`: False for an entry that its side may not have made; it confirms nothing (second_side.py).
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
    """A reply of a source to another entry: it agrees or disagrees."""

    source: str
    agrees: bool
    outcome: Outcome
    awards: Awards | None = None


Said = Statement | Opinion


@dataclass(frozen=True, slots=True)
class Weighed:
    """Keys of entries: the `current` one, differing (`contested`), equal (`agreed`).

    `reviewed`: the current entry is contradicted. `ground`: None while it waits for a confirmation or a decision.
    """

    current: int
    contested: tuple[int, ...]
    agreed: tuple[int, ...]
    reviewed: bool
    ground: Ground | None


def weigh(said: Sequence[Said], *, confirmation_required: bool) -> Weighed | None:
    """Weigh entries and replies, given in the order of their time.

    None without an entry.
    """
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
    """Keep the last entry of each source; a disagreement is kept beside its entry."""
    last: dict[tuple[str, bool], Said] = {}
    for one in said:
        disagrees = isinstance(one, Opinion) and not one.agrees
        for replaced in (disagrees, True):
            last.pop((one.source, replaced), None)  # moves it to the place of its last entry
        last[one.source, disagrees] = one
    return list(last.values())


def same(one: Said, other: Said) -> bool:
    """Return whether winner, points and, if both list them, all awards agree."""
    listed = one.awards is not None and other.awards is not None
    return one.outcome == other.outcome and (not listed or one.awards == other.awards)


def _supports(one: Said, current: Statement) -> bool:
    return same(one, current) and not (isinstance(one, Opinion) and not one.agrees)


def _contradicts(one: Said, current: Statement) -> bool:
    """Return whether it contradicts the current entry.

    An objection to an earlier entry does not.
    """
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
