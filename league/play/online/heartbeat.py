"""Heartbeat of online games: a time in which no page reached the server costs nobody anything.

Pages alone renew one row: the sweep goes on where the way to the server is lost. The first page after a silence gives
the lost time back to every game at which somebody sat.
"""

import logging
from datetime import datetime, timedelta
from typing import Final

from django.db import transaction
from django.db.models import F

from games.rulesets import RULESETS
from league.play.models import OnlineGame, OnlineHeartbeat, OnlineSeat
from league.play.online.absence import THERE
from league.play.online.clock import with_pause

logger = logging.getLogger(__name__)

BEAT: Final = timedelta(seconds=5)
"""Age at which the row is renewed."""
SILENCE: Final = timedelta(seconds=20)
"""Longest age while a page is open: some questions of a page in the background."""
SWEPT: Final = timedelta(seconds=30)
"""Age up to which the sweep does what is due."""
ROW: Final = 1


def beat(now: datetime) -> None:
    """Renew the heartbeat, for a page. One statement if it is fresh."""
    if not OnlineHeartbeat.objects.filter(at__gt=now - BEAT).exists():
        _renew(now)


def is_silent(now: datetime) -> bool:
    """Return whether no page has asked for some time. One statement."""
    return not OnlineHeartbeat.objects.filter(at__gt=now - SWEPT).exists()


@transaction.atomic
def _renew(now: datetime) -> None:
    row, _new = OnlineHeartbeat.objects.select_for_update().get_or_create(pk=ROW, defaults={"at": now})
    if now - row.at > SILENCE:
        _give_back(row.at, now)
    OnlineHeartbeat.objects.filter(pk=ROW, at__lt=now).update(at=now)


def _give_back(since: datetime, now: datetime) -> None:
    """Stop every running game at which somebody sat from the silence, or its last act after that, until now."""
    there = timedelta(seconds=THERE)
    running = OnlineGame.objects.filter(started_at__isnull=False, ended_at=None)
    sat_at = running.filter(pk__in=OnlineSeat.objects.filter(seen_at__gt=since - there).values("game"))
    games = list(sat_at.select_for_update().prefetch_related("seats"))
    for game in games:
        begins = max(since, game.waits_since or since)
        if begins >= now:
            continue
        game.waits_since = (game.waits_since or begins) + (now - begins)
        if RULESETS[game.ruleset].with_options(game.options).clock_s:
            game.marks = with_pause(game.marks, begins, now)
        try:
            game.due_at = game.table().due_at(now)
        except Exception:
            logger.exception("the online game %d gets no time back", game.pk)
            continue
        game.version += 1
        game.save(update_fields=["waits_since", "marks", "due_at", "version"])
    seats = OnlineSeat.objects.filter(game__in=games)
    # Nobody is there before its page has asked again; so a second silence finds only games that are in use.
    seats.filter(seen_at__gt=since - there, seen_at__lt=now - there).update(seen_at=now - there)
    seats.filter(seen_at__lte=since - there).update(seen_at=F("seen_at") + (now - since))
