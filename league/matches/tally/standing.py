"""Standing taps of a tally: those that were not taken back."""

from collections.abc import Sequence
from uuid import UUID

from league.matches.models.tally import TallyTap
from referee.running import standing_taps

NO_PAD = UUID(int=0)
"""Pad of taps that the server made; no pad keeps the score after them, and the next to tap does."""


def standing_rows(taps: Sequence[TallyTap]) -> list[TallyTap]:
    """Return the taps that were not taken back, without changes of the pad."""
    facts = [{"n": tap.number, "kind": tap.kind, "of": tap.of} for tap in taps]
    kept = {fact["n"] for fact in standing_taps(facts)}
    return [tap for tap in taps if tap.number in kept and tap.kind != TallyTap.Kind.TAKE_OVER]
