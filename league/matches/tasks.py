"""Background tasks of matches: ids in, one service call, safe to run twice."""

import logging

from celery import shared_task
from django.utils import timezone

from league.matches.clock import services as timekeeping
from league.matches.logs import figures, submission
from league.matches.logs import sweep as sweeping
from league.matches.results import auto_confirm

log = logging.getLogger(__name__)

BATCH = 200


@shared_task(name="matches.verify_record")
def verify_record(record_id: int) -> None:
    try:
        submission.verify_record(record_id)
    except Exception:
        log.warning("record %d could not be verified; the sweep tries it again", record_id)
        raise


@shared_task(name="matches.sweep")
def sweep() -> int:
    """Verify missed records, and return how many were tried (logs/sweep.py)."""
    return sweeping.verify_missed()


@shared_task(name="matches.count")
def count() -> int:
    """Count missing figures; return how many logs were counted (logs/figures.py)."""
    return figures.count_missed()


@shared_task(name="matches.ring")
def ring(game_id: int, number: int) -> None:
    timekeeping.ring_or_wait(game_id, number)


@shared_task(name="matches.ring_due")
def ring_due() -> int:
    """Ring the bells whose message was lost, and return how many were found."""
    now = timezone.now()
    ids = timekeeping.games_to_ring(now, BATCH)
    for game_id in ids:
        try:
            timekeeping.ring_if_due(game_id, now)
        except Exception:
            log.exception("the bell of game %d could not be rung", game_id)
    return len(ids)


@shared_task(name="matches.confirm_by_silence")
def confirm_by_silence() -> int:
    """Confirm by silence; return how many became official (results/auto_confirm.py)."""
    return auto_confirm.confirm_due(BATCH)
