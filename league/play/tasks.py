"""Background tasks of practice games: one service call, safe to run twice."""

from celery import shared_task
from django.utils import timezone

from league.play import reviews, services


@shared_task(name="play.forget_old")
def forget_old() -> int:
    """Remove old practice games, and return their number."""
    return services.forget_old(timezone.now())


@shared_task(name="play.review", time_limit=120, soft_time_limit=110)
def review(game_id: int) -> None:
    """Review a game whose review was asked for."""
    reviews.carry_out(game_id)


@shared_task(name="play.review_missed", time_limit=120, soft_time_limit=110)
def review_missed() -> int:
    """Review games whose message was lost, and return their number."""
    return reviews.carry_out_missed(timezone.now())
