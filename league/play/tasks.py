"""Background tasks of practice games: one service call, safe to run twice."""

from celery import shared_task
from django.utils import timezone

from league.play import services


@shared_task(name="play.forget_old")
def forget_old() -> int:
    """Remove old practice games, and return their number."""
    return services.forget_old(timezone.now())
