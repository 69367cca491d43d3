"""Deadlines of disputes: rulings carried out elsewhere, rule of proof where nobody is free, removal of photos."""

import logging
from datetime import datetime

from django.db import transaction

from league.disputes.entries import append, locked_dispute
from league.disputes.models import Dispute, DisputeEntry
from league.disputes.photos import remove_old_photos
from league.disputes.ruling import stands
from league.matches.models import Amendment, Result
from league.matches.results.standing import official_result

log = logging.getLogger(__name__)
State, Kind = Dispute.State, DisputeEntry.Kind


def sweep(at: datetime) -> int:
    """Do what is due; return how many rulings and photos changed."""
    done = 0
    for dispute in Dispute.objects.filter(state=State.WAITING).order_by("pk"):
        try:
            done += follow_result(dispute, at)
        except Exception:
            log.exception("the ruling of dispute %s could not be followed", dispute.code)
    return done + remove_old_photos(at)


@transaction.atomic
def follow_result(dispute: Dispute, at: datetime) -> bool:
    """Note that a waiting ruling was confirmed or refused where amendments and results are.

    An amendment may be confirmed on its own page, an entry by the side that it favours least.
    """
    now, stage = locked_dispute(dispute)
    if stage.waiting is None:
        return False
    found = _fate(stage.waiting)
    if found is None:
        return False
    kind, by = found
    if kind == Kind.CONFIRMED:
        stands(now, stage.waiting.data["outcome"], at)
    append(now, kind, {"ruling": stage.waiting.number}, by=by, at=at)
    return True


def _fate(waiting: DisputeEntry) -> tuple[DisputeEntry.Kind, int | None] | None:
    if key := waiting.data["amendment"]:
        amendment = Amendment.objects.get(pk=key)
        if amendment.state == Amendment.State.PROPOSED:
            return None
        confirmed = amendment.state == Amendment.State.CONFIRMED
        return (Kind.CONFIRMED if confirmed else Kind.REJECTED), amendment.closed_by_id
    if key := waiting.data["result"]:
        result = Result.objects.select_related("record", "game").get(pk=key)
        other = official_result(result.game)
        if other is not None and other.pk != key:  # another entry was taken meanwhile
            return Kind.REJECTED, other.confirmed_by_id
        if result.state == Result.State.OFFICIAL:
            return Kind.CONFIRMED, result.confirmed_by_id
        if result.record.withdrawn_at:
            return Kind.REJECTED, None
    return None
