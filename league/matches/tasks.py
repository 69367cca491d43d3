"""Background work of matches: ids in, one service call, safe to run twice."""

import logging
from datetime import timedelta

from celery import shared_task
from django.utils import timezone

from league.matches import services, timekeeping
from league.matches.models import Record

log = logging.getLogger(__name__)

# Younger rows have a message of their own on its way.
PATIENCE = timedelta(seconds=10)
BATCH = 200


@shared_task(name="matches.verify_record")
def verify_record(record_id: int) -> None:
    services.verify_record(record_id)


@shared_task(name="matches.sweep")
def sweep() -> int:
    """Verify what was missed, oldest first: records whose message was lost, or whose worker died. Gives how many were
    found.
    """
    due = Record.objects.filter(state=Record.State.RECEIVED, submitted_at__lt=timezone.now() - PATIENCE)
    ids = list(due.order_by("submitted_at").values_list("pk", flat=True)[:BATCH])
    for record_id in ids:
        try:
            services.verify_record(record_id)
        except Exception:
            # One that fails stays due, and must not keep the others waiting.
            log.exception("record %d could not be verified", record_id)
    return len(ids)


@shared_task(name="matches.ring")
def ring(game_id: int, number: int) -> None:
    timekeeping.ring_or_wait(game_id, number)


@shared_task(name="matches.ring_due")
def ring_due() -> int:
    """Ring the bells whose message was lost. Gives how many were found."""
    now = timezone.now()
    ids = timekeeping.games_to_ring(now, BATCH)
    for game_id in ids:
        try:
            timekeeping.ring_if_due(game_id, now)
        except Exception:
            log.exception("the bell of game %d could not be rung", game_id)
    return len(ids)
