"""Dispatcher of a running evening: calls of ready matches to free tables, on hold, tables out of order."""

import logging
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Case, Exists, Max, OuterRef, Q, QuerySet, When
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from league.accounts.models import User
from league.accounts.permissions import Act, check_may
from league.competitions.draw.schedule.dispatching import DueMatch, Floor, by_urgency, calls, out_of_turn
from league.competitions.draw.schedule.seating import FORGOTTEN, in_order, note_change, wishes_of
from league.competitions.entrants import slots_of_withdrawn, standing_withdrawals
from league.competitions.formats.registry import IN_TURN, LADDERS
from league.competitions.locks import locked
from league.competitions.models import IS_PLAYED, Berth, Competition, Matchday, Slot, Stage
from league.competitions.push.deliveries import note_calls
from league.errors import Refused
from league.matches.models import KnownBy, Match, Record, Result, Side, Table
from league.matches.signals import answers, held_entrants_asked

log = logging.getLogger(__name__)

AT_TABLE = (Match.State.SCHEDULED, Match.State.PLAYING)
"""States of a match that holds its table, once it is called or has begun."""
PLAYED = (Match.State.PROVISIONAL, Match.State.DECIDED)
"""States of a match that is over for its people, though its result may wait for its confirmation."""


def dispatch(competition: Competition, *, now: datetime | None = None) -> list[Slot]:
    """Call the ready matches that find a free table; return their slots.

    Table and hour of slot and match become those of the call, whatever the plan says. Without effect if the competition
    has no dispatcher or is not being played. Requires the caller's transaction and lock.
    """
    now = now or timezone.now()
    if not competition.dispatches or not is_on(competition, now):
        return []
    # Another competition may dispatch to the same tables.
    tables = in_order(competition.tables.select_for_update(of=("self",)).filter(out_of_order=False).order_by("pk"))
    busy = _busy(competition, now)
    free = [table.pk for table in tables if table.pk not in busy.tables]
    if not free:
        return []
    floor = Floor(
        tables=[table.pk for table in tables],
        free=free,
        now=now,
        wishes=wishes_of(competition),
        playing=busy.people,
        ended=_ended(competition, now),
        rest=timedelta(minutes=competition.rest_minutes),
    )
    chosen = {one.match: one.table for one in calls(_open_matches(competition, now), floor)}
    return _call(chosen, {table.pk: table for table in tables}, now)


def is_on(competition: Competition, now: datetime) -> bool:
    """Tell whether the evening is being played: its hour has come, or somebody has played, in the last hours.

    At most three statements.
    """
    if competition.published_at is None or competition.imported_at is not None:
        return False
    since, starts = now - FORGOTTEN, competition.starts_at
    if starts and since < starts <= now:
        return True
    matches = Match.objects.filter(slot__matchday__stage__competition=competition)
    # A forfeit ruled before the evening does not begin it.
    played = Result.objects.filter(game__match__in=matches, current=True, entered_at__gt=since)
    if matches.filter(called_at__gt=since).exists() or played.exclude(known_by=KnownBy.RULED).exists():
        return True
    days = Matchday.objects.filter(stage__competition=competition, published_at__gt=since)
    return not (starts and starts > now) and days.exists()


def go_on_after(match_id: int) -> int:
    """Call the next match after this one has left its table; return how many were called."""
    stages = Stage.objects.filter(matchdays__slots__match=match_id, competition__dispatches=True)
    competition = stages.values_list("competition", flat=True).first()
    return _dispatched(competition) if competition else 0


def sweep() -> int:
    """Call matches after a rest, a lost signal, or a table left by another competition; return how many."""
    now = timezone.now()
    waiting = _slots().filter(_waits_for_call(now), matchday__stage__competition=OuterRef("pk"))
    running = Competition.objects.filter(Exists(waiting), dispatches=True, imported_at=None, published_at__isnull=False)
    running = running.filter(cancelled_at=None)
    called = 0
    for competition in running.order_by("pk"):
        if is_on(competition, now):
            try:
                called += _dispatched(competition.pk)
            except Exception:
                log.exception("the dispatcher of competition %d failed in the sweep", competition.pk)
    return called


@transaction.atomic
def _dispatched(competition_id: int) -> int:
    return len(dispatch(locked(competition_id)))


