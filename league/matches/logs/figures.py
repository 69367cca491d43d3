"""What each seat did in a game, where its log was verified before that was counted, or is to be counted anew.

The figures are a copy of what the logs say, so they can be forgotten at any moment and come back.
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
    """Count what has no figures yet, in the order of the verdicts, until all were tried or the time is up. How many
    were counted.
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
    """All of them; the sweep counts them anew. How many."""
    return _of_logs().filter(figures__isnull=False).update(figures=None)


def wrong_figures() -> Iterator[int]:
    """Keys of the records whose figures are there and not what their log says."""
    stored = _of_logs().filter(figures__isnull=False).values_list("record", "figures", "record__sealed__text")
    for record_id, figures, text in stored.order_by("pk").iterator(BATCH):
        if figures != as_plain(verify_and_count(text)[1]):
            yield record_id


def _of_logs() -> QuerySet[StoredVerdict]:
    return StoredVerdict.objects.filter(status__in=GIVES_RESULT, record__kind=KnownBy.LOG)


def _each(verdicts: QuerySet[StoredVerdict]) -> Iterator[tuple[int, str]]:
    """Goes on behind those that fail."""
    after = 0
    while rows := list(verdicts.filter(pk__gt=after).order_by("pk").values_list("pk", "record__sealed__text")[:BATCH]):
        yield from rows
        after = rows[-1][0]


def _write(verdict_id: int, text: str) -> None:
    StoredVerdict.objects.filter(pk=verdict_id).update(figures=as_plain(verify_and_count(text)[1]))
