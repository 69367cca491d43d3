"""Preliminary match of a full knock-out: a late entry and the lowest seed play for its place.

The draw becomes that of one entrant more: a round before the first, with byes for all others.
"""

from dataclasses import dataclass

from league.competitions.draw.bye_filling import Bracket
from league.competitions.draw.laying_out import BATCH, opener, rounds_of
from league.competitions.draw.seating import note_change
from league.competitions.formats.single_elimination import places
from league.competitions.locks import unschedule
from league.competitions.models import Berth, Competition, Matchday, Slot, Stage
from league.matches.models import Side
from league.players.models import Entrant


@dataclass(frozen=True, slots=True)
class LowestSeed:
    """The place of a full knock-out's lowest seed: its slot in the first round, and the number of its berth."""

    slot: Slot
    number: int
    entrant: Entrant


def lowest_seed(bracket: Bracket) -> LowestSeed | None:
    """Find the opponent of a preliminary match; None if there is a bye, or if a match has begun. No statement."""
    first = bracket.days[0].pk if bracket.days else None
    slots = sorted((one for one in bracket.slots.values() if one.matchday_id == first), key=lambda one: one.number)
    if not slots or bracket.begun or any(len(one.berths.all()) != 2 for one in slots):
        return None
    at = places(2 * len(slots)).index(2 * len(slots))
    slot, number = slots[at // 2], at % 2 + 1
    return next(
        (LowestSeed(slot, number, one.entrant) for one in slot.berths.all() if one.number == number and one.entrant),
        None,
    )


def add_preliminary(competition: Competition, lowest: LowestSeed, entrant: Entrant) -> Slot:
    """Put a round before the first; return the slot of the preliminary match, without a table.

    The caller schedules it. Requires the caller's transaction and lock.
    """
    stage = lowest.slot.matchday.stage
    slots = list(Slot.objects.filter(matchday__stage=stage, matchday=lowest.slot.matchday_id).order_by("number"))
    if lowest.slot.match is not None:
        unschedule(lowest.slot.match)
    day = _round_before(competition, stage, entrants=2 * len(slots) + 1)
    berths = list(Berth.objects.filter(slot__in=slots).select_related("slot").order_by("slot__number", "number"))
    before = Slot.objects.bulk_create(
        [Slot(matchday=day, number=number) for number in range(1, len(berths) + 1)], batch_size=BATCH
    )
    at = next(at for at, one in enumerate(berths) if (one.slot_id, one.number) == (lowest.slot.pk, lowest.number))
    Berth.objects.bulk_create(
        [
            *(Berth(slot=slot, number=1, entrant_id=one.entrant_id) for slot, one in zip(before, berths, strict=True)),
            Berth(slot=before[at], number=2, entrant=entrant),
        ],
        batch_size=BATCH,
    )
    berths[at].entrant = None
    for slot, one in zip(before, berths, strict=True):
        one.from_slot, one.takes, one.awaited_since = slot, Berth.Takes.WINNER, None
    Berth.objects.bulk_update(berths, ["from_slot", "takes", "awaited_since", "entrant"], batch_size=BATCH)
    note_change([lowest.slot, before[at]])
    return before[at]


def _round_before(competition: Competition, stage: Stage, *, entrants: int) -> Matchday:
    days = list(Matchday.objects.filter(stage=stage).order_by("number"))
    for one in reversed(days):
        Matchday.objects.filter(pk=one.pk).update(number=one.number + 1, nth=one.nth + 1)
        one.number += 1
        # Partners of a pair alternate from round to round.
        Side.objects.filter(match__slot__matchday=one, entrant__partner__isnull=False).update(
            opener=opener(competition, one)
        )
    first = days[0]
    return Matchday.objects.create(
        stage=stage,
        number=first.number - 1,
        kind=rounds_of(stage, entrants)[0].kind.value,
        section=first.section,
        results_hash=first.results_hash,
        published_at=first.published_at,
        published_by=first.published_by,
    )
