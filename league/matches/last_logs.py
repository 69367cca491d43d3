"""Last proved log of a match, from which its thumbnail is drawn."""

from collections.abc import Collection
from typing import NamedTuple

from league.matches.models import KnownBy, Result, SealedLog, StoredVerdict

PROVED = (StoredVerdict.Status.VERIFIED, StoredVerdict.Status.CONSISTENT, StoredVerdict.Status.CORRECTED)


class LastLog(NamedTuple):
    """Log of a game.

    `record`: key of its record, which never changes; `game`: its number.
    """

    record: int
    game: int


def last_logs(matches: Collection[int]) -> dict[int, LastLog]:
    """Return the last log by match; matches without a proved log are left out.

    One statement.
    """
    now = Result.objects.filter(
        current=True, game__match__in=matches, record__kind=KnownBy.LOG, record__verdict__status__in=PROVED
    )
    rows = now.order_by("game__number").values_list("game__match", "record", "game__number")
    return {match: LastLog(record, game) for match, record, game in rows}


def texts_of(records: Collection[int]) -> dict[int, str]:
    """Return the logs of these records, with codes for names. One statement."""
    return dict(SealedLog.objects.filter(record__in=records).values_list("record", "text"))
