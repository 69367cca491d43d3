"""Background tasks that belong to no app."""

from celery import shared_task

from league import heartbeats


@shared_task(name="league.heartbeat")
def heartbeat(queue: str) -> None:
    heartbeats.beat(queue)
