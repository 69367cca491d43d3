"""Agreement of both sides, and withdrawal of a protest, before the ruling."""

from collections.abc import Sequence
from datetime import datetime

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from league.competitions.amendments.services import lock_game
from league.disputes.carrying_out import enter_agreed
from league.disputes.deciders import speaker
from league.disputes.entries import append, locked_dispute, refuse_unless
from league.disputes.models import Dispute, DisputeEntry
from league.errors import NotAllowed, Refused
from league.matches import permissions
from league.matches.results.judging import judge_ruling
from league.matches.results.standing import official_result

State, Kind = Dispute.State, DisputeEntry.Kind


@transaction.atomic
def offer(
    dispute: Dispute,
    who: permissions.Visitor,
    *,
    scores: Sequence[int] = (),
    winner: int | None = None,
    ended: str = "target",
    at: datetime | None = None,
) -> Dispute:
    """Propose an outcome to the other side; without `scores`: the record stands. A later offer replaces it.

    `scores` in the order of the sides, `winner` the number of a side. The desk proposes nothing for a side.

    Raises NotAllowed: those of `deciders.speaker`; Refused `more-than-two` (all of them would have to agree),
    `bad-score`, `decided-meanwhile` (409).
    """
    now, stage = locked_dispute(dispute)
    refuse_unless(stage, State.OPEN, State.FOUND)
    one, acting = speaker(now, who, None)
    if now.match.sides.count() != 2:
        raise Refused("more-than-two", _("More than two sides play in this match, so officials decide."))
    if scores:
        judge_ruling(now.match, scores, winner, ended)
    data = {"scores": list(scores), "winner": winner, "ended": ended}
    append(now, Kind.OFFERED, data, by=one.user_id, side=acting, at=at or timezone.now())
    return now


@transaction.atomic
def accept_offer(dispute: Dispute, who: permissions.Visitor, number: int, *, at: datetime | None = None) -> Dispute:
    """Accept the offer with this number of its entry, with the own account, slip or PIN: the protest is *agreed*.

    The result follows at once; an official one is amended by officials, who see that in their queue. The desk can't
    accept for a side. Raises NotAllowed: those of `deciders.speaker`, `own-offer`; Refused `offer-changed`,
    `decided-meanwhile` (409), and those of `carrying_out.enter_agreed`.
    """
    at = at or timezone.now()
    lock_game(dispute.game)
    now, stage = locked_dispute(dispute)
    refuse_unless(stage, State.OPEN, State.FOUND)
    one, acting = speaker(now, who, None)
    if stage.offer is None or stage.offer.number != number:
        raise Refused("offer-changed", _("Meanwhile another outcome was proposed. Look at it first."))
    given = stage.offer
    if given.for_side == acting or (one.user_id is not None and given.by_id == one.user_id):
        raise NotAllowed("own-offer", _("Your side proposed this. The other side accepts it."))
    said = given.data
    carried = True
    if said["scores"]:
        carried = official_result(now.game) is None
        if carried:
            enter_agreed(now.game, one, who, said, at)
    now.effect, now.hold_until = Dispute.Effect.PLAY_ON, None
    append(now, Kind.AGREED, {"offer": number, "carried": carried}, by=one.user_id, side=acting, at=at)
    return now


@transaction.atomic
def withdraw(
    dispute: Dispute, who: permissions.Visitor, *, side: int | None = None, at: datetime | None = None
) -> Dispute:
    """Withdraw a protest before its ruling, by the side or official that filed it. `side`: by the desk, if it filed.

    Raises NotAllowed: those of `deciders.speaker`, `not-your-protest`; Refused `decided-meanwhile` (409), `joined`
    (the other side protests as well).
    """
    now, stage = locked_dispute(dispute)
    refuse_unless(stage, State.OPEN, State.FOUND)
    one, acting = permissions.actor(who, now.match), None
    if now.for_side is not None:
        one, acting = speaker(now, who, side)
    by_side = now.for_side is not None and (one.plays or now.via == Dispute.Via.DESK)
    mine = by_side or (one.user_id is not None and one.user_id == now.raised_by_id)
    if acting != now.for_side or not mine:
        raise NotAllowed("not-your-protest", _("Only the side that filed it withdraws a protest."))
    others = DisputeEntry.objects.filter(dispute=now, kind=Kind.JOINED).exclude(for_side=acting)
    if others.exists():
        raise Refused("joined", _("Others protest as well, so it is decided."))
    now.effect, now.hold_until = Dispute.Effect.PLAY_ON, None
    append(now, Kind.WITHDRAWN, by=one.user_id, side=acting, at=at or timezone.now())
    return now
