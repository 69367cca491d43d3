"""Sweep for missed records, whose message was lost or whose worker died.

A record that fails stays due. It pauses before its next try, longer each time, so that others are not delayed. The
pauses are in the cache, and noted before each try, so that a record that crashes its worker pauses as well. Without the
cache nothing is lost, because a sweep goes on after failed records.
"""

import logging
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from celery.exceptions import SoftTimeLimitExceeded
from django.core.cache import cache
from django.db.models import Q
from django.utils import timezone

from league.matches.logs import submission
from league.matches.models import Record

log = logging.getLogger(__name__)

# Younger rows still have their own message on its way.
PATIENCE = timedelta(seconds=10)
BATCH = 200
BUDGET = 15.0  # seconds of one sweep, well before its time limit
FIRST_REST = 20  # seconds: over before the next sweep
LONGEST_REST = 60 * 60


def verify_missed() -> int:
    """Verify due records that do not pause, and return how many were tried.

    Oldest first; stops when all were tried or the time is up.
    """
    until = time.monotonic() + BUDGET
    rests, tried = Rests(), 0
    for batch in _batches():
        for record_id in rests.awake(batch):
            if time.monotonic() >= until:
                return tried
            tried += 1
            _try(record_id, rests)
    return tried


def _batches() -> Iterator[list[int]]:
    due = Record.objects.filter(state=Record.State.RECEIVED, submitted_at__lt=timezone.now() - PATIENCE)
    after: tuple[datetime, int] | None = None
    while True:
        later = Q(submitted_at__gt=after[0]) | Q(submitted_at=after[0], pk__gt=after[1]) if after else Q()
        rows = list(due.filter(later).order_by("submitted_at", "pk").values_list("pk", "submitted_at")[:BATCH])
        if not rows:
            return
        after = rows[-1][1], rows[-1][0]
        yield [pk for pk, _ in rows]


def _try(record_id: int, rests: "Rests") -> None:
    rest = rests.note(record_id)
    try:
        submission.verify_record(record_id)
    except SoftTimeLimitExceeded:
        log.error("record %d could not be verified in time; next try in %d s at the earliest", record_id, rest)
        raise
    except Exception:
        log.exception("record %d could not be verified; next try in %d s at the earliest", record_id, rest)
    else:
        rests.forget(record_id)


@dataclass(slots=True)
class Rests:
    """The pauses of failed records."""

    tries: dict[int, int] = field(default_factory=dict)

    def awake(self, ids: list[int]) -> list[int]:
        found = cache.get_many([_key(pk) for pk in ids])
        self.tries = {pk: found[_key(pk)][0] for pk in ids if _key(pk) in found}
        now = time.time()
        return [pk for pk in ids if _key(pk) not in found or found[_key(pk)][1] <= now]

    def note(self, record_id: int) -> int:
        """Return the seconds until the next try, if this one fails."""
        tries = self.tries.get(record_id, 0)
        rest: int = min(FIRST_REST * 2**tries, LONGEST_REST)
        cache.set(_key(record_id), (tries + 1, time.time() + rest), 2 * LONGEST_REST)
        return rest

    def forget(self, record_id: int) -> None:
        cache.delete(_key(record_id))


def _key(record_id: int) -> str:
    return f"verification-rests:{record_id}"
