"""Hints to the workers that ratings or titles changed. A broker that is away costs nothing but time: the sweep finds
what differs.
"""

import logging
from collections.abc import Callable, Iterable

from django.db import transaction
from django.db.models import Q

from league.players.models import Entrant

log = logging.getLogger(__name__)


def queue_rating(match_id: int) -> None:
    from league.competitions.tasks import rate_match

    _hint(rate_match.delay, match_id)


def rate_after_commit(match_id: int) -> None:
    """Before a result is taken back (`locking.BUILT_ON`), or once its match is void: the ratings look at it after the
    commit, when it counts no more.
    """
    transaction.on_commit(lambda: queue_rating(match_id))


def honours_due(competition_id: int) -> None:
    """The titles of a competition may be others now: in the transaction of whatever moved them. They are written after
    the commit.
    """
    from league.competitions.models import Competition
    from league.competitions.tasks import settle_honours

    Competition.objects.filter(pk=competition_id).update(honours_at=None)
    transaction.on_commit(lambda: _hint(settle_honours.delay, competition_id))


def queue_leagues_of(player_ids: Iterable[int]) -> None:
    """After the commit, those in which the players take part."""
    from league.competitions.tasks import rate_league

    both = list(player_ids)
    mine = Entrant.objects.filter(Q(player__in=both) | Q(partner__in=both))
    found = mine.order_by("league").values_list("league", flat=True)
    for league_id in sorted(set(found)):
        transaction.on_commit(lambda one=league_id: _hint(rate_league.delay, one))


def _hint(send: Callable[[int], object], key: int) -> None:
    try:
        send(key)
    except Exception as error:
        log.warning("this waits for the sweep, the broker did not take %d: %s", key, error)
