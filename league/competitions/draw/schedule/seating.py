"""Table wishes of a competition, and table changes after the draw."""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.db.models.expressions import Combinable
from django.utils import timezone

from league.competitions.draw.schedule.bookings import booking_slots
from league.competitions.draw.schedule.table_assignment import Wishes, cost
from league.competitions.formats.drawn import DrawnSlot
from league.competitions.models import Berth, Competition, Matchday, Slot
from league.matches.models import KnownBy, Match, Record, Table

# A match that should have ended this long ago no longer occupies its table.
FORGOTTEN = timedelta(hours=12)


def in_order(tables: Iterable[Table]) -> list[Table]:
    """Sort tables by the league's order, then naturally: table 2 before table 10."""
    return sorted(tables, key=lambda table: (table.place, natural(table.name), table.pk))


def usable_tables(competition: Competition) -> list[Table]:
    """Give the tables of a competition in order, without those out of order. One statement."""
    return in_order(competition.tables.filter(out_of_order=False))


def natural(name: str) -> list[tuple[int, str]]:
    """Sort key for names that contain numbers."""
    return [(int(part), "") if part.isdecimal() else (-1, part.casefold()) for part in re.split(r"(\d+)", name) if part]


def note_change(slots: Iterable[Slot]) -> None:
    """Mark slots of published rounds as changed, and raise these rounds' version."""
    shown = [slot for slot in slots if slot.matchday.published_at is not None]
    Slot.objects.filter(pk__in=[slot.pk for slot in shown]).update(changed_at=timezone.now())
    days = {slot.matchday_id for slot in shown}
    Matchday.objects.filter(pk__in=days).update(version=F("version") + 1)


def wishes_of(competition: Competition) -> Wishes:
    """Read the table wishes of a competition. Two statements."""
    rows = competition.registrations.values_list("entrant", "pinned_table", "entrant__needs_accessible", "seed")
    seeds, pinned, needs = {}, {}, set()
    for entrant, table, need, seed in rows:
        seeds[entrant] = seed
        if table:
            pinned[entrant] = table
        if need:
            needs.add(entrant)
    marks = Table.objects.filter(league=competition.league_id).filter(Q(accessible=True) | Q(stream=True))
    flags = list(marks.values_list("pk", "accessible", "stream"))
    return Wishes(
        pinned=pinned,
        needs=frozenset(needs),
        accessible=frozenset(pk for pk, accessible, _stream in flags if accessible),
        stream=frozenset(pk for pk, _accessible, stream in flags if stream),
        seeds=seeds,
    )


def top_boards(
    competition: Competition,
    rounds: Sequence[Sequence[Sequence[int]]],
    drawn: Sequence[Sequence[DrawnSlot]],
    *,
    in_order: bool,
) -> list[Collection[int]]:
    """Give the index of each round's top board, if top boards go to the stream.

    The top board is the match of the best two seeds; the first match if pairs are in ranking order (`in_order`) or no
    entrant is known. Empty for every round if top boards are not streamed.
    """
    if not competition.top_board_streamed:
        return [()] * len(rounds)
    seeds = {} if in_order else dict(competition.registrations.values_list("entrant", "seed"))
    return [[_top(one, slots, seeds)] if one else () for one, slots in zip(rounds, drawn, strict=True)]


def _top(matches: Sequence[Sequence[int]], slots: Sequence[DrawnSlot], seeds: Mapping[int, int]) -> int:
    def rank(place: int) -> tuple[bool, bool, int, int]:
        sums = [seeds.get(one, 0) for one in matches[place]]
        return slots[place].third_place or slots[place].conditional, len(sums) < 2, sum(sums), place

    return min(range(len(matches)), key=rank)


# --- After the draw ---


def begun() -> Combinable:
    """Filter for matches that have begun or have a record; one that was taken back does not count."""
    records = Record.objects.filter(game__match=OuterRef("pk"), withdrawn_at=None)
    return ~Q(state=Match.State.SCHEDULED) | Exists(records)


def rounds_under_way(slots: QuerySet[Slot]) -> set[int]:
    """Return the keys of the rounds in which one of these matches is or was played.

    Neither forfeits count, as those of an entrant who left, nor entries that were taken back. One statement.
    """
    entered = Record.objects.filter(game__match=OuterRef("match"), withdrawn_at=None).exclude(kind=KnownBy.RULED)
    played = slots.filter(Q(match__state=Match.State.PLAYING) | Exists(entered))
    return set(played.values_list("matchday", flat=True))


def settle(competition: Competition, slots: Iterable[Slot]) -> list[Slot]:
    """Improve the tables of matches with new players or wishes; return moved slots.

    A match gets a table that is free at its hour, or exchanges tables with an untouched match of the competition, if
    fewer wishes are unmet in total. Requires the caller's transaction and lock.
    """
    wishes = wishes_of(competition)
    wanted = {slot.pk for slot in slots}
    if not wanted or not (wishes.any or Slot.objects.filter(pk__in=wanted, for_stream=True).exists()):
        return []
    hall = _Hall.of(competition, wanted, wishes)
    moved = list({one.pk: one for slot in hall.by_rank(wanted) for one in hall.improve(slot)}.values())
    Slot.objects.bulk_update(moved, ["table"])
    for slot in moved:
        Match.objects.filter(pk=slot.match_id).update(table=slot.table)
    note_change(moved)
    return moved


