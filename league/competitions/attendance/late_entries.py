"""Late entries: registered in a draft, else placed in a bye or an empty seat.

A draft takes registrations until its draw is published.
"""

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Max
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from league.accounts.models import User
from league.accounts.permissions import Act, check_may
from league.competitions.attendance import added_matches
from league.competitions.attendance.free_seats import clashes
from league.competitions.attendance.late_places import FreeBye, Offer, no_place, offers
from league.competitions.attendance.table_absences import sit_down
from league.competitions.draw.bye_filling import fill_bye, schedule_filled
from league.competitions.draw.forfeits import forfeit_match
from league.competitions.draw.founding import add_players
from league.competitions.draw.laying_out import next_date
from league.competitions.draw.preliminary import LowestSeed, add_preliminary
from league.competitions.draw.row_changes import Rows, changes, rows_of
from league.competitions.draw.schedule.bookings import SHOWN, undecided_slots
from league.competitions.draw.schedule.seating import FORGOTTEN, note_change, usable_tables
from league.competitions.entrants import how_many, rounds_to_pair
from league.competitions.formats.registry import PAIRED_BY_ROUND
from league.competitions.locks import locked
from league.competitions.models import Berth, Competition, Matchday, Registration, Slot
from league.competitions.ratings.starting import fix_ratings
from league.competitions.registration.admission import answer_late_entry
from league.competitions.registration.entries import check_entrants
from league.competitions.snapshots import MOST_SLOTS
from league.errors import NotAllowed, Refused
from league.matches.models import Match, Table
from league.players.models import Entrant, people_in
from league.players.services import paste


@dataclass(frozen=True, slots=True)
class WalkIn:
    """A late entry as registered.

    `places`: the places taken, none in a draft (it is drawn again). `over`: forfeited ones, in rounds that are over.
    `rounds`: the number of rounds that a Swiss system
    keeps although the late entry would add a round, else 0.
    """

    registration: Registration
    places: Sequence[FreeBye]
    over: Sequence[FreeBye] = ()
    rounds: int = 0


@transaction.atomic
def walk_in(
    competition: Competition,
    name: str,
    *,
    user: User,
    slot_id: int | None = None,
    now: bool = True,
    forfeit_missed: bool = False,
) -> WalkIn:
    """Register and check in a late entry, given in one line as for pasting.

    After publication it takes the bye `slot_id` of a knock-out (without it the best bye), or the byes of a round robin
    (without byes: matches that are added) or the empty seats of table rounds: that of the running round only with
    `now`. `forfeit_missed`: in a round robin the matches of rounds that are over are forfeited, else not played.
    A waiting sign-up of the newcomer is answered by it.

    Raises NotAllowed; Refused `no-bye`, `bye-taken` if another entrant has that place by now, and the errors of `paste`
    and `register`.
    """
    competition = locked(competition.pk)
    check_may(user, Act.MANAGE_COMPETITIONS, competition.league)
    if competition.published_at is None:
        [row] = add_players(competition, name, user=user)
        answer_late_entry(competition, row.entrant, user=user)
        return WalkIn(_here(row, user), ())
    entrant = _entrant(competition, name, user)
    before = _rows_before(competition)
    offer, places = _chosen(competition, slot_id, entrant, now=now)
    over = offer.over if offer and forfeit_missed else ()
    rounds = _keep_rounds(competition)
    last = competition.registrations.aggregate(last=Max("seed"))["last"] or 0
    row = Registration.objects.create(competition=competition, entrant=entrant, seed=last + 1)
    fix_ratings(competition.registrations.filter(pk=row.pk))
    row.refresh_from_db(fields=["rating"])
    taken = [_take(competition, place, entrant) for place in places]
    schedule_filled(competition, [slot for slots in taken for slot in slots])
    places = [replace(one, slot=slots[0]) if one.lowest else one for one, slots in zip(places, taken, strict=True)]
    missed = _forfeit(competition, over, entrant, user)
    note_change(place.slot for place in (*places, *over))
    answered = answer_late_entry(competition, entrant, user=user)
    if before is not None:
        row.late_changes = changes(before, rows_of(competition.stages.get(number=1)))
        row.late_changes |= {"missed": missed, "answered": answered}
        row.save(update_fields=["late_changes"])
    return WalkIn(_here(row, user), places, over, rounds)


def _forfeit(competition: Competition, over: Sequence[FreeBye], entrant: Entrant, user: User) -> list[int]:
    """Forfeit the matches that the newcomer has missed; return the keys of their records.

    Another official rules those in which `user` plays.
    """
    slots = [place.slot for place in over]
    for place in over:
        _fill(place, entrant)
        place.slot.save(update_fields=["reasons"])
    schedule_filled(competition, slots)
    records: list[int] = []
    for match in Match.objects.filter(slot__in=slots, state=Match.State.SCHEDULED).order_by("slot__matchday__number"):
        with suppress(NotAllowed), transaction.atomic():
            records += forfeit_match(match, entrant.pk, user=user, reason=str(_("Came after this round")))
    return records


def _rows_before(competition: Competition) -> Rows | None:
    """Read the rows that the entry may change; None of a draw that is too large to be kept."""
    stage = competition.stages.get(number=1)
    large = Slot.objects.filter(matchday__stage=stage).count() > MOST_SLOTS
    return None if large else rows_of(stage)


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


