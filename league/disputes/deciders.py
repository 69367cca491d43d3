"""Referees of a case: taking it, stepping back, refusal by a side."""

from datetime import datetime

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from league.disputes.entries import append, locked_dispute, refuse_if_stale, refuse_unless, stage_now
from league.disputes.models import Dispute, DisputeEntry
from league.disputes.permissions import free_officials, hearers, why_not_decide, why_not_speak
from league.disputes.stage import CaseStage
from league.errors import NotAllowed, Refused
from league.matches import permissions
from league.matches.models import Side
from league.matches.results.judges import is_accepted_judge

State, Kind = Dispute.State, DisputeEntry.Kind


@transaction.atomic
def take_case(
    dispute: Dispute, user: permissions.Visitor, *, seen: int | None = None, at: datetime | None = None
) -> Dispute:
    """Take a case, or take it over: its judge reads the statements and photos.

    `seen`: number of the last entry that the page showed.

    Raises NotAllowed: those of `permissions.why_not_decide`; Refused `decided-meanwhile` (409).
    """
    now, stage = locked_dispute(dispute)
    refuse_unless(stage, State.OPEN, State.FOUND, State.APPEALED)
    refuse_if_stale(stage, seen)
    take(now, stage, user, at or timezone.now())
    return now


def take(dispute: Dispute, stage: CaseStage, user: permissions.Visitor, at: datetime) -> permissions.Actor:
    """Make the asker the judge of the case, if they are not yet. The caller holds the lock."""
    one = permissions.actor(user, dispute.match)
    if refusal := why_not_decide(one, dispute, stage):
        raise refusal
    if stage.decider != one.user_id:
        append(dispute, Kind.TAKEN, {"judge": is_accepted_judge(one, dispute.match_id)}, by=one.user_id, at=at)
    return one


@transaction.atomic
def step_back(dispute: Dispute, user: permissions.Visitor, at: datetime | None = None) -> Dispute:
    """Step back from a case before its ruling; facts are found again by somebody else.

    Raises NotAllowed `not-the-judge`; Refused `decided-meanwhile` (409).
    """
    now, stage = locked_dispute(dispute)
    refuse_unless(stage, State.OPEN, State.FOUND, State.APPEALED)
    one = permissions.actor(user, now.match)
    if one.user_id is None or one.user_id != stage.decider:
        raise NotAllowed("not-the-judge", _("You have not taken this case."))
    append(now, Kind.STEPPED_BACK, by=one.user_id, at=at or timezone.now())
    return now


@transaction.atomic
def refuse_decider(
    dispute: Dispute, who: permissions.Visitor, *, side: int | None = None, at: datetime | None = None
) -> Dispute:
    """Refuse the referee of the case for a side, once in each instance and before the ruling.

    Facts are found again by somebody else. `side`: by the desk in its name. Nobody is refused where no other official
    is free of the match.

    Raises NotAllowed: those of `permissions.why_not_speak`, `needs-proof`; Refused `decided-meanwhile` (409),
    `no-referee`, `refused-already`, `nobody-else`.
    """
    now, stage = locked_dispute(dispute)
    refuse_unless(stage, State.OPEN, State.FOUND, State.APPEALED)
    one, acting = speaker(now, who, side)
    if stage.decider is None:
        raise Refused("no-referee", _("No referee has taken this case yet."))
    if acting in stage.refusing:
        raise Refused("refused-already", _("Each side refuses one referee only."))
    if not is_somebody_else(now, stage):
        raise Refused("nobody-else", _("Nobody else could decide this protest."))
    data = {"user": stage.decider}
    append(now, Kind.REFUSED, data, by=one.user_id, side=acting, at=at or timezone.now())
    return now


def is_somebody_else(dispute: Dispute, stage: CaseStage) -> bool:
    """Return whether another person than the decider could decide the case."""
    apart = stage.gone | {stage.decider or 0}
    if stage.instance == 2:
        return bool(hearers(dispute, stage.deciders | apart))
    return bool(free_officials(dispute.match_id) - apart)


def needs_judge(dispute: Dispute) -> bool:
    """Return whether no official can decide the case: each plays in the match, filed the protest, stepped back
    or was refused.
    """
    return not free_officials(dispute.match_id) - stage_now(dispute).gone


def speaker(dispute: Dispute, who: permissions.Visitor, side: int | None) -> tuple[permissions.Actor, int]:
    """Return the asker and the side that they speak for.

    Raises NotAllowed: those of `permissions.why_not_speak`, `needs-proof`; Refused `no-side`.
    """
    one = permissions.actor(who, dispute.match)
    if refusal := why_not_speak(one, dispute, side):
        raise refusal
    if isinstance(who, permissions.Guest) and not who.is_proved:
        raise NotAllowed("needs-proof", _("This needs your slip, its PIN or your account."))
    acting = one.side or side
    if acting is None or not Side.objects.filter(match=dispute.match_id, number=acting).exists():
        raise Refused("no-side", _("Choose one of the two sides."))
    return one, acting
