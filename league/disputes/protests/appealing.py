"""Appeals: one, in time, to somebody who did not decide before. Until then the ruling stands."""

from datetime import datetime

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from league.disputes.deciders import speaker
from league.disputes.entries import append, locked_dispute, refuse_unless
from league.disputes.models import Dispute, DisputeEntry
from league.disputes.permissions import hearers, is_in_time
from league.disputes.protests.protesting import checked_sentence
from league.errors import Refused
from league.matches import permissions

State = Dispute.State


@transaction.atomic
def appeal(
    dispute: Dispute,
    who: permissions.Visitor,
    sentence: str,
    *,
    side: int | None = None,
    at: datetime | None = None,
) -> Dispute:
    """Appeal against a ruling for a side. `side`: by the desk in its name.

    Raises NotAllowed: those of `deciders.speaker`; Refused `no-sentence`, `long-sentence`, `decided-meanwhile` (409),
    `appealed-already`, `too-late`, `nobody-hears`.
    """
    at = at or timezone.now()
    words = checked_sentence(sentence)
    now, stage = locked_dispute(dispute)
    refuse_unless(stage, State.RULED)
    one, acting = speaker(now, who, side)
    if stage.instance == 2:
        raise Refused("appealed-already", _("An appeal was decided already; there is only one."))
    if not is_in_time(now.deadline, at):
        raise Refused("too-late", _("The time to appeal against this ruling is over."))
    if not hearers(now, stage.deciders | stage.gone):
        raise Refused("nobody-hears", _("Nobody is left to hear an appeal."))
    append(now, DisputeEntry.Kind.APPEALED, by=one.user_id, side=acting, at=at, text=words)
    return now
