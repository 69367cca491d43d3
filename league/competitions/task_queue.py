"""Hints to the workers that ratings or titles changed.

A broker that is down costs only time: the sweep finds the differences.
"""

from collections.abc import Iterable
from functools import partial

from django.db import transaction
from django.db.models import Q

from league.celery import send
from league.competitions.models import Competition
from league.players.models import Entrant


def queue_rating(match_id: int) -> None:
    send("competitions.rate_match", match_id)


def rate_after_commit(match_id: int) -> None:
    """Rate the match again after the commit, because its result is taken back or void.

    Called before a result is taken back (signal `result_withdrawn`), or once its match is void.
    """
    transaction.on_commit(lambda: queue_rating(match_id))


def honours_due(competition_id: int) -> None:
    """Mark the titles of a competition as due, in the transaction of the change.

    They are written after the commit.
    """
    Competition.objects.filter(pk=competition_id).update(honours_at=None)
    transaction.on_commit(lambda: send("competitions.settle_honours", competition_id))


def queue_leagues_of(player_ids: Iterable[int]) -> None:
    """Rate the leagues of these players again after the commit."""
    both = list(player_ids)
    mine = Entrant.objects.filter(Q(player__in=both) | Q(partner__in=both))
    found = mine.order_by("league").values_list("league", flat=True)
    for league_id in sorted(set(found)):
        transaction.on_commit(partial(send, "competitions.rate_league", league_id))
