"""Clocks of many tables at once.

All get the same instant, so that their bells ring together. Each match has its own transaction: a table whose clock
cannot be started delays no other table.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from league.accounts.models import Role
from league.accounts.permissions import Asker
from league.errors import Refused
from league.matches import permissions
from league.matches.clock import services as timekeeping
from league.matches.clock.services import Deed
from league.matches.clock_acts import ClockAct
from league.matches.models import ClockEvent, Game

TOGETHER = frozenset({ClockAct.START, ClockAct.PAUSE, ClockAct.RESUME, ClockAct.CANCEL})
"""Acts on all clocks at once.

Time is given to a single clock; a game is stopped where it ends.
"""


@dataclass(frozen=True, slots=True)
class Done:
    """Result of an act at one table: its event, or the refusal."""

    game: Game
    event: ClockEvent | None = None
    refusal: Refused | None = None


def run_together(
    games: Sequence[Game], user: Asker, act: ClockAct, *, reason: str = "", at: datetime | None = None
) -> list[Done]:
    """Do `act`, one of `TOGETHER`, to each game's clock at the same instant, in order.

    The games are of one league and have their `match` loaded.

    Raises Refused if no clock may be changed: `unknown-act`, `no-reason`, those of `permissions.why_not_run_clock`. At
    most seven statements a game, and one more for a bell that is due.
    """
    if act not in TOGETHER:
        raise Refused("unknown-act", _("Choose one of the buttons of the clock."))
    deed = timekeeping.taking_back(reason) if act is ClockAct.CANCEL else Deed(act=act)
    _check_may(games, user, act)
    at = at or timezone.now()
    done = [_at_table(game, user, deed, at) for game in games]
    _tell_workers(done, at)
    return done


def _check_may(games: Sequence[Game], user: Asker, act: ClockAct) -> None:
    """Check the permission for all games, which are of one league. One statement."""
    kinds = set(Role.objects.filter(user=user.pk, league__in={one.match.league_id for one in games}).values_list(
        "kind", flat=True
    ))  # fmt: skip
    for game in games:
        if refusal := permissions.why_not_run_clock(permissions.actor_from(user, game.match, kinds, None), act):
            raise refusal


def _at_table(game: Game, user: Asker, deed: Deed, at: datetime) -> Done:
    if game.rings_at and game.rings_at <= at:
        timekeeping.ring_if_due(game.pk, at)
    try:
        return Done(game, event=timekeeping.carry_out(game, user, deed, at, tell_workers=False))
    except Refused as refusal:
        return Done(game, refusal=refusal)


def _tell_workers(done: Sequence[Done], at: datetime) -> None:
    """Queue the bells.

    Stop at the first hint that the broker refuses: the sweep finds the rows.
    """
    numbers = {one.game.pk: one.event.number for one in done if one.event}
    due = Game.objects.filter(pk__in=numbers, rings_at__gt=at).values_list("pk", "rings_at")
    for game_id, rings_at in due:
        if not timekeeping.queue_bell(game_id, numbers[game_id], rings_at):
            return
