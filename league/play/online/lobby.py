"""Lobby of a league: games that its members have opened, and that wait for other members."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from league.accounts.models import League, User
from league.errors import NotAllowed, Refused
from league.play.models import OnlineGame, OnlineSeat
from league.play.online.services import (
    SEAT_KEPT,
    fitting_name,
    freed_place,
    joined,
    left_seats,
    locked,
    new_game,
    new_seat,
)
from league.play.online.terms import agree_online
from league.players.models import Player

MOST_SHOWN: Final = 50
"""Most games on the page of a lobby; the player's own ones come first."""


@dataclass(frozen=True, slots=True)
class OpenInvitation:
    """A game that waits for other members, or a running one of the reader.

    `names`: of the seats that are taken; `mine`: one is the reader's.
    """

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
    """Return the player's own games, and those that wait for other members, the oldest first. Two statements.

    A game waits while one of its players is there; the places of those who have left are free.
    """
    waiting = Q(lobby=league, started_at=None, seats__seen_at__gt=now - SEAT_KEPT)
    games = OnlineGame.objects.filter(waiting | Q(seats__player=player.code), ended_at=None).distinct()
    found = []
    for game in games.order_by("created_at", "pk").prefetch_related("seats"):
        seats = game.seated()
        left = left_seats(game, seats, now)
        mine = player.code in [seat.player for seat in seats]
        shown = [seat.name for seat in seats if mine or seat not in left]
        if mine or len(shown) < game.players:
            found.append(OpenInvitation(game.code, shown, game.players, game.ruleset, game.options, game.move_s, mine))
    return sorted(found, key=lambda one: not one.mine)[:MOST_SHOWN]


@transaction.atomic
def invite(
    league: League, player: Player, ruleset: str, options: Mapping[str, str], players: int = 2, **times: str
) -> OnlineSeat:
    """Open a game for the members of a league, and return the first seat. `times`: as `agree_online` takes them.

    Raises Refused `bad-terms`.
    """
    changed, move_s, absence_s = agree_online(ruleset, options, players, **times)
    game = new_game(ruleset, changed, move_s, absence_s, players=players, lobby=league)
    return new_seat(game, 0, fitting_name(str(player.shown_name)), player=player.code)


@transaction.atomic
def accept(league: League, player: Player, code: str) -> OnlineSeat:
    """Return the member's own seat in a game, or a place in one of the lobby.

    Raises OnlineGame.DoesNotExist, also for a game of others that is not in the lobby, and Refused `no-free-seat`.
    """
    game = locked(code)
    seats = game.seated()
    own = next((seat for seat in seats if seat.player == player.code), None)
    if own is not None:
        return own
    if game.lobby_id != league.pk:
        raise OnlineGame.DoesNotExist
    if not seats:
        raise Refused("no-free-seat", _("All seats of this game are taken."))
    return joined(game, freed_place(game, seats), fitting_name(str(player.shown_name)), player=player.code)
