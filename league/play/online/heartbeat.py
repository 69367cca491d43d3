"""Heartbeat of online games: a time in which the server was away costs nobody anything.

Pages and the sweep renew one row. The first of them after a silence gives every running game the lost time back.
"""

from datetime import datetime, timedelta
from typing import Final

from django.db import transaction

from games.rulesets import RULESETS
from league.play.models import OnlineGame, OnlineHeartbeat, OnlineSeat
from league.play.online.clock import with_pause

BEAT: Final = timedelta(seconds=10)
"""Age at which the row is renewed."""
SILENCE: Final = timedelta(seconds=90)
"""Longest age while the server is there: some sweeps."""
ROW: Final = 1


def beat(now: datetime) -> None:
    """Renew the heartbeat. One statement if it is fresh."""
    if not OnlineHeartbeat.objects.filter(at__gt=now - BEAT).exists():
        _renew(now)


@transaction.atomic
def _renew(now: datetime) -> None:
    row, _new = OnlineHeartbeat.objects.select_for_update().get_or_create(pk=ROW, defaults={"at": now})
    if now - row.at > SILENCE:
        _give_back(row.at, now)
    OnlineHeartbeat.objects.filter(pk=ROW, at__lt=now).update(at=now)


def _give_back(since: datetime, now: datetime) -> None:
    """Stop every running game from the silence, or its last act after that, until now."""
    running = OnlineGame.objects.filter(started_at__isnull=False, ended_at=None)
    for game in running.select_for_update().prefetch_related("seats"):
        begins = max(since, game.waits_since or since)
        if begins >= now:
            continue
        game.waits_since = (game.waits_since or begins) + (now - begins)
        if RULESETS[game.ruleset].with_options(game.options).clock_s:
            game.marks = with_pause(game.marks, begins, now)
        game.due_at = game.table().due_at(now)
        game.version += 1
        game.save(update_fields=["waits_since", "marks", "due_at", "version"])
    OnlineSeat.objects.filter(game__in=running, seen_at__lt=now).update(seen_at=now)
