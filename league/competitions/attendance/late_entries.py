"""Late entries: registered in a draft, else placed in a bye or an empty seat.

A draft takes registrations until its draw is published.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Count, Max, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from league.accounts.models import User
from league.accounts.permissions import Act, check_may
from league.competitions.attendance.free_seats import clashes, free_seats
from league.competitions.attendance.table_absences import sit_down
from league.competitions.draw.bye_filling import Bracket, FilledBye, fill_bye, schedule_filled
from league.competitions.draw.founding import add_players
from league.competitions.draw.laying_out import rounds_of
from league.competitions.draw.seating import FORGOTTEN, begun, in_order, note_change
from league.competitions.entrants import how_many, rounds_to_pair
from league.competitions.formats.groups import snake
from league.competitions.formats.registry import PAIRED_BY_ROUND, LateEntry
from league.competitions.formats.round_robin import round_robin
from league.competitions.locks import locked
from league.competitions.models import IS_PLAYED, Berth, Competition, Matchday, Registration, Slot, Stage, Withdrawal
from league.competitions.ratings.starting import fix_ratings
from league.competitions.registration.entries import check_entrants
from league.errors import Refused
from league.matches.models import Match, Table
from league.players.models import Entrant, people_in
from league.players.services import paste

MOST_OFFERED = 64
"""Byes of a knock-out that are offered, the lowest seeds' first."""


