"""Background tasks of the API: one service call each, safe to run twice."""

from celery import shared_task

from league.api.base import idempotency


@shared_task(name="api.forget_answers")
def forget_answers() -> int:
    """Remove old stored answers; return their number."""
    return idempotency.forget_old()
