"""Entries of a dispute: reading them, and appending one. The caller holds the lock of the match."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from django.utils.translation import gettext_lazy as _

from league.disputes.chain import head_of
from league.disputes.models import Dispute, DisputeEntry, DisputeText
from league.disputes.signals import dispute_changed
from league.disputes.stage import CaseStage, stage_of
from league.errors import Refused
from league.matches.hash_chain import sha256
from league.matches.locks import locked_match
from league.matches.results.entries import plain

CLOSED = frozenset({Dispute.State.RULED, Dispute.State.AGREED, Dispute.State.WITHDRAWN})


def entries_of(dispute: Dispute) -> list[DisputeEntry]:
    """Return the entries in order. One statement."""
    return list(DisputeEntry.objects.filter(dispute=dispute).select_related("words", "by").order_by("number"))


def entries_by_dispute(disputes: Iterable[Dispute]) -> dict[int, list[DisputeEntry]]:
    """Return the same for several disputes, by the key of the dispute. One statement."""
    rows = DisputeEntry.objects.filter(dispute__in=[one.pk for one in disputes])
    found: dict[int, list[DisputeEntry]] = {}
    for row in rows.select_related("words", "by").order_by("number"):
        found.setdefault(row.dispute_id, []).append(row)
    return found


def stage_now(dispute: Dispute) -> CaseStage:
    return stage_of(entries_of(dispute))


def locked_dispute(dispute: Dispute) -> tuple[Dispute, CaseStage]:
    """Lock the match, and return the dispute and its stage as they are now."""
    locked_match(dispute.match_id)
    related = ("match__league__parent", "game", "record__sealed", "record__score_sheet")
    now = Dispute.objects.select_related(*related).get(pk=dispute.pk)
    return now, stage_now(now)


def append(
    dispute: Dispute,
    kind: DisputeEntry.Kind,
    data: dict[str, Any] | None = None,
    *,
    by: int | None,
    side: int | None = None,
    at: datetime,
    text: str | None = None,
) -> DisputeEntry:
    """Append an entry, and set the copies of the dispute by it.

    `text`: words apart from the chain, which has their SHA-256.
    """
    before = DisputeEntry.objects.filter(dispute=dispute).order_by("number").last()
    told: dict[str, Any] = {} if text is None else {"sha256": sha256(text.encode())}
    if kind in (DisputeEntry.Kind.RULED, DisputeEntry.Kind.CONFIRMED):
        told["deadline"] = dispute.deadline and dispute.deadline.isoformat()
    entry = DisputeEntry(
        dispute=dispute,
        number=before.number + 1 if before else 1,
        kind=kind,
        data=plain({**(data or {}), **told}),
        by_id=by,
        for_side=side,
        at=at,
    )
    entry.head = head_of(before.head if before else "", entry, dispute.code, dispute.game.code)
    entry.save(force_insert=True)
    if text is not None:
        DisputeText.objects.create(entry=entry, text=text)
    _copy(dispute, entry)
    return entry


def _copy(dispute: Dispute, entry: DisputeEntry) -> None:
    stage = stage_now(dispute)
    was = dispute.state
    dispute.state, dispute.instance = stage.state, stage.instance
    dispute.outcome = stage.ruling.data["outcome"] if stage.ruling else ""
    dispute.closed_at = (dispute.closed_at or entry.at) if stage.state in CLOSED else None
    dispute.save(update_fields=["state", "instance", "outcome", "closed_at", "effect", "hold_until", "deadline"])
    if was != dispute.state or entry.kind == DisputeEntry.Kind.FILED:
        dispute_changed.send(Dispute, dispute=dispute, entry=entry)


def refuse_unless(stage: CaseStage, *states: str) -> None:
    """Raise Refused `decided-meanwhile` (409) if the dispute is in another state; fact `state`."""
    if stage.state not in states:
        label = str(Dispute.State(stage.state).label)
        raise Refused("decided-meanwhile", _("This protest is in another state by now: %(state)s."), state=label)


def refuse_if_stale(stage: CaseStage, seen: int | None) -> None:
    """Raise Refused `decided-meanwhile` (409) if an entry came after the last one that the page showed."""
    if seen is not None and seen != stage.last:
        raise Refused(
            "decided-meanwhile",
            _("Meanwhile something happened in this case. Look at it before you decide."),
            seen=seen,
            last=stage.last,
        )
