"""Bracket before its draw: pairings by seed numbers, without names."""

from collections import Counter
from dataclasses import replace

from django.utils.translation import pgettext

from league.competitions.draw.laying_out import rounds_of
from league.competitions.draw_view import BerthView, MatchdayView, SlotView
from league.competitions.entrant_names import Placed
from league.competitions.formats.double_elimination import section_before
from league.competitions.formats.drawn import DrawnBerth, DrawnRound, DrawnSlot
from league.competitions.models import Matchday, Stage

Keys = dict[tuple[int, int], int]


def skeleton(stage: Stage, entrants: int) -> list[MatchdayView]:
    """Return the rounds for a number of entrants; keys and numbers count from 1."""
    rounds = rounds_of(stage, entrants)
    places = [(nth, place) for nth, one in enumerate(rounds, start=1) for place in range(1, len(one.slots) + 1)]
    keys = {place: key for key, place in enumerate(places, start=1)}
    played = [key for (nth, place), key in keys.items() if not rounds[nth - 1].slots[place - 1].is_bye]
    numbers = {key: number for number, key in enumerate(played, start=1)}
    within: Counter[str] = Counter()
    found = []
    for nth, one in enumerate(rounds, start=1):
        within[one.section] += 1
        found.append(_day(stage, one, nth, within[one.section], keys, numbers))
    return found


def _day(stage: Stage, one: DrawnRound, number: int, within: int, keys: Keys, numbers: dict[int, int]) -> MatchdayView:
    kind = Matchday.Kind.DECIDER if all(slot.conditional for slot in one.slots) else one.kind.value
    name = str(Matchday(kind=kind, section=one.section, nth=within))
    return MatchdayView(
        id=number,
        number=number,
        name=name,
        kind=kind,
        starts_at=None,
        published_at=stage.competition.published_at,
        missing_before=0,
        missing_rounds=[],
        reason="",
        hidden=False,
        slots=[_slot(slot, one.section, number, place, keys, numbers) for place, slot in enumerate(one.slots, start=1)],
        section=one.section,
    )


def _slot(
    slot: DrawnSlot, section: str, round_number: int, place: int, keys: Keys, numbers: dict[int, int]
) -> SlotView:
    key = keys[round_number, place]
    return SlotView(
        id=key,
        number=numbers.get(key),
        round_number=round_number,
        place=place,
        berths=[
            replace(
                _berth(berth, nth, keys, numbers),
                from_section=section_before(
                    section, nth, loser=bool(berth.source and berth.source.loser), conditional=slot.conditional
                ),
            )
            for nth, berth in enumerate(slot.berths, start=1)
        ],
        match=None,
        table="",
        table_id=None,
        starts_at=None,
        third_place=slot.third_place,
        knock_out=True,
        conditional=slot.conditional,
        section=section,
    )


def _berth(berth: DrawnBerth, number: int, keys: Keys, numbers: dict[int, int]) -> BerthView:
    source = berth.source
    before = keys[source.round_number, source.slot_number] if source else None
    return BerthView(
        number=number,
        entrant=_seed(berth.seed) if berth.seed else None,
        from_slot=before,
        from_match=numbers.get(before or 0),
        takes="" if source is None else "loser" if source.loser else "winner",
    )


def _seed(number: int) -> Placed:
    name = pgettext("bracket before its draw", "Seed %(number)d") % {"number": number}
    return Placed(entrant_id=0, name=name, code="", seed=number)
