"""How well a result is known: the level that it shows for ever. Pure."""

from collections.abc import Iterable
from typing import NamedTuple

from league.matches.models import LEVELS, KnownBy, StoredVerdict


class Known(NamedTuple):
    """`by` is a `KnownBy`; `proved` is False of a log that is no verified one.

    Its record was corrected or breaks a rule, or, where `by` is a card, some of its points rest on its word.
    """

    by: str
    proved: bool = True


def known_as(by: str, verdict_status: str | None) -> Known:
    """Of a result, by what it rests on and what the referee found in that."""
    replayed = by in {KnownBy.LOG, KnownBy.CARD}  # a card that does not check is known as a bare score
    return Known(by, not replayed or verdict_status == StoredVerdict.Status.VERIFIED)


def known_by_log(verdict: StoredVerdict) -> KnownBy:
    """How well a game is known by a log with this verdict: with points that nobody saw as by a checked card."""
    return KnownBy.CARD if verdict.rests_on_word else KnownBy.LOG


def suffices(by: str, level: str) -> bool:
    """Tell whether the source of a result (log or sheet) is good enough for its match."""
    return LEVELS.index(KnownBy(by)) <= LEVELS.index(KnownBy(level))


def least(known: Iterable[Known]) -> Known | None:
    """A match of several games is known as well as the one of which least is known."""
    return max(known, key=_rank, default=None)


def _rank(one: Known) -> tuple[int, bool]:
    """More is worse. A ruling proves nothing of what was played."""
    place = LEVELS.index(KnownBy(one.by)) if one.by in LEVELS else len(LEVELS)
    return place, not one.proved
