"""Effect of a protest on what follows: play on under reserve, or hold the next matches of its sides."""

from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from league.disputes.entries import append, locked_dispute, refuse_unless
from league.disputes.models import Dispute, DisputeEntry
from league.disputes.models.dispute import NOT_SET_ASIDE, OPEN
from league.errors import NotAllowed
from league.matches import permissions
from league.matches.models import Side

State = Dispute.State


@transaction.atomic
def choose_effect(
    dispute: Dispute,
    user: permissions.Visitor,
    effect: Dispute.Effect,
    *,
    minutes: int | None = None,
    at: datetime | None = None,
) -> Dispute:
    """Choose play on or hold, by the desk; a hold of `minutes`, without them until the ruling.

    Raises NotAllowed `not-the-desk`; Refused `decided-meanwhile` (409).
    """
    at = at or timezone.now()
    now, stage = locked_dispute(dispute)
    refuse_unless(stage, State.OPEN, State.FOUND, State.WAITING, State.APPEALED)
    one = permissions.actor(user, now.match)
    if one.plays or not one.enters:
        raise NotAllowed("not-the-desk", _("Only the desk chooses this, and not for its own match."))
    until = at + timedelta(minutes=minutes) if minutes is not None and effect == Dispute.Effect.HOLD else None
    now.effect, now.hold_until = effect, until
    append(
        now, DisputeEntry.Kind.EFFECT, {"effect": effect, "until": until and until.isoformat()}, by=one.user_id, at=at
    )
    return now


def holds(dispute: Dispute, at: datetime) -> bool:
    """Return whether the next matches of both sides wait for this protest."""
    held = dispute.is_open and dispute.effect == Dispute.Effect.HOLD
    return held and (dispute.hold_until is None or at < dispute.hold_until)


def held_entrants(at: datetime) -> QuerySet[Side, Any]:
    """Return the ids of the entrants whose next matches wait."""
    later = Q(hold_until__gt=at) | Q(hold_until=None)
    held = Dispute.objects.filter(NOT_SET_ASIDE, later, state__in=OPEN, effect=Dispute.Effect.HOLD)
    return Side.objects.filter(match__in=held.values("match")).values("entrant")