def _chosen(
    competition: Competition, slot_id: int | None, entrant: Entrant, *, now: bool
) -> tuple[Offer | None, list[FreeBye]]:
    found = offers(competition)
    if slot_id is not None:
        found = [one for one in found if any(place.key == slot_id for place in one.places)]
        if not found:
            raise Refused("bye-taken", _("This bye was taken meanwhile, or its next match has begun. Look again."))
    places = [place for one in found[:1] for place in one.places if now or not place.running]
    if any(one.at_tables for one in found):  # at a table the others are present at that hour; a bye gets a free hour
        busy = clashes([place.slot for place in places], entrant)
        places = [place for place in places if place.slot.pk not in busy]
    if not places and not any(one.paired_from_now or one.at_bottom for one in found):
        raise no_place(competition)
    return found[0] if found else None, places


def _take(competition: Competition, place: FreeBye, entrant: Entrant) -> list[Slot]:
    """Put the entrant in the place; return the slots whose matches may be scheduled."""
    slot = place.slot
    if place.others:
        sit_down(competition, slot, entrant)
        return []
    if place.lowest:
        return _play_preliminary(competition, place.lowest, entrant)
    if place.added:
        added_matches.store(slot, place.opponent)
    made = []
    if place.filling:
        made = fill_bye(competition, place.filling, entrant)
        slot.reasons = []
    else:
        _fill(place, entrant)
    slot.table, slot.starts_at = _seat(
        competition, slot, [*people_in(entrant), *people_in(place.opponent)], running=place.running
    )
    slot.save(update_fields=["table", "starts_at", "reasons"])
    for one in made:
        _seat_added(competition, one)
    return [slot, *made]


def _seat_added(competition: Competition, slot: Slot) -> None:
    """Give a new slot of a bracket a table and an hour of its round."""
    known = [berth.entrant for berth in slot.berths.select_related("entrant") if berth.entrant]
    people = [pk for who in known for pk in people_in(who)]
    slot.table, slot.starts_at = _seat(competition, slot, people, running=False)
    slot.save(update_fields=["table", "starts_at"])


def _play_preliminary(competition: Competition, lowest: LowestSeed, entrant: Entrant) -> list[Slot]:
    """Play it at the table and hour of the match that waits for its winner; that one, and what follows, is later."""
    slot, *more = add_preliminary(competition, lowest, entrant)
    slot.table, slot.starts_at = lowest.slot.table, lowest.slot.starts_at
    slot.save(update_fields=["table", "starts_at"])
    _move_later(competition, slot)
    for one in more:
        _seat_added(competition, one)
        _move_later(competition, one)
    return [slot, *more]


def _move_later(competition: Competition, slot: Slot) -> None:
    """Move the matches that follow from a slot behind it, and those that follow from these."""
    moved = [slot]
    while moved:
        before = moved.pop(0)
        if before.starts_at is None:
            continue
        hour = before.starts_at + timedelta(minutes=competition.minutes)
        early = Slot.objects.filter(berths__from_slot=before, starts_at__lt=hour).select_related("matchday", "table")
        for after in early.distinct().order_by("matchday__number", "number"):
            after.table, after.starts_at = _free_at(competition, after, (), [hour])
            after.save(update_fields=["table", "starts_at"])
            note_change([after])
            moved.append(after)


def _fill(place: FreeBye, entrant: Entrant) -> None:
    place.slot.berths.update(number=3 - place.number)
    Berth.objects.create(slot=place.slot, number=place.number, entrant=entrant)
    place.slot.reasons = []  # they explained the bye


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
    return _free_at(competition, slot, people, wanted, now=now if running else None)


def _free_at(
    competition: Competition,
    slot: Slot,
    people: Sequence[int],
    wanted: Sequence[datetime],
    *,
    now: datetime | None = None,
) -> tuple[Table | None, datetime]:
    """Find the first of these hours with a free table; the last hour without one. `now`: of a running round."""
    tables = usable_tables(competition)
    length = timedelta(minutes=competition.minutes)
    taken = list(_around(competition, slot, wanted[0], wanted[-1] + length))
    for at in wanted:
        busy = [one for one in taken if _is_in_the_way(one, slot, at, length, running=at == now)]
        known = [berth.entrant for one in busy for berth in one.berths.all() if berth.entrant]
        if any(pk in people for entrant in known for pk in people_in(entrant)):
            continue
        held = {one.table_id for one in busy}
        free = next((table for table in tables if table.pk not in held), None)
        if free or not tables:
            return free, at
    return None, wanted[-1]


def _hours_after(competition: Competition, day: Matchday) -> list[datetime]:
    """Give the hour of a new round: the next date of a season, else after the round before it."""
    if (date := next_date(competition, day)) is not None:
        return [date]
    before = Slot.objects.filter(matchday__stage=day.stage_id, matchday__number__lt=day.number, starts_at__isnull=False)
    last = before.aggregate(last=Max("starts_at"))["last"]
    return [last + timedelta(minutes=competition.minutes) if last else competition.starts_at]


def _around(competition: Competition, slot: Slot, first: datetime, last: datetime) -> Iterable[Slot]:
    slots = undecided_slots(competition.league_id).filter(SHOWN).exclude(pk=slot.pk)
    slots = slots.filter(starts_at__gt=first - FORGOTTEN, starts_at__lt=last)
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