@transaction.atomic
def hold(slot: Slot, *, user: User, on: bool = True) -> bool:
    """Keep a match from being called, or release it; True if this call changed it.

    A match that was called gives its table back. Raises NotAllowed, and Refused `begun-already`.
    """
    competition = locked(Slot.objects.values_list("matchday__stage__competition", flat=True).get(pk=slot.pk))
    check_may(user, Act.RUN_DESK, competition.league)
    match = Slot.objects.select_related("match").get(pk=slot.pk).match
    if match is None or match.state != Match.State.SCHEDULED:
        raise Refused("begun-already", _("This match has begun, or its players are not known yet."))
    if match.on_hold == on:
        return False
    Match.objects.filter(pk=match.pk).update(on_hold=on)
    if on:
        take_off(slot)
    dispatch(competition)
    return True


def take_off(slot: Slot) -> None:
    """Take a call back: the table is free for the next match."""
    Match.objects.filter(slot=slot).update(called_at=None, here_at=None)


@transaction.atomic
def put_out_of_order(table: Table, *, user: User, on: bool = True) -> int:
    """Mark a table as out of order, or as usable again; return how many matches were called by that.

    Matches called to it that have not begun go to other tables, if a dispatcher calls them. Raises NotAllowed.
    """
    check_may(user, Act.MANAGE_COMPETITIONS, table.league)
    running = Competition.objects.filter(tables=table, dispatches=True, published_at__isnull=False, cancelled_at=None)
    competitions = [locked(pk) for pk in running.order_by("pk").values_list("pk", flat=True)]
    Table.objects.filter(pk=table.pk).update(out_of_order=on)
    if on:
        there = Match.objects.filter(table=table, state=Match.State.SCHEDULED, called_at__isnull=False)
        there.update(called_at=None, here_at=None)
    return sum(len(dispatch(one)) for one in competitions)


def called_matches(competition: Competition, now: datetime) -> set[int] | None:
    """Give the matches that were called or have begun; None if the tables are those of the plan.

    No statement without a dispatcher.
    """
    if not competition.dispatches or not is_on(competition, now):
        return None
    matches = Match.objects.filter(slot__matchday__stage__competition=competition)
    begun = ~Q(state=Match.State.SCHEDULED) | Q(called_at__gt=now - FORGOTTEN)
    return set(matches.filter(begun).values_list("pk", flat=True))


def next_calls(competition: Competition, now: datetime) -> list[int]:
    """Give the slots that wait for a table or for their people to be free, most urgent first. Four statements."""
    matches = _open_matches(competition, now)
    early = out_of_turn(matches)
    return [one.key for one in by_urgency(matches) if not one.waits and one.key not in early]


# --- Rows of the pure dispatcher ---


@dataclass(frozen=True, slots=True)
class _Busy:
    """Tables and people of the league with a match now; a person who is awaited is at no other table either."""

    tables: frozenset[int]
    people: frozenset[int]


def _busy(competition: Competition, now: datetime) -> _Busy:
    """Find the tables and people that are taken: called matches, begun ones, and those of fixed plans."""
    since = now - FORGOTTEN
    soon = now + timedelta(minutes=competition.minutes)
    fixed = Q(
        matchday__stage__competition__dispatches=False, match__starts_at__gt=since, match__starts_at__lt=soon
    ) & ~Q(matchday__stage__competition=competition)
    at_table = Slot.objects.filter(
        _at_table(now) | fixed & _has_both(),
        match__league=competition.league_id,
        match__state__in=AT_TABLE,
        match__published_at__isnull=False,
    )
    people = "berths__entrant__player", "berths__entrant__partner"
    rows = list(at_table.values_list("match__table", *people))
    missing = Berth.objects.filter(
        slot__matchday__stage__competition=competition,
        slot__match__state=Match.State.SCHEDULED,
        awaited_since__isnull=False,
    )
    absent = list(missing.values_list("entrant__player", "entrant__partner"))
    return _Busy(
        frozenset(table for table, *_people in rows if table),
        frozenset(one for both in (*(people for _table, *people in rows), *absent) for one in both if one),
    )


def _at_table(now: datetime) -> Q:
    """Condition of a slot whose open match is at its table: it has begun or was called, and is not forgotten."""
    since = now - FORGOTTEN
    begun = Q(match__state=Match.State.PLAYING) & (Q(match__starts_at__gt=since) | Q(match__starts_at=None))
    return (begun | Q(match__called_at__gt=since)) & _has_both()


def _has_both() -> Q:
    """Condition of a slot from which nobody has left; the forfeit of one who has may wait for another official."""
    return ~Q(Exists(slots_of_withdrawn().filter(pk=OuterRef("pk"))))


