"""Receivers of signals from other apps."""

from collections.abc import Collection, Iterator
from datetime import datetime
from typing import Any

from django.db.models import QuerySet
from django.dispatch import receiver
from django.utils import timezone

from league.accounts.signals import account_erased
from league.disputes.calls import services as calls
from league.disputes.calls import zones
from league.disputes.calls.integrity import call_differences
from league.disputes.deciders import needs_judge
from league.disputes.entries import entries_by_dispute, stage_now
from league.disputes.integrity import case_differences
from league.disputes.models import Dispute
from league.disputes.models.dispute import OPEN
from league.disputes.permissions import hearers, why_another_confirms
from league.disputes.privacy import forget_words_of
from league.disputes.protests.effects import held_entrants
from league.disputes.stage import stage_of
from league.disputes.sweeping import follow_result
from league.errors import NotAllowed
from league.matches.integrity.differences import RowDifference
from league.matches.models import Side
from league.matches.permissions import Actor
from league.matches.results.judges import is_accepted_judge
from league.matches.signals import (
    amendments_withheld_asked,
    decider_asked,
    evidence_asked,
    held_entrants_asked,
    judge_asked,
    match_decided,
    result_amended,
)
from league.players.signals import player_erased
from league.prepared_statements import FixedSelect, Given


@receiver(judge_asked, dispatch_uid="disputes.needs_judge")
def answer_judge(*, match_id: int, **_: object) -> bool:
    return any(needs_judge(one) for one in Dispute.objects.filter(match=match_id, state__in=OPEN, instance=1))


@receiver(held_entrants_asked, dispatch_uid="disputes.held_entrants")
def answer_held(*, at: datetime, **_: object) -> QuerySet[Side, Any]:
    return held_entrants(at)


@receiver(evidence_asked, dispatch_uid="disputes.differences")
def answer_evidence(**_: object) -> Iterator[RowDifference]:
    yield from case_differences()
    yield from call_differences()


@receiver(player_erased, dispatch_uid="disputes.forget_words")
def forget_words(*, player_id: int, **_: object) -> None:
    forget_words_of(player_id)


@receiver([result_amended, match_decided], dispatch_uid="disputes.follow_result")
def follow(*, match_id: int, **_: object) -> None:
    for dispute in WAITING.models(match=match_id):
        follow_result(dispute, timezone.now())


WAITING = FixedSelect(lambda: Dispute.objects.filter(match=Given("match"), state=Dispute.State.WAITING))


@receiver(decider_asked, dispatch_uid="disputes.decides")
def answer_decider(*, match_id: int, user_id: int, **_: object) -> bool:
    """Tell whether the account is the accepted judge of an open dispute of the match, or hears its appeal.

    A judge who stepped back or was refused is not.
    """
    for dispute in Dispute.objects.select_related("match__league").filter(match=match_id, state__in=OPEN):
        stage = stage_now(dispute)
        if user_id in stage.gone:
            continue
        if stage.instance == 1 and is_accepted_judge(Actor(user_id, sees=True), match_id):
            return True
        if stage.instance == 2 and user_id in hearers(dispute, stage.deciders | stage.gone):
            return True
    return False


@receiver(amendments_withheld_asked, dispatch_uid="disputes.withheld_amendments")
def answer_withheld(*, user_id: int, amendments: Collection[int], **_: object) -> dict[int, NotAllowed]:
    """Return the refusals of waiting rulings that are carried out by these amendments."""
    found = {}
    rows = list(Dispute.objects.filter(state=Dispute.State.WAITING, game__amendments__in=amendments))
    entries = entries_by_dispute(rows) if rows else {}
    for dispute in rows:
        stage = stage_of(entries[dispute.pk])
        amendment = stage.waiting.data["amendment"] if stage.waiting is not None else None
        if amendment is not None and (refusal := why_another_confirms(user_id, dispute, stage)):
            found[amendment] = refusal
    return found


@receiver(player_erased, dispatch_uid="disputes.forget_sentences_at_calls")
def forget_sentences_at_calls(*, player_id: int, **_: object) -> None:
    calls.forget_sentences_of(player_id)


@receiver(account_erased, dispatch_uid="disputes.forget_zones")
def forget_zones(*, user_id: int, **_: object) -> None:
    zones.forget_account(user_id)
