"""Pairings of a published round that change if a waiting amendment is confirmed and the round is paired again."""

from django.db import transaction
from django.utils import timezone

from league.competitions.draw.swiss_rounds import locked_pairs_of, paired
from league.competitions.entrants import seeded
from league.competitions.models import Berth, Matchday, Slot
from league.errors import Refused
from league.matches import amendments
from league.matches.locks import locked_match
from league.matches.models import Amendment

Pairs = dict[int, frozenset[int]]


def mark_open_pairings(day: Matchday) -> int:
    """Mark the pairings of a published round that waiting amendments question; return how many.

    Requires the caller's transaction and lock. One statement without such an amendment.
    """
    if not day.stage.is_paired_by_round:
        return 0
    waiting = Amendment.objects.filter(
        state=Amendment.State.PROPOSED,
        game__match__slot__matchday__stage=day.stage,
        game__match__slot__matchday__number__lt=day.number,
    )
    rows = waiting.select_related("game__match__league", "proposed_by").order_by("pk")
    return sum(_mark(day, one) for one in rows)


def _mark(day: Matchday, amendment: Amendment) -> int:
    then = _pairs_after(day, amendment)
    if then is None:
        return 0
    others = [slot for slot, pair in pairs_of(day).items() if pair not in then]
    return Slot.objects.filter(pk__in=others).update(questioned_by=amendment)


def pairs_of(day: Matchday) -> Pairs:
    """Read the entrants of each slot of a round, of a bye the one, without requested byes. One statement."""
    found: dict[int, set[int]] = {}
    berths = Berth.objects.filter(slot__matchday=day, slot__requested_bye=False)
    for slot, entrant in berths.values_list("slot", "entrant"):
        found.setdefault(slot, set()).add(entrant)
    return {slot: frozenset(both) for slot, both in found.items()}


def _pairs_after(day: Matchday, amendment: Amendment) -> set[frozenset[int]] | None:
    """Pair the round from the amended results, which are rolled back; None if it can't be paired from them."""
    try:
        with transaction.atomic():
            match = locked_match(amendment.game.match_id)
            amendments.carry_out(amendment, match, amendment.proposed_by, timezone.now())
            found = paired(day.stage, seeded(day.stage), locked_pairs_of(day), before=day.number)
            transaction.set_rollback(True)
    except Refused:
        return None
    byes = [] if found.bye is None else [frozenset({found.bye})]
    return {frozenset({one.first, one.second}) for one in found.pairs} | set(byes)
