"""Background work of matches: ids in, one service call, safe to run twice."""

import logging

from celery import shared_task

from league.matches import services, sweeping

log = logging.getLogger(__name__)


@shared_task(name="matches.verify_record")
def verify_record(record_id: int) -> None:
    try:
        services.verify_record(record_id)
    except Exception:
        log.warning("record %d could not be verified; the sweep tries it again", record_id)
        raise


@shared_task(name="matches.sweep")
def sweep() -> int:
    """How many records were tried (league/matches/sweeping.py)."""
    return sweeping.verify_missed()
