"""What competitions do when others report something."""

from django.dispatch import receiver

from league.competitions import services
from league.competitions.forgetting import forget_reasons
from league.matches.signals import match_decided
from league.players.signals import player_erased


@receiver(match_decided, dispatch_uid="competitions.advance")
def advance(*, match_id: int, **_: object) -> None:
    services.advance(match_id)


@receiver(player_erased, dispatch_uid="competitions.forget_reasons")
def forget(*, player_id: int, **_: object) -> None:
    forget_reasons(player_id)
