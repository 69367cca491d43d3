"""Automatic confirmation: one side's entry becomes official after a silent period.

Only in leagues that set such a period.
"""

import logging
from collections.abc import Sequence
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from league.accounts.models import League
from league.matches.clock import services as timekeeping
from league.matches.locks import locked_match
from league.matches.models import KnownBy, Match, Result, log_unchecked
from league.matches.results import second_side
from league.matches.results import services as results

log = logging.getLogger(__name__)


def due(at: datetime, most: int) -> Sequence[tuple[int, int]]:
    """Return result and match of those due, the longest waiting first. Two statements."""
    leagues = League.objects.filter(silence_minutes__isnull=False).values_list("pk", "silence_minutes")
    quiet = Q(pk__in=[])
    for league, minutes in leagues:
        quiet |= Q(game__match__league=league, entered_at__lte=at - timedelta(minutes=minutes))
    rows = _waiting().filter(quiet).order_by("entered_at", "pk")
    return list(rows.values_list("pk", "game__match")[:most])


def _waiting() -> QuerySet[Result]:
    """Return provisional results that were entered by a side and may be confirmed.

    Logs are confirmed by people. A side whose log waits for its verdict has not been silent.
    """
    rows = Result.objects.filter(
        ~Q(game__match__state=Match.State.DECIDED),
        current=True,
        state=Result.State.PROVISIONAL,
        needs_decision=False,
        record__for_side__isnull=False,
    )
    return rows.exclude(known_by=KnownBy.LOG).exclude(log_unchecked())


@transaction.atomic
def confirm_by_silence(result_id: int, match_id: int, at: datetime) -> bool:
    """Confirm a result by silence; True if this call did it.

    Does nothing if an entry or reply came first.
    """
    match = locked_match(match_id)
    result = _waiting().filter(pk=result_id).select_related("game", "record").first()
    if result is None or not second_side.counts(result):
        return False
    results.make_official(result, how=Result.Confirmation.SILENCE, by=None, at=at)
    results.settle(match, results.current(match))
    timekeeping.stop_at_result(result.game_id, timezone.now())
    return True


def confirm_due(most: int) -> int:
    """Confirm due results, and return how many became official."""
    now = timezone.now()
    done = 0
    for result_id, match_id in due(now, most):
        try:
            done += confirm_by_silence(result_id, match_id, now)
        except Exception:
            log.exception("result %d could not be confirmed by silence", result_id)
    return done
