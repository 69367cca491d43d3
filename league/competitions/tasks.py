"""Background work of competitions: one service call, safe to run twice."""

from celery import shared_task

from league.competitions import services


@shared_task(name="competitions.sweep")
def sweep() -> int:
    """Advance winners and finish stages where nobody heard that a match was decided. How many."""
    return services.sweep()
