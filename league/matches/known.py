"""How well a result is known: the level that it shows for ever. Pure."""

from collections.abc import Iterable
from typing import NamedTuple

from league.matches.models import LEVELS, KnownBy, StoredVerdict


class Known(NamedTuple):
    """`by` is a `KnownBy`; `proved` is False of a log whose record was corrected or breaks a rule: it was replayed, and
    its numbers are right, but it is not a verified log.
    """

    by: str
    proved: bool = True


def known_as(by: str, verdict_status: str | None) -> Known:
    """Of a result, by what it rests on and what the referee found in that."""
    return Known(by, by != KnownBy.LOG or verdict_status == StoredVerdict.Status.VERIFIED)


def least(known: Iterable[Known]) -> Known | None:
    """A match of several games is known as well as the one of which least is known."""
    return max(known, key=_rank, default=None)


def _rank(one: Known) -> tuple[int, bool]:
    """More is worse. A ruling proves nothing of what was played."""
    place = LEVELS.index(KnownBy(one.by)) if one.by in LEVELS else len(LEVELS)
    return place, not one.proved