@dataclass(slots=True)
class _Hall:
    """Matches that may change tables, their entrants, and the tables held by others."""

    tables: Mapping[int, Table]
    wishes: Wishes
    slots: Mapping[int, Slot]
    who: Mapping[int, Sequence[int]]
    held: Mapping[int, Collection[int]] = field(default_factory=dict)

    @classmethod
    def of(cls, competition: Competition, wanted: Collection[int], wishes: Wishes) -> "_Hall":
        slots = {slot.pk: slot for slot in _beside(competition, wanted)}
        who: dict[int, list[int]] = {}
        rows = Berth.objects.filter(slot__in=slots, entrant__isnull=False).order_by("slot", "number")
        for slot, entrant in rows.values_list("slot", "entrant"):
            who.setdefault(slot, []).append(entrant)
        tables = {table.pk: table for table in usable_tables(competition)}
        return cls(tables, wishes, slots, who, _held(competition, slots.values()))

    def by_rank(self, wanted: Collection[int]) -> list[Slot]:
        """Sort slots: pinned ones first, then by seed."""
        found = [slot for pk, slot in self.slots.items() if pk in wanted]
        return sorted(found, key=lambda slot: (not self.wishes.pins(self._who(slot)), self._rank(slot), slot.pk))

    def improve(self, slot: Slot) -> list[Slot]:
        """Give a slot its best table; return the slots whose tables changed."""
        others = self._others(slot)
        options = [(self._gain([(slot, pk)]), 0, place) for place, pk in enumerate(self._free(slot))]
        for place, other in enumerate(others):
            options.append((self._gain([(slot, other.table_id), (other, slot.table_id)]), 1, place))
        gain, exchanged, place = min(options, default=((0, 0, 0), 0, 0))
        if gain >= (0, 0, 0):
            return []
        if exchanged:
            slot.table, others[place].table = others[place].table, slot.table
            return [slot, others[place]]
        slot.table = self.tables[self._free(slot)[place]]
        return [slot]

    def _who(self, slot: Slot) -> Sequence[int]:
        return self.who.get(slot.pk, ())

    def _rank(self, slot: Slot) -> tuple[int, int]:
        return min(map(self.wishes.rank, self._who(slot)), default=(0, 0))

    def _others(self, slot: Slot) -> list[Slot]:
        same = [one for one in self.slots.values() if one.pk != slot.pk and _turn(one) == _turn(slot)]
        return [one for one in same if one.table_id and one.table_id != slot.table_id]

    def _free(self, slot: Slot) -> list[int]:
        now = {one.table_id for one in self._others(slot)} | set(self.held.get(slot.pk, ()))
        return [pk for pk in self.tables if pk not in now and pk != slot.table_id]

    def _gain(self, changes: Sequence[tuple[Slot, int | None]]) -> tuple[int, int, int]:
        """Sum the change in unmet wishes; negative if the changes are worth it."""
        costs = [(self._cost(slot, table), self._cost(slot, slot.table_id)) for slot, table in changes]
        pins, needs, stream = (sum(after[part] - before[part] for after, before in costs) for part in range(3))
        return pins, needs, stream

    def _cost(self, slot: Slot, table: int | None) -> tuple[int, int, int]:
        return cost(self._who(slot), table, self.wishes, streamed=slot.for_stream)


def _turn(slot: Slot) -> tuple[datetime | None, int]:
    """Key of a turn; matches of one turn may exchange tables."""
    return slot.starts_at, 0 if slot.starts_at else slot.matchday_id


def _beside(competition: Competition, wanted: Collection[int]) -> QuerySet[Slot]:
    """Select the untouched matches of the turns of the wanted slots."""
    chosen = Slot.objects.filter(pk__in=wanted)
    hours = set(chosen.exclude(starts_at=None).values_list("starts_at", flat=True))
    days = set(chosen.filter(starts_at=None).values_list("matchday", flat=True))
    slots = Slot.objects.filter(matchday__stage__competition=competition, berths__number=2, not_needed=False)
    slots = slots.filter(Q(starts_at__in=hours) | Q(starts_at=None, matchday__in=days))
    touched = Match.objects.filter(begun(), slot__matchday__stage__competition=competition)
    # A called match keeps its table.
    slots = slots.exclude(match__called_at__isnull=False)
    return slots.exclude(match__in=touched).select_related("matchday", "table").order_by("pk")


def _held(competition: Competition, slots: Iterable[Slot]) -> dict[int, set[int]]:
    """Give, by slot, the tables that matches outside its turn hold at that hour.

    By the plan; in a round that is late, also the tables of its unfinished matches.
    """
    slots = list(slots)
    hours = [slot.starts_at for slot in slots if slot.starts_at]
    if not hours:
        return {}
    length = timedelta(minutes=competition.minutes)
    minutes = "matchday__stage__competition__minutes"
    own = Slot.objects.filter(matchday__stage__competition=competition).exclude(match__state=Match.State.DECIDED)
    rows = [
        row
        for near in (own, booking_slots(competition))
        for row in near.filter(
            table__isnull=False, starts_at__gt=min(hours) - FORGOTTEN, starts_at__lt=max(hours) + length
        ).values_list("pk", "table", "starts_at", minutes, "matchday")
    ]
    held: dict[int, set[int]] = {}
    now, turns = timezone.now(), {slot.pk: slot.starts_at for slot in slots}
    for slot in slots:
        for pk, table, begin, lasts, day in rows:
            over = begin + timedelta(minutes=lasts)
            late = day == slot.matchday_id and begin <= slot.starts_at <= now
            of_its_turn = pk in turns and turns[pk] == slot.starts_at
            if not of_its_turn and (late or (begin < slot.starts_at + length and over > slot.starts_at)):
                held.setdefault(slot.pk, set()).add(table)
    return held
