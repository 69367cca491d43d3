"""Source of a result: the level of knowledge shown with it for ever. Pure."""

from collections.abc import Iterable
from typing import NamedTuple

from league.matches.models import LEVELS, KnownBy, StoredVerdict


class Known(NamedTuple):
    """Source of a result. `by` is a `KnownBy`.

    `proved` is False for a log or card without the status "verified": it was corrected or breaks a rule, or some of a
    log's points were written but not seen (`by` is then a card).
    """

    by: str
    proved: bool = True


def known_as(by: str, verdict_status: str | None) -> Known:
    """Return the source of a result, by its kind and the status of its verdict."""
    replayed = by in {KnownBy.LOG, KnownBy.CARD}  # a card that does not check is known as a bare score
    return Known(by, not replayed or verdict_status == StoredVerdict.Status.VERIFIED)


def known_by_log(verdict: StoredVerdict) -> KnownBy:
    """Return the level of a log: with points that were not seen it counts as a card."""
    return KnownBy.CARD if verdict.rests_on_word else KnownBy.LOG


def suffices(by: str, level: str) -> bool:
    """Return whether a source (log or sheet) is good enough for its match."""
    return LEVELS.index(KnownBy(by)) <= LEVELS.index(KnownBy(level))


def least(known: Iterable[Known]) -> Known | None:
    """Return the lowest level: the level of a match of several games."""
    return max(known, key=_rank, default=None)


def _rank(one: Known) -> tuple[int, bool]:
    """Rank a level; higher is worse. A ruling proves nothing about the play."""
    place = LEVELS.index(KnownBy(one.by)) if one.by in LEVELS else len(LEVELS)
    return place, not one.proved
