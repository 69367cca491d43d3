"""Reasons of the rulings in force, for lists."""

from collections.abc import Collection

from league.disputes.models import Dispute, DisputeEntry
from league.disputes.stage import stage_of


def words_in_force(disputes: Collection[Dispute]) -> dict[int, str]:
    """Return the reason of the ruling in force by dispute. One statement."""
    entries = DisputeEntry.objects.filter(dispute__in=disputes).select_related("words").order_by("number")
    by_dispute: dict[int, list[DisputeEntry]] = {}
    for entry in entries:
        by_dispute.setdefault(entry.dispute_id, []).append(entry)
    found = {key: stage_of(rows).ruling for key, rows in by_dispute.items()}
    return {key: ruling.words.text for key, ruling in found.items() if ruling is not None}
