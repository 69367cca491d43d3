"""Hints to the workers that ratings or titles changed. A broker that is away costs nothing but time: the sweep finds
what differs.
"""

from collections.abc import Iterable

from django.db import transaction
from django.db.models import Q

from league.celery import send
from league.competitions.models import Competition
from league.players.models import Entrant


def queue_rating(match_id: int) -> None:
    send("competitions.rate_match", match_id)


def rate_after_commit(match_id: int) -> None:
    """Before a result is taken back (`result_withdrawn`), or once its match is void: the ratings look at it after the
    commit, when it counts no more.
    """
    transaction.on_commit(lambda: queue_rating(match_id))


def honours_due(competition_id: int) -> None:
    """The titles of a competition may be others now: in the transaction of whatever moved them. They are written after
    the commit.
    """
    Competition.objects.filter(pk=competition_id).update(honours_at=None)
    transaction.on_commit(lambda: send("competitions.settle_honours", competition_id))


def queue_leagues_of(player_ids: Iterable[int]) -> None:
    """After the commit, those in which the players take part."""
    both = list(player_ids)
    mine = Entrant.objects.filter(Q(player__in=both) | Q(partner__in=both))
    found = mine.order_by("league").values_list("league", flat=True)
    for league_id in sorted(set(found)):
        transaction.on_commit(lambda one=league_id: send("competitions.rate_league", one))
