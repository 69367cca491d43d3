"""The club: leagues, players, matches, competitions and their pages, on Django."""

from league.celery import app as celery_app

__all__ = ["celery_app"]
