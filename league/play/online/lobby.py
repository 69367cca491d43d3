"""Lobby of a league: games that its members have opened, and that wait for other members."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from league.accounts.models import League, User
from league.errors import NotAllowed
from league.play.models import OnlineGame, OnlineSeat
from league.play.online.services import fitting_name, locked, new_game, no_free_seat
from league.play.online.terms import agree_online
from league.players.models import Player

THERE: Final = timedelta(minutes=2)
"""Time since the page of the inviting player last asked, after which the invitation is not shown."""


@dataclass(frozen=True, slots=True)
class OpenInvitation:
    """A game that waits for other members; `names`: of the seats that are taken; `mine`: one is the reader's."""

    code: str
    names: Sequence[str]
    players: int
    ruleset: str
    options: Mapping[str, str]
    move_s: int
    mine: bool


def member(league: League, user: User) -> Player:
    """Return the player of an account in a league today. One statement. Raises NotAllowed `not-a-member`."""
    today = timezone.localdate()
    now = Q(memberships__until=None) | Q(memberships__until__gt=today)
    found = Player.objects.filter(now, user=user, memberships__league=league, memberships__since__lte=today)
    player = found.order_by("pk").first()
    if player is None:
        raise NotAllowed("not-a-member", _("Only players of this league meet here."))
    return player


def leagues_of(user: User) -> list[League]:
    """Return the leagues whose lobby an account can enter. One statement."""
    today = timezone.localdate()
    now = Q(memberships__until=None) | Q(memberships__until__gt=today)
    mine = Q(memberships__player__user=user, memberships__since__lte=today)
    return list(League.objects.filter(mine & now).distinct().order_by("name", "pk"))


def open_invitations(league: League, player: Player, now: datetime) -> list[OpenInvitation]:
    """Return the games that wait for other members, the oldest first. Two statements."""
    games = OnlineGame.objects.filter(lobby=league, started_at=None, seats__seen_at__gt=now - THERE)
    found = []
    for game in games.distinct().order_by("created_at", "pk").prefetch_related("seats"):
        seats = game.seated()
        if len(seats) < game.players:
            names = [seat.name for seat in seats]
            mine = player.code in [seat.player for seat in seats]
            found.append(OpenInvitation(game.code, names, game.players, game.ruleset, game.options, game.move_s, mine))
    return found


@transaction.atomic
def invite(
    league: League, player: Player, ruleset: str, options: Mapping[str, str], players: int = 2, **times: str
) -> OnlineSeat:
    """Open a game for the members of a league, and return the first seat. `times`: as `agree_online` takes them.

    Raises Refused `bad-terms`.
    """
    changed, move_s, absence_s = agree_online(ruleset, options, players, **times)
    return _seated(new_game(ruleset, changed, move_s, absence_s, players=players, lobby=league), 0, player)


@transaction.atomic
def accept(league: League, player: Player, code: str) -> OnlineSeat:
    """Return the member's seat in a game of the lobby, a free one at first.

    Raises OnlineGame.DoesNotExist, also for a game of another lobby, and Refused `no-free-seat`.
    """
    game = locked(code)
    if game.lobby_id != league.pk:
        raise OnlineGame.DoesNotExist
    seats = game.seated()
    own = next((seat for seat in seats if seat.player == player.code), None)
    if own is not None:
        return own
    if not 0 < len(seats) < game.players:
        raise no_free_seat()
    game.version += 1
    game.save(update_fields=["version"])
    return _seated(game, len(seats), player)


def _seated(game: OnlineGame, number: int, player: Player) -> OnlineSeat:
    name = fitting_name(str(player.shown_name))
    return OnlineSeat.objects.create(game=game, number=number, name=name, player=player.code, seen_at=timezone.now())
