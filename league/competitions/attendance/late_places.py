"""Places for a late entry in the draw of a published competition."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from django.db.models import Count, Q
from django.utils.translation import gettext_lazy as _

from league.competitions.attendance.added_matches import added_matches
from league.competitions.attendance.free_seats import free_seats
from league.competitions.draw.bye_filling import Bracket, FilledBye
from league.competitions.draw.laying_out import rounds_of
from league.competitions.draw.preliminary import LowestSeed, lowest_seed
from league.competitions.draw.reopening import reason_against
from league.competitions.draw.schedule.seating import rounds_under_way
from league.competitions.entrants import how_many
from league.competitions.formats.groups import snake
from league.competitions.formats.registry import LateEntry
from league.competitions.formats.round_robin import round_robin
from league.competitions.models import IS_PLAYED, Berth, Competition, Matchday, Slot, Stage, Withdrawal
from league.errors import Refused
from league.matches.models import Match
from league.players.models import Entrant

MOST_OFFERED = 64
"""Byes of a knock-out that are offered, the lowest seeds' first."""


@dataclass(frozen=True, slots=True)
class FreeBye:
    """A bye that a late entry can take, an empty seat at a table of more than two, or an added match.

    `running`: its round is being played; `number`: the berth of the late entry. `filling`: what else changes in a
    knock-out. `others`: at a table, the entrants beside the `opponent`. `lowest`: of a preliminary match. `added`:
    the slot is a new one, not stored yet, nor is its round if that is new.
    """

    slot: Slot
    opponent: Entrant
    running: bool
    number: int
    filling: FilledBye | None = None
    others: Sequence[Entrant] = ()
    lowest: LowestSeed | None = None
    added: bool = False

    @property
    def key(self) -> int | None:
        """Key of the bye; None for a preliminary or an added match, never chosen in place of a bye that was taken."""
        return None if self.lowest or self.added else self.slot.pk

    @property
    def company(self) -> str:
        """Full names of all opponents in this place."""
        return ", ".join(one.full_name for one in (self.opponent, *self.others))

    @property
    def more(self) -> int:
        """Number of matches that the losers' bracket has more."""
        return len(self.filling.added) if self.filling else 0


@dataclass(frozen=True, slots=True)
class Offer:
    """Places that a late entry gets.

    Round robin: a place in every upcoming round, and in the running round if wanted; without byes, once play has begun,
    a match against everybody, in rounds of which some may be new (`new_rounds`). The same in a group. Knock-out:
    one bye of the first round, in a double elimination with the byes of the losers' bracket that follow from it. Swiss
    system: every round that is still to be paired, and the bye of the running round. Ladder: its last place
    (`at_bottom`). Tables of more than two (`at_tables`): an empty seat in each round that has any.

    `missed`: number of rounds that are over; `over`: byes of a round robin in them, which the organizer may let be
    forfeited; `full`: rounds still to be played without an empty seat. `group`: of a
    group stage, which one, from 1; else 0.
    """

    places: Sequence[FreeBye]
    missed: int = 0
    over: Sequence[FreeBye] = ()
    paired_from_now: bool = False
    at_bottom: bool = False
    at_tables: bool = False
    full: Sequence[Matchday] = ()
    group: int = 0
    new_rounds: int = 0

    @property
    def now(self) -> FreeBye | None:
        """The place in the running round."""
        return next((one for one in self.places if one.running), None)

    @property
    def first(self) -> FreeBye | None:
        return self.places[0] if self.places else None

    @property
    def has_added(self) -> bool:
        """Whether its matches are added to the draw."""
        return any(one.added for one in self.places)

    @property
    def later(self) -> list[FreeBye]:
        return [one for one in self.places if not one.running]


def offers(competition: Competition) -> list[Offer]:
    """List the possible offers to a late entry of a published competition, best first.

    Empty if no bye is left. A constant number of statements.
    """
    stage = competition.stages.order_by("number").first()
    if stage is None or competition.published_at is None:
        return []
    if Matchday.objects.filter(stage__competition=competition, stage__number__gt=1).exists():
        return []
    return OFFERS[stage.spec.late_entry](stage)


def no_place(competition: Competition) -> Refused:
    """Give the refusal `no-bye` of a competition without an offer, as the page shows it too."""
    if reason_against(competition) is None:
        told = _("No place is left in the draw of %(competition)s. Nothing has begun: reopen it and draw it again.")
    else:
        told = _("No place is left in the draw of %(competition)s. Instead: a friendly match, or the next competition.")
    return Refused("no-bye", told, competition=competition)


def _byes(days: Iterable[int]) -> list[Slot]:
    """Slots with one berth, rounds in order, without requested byes."""
    slots = (
        Slot.objects.filter(matchday__in=days, requested_bye=False)
        .annotate(berth_count=Count("berths"))
        .filter(berth_count=1)
    )
    slots = slots.select_related("matchday__stage").prefetch_related(
        "berths__entrant__player", "berths__entrant__partner"
    )
    return list(slots.order_by("matchday__number", "number"))


def _withdrawn(stage: Stage) -> set[int]:
    rows = Withdrawal.objects.filter(competition=stage.competition_id, undone_at=None)
    return set(rows.values_list("entrant", flat=True))


def _first_round_byes(stage: Stage) -> list[Offer]:
    """Offer each bye of the first round, the lowest seed's first.

    The draw would have put a late entry there.
    """
    seeds = dict(stage.competition.registrations.values_list("entrant", "seed"))
    gone = _withdrawn(stage)
    bracket = Bracket.of(stage)
    byes = [(slot, slot.berths.all()[0].entrant) for slot in bracket.byes]
    free = [(slot, entrant) for slot, entrant in byes if entrant.pk not in gone]
    free.sort(key=lambda one: -seeds.get(one[1].pk, 0))
    found = []
    for slot, entrant in free[:MOST_OFFERED]:
        if (filling := bracket.filling(slot)) is not None:
            found.append(Offer([FreeBye(slot, entrant, False, 2, filling)]))
    return found


