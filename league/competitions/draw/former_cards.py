"""Printed codes of a draw that was reopened: given to the same matches of the next draw."""

from collections.abc import Mapping, Sequence

from django.db.models import Exists, OuterRef

from league.competitions.models import Competition, FormerCard, FormerSeat, Slot
from league.matches.logs.submission import Identity
from league.matches.models import Game, Match, Side

BATCH = 500
Place = tuple[str, int, frozenset[int]]
"""The round (`Matchday.place`), the number of the slot, and the entrants: what a card says."""


def keep_cards(competition: Competition, slots: Sequence[Slot]) -> None:
    """Keep the codes of the matches of these slots; requires the caller's transaction and lock.

    Six statements at most.
    """
    played = [(slot, slot.match) for slot in slots if slot.match is not None]
    matches = [match.pk for _slot, match in played]
    codes: dict[int, list[str]] = {}
    for match, code in Game.objects.filter(match__in=matches).order_by("number").values_list("match", "code"):
        codes.setdefault(match, []).append(code)
    FormerCard.objects.filter(match__in=matches).delete()
    cards = FormerCard.objects.bulk_create(
        [
            FormerCard(
                competition=competition,
                match=match.pk,
                door=match.door,
                codes=codes.get(match.pk, []),
                round=slot.matchday.place,
                slot=slot.number,
            )
            for slot, match in played
        ],
        batch_size=BATCH,
    )
    of = {card.match: card for card in cards}
    sides = Side.objects.filter(match__in=matches).order_by("match", "number")
    FormerSeat.objects.bulk_create(
        [FormerSeat(card=of[side.match_id], number=side.number, entrant_id=side.entrant_id) for side in sides],
        batch_size=BATCH,
    )


def former_identities(competition: Competition) -> Mapping[Place, Identity]:
    """Read the kept codes by place in the draw, without those of matches that were set aside with their records.

    Two statements, one if there are none.
    """
    found: dict[Place, Identity] = {}
    there = Exists(Match.objects.filter(pk=OuterRef("match")))
    for card in competition.former_cards.exclude(there).prefetch_related("seats"):
        who = frozenset(seat.entrant_id for seat in card.seats.all())
        found[card.round, card.slot, who] = Identity(card.match, card.door, card.codes)
    return found
