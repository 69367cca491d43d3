"""Events of online games without an act: the bell, absences, presence of pages, removal of old games.

Each is safe to run twice, and by several processes at once.
"""

import logging
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Final

from django.db import transaction
from django.db.models import Q

from league.play.models import OnlineGame, OnlineSeat
from league.play.online.absence import THERE, overdue
from league.play.online.heartbeat import beat, is_silent
from league.play.online.services import attendance, keep, patience

logger = logging.getLogger(__name__)

SEEN: Final = timedelta(seconds=8)
"""Age at which the presence of a seat is renewed."""
MERCY: Final = timedelta(seconds=60)
"""Time that the sweep gives after an absence is over; the other player may claim the game before."""


def ask(game: OnlineGame, key: str, now: datetime) -> None:
    """Note that a page asked for news, and do what is due in its game. At most three statements, if nothing is due."""
    beat(now)
    if key and game.ended_at is None:
        OnlineSeat.objects.filter(game=game, key=key, seen_at__lt=now - SEEN).update(seen_at=now)
    if game.due_at is not None and game.due_at <= now:
        advance(game.pk, now)


@transaction.atomic
def advance(game_id: int, now: datetime) -> None:
    """Do what is due in a game by its clock."""
    game = OnlineGame.objects.select_for_update().get(pk=game_id)
    if game.due_at is None or game.due_at > now or game.ended_at is not None:
        return
    table = game.table()
    table.advance(now)
    keep(game, table, now)


def sweep(now: datetime) -> int:
    """Do what is due in all games, and end those whose player stays away. Returns the number of games looked at.

    Nothing, while no page reaches the server: the first one gives the time back.
    """
    if is_silent(now):
        return 0
    due = list(OnlineGame.objects.filter(due_at__lte=now, ended_at=None).values_list("pk", flat=True))
    for game in due:
        _tried(advance, game, now)
    started = Q(started_at__isnull=False, ended_at=None)
    waiting = OnlineGame.objects.filter(started, waits_since__lte=now - MERCY).values_list("pk", flat=True)
    kept_waiting = list(waiting)
    for game in kept_waiting:
        _tried(_forfeit_the_absent, game, now)
    return len({*due, *kept_waiting})


def _tried(act: Callable[[int, datetime], None], game_id: int, now: datetime) -> None:
    try:
        act(game_id, now)
    except Exception:
        logger.exception("the online game %d failed in the sweep", game_id)


@transaction.atomic
def _forfeit_the_absent(game_id: int, now: datetime) -> None:
    """End a game whose player is away, if another one is there: the one who is late the longest has lost it."""
    game = OnlineGame.objects.select_for_update().get(pk=game_id)
    if game.ended_at is not None:
        return
    seats, table = game.seated(), game.table()
    table.advance(now)
    late = overdue(table, attendance(seats), patience(game), now)
    there = [seat for seat in seats if seat.number not in late and seat.away_for(now) < THERE]
    if late and there:
        number, (reason, since) = next(iter(late.items()))
        if now - since >= MERCY:
            table.forfeit(number, reason)
            keep(game, table, now)


def forget_old(now: datetime, *, unfinished: timedelta, finished: timedelta) -> int:
    """Remove old games with their seats, and return their number."""
    still = Q(ended_at=None, created_at__lt=now - unfinished) & (
        Q(waits_since=None) | Q(waits_since__lt=now - unfinished)
    )
    old = OnlineGame.objects.filter(still | Q(ended_at__lt=now - finished))
    return old.delete()[1].get("play.OnlineGame", 0)
