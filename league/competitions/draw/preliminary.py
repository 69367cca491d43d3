"""Preliminary match of a full knock-out: a late entry and the lowest seed play for its place.

The draw becomes that of one entrant more: a round before the first, with byes for all others. In a double elimination
the loser has a match more in the losers' bracket, whose later rounds follow from the larger draw.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from league.competitions.draw.bye_filling import Bracket, Origin, grow, origins_of, takes
from league.competitions.draw.laying_out import BATCH, rounds_of
from league.competitions.draw.schedule.seating import note_change
from league.competitions.formats.double_elimination import MOST_WITH_TWO_LIVES
from league.competitions.formats.drawn import Section, SlotKey
from league.competitions.formats.single_elimination import places
from league.competitions.locks import unschedule
from league.competitions.models import Berth, Competition, Slot
from league.players.models import Entrant

# By part of the bracket: the rounds that a bracket of twice the size has before the same matches.
ROUNDS_BEFORE = {Section.MAIN: 1, Section.WINNERS: 1, Section.LOSERS: 2, Section.FINAL: 0}


@dataclass(frozen=True, slots=True)
class LowestSeed:
    """The place of a full knock-out's lowest seed: its slot in the first round, and the number of its berth."""

    slot: Slot
    number: int
    entrant: Entrant


def lowest_seed(bracket: Bracket) -> LowestSeed | None:
    """Find the opponent of a preliminary match; None if there is a bye, or if a match has begun. No statement."""
    slots = _first_round(bracket)
    if not slots or bracket.begun or any(len(one.berths.all()) != 2 for one in slots):
        return None
    if 2 * len(slots) >= MOST_WITH_TWO_LIVES:
        return None
    at = places(2 * len(slots)).index(2 * len(slots))
    slot, number = slots[at // 2], at % 2 + 1
    return next(
        (LowestSeed(slot, number, one.entrant) for one in slot.berths.all() if one.number == number and one.entrant),
        None,
    )


def add_preliminary(competition: Competition, lowest: LowestSeed, entrant: Entrant) -> list[Slot]:
    """Put a round before the first; return the new slots that are matches, that of the late entry first.

    They have no table yet, and the caller schedules them. Requires the caller's transaction and lock.
    """
    bracket = Bracket.of(lowest.slot.matchday.stage)
    rounds = rounds_of(bracket.stage, bracket.entrants + 1)
    first = _first_round(bracket)
    before = {_later(key): [_from_later(one) for one in found] for key, found in origins_of(bracket.rounds).items()}
    after = origins_of(rounds)
    if lowest.slot.match is not None:
        unschedule(lowest.slot.match)
    larger = replace(bracket, slots={_later(key): slot for key, slot in bracket.slots.items()})
    slots, made = grow(competition, larger, rounds)
    drawn = [berth for slot in first for berth in sorted(slot.berths.all(), key=lambda one: one.number)]
    new = made[: len(drawn)]
    at = next(at for at, one in enumerate(drawn) if (one.slot_id, one.number) == (lowest.slot.pk, lowest.number))
    Berth.objects.bulk_create(
        [
            *(Berth(slot=slot, number=1, entrant_id=one.entrant_id) for slot, one in zip(new, drawn, strict=True)),
            Berth(slot=new[at], number=2, entrant=entrant),
        ],
        batch_size=BATCH,
    )
    _lead(slots, before, after)
    more = made[len(drawn) :]
    _berths_of(more, slots, after)
    note_change([lowest.slot, new[at], *more])
    return [new[at], *more]


def _first_round(bracket: Bracket) -> list[Slot]:
    first = bracket.days[0].pk if bracket.days else None
    return sorted((one for one in bracket.slots.values() if one.matchday_id == first), key=lambda one: one.number)


def _later(key: SlotKey) -> SlotKey:
    section, number, place = key
    return section, number + ROUNDS_BEFORE[Section(section)], place


def _from_later(origin: Origin) -> Origin:
    return origin and (_later(origin[0]), *origin[1:])


def _lead(
    slots: Mapping[SlotKey, Slot], before: Mapping[SlotKey, Sequence[Origin]], after: Mapping[SlotKey, Sequence[Origin]]
) -> None:
    """Let the berths come from the slots of the larger draw. After a bye the entrant stays known."""
    keys = {slots[key].pk: key for key in before}
    changed = []
    for berth in Berth.objects.filter(slot__in=list(keys)):
        key = keys[berth.slot_id]
        new = after[key][berth.number - 1]
        if new is None or new == before[key][berth.number - 1]:
            continue
        berth.from_slot, berth.takes, berth.awaited_since = slots[new[0]], takes(new), None
        berth.entrant = berth.entrant if new[2] else None
        changed.append(berth)
    Berth.objects.bulk_update(changed, ["from_slot", "takes", "awaited_since", "entrant"], batch_size=BATCH)


def _berths_of(more: Iterable[Slot], slots: Mapping[SlotKey, Slot], after: Mapping[SlotKey, Sequence[Origin]]) -> None:
    """Store the berths of new slots of the losers' bracket."""
    keys = {slot.pk: key for key, slot in slots.items()}
    Berth.objects.bulk_create(
        Berth(slot=slot, number=number, from_slot=slots[origin[0]], takes=takes(origin))
        for slot in more
        for number, origin in enumerate(after[keys[slot.pk]], start=1)
        if origin is not None
    )
