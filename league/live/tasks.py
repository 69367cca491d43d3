"""Background tasks of the streams."""

from celery import shared_task

from league.live import log


@shared_task(name="live.prune")
def prune() -> int:
    """Delete changes that no stream is resumed from, and return how many."""
    return log.prune()
