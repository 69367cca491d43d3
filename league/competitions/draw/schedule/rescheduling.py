"""Rescheduling of a match, by an organizer or after a booking conflict."""

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils.translation import gettext_lazy as _

from league.accounts.models import User
from league.accounts.permissions import Act, check_may
from league.competitions.draw.schedule.bookings import undecided_slots
from league.competitions.draw.schedule.calling import dispatch
from league.competitions.draw.schedule.seating import note_change, usable_tables
from league.competitions.locks import locked
from league.competitions.models import YEARS, Berth, Competition, Slot
from league.competitions.push.deliveries import note_calls
from league.errors import Refused
from league.matches.models import Amendment, Match, Table
from league.players.models import PEOPLE, people_in


@transaction.atomic
def move(slot: Slot, *, user: User, table: Table | None, starts_at: datetime | None) -> Slot:
    """Change the table or hour of a slot and its match, in a draft or later.

    Raises NotAllowed, and Refused `other-league`, `is-bye`, `match-decided`, `bad-dates`, `table-taken`,
    `entrant-busy`.
    """
    slot = Slot.objects.select_related("matchday__stage").get(pk=slot.pk)
    competition = locked(slot.matchday.stage.competition_id)
    check_may(user, Act.MANAGE_COMPETITIONS, competition.league)
    return put(slot, competition, table, starts_at)


def put(slot: Slot, competition: Competition, table: Table | None, starts_at: datetime | None) -> Slot:
    """Put a slot and its match at a table and an hour. Needs the caller's transaction and lock.

    Raises Refused as `move`.
    """
    slot = Slot.objects.select_related("match", "matchday").get(pk=slot.pk)  # read again under the lock
    _check_move(slot, competition, table)
    if starts_at:
        if starts_at.year not in YEARS:
            raise Refused("bad-dates", _("A date is in the years 1900 to 2200."))
        refuse_if_booked(slot, competition, table, starts_at)
    elsewhere = slot.table_id != (table.pk if table else None)
    slot.table, slot.starts_at = table, starts_at
    slot.save(update_fields=["table", "starts_at"])
    Match.objects.filter(pk=slot.match_id).update(table=table, starts_at=starts_at)
    note_change([slot])
    if elsewhere and slot.match and slot.match.called_at:
        note_calls([slot.match.pk], slot.match.called_at)
    dispatch(competition)
    return slot


def _check_move(slot: Slot, competition: Competition, table: Table | None) -> None:
    if table and table.league_id != competition.league_id:
        raise Refused("other-league", _("Only tables of %(league)s can be used."), league=competition.league)
    if slot.berths.count() < 2:
        raise Refused("is-bye", _("A bye is not played, so it has no table."))
    if slot.match and slot.match.state == Match.State.DECIDED:
        raise Refused("match-decided", _("This match is decided; it stays where it was played."))


def refuse_if_booked(slot: Slot, competition: Competition, table: Table | None, at: datetime) -> None:
    """Refuse an hour at which the table or a person of the slot has another match.

    Raises Refused `table-taken`, `entrant-busy`, which name that match, also of a draft.
    """
    others = _at_that_time(slot, competition, at)
    for other in others:
        if table and other.table_id == table.pk:
            raise Refused(
                "table-taken",
                _("Table %(table)s has a match of %(competition)s, %(matchday)s, at that time."),
                table=table,
                competition=other.matchday.stage.competition,
                matchday=other.matchday,
            )
    if one := _busy(slot, others).select_related(*PEOPLE, "slot__matchday__stage__competition").first():
        raise Refused(
            "entrant-busy",
            _("%(entrant)s plays in %(competition)s, %(matchday)s, at that time."),
            entrant=one.entrant,
            competition=one.slot.matchday.stage.competition,
            matchday=one.slot.matchday,
        )


def play_again(competition: Competition, slots: Iterable[Slot]) -> None:
    """Reschedule decided matches that are to be played after all.

    Meanwhile others may have booked their table or people. If the table is booked: another free table, or none. If a
    person plays elsewhere: neither table nor hour, and an organizer sets them. A published round shows the change.
    Requires the caller's transaction and lock.
    """
    for slot in slots:
        if slot.starts_at and _make_way(slot, competition):
            slot.save(update_fields=["table", "starts_at"])
            Match.objects.filter(pk=slot.match_id).update(table=slot.table, starts_at=slot.starts_at)
            note_change([slot])


def play_amended(match: Match, _amendment: Amendment) -> None:
    """Reschedule a match of several games that an amendment made undecided.

    Called by `amendments.services`.
    """
    slots = Slot.objects.filter(match=match.pk).exclude(match__state=Match.State.DECIDED)
    for slot in slots.select_related("matchday__stage__competition", "table"):
        play_again(slot.matchday.stage.competition, [slot])


def _make_way(slot: Slot, competition: Competition) -> bool:
    others = _at_that_time(slot, competition, slot.starts_at)
    if _busy(slot, others).exists():
        slot.table, slot.starts_at = None, None
        return True
    held = {other.table_id for other in others}
    if slot.table_id is None or slot.table_id not in held:
        return False
    slot.table = next((one for one in usable_tables(competition) if one.pk not in held), None)
    return True


def _at_that_time(slot: Slot, competition: Competition, at: datetime) -> list[Slot]:
    """List the league's other undecided matches that overlap this slot's hour.

    Without those that a dispatcher has still to call: their tables and hours are a forecast.
    """
    until = at + timedelta(minutes=competition.minutes)
    near = (
        undecided_slots(competition.league_id)
        .filter(starts_at__lt=until, starts_at__gt=at - timedelta(days=1))
        .exclude(pk=slot.pk)
        .exclude(matchday__stage__competition__dispatches=True, match__called_at=None)
        .select_related("matchday__stage__competition")
    )
    return [one for one in near if one.starts_at + timedelta(minutes=one.matchday.stage.competition.minutes) > at]


def _busy(slot: Slot, others: Sequence[Slot]) -> QuerySet[Berth]:
    """Select berths in the other slots held by people of this slot."""
    known = slot.berths.exclude(entrant=None).select_related("entrant")
    people = [pk for berth in known for pk in people_in(berth.entrant)]
    of_them = Q(entrant__player__in=people) | Q(entrant__partner__in=people)
    return Berth.objects.filter(of_them, slot__in=others)