def _ended(competition: Competition, now: datetime) -> dict[int, datetime]:
    """Give the end of the last match of each person who may still rest. One statement, none without rest.

    A forfeit is no play.
    """
    if not competition.rest_minutes:
        return {}
    since = now - timedelta(minutes=competition.rest_minutes)
    played = Result.objects.filter(current=True, entered_at__gt=since).exclude(ended="forfeit")
    sides = Side.objects.filter(match__league=competition.league_id, match__games__results__in=played)
    rows = sides.exclude(match__state__in=AT_TABLE).annotate(ended=Max("match__games__results__entered_at"))
    found: dict[int, datetime] = {}
    for *people, ended in rows.values_list("entrant__player", "entrant__partner", "ended"):
        for one in filter(None, people):
            found[one] = max(found.get(one, ended), ended)
    return found


def _slots() -> QuerySet[Slot]:
    """Select the slots that are still to be played; ladders have no order of play."""
    slots = Slot.objects.filter(IS_PLAYED, not_needed=False).exclude(match__state__in=PLAYED)
    return slots.exclude(matchday__stage__format__in=LADDERS)


def _waits_for_call(now: datetime) -> Q:
    """Condition of a slot whose match can be called: ready, without a standing entry, nobody of it awaited."""
    return (
        Q(match__state=Match.State.SCHEDULED, match__published_at__isnull=False, match__on_hold=False)
        & (Q(match__called_at=None) | Q(match__called_at__lte=now - FORGOTTEN))
        & ~Q(Exists(Record.objects.filter(game__match=OuterRef("match"), withdrawn_at=None)))
        & ~Q(Exists(Berth.objects.filter(slot=OuterRef("pk"), awaited_since__isnull=False)))
        & ~_waits_for_ruling(now)
    )


def _waits_for_ruling(now: datetime) -> Q:
    """Condition of a slot with an entrant whose next matches wait for a ruling."""
    held = Q(pk__in=[])
    for entrants in answers(held_entrants_asked, at=now):
        held |= Q(Exists(Side.objects.filter(match=OuterRef("match"), entrant__in=entrants)))
    return held


def _open_matches(competition: Competition, now: datetime) -> list[DueMatch]:
    """Read all open matches in the order of the plan. Four statements."""
    slots = _slots().filter(matchday__stage__competition=competition)
    ready = set(slots.filter(_waits_for_call(now)).values_list("pk", flat=True))
    gone = set(standing_withdrawals(competition).values_list("entrant", flat=True))
    entrants: dict[int, list[int]] = {}
    people: dict[int, list[int]] = {}
    sources: dict[int, list[int]] = {}
    columns = "slot", "entrant", "entrant__player", "entrant__partner", "from_slot"
    berths = Berth.objects.filter(slot__in=slots.order_by().values("pk"), absent_since=None)
    for slot, entrant, player, partner, source in berths.order_by("slot", "number").values_list(*columns):
        if entrant:
            entrants.setdefault(slot, []).append(entrant)
            people.setdefault(slot, []).extend(one for one in (player, partner) if one)
        elif source:
            sources.setdefault(slot, []).append(source)
    rows = (
        slots.annotate(sits=Case(When(_at_table(now), then=True), default=False))
        .order_by("matchday__number", "number")
        .values_list("pk", "table", "for_stream", "matchday__stage__format", "sits")
    )
    ready = {slot for slot in ready if gone.isdisjoint(entrants.get(slot, ()))}
    return [
        DueMatch(
            key=slot,
            entrants=tuple(entrants.get(slot, ())),
            people=frozenset(people.get(slot, ())),
            comes_from=tuple(sources.get(slot, ())),
            waits=slot not in ready,
            for_stream=for_stream,
            planned=table,
            # A match that is put off has no turn: its people play their next round first.
            in_turn=key in IN_TURN and (sits or slot in ready),
        )
        for slot, table, for_stream, key, sits in rows
    ]


def _call(chosen: Mapping[int, int], tables: Mapping[int, Table], now: datetime) -> list[Slot]:
    if not chosen:
        return []
    slots = Slot.objects.filter(pk__in=chosen).select_related("matchday").in_bulk()
    moved = [slots[pk] for pk, table in chosen.items() if slots[pk].table_id != table]
    for pk, table in chosen.items():
        slots[pk].table, slots[pk].starts_at = tables[table], now.replace(second=0, microsecond=0)
        Match.objects.filter(slot=pk).update(table=table, starts_at=slots[pk].starts_at, called_at=now, here_at=None)
    Slot.objects.bulk_update(slots.values(), ["table", "starts_at"])
    note_change(moved)
    note_calls([slot.match_id for slot in slots.values() if slot.match_id], now)
    return [slots[pk] for pk in chosen]
