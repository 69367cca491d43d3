"""What competitions do when others report something."""

from django.dispatch import receiver

from league.competitions import services
from league.matches.signals import match_decided


@receiver(match_decided, dispatch_uid="competitions.advance")
def advance(*, match_id: int, **_: object) -> None:
    services.advance(match_id)