@dataclass(frozen=True, slots=True)
class FreeBye:
    """A bye that a late entry can take, or an empty seat at a table of more than two.

    `running`: its round is being played; `number`: the berth of the late entry. `filling`: what else changes in a
    knock-out. `others`: at a table, the entrants beside the `opponent`.
    """

    slot: Slot
    opponent: Entrant
    running: bool
    number: int
    filling: FilledBye | None = None
    others: Sequence[Entrant] = ()

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

    Round robin: a place in every upcoming round, and in the running round if wanted; the same in a group. Knock-out:
    one bye of the first round, in a double elimination with the byes of the losers' bracket that follow from it. Swiss
    system: every round that is still to be paired, and the bye of the running round. Ladder: its last place
    (`at_bottom`). Tables of more than two (`at_tables`): an empty seat in each round that has any.

    `missed`: number of rounds that are over; `full`: rounds still to be played without an empty seat. `group`: of a
    group stage, which one, from 1; else 0.
    """

    places: Sequence[FreeBye]
    missed: int = 0
    paired_from_now: bool = False
    at_bottom: bool = False
    at_tables: bool = False
    full: Sequence[Matchday] = ()
    group: int = 0

    @property
    def now(self) -> FreeBye | None:
        """The place in the running round."""
        return next((one for one in self.places if one.running), None)

    @property
    def first(self) -> FreeBye | None:
        return self.places[0] if self.places else None

    @property
    def later(self) -> list[FreeBye]:
        return [one for one in self.places if not one.running]


@dataclass(frozen=True, slots=True)
class WalkIn:
    """A late entry as registered.

    `places`: the places taken, none in a draft (it is drawn again). `rounds`: the number of rounds that a Swiss system
    keeps although the late entry would add a round, else 0.
    """

    registration: Registration
    places: Sequence[FreeBye]
    rounds: int = 0


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


@transaction.atomic
def walk_in(competition: Competition, name: str, *, user: User, slot_id: int | None = None, now: bool = True) -> WalkIn:
    """Register and check in a late entry, given in one line as for pasting.

    After publication it takes the bye `slot_id` of a knock-out (without it the best bye), or the byes of a round robin
    or the empty seats of table rounds: that of the running round only with `now`.

    Raises NotAllowed; Refused `no-bye`, `bye-taken` if another entrant has that place by now, and the errors of `paste`
    and `register`.
    """
    competition = locked(competition.pk)
    check_may(user, Act.MANAGE_COMPETITIONS, competition.league)
    if competition.published_at is None:
        [row] = add_players(competition, name, user=user)
        return WalkIn(_here(row, user), ())
    entrant = _entrant(competition, name, user)
    places = _chosen(competition, slot_id, entrant, now=now)
    rounds = _keep_rounds(competition)
    last = competition.registrations.aggregate(last=Max("seed"))["last"] or 0
    row = Registration.objects.create(competition=competition, entrant=entrant, seed=last + 1)
    fix_ratings(competition.registrations.filter(pk=row.pk))
    row.refresh_from_db(fields=["rating"])
    slots = [slot for place in places for slot in _take(competition, place, entrant)]
    schedule_filled(competition, slots)
    note_change(place.slot for place in places)
    return WalkIn(_here(row, user), places, rounds)


def _keep_rounds(competition: Competition) -> int:
    """Keep the published number of rounds, though a late entry would add a round."""
    stage = competition.stages.filter(number=1, format__in=PAIRED_BY_ROUND, rounds=0).first()
    if stage is None:
        return 0
    there = how_many(stage)
    if rounds_to_pair(stage, there) == rounds_to_pair(stage, there + 1):
        return 0
    stage.rounds = rounds_to_pair(stage, there)
    stage.save(update_fields=["rounds"])
    return stage.rounds


def _here(row: Registration, user: User) -> Registration:
    row.checked_in_at, row.checked_in_by = timezone.now(), user
    row.save(update_fields=["checked_in_at", "checked_in_by"])
    return row


def _entrant(competition: Competition, name: str, user: User) -> Entrant:
    today = timezone.localdate()
    [entrant] = paste(competition.league, name, user=user, since=today, pairs=competition.pairs).entrants
    check_entrants(competition, [entrant])
    return entrant


def _chosen(competition: Competition, slot_id: int | None, entrant: Entrant, *, now: bool) -> list[FreeBye]:
    found = offers(competition)
    if slot_id is not None:
        found = [one for one in found if any(place.slot.pk == slot_id for place in one.places)]
        if not found:
            raise Refused("bye-taken", _("This bye was taken meanwhile, or its next match has begun. Look again."))
    places = [place for one in found[:1] for place in one.places if now or not place.running]
    if any(one.at_tables for one in found):  # at a table the others are present at that hour; a bye gets a free hour
        busy = clashes([place.slot for place in places], entrant)
        places = [place for place in places if place.slot.pk not in busy]
    if not places and not any(one.paired_from_now or one.at_bottom for one in found):
        raise Refused(
            "no-bye",
            _(
                "Every place in the draw of %(competition)s is taken, and no bye is left to fill. "
                "The newcomer can play a friendly match, or in the next competition."
            ),
            competition=competition,
        )
    return places


def _take(competition: Competition, place: FreeBye, entrant: Entrant) -> list[Slot]:
    """Put the entrant in the place; return the slots whose matches may be scheduled."""
    slot = place.slot
    if place.others:
        sit_down(competition, slot, entrant)
        return []
    made = []
    if place.filling:
        made = fill_bye(competition, place.filling, entrant)
    else:
        slot.berths.update(number=3 - place.number)
        Berth.objects.create(slot=slot, number=place.number, entrant=entrant)
    slot.table, slot.starts_at = _seat(
        competition, slot, [*people_in(entrant), *people_in(place.opponent)], running=place.running
    )
    slot.reasons = []  # they explained the bye
    slot.save(update_fields=["table", "starts_at", "reasons"])
    for one in made:
        known = [berth.entrant for berth in one.berths.select_related("entrant") if berth.entrant]
        people = [pk for who in known for pk in people_in(who)]
        one.table, one.starts_at = _seat(competition, one, people, running=False)
        one.save(update_fields=["table", "starts_at"])
    return [slot, *made]


# --- Free places ---


def _byes(days: Iterable[int]) -> list[Slot]:
    """Slots with one berth, rounds in order."""
    slots = Slot.objects.filter(matchday__in=days).annotate(berth_count=Count("berths")).filter(berth_count=1)
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
    odd = [group for group, who in members.items() if len(who) % 2]
    if not odd:
        return []
    drawn_into = {
        seed: group for group, seeds in enumerate(snake(how_many(stage) + 1, len(members)), 1) for seed in seeds
    }
    group = min(odd, key=lambda one: (len(members[one]), one != drawn_into[how_many(stage) + 1], one))
    return _round_robin(stage, group)


def _round_robin(stage: Stage, group: int = 0) -> list[Offer]:
    """Find a place in every round that is not over.

    The side is that of the next entrant in the Berger tables.
    """
    days = list(Matchday.objects.filter(stage=stage).order_by("number"))
    slots = Slot.objects.filter(IS_PLAYED, matchday__in=days, group=group).exclude(match=None)
    decided = Q(match__state=Match.State.DECIDED)
    open_ones = set(slots.exclude(decided).values_list("matchday", flat=True))
    matches = Match.objects.filter(begun(), slot__in=slots)
    under_way = set(matches.values_list("slot__matchday", flat=True))
    byes = [slot for slot in _byes([day.pk for day in days]) if slot.group == group]
    if not byes:
        return []
    gone = _withdrawn(stage)
    sides = _sides(stage, group)
    missed = sum(slot.matchday_id not in open_ones for slot in byes)
    places = []
    for slot in byes:
        [berth] = slot.berths.all()
        if berth.entrant_id in gone:  # no opponent
            open_ones.discard(slot.matchday_id)
        if slot.matchday_id not in open_ones:
            continue
        running = slot.matchday_id in under_way
        places.append(FreeBye(slot, berth.entrant, running, sides[slot.matchday.number]))
    offer = Offer(places, missed=missed, group=group)
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
    LateEntry.FIRST_ROUND_BYE: _first_round_byes,
    LateEntry.EVERY_BYE: _round_robin,
    LateEntry.SMALLEST_GROUP: _smallest_group,
    LateEntry.NEXT_PAIRINGS: _swiss,
    LateEntry.EMPTY_SEATS: _at_tables,
    LateEntry.LAST_PLACE: _ladder,
}


# --- Table and hour ---


def _seat(
    competition: Competition, slot: Slot, people: Sequence[int], *, running: bool
) -> tuple[Table | None, datetime | None]:
    """Find a table that is free at an hour of the round, without a double booking.

    Neither a table of the competition nor people are booked twice. Hours: in a running round now or later, else any
    hour of the round. No table if none is free.
    """
    if competition.starts_at is None:
        return None, None
    now = timezone.now().replace(second=0, microsecond=0)
    hours = Slot.objects.filter(matchday=slot.matchday_id, starts_at__isnull=False).values_list("starts_at", flat=True)
    wanted = sorted(set(hours)) or _hours_after(competition, slot.matchday)
    if running:
        begun = min(wanted) <= now
        wanted = [now] * begun + [at for at in wanted if at > now]
    tables = in_order(competition.tables.all())
    length = timedelta(minutes=competition.minutes)
    taken = list(_around(competition, slot, wanted[0], wanted[-1] + length))
    for at in wanted:
        busy = [one for one in taken if _is_in_the_way(one, slot, at, length, running=running and at == now)]
        known = [berth.entrant for one in busy for berth in one.berths.all() if berth.entrant]
        if any(pk in people for entrant in known for pk in people_in(entrant)):
            continue
        held = {one.table_id for one in busy}
        free = next((table for table in tables if table.pk not in held), None)
        if free or not tables:
            return free, at
    return None, wanted[-1]


def _hours_after(competition: Competition, day: Matchday) -> list[datetime]:
    """Give the hour of a new round: after the round before it."""
    before = Slot.objects.filter(matchday__stage=day.stage_id, matchday__number__lt=day.number, starts_at__isnull=False)
    last = before.aggregate(last=Max("starts_at"))["last"]
    return [last + timedelta(minutes=competition.minutes) if last else competition.starts_at]


def _around(competition: Competition, slot: Slot, first: datetime, last: datetime) -> Iterable[Slot]:
    slots = Slot.objects.filter(matchday__stage__competition__league=competition.league_id)
    slots = slots.filter(starts_at__gt=first - FORGOTTEN, starts_at__lt=last).exclude(pk=slot.pk)
    slots = slots.exclude(match__state=Match.State.DECIDED)
    return slots.select_related("matchday__stage__competition").prefetch_related("berths__entrant")


def _is_in_the_way(other: Slot, slot: Slot, at: datetime, length: timedelta, *, running: bool) -> bool:
    """Tell whether another slot blocks the table or people of this slot at that hour.

    In a running round, matches that began before and are not over keep their table, and the later rounds wait for this
    match; otherwise the schedule decides.
    """
    of_another = other.matchday.stage_id != slot.matchday.stage_id
    if running and not of_another:
        return other.starts_at <= at
    over = other.starts_at + timedelta(minutes=other.matchday.stage.competition.minutes)
    return other.starts_at < at + length and over > at
