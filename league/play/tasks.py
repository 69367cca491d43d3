"""Background tasks of practice and online games: one service call, safe to run twice."""

from celery import shared_task
from django.utils import timezone

from league.play import reviews, services
from league.play.online import fixtures, sweep


@shared_task(name="play.forget_old")
def forget_old() -> int:
    """Remove old practice and online games, and return their number."""
    now = timezone.now()
    kept = {"unfinished": services.UNFINISHED_KEPT, "finished": services.FINISHED_KEPT}
    return services.forget_old(now) + sweep.forget_old(now, **kept)


@shared_task(name="play.sweep_online")
def sweep_online() -> int:
    """Ring due bells, end the games of absent players, hand in missed logs; return the number of games looked at."""
    now = timezone.now()
    return sweep.sweep(now) + fixtures.hand_in_missed(now)


@shared_task(name="play.hand_in")
def hand_in(online_id: int) -> bool:
    """Hand in the log of a finished game of a competition, and return whether it was taken."""
    return fixtures.hand_in(online_id)


@shared_task(name="play.review", time_limit=120, soft_time_limit=110)
def review(review_id: int) -> None:
    """Make a review that was asked for."""
    reviews.carry_out(review_id)


@shared_task(name="play.review_missed", time_limit=120, soft_time_limit=110)
def review_missed() -> int:
    """Make the reviews whose message was lost, and return their number."""
    return reviews.carry_out_missed(timezone.now())
