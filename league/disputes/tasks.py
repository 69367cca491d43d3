"""Background tasks of disputes: safe to run twice."""

from celery import shared_task
from django.utils import timezone

from league.disputes import sweeping


@shared_task(name="disputes.sweep")
def sweep() -> int:
    """Do what is due in the court (sweeping.py)."""
    return sweeping.sweep(timezone.now())
