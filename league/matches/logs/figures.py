"""Figures of each seat in a game, counted from logs that have none yet.

Figures are missing for a log that was verified before they were introduced, or after they were reset. They are a copy
of the logs' content, so they can be deleted at any moment and counted again.
"""

import logging
import time
from collections.abc import Iterator

from django.db.models import QuerySet

from league.matches.models import KnownBy, StoredVerdict
from league.matches.results.services import GIVES_RESULT
from referee.figures import as_plain, verify_and_count

log = logging.getLogger(__name__)

BATCH = 200
BUDGET = 5.0  # seconds of one sweep, in which verdicts come first


def count_missed(budget: float = BUDGET) -> int:
    """Count missing figures, and return how many were counted.

    In the order of the verdicts; stops when all were tried or the time is up.
    """
    until, counted = time.monotonic() + budget, 0
    for verdict_id, text in _each(StoredVerdict.objects.filter(figures__isnull=True)):
        if time.monotonic() >= until:
            break
        try:
            _write(verdict_id, text)
        except Exception:
            log.exception("the figures of verdict %d could not be counted", verdict_id)
        else:
            counted += 1
    return counted


def forget_figures() -> int:
    """Delete all figures, and return how many; the sweep counts them again."""
    return _of_logs().filter(figures__isnull=False).update(figures=None)


def wrong_figures() -> Iterator[int]:
    """Yield the keys of records whose stored figures differ from their log."""
    stored = _of_logs().filter(figures__isnull=False).values_list("record", "figures", "record__sealed__text")
    for record_id, figures, text in stored.order_by("pk").iterator(BATCH):
        if figures != as_plain(verify_and_count(text)[1]):
            yield record_id


def _of_logs() -> QuerySet[StoredVerdict]:
    return StoredVerdict.objects.filter(status__in=GIVES_RESULT, record__kind=KnownBy.LOG)


def _each(verdicts: QuerySet[StoredVerdict]) -> Iterator[tuple[int, str]]:
    """Yield verdicts in batches by key, so that failed ones do not block the next."""
    after = 0
    while rows := list(verdicts.filter(pk__gt=after).order_by("pk").values_list("pk", "record__sealed__text")[:BATCH]):
        yield from rows
        after = rows[-1][0]


def _write(verdict_id: int, text: str) -> None:
    StoredVerdict.objects.filter(pk=verdict_id).update(figures=as_plain(verify_and_count(text)[1]))
