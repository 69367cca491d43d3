"""What competitions do when others report something."""

from django.dispatch import receiver

from league.competitions import services
from league.matches.signals import match_decided


@receiver(match_decided, dispatch_uid="competitions.finish_stage")
def finish_stage(*, match_id: int, **_: object) -> None:
    services.finish_stage_of(match_id)
