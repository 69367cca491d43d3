"""Background tasks of accounts: one service call, safe to run twice."""

from celery import shared_task

from league.accounts import attempts


@shared_task(name="accounts.forget_attempts")
def forget_attempts() -> int:
    """Remove counts of attempts whose window is over, and return their number."""
    return attempts.forget_old()
