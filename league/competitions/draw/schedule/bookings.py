"""Tables and players that competitions of the league have booked."""

from collections.abc import Iterable
from datetime import datetime, timedelta

from django.db.models import Q, QuerySet

from league.competitions.draw.schedule.timetable import Bookings, Span
from league.competitions.models import Berth, Competition, Season, Slot
from league.matches.models import Match
from league.players.models import PEOPLE

OF = "matchday__stage__competition"
SHOWN = Q(**{f"{OF}__published_at__isnull": False})
"""Condition of a slot that books its table and people; drafts book nothing."""


def undecided_slots(league_id: int) -> QuerySet[Slot]:
    """Select the undecided slots of a league; a cancelled competition has none, whatever its later rounds still hold.

    A decided match books nothing, even if its start is in the future: an evening may be ahead of its plan.
    """
    slots = Slot.objects.filter(**{f"{OF}__league": league_id, f"{OF}__cancelled_at": None})
    return slots.exclude(match__state=Match.State.DECIDED)


def booking_slots(competition: Competition) -> QuerySet[Slot]:
    """Select the slots of other competitions that book tables and players.

    The divisions of a season are drafts together and book beside each other.
    """
    beside = Q(**{f"{OF}__division__season__in": Season.objects.filter(divisions__competition=competition.pk)})
    return undecided_slots(competition.league_id).filter(SHOWN | beside).exclude(**{OF: competition.pk})


def taken(competition: Competition, *, since: datetime) -> Bookings:
    """Give the bookings of the league's other competitions, from a day before `since`. One statement."""
    others = booking_slots(competition).filter(starts_at__gt=since - timedelta(days=1))
    minutes = "matchday__stage__competition__minutes"
    tables: dict[int, list[Span]] = {}
    people: dict[int, list[Span]] = {}
    seats = [f"berths__{one}" for one in PEOPLE]
    rows = others.order_by("starts_at", "pk").values_list("pk", "table", "starts_at", minutes, *seats)
    seen = set()
    for slot, table, begin, length, *players in rows:
        span = begin, begin + timedelta(minutes=length)
        if table and slot not in seen:
            tables.setdefault(table, []).append(span)
        for player in filter(None, players):
            people.setdefault(player, []).append(span)
        seen.add(slot)
    return Bookings(tables, people)


def double_booked(draft: Competition) -> list[Slot]:
    """List the matches of a draft whose table or players were booked by another competition since it was drawn.

    Three statements.
    """
    slots = Slot.objects.filter(matchday__stage__competition=draft, starts_at__isnull=False, not_needed=False)
    own = list(slots.select_related("matchday", "table").order_by("starts_at", "matchday__number", "number"))
    spans = {
        slot.pk: (slot.starts_at, slot.starts_at + timedelta(minutes=draft.minutes)) for slot in own if slot.starts_at
    }
    if not spans:
        return []
    booked = taken(draft, since=min(begin for begin, _end in spans.values()))
    players: dict[int, set[int]] = {}
    for slot, *both in Berth.objects.filter(slot__in=spans).values_list("slot", *PEOPLE):
        players.setdefault(slot, set()).update(filter(None, both))

    def is_taken(slot: Slot) -> bool:
        people = (booked.people.get(one, ()) for one in players.get(slot.pk, ()))
        return any(_overlap(one, spans[slot.pk]) for one in (booked.tables.get(slot.table_id or 0, ()), *people))

    return [slot for slot in own if is_taken(slot)]


def _overlap(booked: Iterable[Span], span: Span) -> bool:
    return any(begin < span[1] and span[0] < end for begin, end in booked)
