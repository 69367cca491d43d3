"""Receivers of signals from other apps."""

from django.dispatch import receiver

from league.disputes.entries import stage_now
from league.disputes.models import Dispute
from league.disputes.models.dispute import OPEN
from league.disputes.permissions import hearers
from league.matches.permissions import Actor
from league.matches.results.judges import is_accepted_judge
from league.matches.signals import decider_asked, dispute_asked


@receiver(dispute_asked, dispatch_uid="disputes.is_open")
def answer_open(*, match_id: int, **_: object) -> bool:
    return Dispute.objects.filter(match=match_id, state__in=OPEN, instance=1).exists()


@receiver(decider_asked, dispatch_uid="disputes.decides")
def answer_decider(*, match_id: int, user_id: int, **_: object) -> bool:
    """Tell whether the account is the accepted judge of an open dispute of the match, or hears its appeal."""
    for dispute in Dispute.objects.select_related("match__league").filter(match=match_id, state__in=OPEN):
        stage = stage_now(dispute)
        if stage.instance == 1 and is_accepted_judge(Actor(user_id, sees=True), match_id):
            return True
        if stage.instance == 2 and user_id in hearers(dispute, stage.deciders | stage.gone):
            return True
    return False
