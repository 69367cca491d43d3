"""Statements of the sides, given without seeing the other's, and photos."""

from datetime import datetime

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from league.disputes.deciders import speaker
from league.disputes.entries import append, locked_dispute, refuse_unless
from league.disputes.models import Dispute, DisputeEntry
from league.disputes.protests.protesting import checked_sentence
from league.errors import Refused
from league.matches import permissions

State = Dispute.State


@transaction.atomic
def give_statement(
    dispute: Dispute,
    who: permissions.Visitor,
    text: str,
    *,
    side: int | None = None,
    at: datetime | None = None,
) -> Dispute:
    """Give the statement of a side, once, before the ruling. `side`: by the desk in its name.

    Raises NotAllowed: those of `deciders.speaker`; Refused `no-sentence`, `long-sentence`, `stated-already`,
    `decided-meanwhile` (409).
    """
    words = checked_sentence(text)
    now, stage = locked_dispute(dispute)
    refuse_unless(stage, State.OPEN, State.FOUND, State.APPEALED)
    one, acting = speaker(now, who, side)
    if acting in stage.stated:
        raise Refused("stated-already", _("The statement of this side is given already."))
    append(now, DisputeEntry.Kind.STATEMENT, by=one.user_id, side=acting, at=at or timezone.now(), text=words)
    return now
