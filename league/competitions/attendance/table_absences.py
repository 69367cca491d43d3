"""Absences at tables of more than two: the others play on.

An absent entrant takes the last place there, without points; an entrant with no opponent left has a bye.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime

from django.db.models import Max, QuerySet
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from league.competitions.draw.finishing import finish
from league.competitions.draw.former_cards import keep_cards
from league.competitions.draw.laying_out import schedule_known
from league.competitions.draw.schedule.seating import note_change
from league.competitions.formats.registry import TABLE_FORMATS
from league.competitions.locks import has_begun
from league.competitions.models import Berth, Competition, Slot, Stage
from league.errors import Refused
from league.matches.amendments import set_aside, take_up_again
from league.matches.locks import locked_match
from league.matches.models import Match, Record, Side
from league.players.models import Entrant


def at_tables(competition: Competition, entrant: Entrant) -> QuerySet[Berth]:
    """Berths of the entrant at tables of more than two, by round."""
    stages = Stage.objects.filter(competition=competition, format__in=TABLE_FORMATS)
    rows = Berth.objects.filter(slot__matchday__stage__in=stages, slot__berths__number=2, entrant=entrant)
    return rows.select_related("slot__matchday__stage").order_by("slot__matchday__number", "slot__number")


def leave_tables(competition: Competition, entrant: Entrant, *, at: datetime) -> int:
    """Leave every table at which nothing has begun, published or not; return how many.

    Needs the caller's transaction and lock.
    """
    found = at_tables(competition, entrant).filter(absent_since=None)
    return _move(competition, [one for one in found if not _begun(one.slot)], at)


def come_back(competition: Competition, entrant: Entrant, *, since: datetime) -> int:
    """Return to the tables that were left at `since` and have not begun; return how many.

    Raises Refused `next-begun` if every table plays without the entrant, and `seat-taken`.
    """
    left = list(at_tables(competition, entrant).filter(absent_since=since))
    found = [one for one in left if not _begun(one.slot)] or left
    for one in found:
        refuse_if_begun(one.slot)
        _refuse_if_full(one.slot)
    return _move(competition, found, None)


def leave_table(competition: Competition, berth: Berth, *, at: datetime | None) -> None:
    """Leave one table, or return to it if `at` is None.

    Raises Refused `next-begun`, `seat-taken`.
    """
    refuse_if_begun(berth.slot)
    if at is None:
        _refuse_if_full(berth.slot)
    _move(competition, [berth], at)


def _refuse_if_full(slot: Slot) -> None:
    """Raise Refused `seat-taken` if a late entry has the seat."""
    stage = slot.matchday.stage
    if slot.berths.filter(absent_since=None).count() >= stage.seats:
        raise Refused(
            "seat-taken",
            _("A late entry sits there now in %(matchday)s, and the table is full."),
            matchday=slot.matchday,
        )


def sit_down(competition: Competition, slot: Slot, entrant: Entrant) -> None:
    """Seat a late entry in the last seat. Raises Refused `next-begun`."""
    refuse_if_begun(slot)
    last = slot.berths.aggregate(last=Max("number"))["last"] or 0
    Berth.objects.create(slot=slot, number=last + 1, entrant=entrant)
    _seat(competition, slot)


def get_up(competition: Competition, berth: Berth) -> None:
    """Free the seat of a late entry again. Raises Refused `next-begun`."""
    refuse_if_begun(berth.slot)
    berth.delete()
    _seat(competition, berth.slot)
    note_change([berth.slot])
    _finish_or_not(berth.slot.matchday.stage)


def refuse_if_begun(slot: Slot) -> None:
    """Raise Refused `next-begun`."""
    if _begun(slot):
        raise Refused(
            "next-begun",
            _("A table of %(matchday)s has already begun. Enter its result, with 0 points for the absent player."),
            matchday=slot.matchday,
        )


def _begun(slot: Slot) -> bool:
    match_id: int | None = Slot.objects.values_list("match", flat=True).get(pk=slot.pk)
    if match_id is None:
        return False
    match = locked_match(match_id)
    return match.state != Match.State.SCHEDULED or has_begun(match)


def _move(competition: Competition, berths: Iterable[Berth], absent_since: datetime | None) -> int:
    slots = []
    for berth in berths:
        Berth.objects.filter(pk=berth.pk).update(absent_since=absent_since, awaited_since=None)
        _seat(competition, berth.slot)
        slots.append(berth.slot)
    note_change(slots)
    for stage in {slot.matchday.stage for slot in slots}:
        _finish_or_not(stage)
    return len(slots)


def _seat(competition: Competition, slot: Slot) -> None:
    """Give the table a match of the present entrants: its own, that of the same entrants before, or a new one.

    A lone entrant has none. A match with entries, all of them taken back, keeps its sides, so it is set aside.
    """
    slot.refresh_from_db(fields=["match", "not_needed", "table", "starts_at"])
    there = [one.entrant for one in slot.berths.filter(absent_since=None).select_related("entrant").order_by("number")]
    slot.not_needed = len(there) < 2
    slot.save(update_fields=["not_needed"])
    before = None if slot.not_needed else _seated_before(competition, slot, there)
    if slot.match is not None:
        if before is None and not slot.not_needed and not Record.objects.filter(game__match=slot.match).exists():
            _sit(slot.match, there)
            return
        _clear(competition, slot, slot.match)
    if before is not None:
        take_up_again(locked_match(before.pk), slot.table, slot.starts_at, published_at=slot.matchday.published_at)
        Slot.objects.filter(pk=slot.pk).update(match=before)
    elif not slot.not_needed:
        schedule_known(competition, [slot])


def _clear(competition: Competition, slot: Slot, match: Match) -> None:
    """Set the match aside. Its printed codes stay valid, also for those who return to an empty table."""
    keep_cards(competition, [slot])
    Slot.objects.filter(pk=slot.pk).update(match=None)
    set_aside(Match.objects.filter(pk=match.pk), timezone.now())
    slot.match = None


def _seated_before(competition: Competition, slot: Slot, there: Sequence[Entrant]) -> Match | None:
    """Return the match of this table that was set aside when one of these entrants left or another came."""
    cards = competition.former_cards.filter(round=slot.matchday.place, slot=slot.number)
    aside = Match.objects.filter(set_aside_at__isnull=False, slot=None, pk__in=cards.values("match"))
    for entrant in there:
        aside = aside.filter(sides__entrant=entrant)
    found = aside.order_by("-set_aside_at", "-pk")
    return next((match for match in found if match.sides.count() == len(there)), None)


def _sit(match: Match, there: Iterable[Entrant]) -> None:
    devices = dict(match.sides.values_list("entrant", "device"))
    match.sides.all().delete()
    Side.objects.bulk_create(
        Side(match=match, number=number, entrant=entrant, device=devices.get(entrant.pk, ""))
        for number, entrant in enumerate(there, start=1)
    )


def _finish_or_not(stage: Stage) -> None:
    """Update the end of a stage: a table fewer may finish it, a table more reopens it."""
    stage.refresh_from_db()
    if not finish(stage) and stage.finished_at is not None:
        open_ones = Slot.objects.filter(matchday__stage=stage, not_needed=False).exclude(match=None)
        if open_ones.exclude(match__state=Match.State.DECIDED).exists():
            Stage.objects.filter(pk=stage.pk).update(finished_at=None)