def _bye_or_preliminary(stage: Stage) -> list[Offer]:
    """Offer the byes; of a full draw that has not begun, a preliminary match."""
    if found := _first_round_byes(stage):
        return found
    lowest = lowest_seed(Bracket.of(stage))
    return [Offer([FreeBye(lowest.slot, lowest.entrant, False, 2, lowest=lowest)])] if lowest else []


def _ladder(stage: Stage) -> list[Offer]:
    return [Offer((), at_bottom=True)] if stage.finished_at is None else []


def _swiss(stage: Stage) -> list[Offer]:
    """Offer all rounds to be paired, and the bye of the running round.

    The running round is the last published round while one of its matches is open.
    """
    if stage.finished_at is not None:
        return []
    days = list(Matchday.objects.filter(stage=stage, published_at__isnull=False).order_by("number"))
    open_ones = Slot.objects.filter(IS_PLAYED, matchday__in=days[-1:]).exclude(match__state=Match.State.DECIDED)
    running = open_ones.exists()
    gone = _withdrawn(stage)
    places = [
        FreeBye(slot, berth.entrant, True, 2)
        for slot in (_byes([days[-1].pk]) if running else ())
        for berth in slot.berths.all()
        if berth.entrant_id not in gone
    ]
    return [Offer(places, missed=len(days) - running, paired_from_now=True)]


def _smallest_group(stage: Stage) -> list[Offer]:
    """Find a place in the smallest group with byes, the one that the next seed would be drawn into first."""
    members: dict[int, set[int]] = {}
    rows = Berth.objects.filter(slot__matchday__stage=stage, entrant__isnull=False)
    for group, entrant in rows.values_list("slot__group", "entrant"):
        members.setdefault(group, set()).add(entrant)
    drawn_into = {
        seed: group for group, seeds in enumerate(snake(how_many(stage) + 1, len(members)), 1) for seed in seeds
    }
    in_order = sorted(members, key=lambda one: (len(members[one]), one != drawn_into[how_many(stage) + 1], one))
    odd = [group for group in in_order if len(members[group]) % 2]
    return (odd and _byes_of(stage, odd[0])) or _added(stage, in_order[0])


def _round_robin(stage: Stage) -> list[Offer]:
    return _byes_of(stage) or _added(stage)


def _added(stage: Stage, group: int = 0) -> list[Offer]:
    """Add a match against everybody."""
    found = [FreeBye(slot, who, False, number, added=True) for slot, who, number in added_matches(stage, group)]
    new = sum(place.slot.matchday.pk is None for place in found)
    return [Offer(found, group=group, new_rounds=new)] if found else []


def _byes_of(stage: Stage, group: int = 0) -> list[Offer]:
    """Find a place in every round that is not over.

    The side is that of the next entrant in the Berger tables.
    """
    days = list(Matchday.objects.filter(stage=stage).order_by("number"))
    slots = Slot.objects.filter(IS_PLAYED, matchday__in=days, group=group).exclude(match=None)
    decided = Q(match__state=Match.State.DECIDED)
    open_ones = set(slots.exclude(decided).values_list("matchday", flat=True))
    under_way = rounds_under_way(slots)
    byes = [slot for slot in _byes([day.pk for day in days]) if slot.group == group]
    if not byes:
        return []
    gone = _withdrawn(stage)
    sides = _sides(stage, group)
    missed = sum(slot.matchday_id not in open_ones for slot in byes)
    places: list[FreeBye] = []
    over: list[FreeBye] = []
    for slot in byes:
        [berth] = slot.berths.all()
        here = over if slot.matchday_id not in open_ones else places
        if berth.entrant_id in gone:  # no opponent
            open_ones.discard(slot.matchday_id)
            continue
        running = slot.matchday_id in under_way and here is places
        here.append(FreeBye(slot, berth.entrant, running, sides[slot.matchday.number]))
    offer = Offer(places, missed=missed, over=over, group=group)
    # A second late entry, after the byes of the upcoming rounds are filled, would play only the running round.
    return [offer] if places and len(offer.later) == len(open_ones - under_way) else []


def _at_tables(stage: Stage) -> list[Offer]:
    found = free_seats(stage)
    places = [FreeBye(one.slot, one.company[0], one.running, 0, others=one.company[1:]) for one in found.seats]
    return [Offer(places, missed=found.missed, at_tables=True, full=found.full)] if places else []


def _sides(stage: Stage, group: int) -> dict[int, int]:
    """By round, the berth of the entrant after the last drawn one."""
    rows = Berth.objects.filter(slot__matchday__stage=stage, slot__group=group)
    drawn = rows.values("entrant").distinct().count()
    found = {}
    for number, one in enumerate(round_robin(drawn + 1) if group else rounds_of(stage, drawn + 1), start=1):
        for slot in one.slots:
            for place, berth in enumerate(slot.berths, start=1):
                if berth.seed == drawn + 1:
                    found[number] = place
    return found


OFFERS: Mapping[LateEntry, Callable[[Stage], list[Offer]]] = {
    LateEntry.NONE: lambda _stage: [],  # the byes are not places that a late entry could take
    LateEntry.BYE_OR_PRELIMINARY: _bye_or_preliminary,
    LateEntry.EVERY_BYE: _round_robin,
    LateEntry.SMALLEST_GROUP: _smallest_group,
    LateEntry.NEXT_PAIRINGS: _swiss,
    LateEntry.EMPTY_SEATS: _at_tables,
    LateEntry.LAST_PLACE: _ladder,
}
