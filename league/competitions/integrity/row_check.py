"""The daily check of all rows by beat, a part at a time.

Differences are shown in /readyz and on the owner's page; they stop nothing.
"""

import time
from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.utils import timezone

from league.competitions.integrity.derived import derived, further
from league.competitions.ratings.services import rate_missed
from league.matches.integrity.differences import RowDifference
from league.matches.integrity.references import dangling
from league.matches.integrity.running import check_range
from league.matches.models.row_check import RowCheck

BUDGET = 10.0
"""Seconds of one part, well before the time limit of a task."""
MOST_KEPT = 100
CHECKS_KEPT = 10


def go_on(budget: float = BUDGET, now: datetime | None = None) -> int:
    """Check one part of the rows, and return the records checked so far.

    Returns 0 if no check is due. Starts a new check once the last one is old. Safe to run twice at once: a part counts
    once.
    """
    now = now or timezone.now()
    check = _due(now)
    if check is None:
        return 0
    before, until, parts_left = check.after, time.monotonic() + budget, False
    for part in check_range(check.after):
        check.after, check.records = part.upto, check.records + part.records
        _add(check, part.found)
        if time.monotonic() >= until:
            parts_left = True
            break
    if not parts_left:
        rate_missed()  # a game that waits for its rating is no difference
        _add(check, (*dangling(), *further(), *derived()))
        check.finished_at = timezone.now()
    _save(check, before)
    return check.records


def _due(now: datetime) -> RowCheck | None:
    last = RowCheck.objects.order_by("pk").last()
    if last is not None and last.finished_at is None:
        return last
    if last is not None and now - last.started_at < timedelta(seconds=settings.ROW_CHECK_SECONDS):
        return None
    return RowCheck.objects.create(started_at=now)


def _add(check: RowCheck, found: Iterable[RowDifference]) -> None:
    for one in found:
        name = {"row": "rows"}.get(one.kind.value, one.kind.value)
        setattr(check, name, getattr(check, name) + 1)
        if len(check.found) < MOST_KEPT:
            check.found.append({"kind": one.kind.value, "league": one.league, "match": one.match, "text": str(one)})


def _save(check: RowCheck, before: int) -> None:
    columns = ("finished_at", "after", "records", "rows", "official", "edition", "found")
    same = RowCheck.objects.filter(pk=check.pk, after=before, finished_at=None)
    same.update(**{name: getattr(check, name) for name in columns})
    kept = RowCheck.objects.order_by("-pk").values_list("pk", flat=True)[:CHECKS_KEPT]
    RowCheck.objects.exclude(pk__in=list(kept)).delete()


def last_check() -> RowCheck | None:
    """Return the last finished check. One statement."""
    return RowCheck.objects.filter(finished_at__isnull=False).order_by("pk").last()


def told_in(league_id: int) -> dict[str, list[dict[str, Any]]]:
    """Return the differences of the last check in a league, or in none, by kind."""
    check = last_check()
    found: dict[str, list[dict[str, Any]]] = {}
    for one in check.found if check else []:
        if one["league"] in (league_id, None):
            found.setdefault(one["kind"], []).append(one)
    return found
