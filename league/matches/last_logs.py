"""Of matches, the log of the last game that is proved by one: what a small picture of a match is made from."""

from collections.abc import Collection
from typing import NamedTuple

from league.matches.models import KnownBy, Result, SealedLog, StoredVerdict

PROVED = (StoredVerdict.Status.VERIFIED, StoredVerdict.Status.CONSISTENT, StoredVerdict.Status.CORRECTED)


class LastLog(NamedTuple):
    """`record`: the key of the record with the log; what it says never changes. `game`: the number of its game."""

    record: int
    game: int


def last_logs(matches: Collection[int]) -> dict[int, LastLog]:
    """By match; without those of which no game rests on a log. One statement."""
    now = Result.objects.filter(
        current=True, game__match__in=matches, record__kind=KnownBy.LOG, record__verdict__status__in=PROVED
    )
    rows = now.order_by("game__number").values_list("game__match", "record", "game__number")
    return {match: LastLog(record, game) for match, record, game in rows}


def texts_of(records: Collection[int]) -> dict[int, str]:
    """The logs of these records, with codes in the place of names. One statement."""
    return dict(SealedLog.objects.filter(record__in=records).values_list("record", "text"))
