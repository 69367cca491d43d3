"""Receivers of signals from other apps."""

from django.dispatch import receiver

from league.play.models import OnlineSeat
from league.players.models import Player
from league.players.signals import player_erased


@receiver(player_erased, dispatch_uid="play.erase_names")
def erase_names(*, player_id: int, **_: object) -> None:
    """Put the code in the place of the name of an erased player, in games of competitions."""
    for code in Player.objects.filter(pk=player_id).values_list("code", flat=True):
        OnlineSeat.objects.filter(player=code).update(name=code, words="")
