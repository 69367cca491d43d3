"""Receivers of signals from other apps."""

from django.dispatch import receiver

from league.play.models import MoveReview, OnlineSeat
from league.play.online.services import PLAYED_ON
from league.players.models import Entrant, Player, plays
from league.players.signals import player_erased


@receiver(player_erased, dispatch_uid="play.erase_names")
def erase_names(*, player_id: int, **_: object) -> None:
    """Put the code in the place of the name of an erased player, and close the reviews of its games.

    A game that is on still draws by the player's words; they go with its end.
    """
    for code in Player.objects.filter(pk=player_id).values_list("code", flat=True):
        OnlineSeat.objects.filter(player=code).update(name=code)
        OnlineSeat.objects.filter(player=code).exclude(PLAYED_ON).update(words="")
        MoveReview.objects.filter(online__seats__player=code).update(public=False)
    entrants = Entrant.objects.filter(plays(player_id))
    MoveReview.objects.filter(record__game__match__sides__entrant__in=entrants).update(public=False)
