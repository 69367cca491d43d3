"""Background work of competitions: one service call, safe to run twice."""

from celery import shared_task

from league.competitions import services


@shared_task(name="competitions.sweep")
def sweep() -> int:
    """Finish the stages whose last match was decided when nobody heard of it. How many."""
    return services.finish_stages()
