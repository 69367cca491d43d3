"""Readiness of verdicts: the part of /readyz that belongs to matches."""

from datetime import timedelta

from django.db.models import Count, Min, Q
from django.utils import timezone

from league.health import Condition, check
from league.matches.models import Record, RowCheck

# Three sweeps: a log that waits longer was tried and failed, or no worker is trying.
LATE = timedelta(seconds=90)


@check("verdicts")
def verdicts() -> Condition:
    now = timezone.now()
    waiting = Record.objects.filter(state=Record.State.RECEIVED).aggregate(
        number=Count("pk"), late=Count("pk", filter=Q(submitted_at__lt=now - LATE)), oldest=Min("submitted_at")
    )
    oldest = (now - waiting["oldest"]).total_seconds() if waiting["oldest"] else 0
    facts = {"waiting": waiting["number"], "late": waiting["late"], "oldest_seconds": max(0, round(oldest))}
    if waiting["late"]:
        return Condition(
            f"{waiting['late']} logs wait for their verdict for more than {LATE.seconds} s; the worker's log says why.",
            facts,
        )
    return Condition("", facts)


@check("rows")
def rows() -> Condition:
    """Warn of differences in the last row check; they do not make the site unready."""
    last = RowCheck.objects.filter(finished_at__isnull=False).order_by("pk").last()
    if last is None:
        return Condition("", {"checked_at": None})
    facts = {
        "checked_at": last.finished_at.isoformat(),
        "records": last.records,
        "differences": last.rows,
        "official_by_todays_edition": last.official,
    }
    if last.rows:
        return Condition("", facts, f"{last.rows} rows are not what the records say: `manage.py verify` names them.")
    return Condition("", facts)
