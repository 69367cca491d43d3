"""Fill a bye of a knock-out with a late entry.

In a double elimination the byes of the losers' bracket that follow from it become matches too.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from league.competitions.draw.advancing import schedule, without_match
from league.competitions.draw.laying_out import BATCH, opener, rounds_of
from league.competitions.draw.schedule.seating import begun, note_change
from league.competitions.formats.drawn import DrawnRound, SlotKey, slots_by_key
from league.competitions.formats.single_elimination import drawn_with
from league.competitions.locks import unschedule
from league.competitions.models import Berth, Competition, Matchday, Slot, Stage
from league.competitions.official_results import winners_and_losers
from league.matches.models import Match, Side
from league.players.models import Entrant

Origin = tuple[SlotKey, bool, bool] | None
"""Source of a berth: its slot, whether it sends its loser, whether that is a bye; None for a seed."""


@dataclass(frozen=True, slots=True)
class FilledBye:
    """Changes to a bracket in which a late entry takes the bye of `slot`.

    `changed`: berths that come from other slots than before, or wait for a winner, by slot and number. `added`: new
    slots. `frees`: upcoming matches that wait for a winner again.
    """

    slot: Slot
    rounds: Sequence[DrawnRound]
    changed: Collection[tuple[SlotKey, int]]
    added: Collection[SlotKey]
    frees: Sequence[Match]


@dataclass(slots=True)
class Bracket:
    """Rows of a knock-out stage. Four statements."""

    stage: Stage
    days: list[Matchday] = field(default_factory=list)
    slots: dict[SlotKey, Slot] = field(default_factory=dict)
    entrants: int = 0
    late: tuple[int, ...] = ()
    rounds: list[DrawnRound] = field(default_factory=list)
    begun: frozenset[int] = frozenset()

    @classmethod
    def of(cls, stage: Stage) -> "Bracket":
        found = cls(stage, list(Matchday.objects.filter(stage=stage).order_by("number")))
        rows = Slot.objects.filter(matchday__stage=stage).select_related("matchday__stage", "match")
        rows = rows.prefetch_related("berths__entrant__player", "berths__entrant__partner")
        by_day: dict[int, dict[int, Slot]] = {}
        for slot in rows:
            by_day.setdefault(slot.matchday_id, {})[slot.number] = slot
        if not found.days:
            return found
        first = by_day[found.days[0].pk]
        filled = [number for number, slot in first.items() if len(slot.berths.all()) > 1]
        found.entrants, found.late = drawn_with(len(first), filled)
        found.rounds = rounds_of(stage, found.entrants, late=found.late)
        for key, (number, place) in slots_by_key(found.rounds).items():
            found.slots[key] = by_day[found.days[number - 1].pk][place]
        matches = Match.objects.filter(begun(), slot__matchday__stage=stage)
        found.begun = frozenset(matches.values_list("pk", flat=True))
        return found

    @property
    def byes(self) -> list[Slot]:
        """Byes of the first round."""
        first = self.days[0].pk if self.days else None
        return [one for one in self.slots.values() if one.matchday_id == first and len(one.berths.all()) == 1]

    def filling(self, slot: Slot) -> FilledBye | None:
        """Tell what changes if a late entry takes this bye; None if a match that it changes has begun."""
        rounds = rounds_of(self.stage, self.entrants, late=(*self.late, slot.number))
        before, after = origins_of(self.rounds), origins_of(rounds)
        changed = [
            (key, number)
            for key, berths in before.items()
            if len(berths) > 1
            for number, one in enumerate(berths, start=1)
            if one != after[key][number - 1]
        ]
        held = {self.slots[key].pk: self.slots[key].match for key, _number in changed}
        frees = [match for match in held.values() if match is not None]
        if any(match.pk in self.begun for match in frees):
            return None
        return FilledBye(slot, rounds, changed, [key for key in after if key not in before], frees)


def origins_of(rounds: Sequence[DrawnRound]) -> Mapping[SlotKey, Sequence[Origin]]:
    """Give the source of each berth, by slot."""
    keys = {place: key for key, place in slots_by_key(rounds).items()}
    found: dict[SlotKey, list[Origin]] = {}
    for (number, place), key in keys.items():
        berths = rounds[number - 1].slots[place - 1].berths
        sources = [one.source for one in berths]
        found[key] = [
            (keys[source.round_number, source.slot_number], source.loser, one.seed is not None) if source else None
            for one, source in zip(berths, sources, strict=True)
        ]
    return found


def fill_bye(competition: Competition, done: FilledBye, entrant: Entrant) -> list[Slot]:
    """Put a late entry into the bye, and change the bracket; return the new slots, which have no table yet.

    The caller schedules them (`schedule_filled`). Requires the caller's transaction and lock.
    """
    bracket = Bracket.of(done.slot.matchday.stage)
    for match in done.frees:
        unschedule(match)
    Berth.objects.create(slot=done.slot, number=2, entrant=entrant)
    slots, made = grow(competition, bracket, done.rounds)
    origins = origins_of(done.rounds)
    ends = winners_and_losers([slot.match_id for slot in bracket.slots.values() if slot.match_id])
    for key, number in done.changed:
        source, entrant_id = _comes(origins[key][number - 1], slots, ends)
        Berth.objects.filter(slot=slots[key], number=number).update(
            from_slot=source, takes=takes(origins[key][number - 1]), entrant=entrant_id, awaited_since=None
        )
    for key in done.added:
        for number, origin in enumerate(origins[key], start=1):
            source, entrant_id = _comes(origin, slots, ends)
            Berth.objects.create(
                slot=slots[key], number=number, from_slot=source, takes=takes(origin), entrant_id=entrant_id
            )
    changed = Slot.objects.filter(pk__in=[slots[key].pk for key, _number in done.changed]).select_related("matchday")
    note_change([*changed, *made])
    return made


def schedule_filled(competition: Competition, slots: Sequence[Slot]) -> None:
    """Schedule the matches of these slots; those of withdrawn entrants are forfeited."""
    schedule(competition, without_match().filter(pk__in=[slot.pk for slot in slots]))


def takes(origin: Origin) -> str:
    """Tell whether the winner or the loser of its slot comes to a berth."""
    return Berth.Takes.LOSER if origin and origin[1] else Berth.Takes.WINNER


def _comes(
    origin: Origin, slots: Mapping[SlotKey, Slot], ends: Mapping[int, tuple[int, int]]
) -> tuple[Slot, int | None]:
    """Give the slot that a berth comes from, and its entrant if that is known."""
    if origin is None:
        raise ValueError("a berth of the first round does not change")
    key, loser, _bye = origin
    source = slots[key]
    end = ends.get(source.match_id or 0)
    return source, end[1 if loser else 0] if end else None


def grow(
    competition: Competition, bracket: Bracket, rounds: Sequence[DrawnRound]
) -> tuple[dict[SlotKey, Slot], list[Slot]]:
    """Add the rounds and slots that a larger draw has more, and number all as it does.

    Return all slots by key, and the new ones, in the order of the draw. `bracket.slots`: by their keys in `rounds`.
    """
    wanted = slots_by_key(rounds)
    added = [key for key in wanted if key not in bracket.slots]
    of_round = {wanted[key][0]: slot.matchday for key, slot in bracket.slots.items()}
    days = _days(competition, bracket, rounds, of_round)
    slots = dict(bracket.slots)
    for key, slot in sorted(bracket.slots.items(), key=lambda one: -one[1].number):
        if slot.number != wanted[key][1]:  # numbers only grow, so the last is changed first
            slot.number = wanted[key][1]
            slot.save(update_fields=["number"])
    new = [Slot(matchday=days[wanted[key][0]], number=wanted[key][1]) for key in added]
    made = Slot.objects.bulk_create(new, batch_size=BATCH)
    slots |= dict(zip(added, made, strict=True))
    return slots, made


def _days(
    competition: Competition, bracket: Bracket, rounds: Sequence[DrawnRound], of_round: Mapping[int, Matchday]
) -> dict[int, Matchday]:
    """Number the rounds, and add those that had no match before."""
    before = bracket.days[0].number - 1
    days = {number: of_round[number] for number in of_round}
    for number in sorted(of_round, reverse=True):
        if days[number].number != before + number:
            _renumber(competition, days[number], before + number)
    nth: dict[str, int] = {}
    for number, one in enumerate(rounds, start=1):
        nth[one.section.value] = nth.get(one.section.value, 0) + 1
        if number in days:
            Matchday.objects.filter(pk=days[number].pk).update(nth=nth[one.section.value])
            continue
        days[number] = Matchday.objects.create(
            stage=bracket.stage,
            number=before + number,
            kind=one.kind.value,
            section=one.section.value,
            nth=nth[one.section.value],
            published_at=days.get(number - 1, bracket.days[0]).published_at,
            published_by=days.get(number - 1, bracket.days[0]).published_by,
        )
    return days


def _renumber(competition: Competition, day: Matchday, number: int) -> None:
    day.number = number
    Matchday.objects.filter(pk=day.pk).update(number=number)
    # Partners of a pair alternate from round to round.
    pairs = Side.objects.filter(match__slot__matchday=day, entrant__partner__isnull=False)
    pairs.update(opener=opener(competition, day))
