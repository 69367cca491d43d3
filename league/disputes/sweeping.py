"""Deadlines of disputes: rulings carried out elsewhere, rule of proof where nobody is free, removal of photos."""

import logging
from datetime import datetime

from django.db import transaction

from league.disputes.entries import append, locked_dispute
from league.disputes.models import Dispute, DisputeEntry
from league.disputes.protests.photos import remove_old_photos
from league.disputes.ruling import REPLAYS, stands
from league.matches.models import Amendment
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

    An amendment may be confirmed on its own page; another entry may become official.
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
    other = None if waiting.data["outcome"] in REPLAYS else official_result(waiting.dispute.game)
    if other is not None:  # another entry was taken meanwhile
        return Kind.REJECTED, other.confirmed_by_id
    return None
