"""Check-in and fees at the desk, public page of a round, no-shows, withdrawals."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.contrib.auth.models import AnonymousUser
from django.db.models import Exists, OuterRef, QuerySet

from league.accounts.models import User
from league.accounts.permissions import Asker
from league.competitions.attendance.withdrawals import drawn_without, forfeits_of, next_stage_begun, not_yours, way_back
from league.competitions.draw.forfeits import left_sides
from league.competitions.draw.schedule.seating import natural
from league.competitions.draw_view import BerthView, MatchdayView, SlotView, matchday_views
from league.competitions.entrant_names import Placed, placed
from league.competitions.entrants import standing_withdrawals
from league.competitions.models import Berth, Competition, Matchday, Payment, Registration, Slot, Withdrawal
from league.competitions.registration import fees
from league.competitions.visibility import refuse_if_cancelled
from league.matches.models import Match
from league.matches.permissions import sides_of
from league.matches.results.entering import UNDO
from league.matches.results.standing import was_pressed
from league.players.models import PEOPLE, Entrant, plays_for, together
from league.players.naming import by_surname, fold

OUTSIDER = AnonymousUser()


# --- Check-in ---


@dataclass(frozen=True, slots=True)
class CheckInRow:
    """An entrant at the desk, by full name, so that staff can identify the person.

    Amounts in hundredths. `byes`: numbers of the rounds with a requested bye.
    """

    entrant_id: int
    name: str
    apart: str
    code: str
    since: datetime | None
    by: str
    owed: int
    paid: int
    free: str
    last_payment: Payment | None
    withdrawn: bool
    byes: Sequence[int] = ()

    @property
    def here(self) -> bool:
        return self.since is not None


@dataclass(frozen=True, slots=True)
class CheckInPage:
    """The page of the check-in.

    `rows`: the rows asked for, by surname; `here`, `total`: of all entrants. `bye_rounds`: rounds for which a bye can
    be requested.
    """

    competition: Competition
    rows: list[CheckInRow]
    here: int
    total: int
    bye_rounds: range = range(0)

    @property
    def absent(self) -> int:
        return self.total - self.here


def check_in_page(competition: Competition, wanted: str = "") -> CheckInPage:
    """Return the page of the check-in. Ask only for desk staff. Three statements."""
    rows = competition.registrations.select_related(*PEOPLE, "checked_in_by")
    by_entrant: dict[int, list[Payment]] = {}
    for one in competition.payments.filter(returned_at=None).select_related("taken_by"):
        by_entrant.setdefault(one.entrant_id, []).append(one)
    gone = withdrawn(competition)
    everybody = [_check_in_row(row, competition, by_entrant.get(row.entrant_id, []), gone) for row in rows]
    part = fold(wanted)
    shown = [one for one in everybody if part in fold(one.name) or wanted.upper() in (one.code, *one.code.split("-"))]
    return CheckInPage(
        competition=competition,
        rows=sorted(shown, key=lambda one: (by_surname(one.name), one.code)),
        here=sum(one.here for one in everybody),
        total=len(everybody),
    )


def _check_in_row(
    row: Registration, competition: Competition, payments: Sequence[Payment], gone: frozenset[int]
) -> CheckInRow:
    already = sum(one.amount for one in payments)
    return CheckInRow(
        entrant_id=row.entrant_id,
        name=row.entrant.full_name,
        apart=row.entrant.apart,
        code=row.entrant.code,
        since=row.checked_in_at,
        by=str(row.checked_in_by) if row.checked_in_by else "",
        owed=fees.owed_by(row, competition, already),
        paid=already,
        free=row.free_reason,
        last_payment=payments[-1] if payments else None,
        withdrawn=row.entrant_id in gone,
        byes=row.bye_rounds,
    )


def withdrawn(competition: Competition) -> frozenset[int]:
    """Withdrawn entrants. One statement."""
    return frozenset(standing_withdrawals(competition).values_list("entrant", flat=True))


# --- A round ---


@dataclass(frozen=True, slots=True)
class Awaited:
    """A side that is not at its table.

    `since`: start of the countdown; `until`: when the side forfeits.
    """

    name: str
    since: datetime
    until: datetime


@dataclass(frozen=True, slots=True)
class NameLine:
    """Line of an entrant in the list of names.

    Each name once; a pair has a line for either partner. `opponent` is empty for a bye and while the opponent is not
    known; at a table of more than two it names all the others.
    """

    name: str
    apart: str
    code: str
    opponent: str
    bye: bool
    slot: SlotView


@dataclass(frozen=True, slots=True)
class RoundPage:
    """The public page of a round, the same for every asker.

    `day` has no names while unpublished; `here`: number of entrants checked in.
    """

    competition: Competition
    day: MatchdayView
    rounds: list[tuple[int, str, bool]]
    here: int
    entrants: int

    @property
    def draw_before(self) -> datetime | None:
        """The planned start of play, public while no round is published."""
        return None if any(published for _number, _name, published in self.rounds) else self.competition.starts_at

    @property
    def names(self) -> list[NameLine]:
        """Every name once, by surname."""
        return [] if self.day.hidden else by_name(self.day.slots)

    @property
    def tables(self) -> list[SlotView]:
        """Matches by hour and table in natural order; those without hour or table last."""
        played = [slot for slot in self.day.slots if not slot.bye]
        return sorted(played, key=_by_table)

    @property
    def before(self) -> tuple[int, str, bool] | None:
        return next((one for one in self.rounds if one[0] == self.day.number - 1), None)

    @property
    def after(self) -> tuple[int, str, bool] | None:
        return next((one for one in self.rounds if one[0] == self.day.number + 1), None)

    @property
    def left(self) -> frozenset[int]:
        """Entrants who have withdrawn. One statement."""
        return withdrawn(self.competition)

    def awaited(self, slot: SlotView) -> list[Awaited]:
        return awaited_of(slot, self.competition)


def _by_table(slot: SlotView) -> tuple[bool, str, bool, list[tuple[int, str]]]:
    at = slot.starts_at
    return at is None, at.isoformat() if at else "", not slot.table, natural(slot.table)


def awaited_of(slot: SlotView, competition: Competition) -> list[Awaited]:
    patience = timedelta(minutes=competition.forfeit_after_min)
    if slot.match is None or slot.match.state != Match.State.SCHEDULED:
        return []
    return [
        Awaited(berth.entrant.name, berth.awaited_since, berth.awaited_since + patience)
        for berth in slot.berths
        if berth.entrant and berth.awaited_since
    ]


def published_competitions() -> QuerySet[Competition]:
    return Competition.objects.filter(published_at__isnull=False).select_related("league")


def round_page(league_slug: str, slug: str, number: int) -> RoundPage:
    """Return the page of a round of a published competition.

    Without facts that the neighbours of a minor must not learn. A constant number of statements. Raises
    Competition.DoesNotExist, Matchday.DoesNotExist.
    """
    competition = refuse_if_cancelled(published_competitions().get(league__slug=league_slug, slug=slug))
    days = list(Matchday.objects.filter(stage__competition=competition).order_by("number"))
    day = next((one for one in days if one.number == number), None)
    if day is None:
        raise Matchday.DoesNotExist
    entrants = placed(competition)
    [view] = matchday_views(competition, entrants, OUTSIDER, everything=False, only=[day])
    return RoundPage(
        competition=competition,
        day=view,
        rounds=[(one.number, str(one), one.published_at is not None) for one in days],
        here=competition.registrations.filter(checked_in_at__isnull=False).count(),
        entrants=len(entrants),
    )


def by_name(slots: Iterable[SlotView]) -> list[NameLine]:
    lines = [line for slot in slots for berth in slot.berths if berth.entrant for line in _name_lines(slot, berth)]
    return sorted(lines, key=lambda one: (by_surname(one.name), one.code))


def _name_lines(slot: SlotView, berth: BerthView) -> Iterable[NameLine]:
    one: Placed = berth.entrant
    others = ", ".join(it.entrant.name for it in slot.berths if it is not berth and it.entrant and not it.absent)
    for first in one.people:
        rest = [person for person in one.people if person != first]
        name = together(person.name for person in (first, *rest))
        yield NameLine(name, one.apart, first.code, others, slot.bye, slot)


def own_slots(page: RoundPage, user: Asker) -> dict[int, int]:
    """The asker's slots of the round, with the asker's entrant in each.

    One statement if signed in.
    """
    if not user.is_authenticated or page.day.hidden:
        return {}
    own = Entrant.objects.filter(plays_for(user), league=page.competition.league)
    mine = set(own.values_list("pk", flat=True))
    return {slot.id: one for slot in page.day.slots for one in slot.entrant_ids if one in mine}


# --- No-shows and withdrawals ---


@dataclass(frozen=True, slots=True)
class LateSide:
    """A side of a match at the desk, by full name.

    `until` is None without a countdown; `over`: the time is up. `absent`: the others play without it, at a table of
    more than two.
    """

    entrant_id: int
    name: str
    since: datetime | None
    until: datetime | None
    over: bool
    absent: bool = False


def late_sides(slot: Slot, competition: Competition, now: datetime) -> list[LateSide]:
    patience = timedelta(minutes=competition.forfeit_after_min)
    berths = slot.berths.exclude(entrant=None).select_related(*PEOPLE).order_by("number")
    return [late_side(berth, patience, now) for berth in berths]


def late_side(berth: Berth, patience: timedelta, now: datetime) -> LateSide:
    since = berth.awaited_since
    until = since + patience if since else None
    name, absent = berth.entrant.full_name, berth.absent_since is not None
    return LateSide(berth.entrant_id, name, since, until, bool(until and now >= until), absent)


@dataclass(frozen=True, slots=True)
class Gone:
    """A withdrawal.

    `undoable`: it can be taken back; no forfeit of its first ten minutes is confirmed. `stays`: why it can't any more,
    or not by the asker. `has_ruled`: the asker may take it back without being an organizer, having ruled a forfeit.
    `unruled`: matches that wait for a ruling; `others`: further ones, in which the asker plays and is an official.
    """

    withdrawal: Withdrawal
    name: str
    undoable: bool
    unruled: Sequence[int]
    others: Sequence[int]
    stays: str = ""
    has_ruled: bool = False


def gone(competition: Competition, now: datetime, user: User, *, official: bool) -> list[Gone]:
    """List the withdrawals. Ask only for the staff. Eight statements at most."""
    rows = list(standing_withdrawals(competition).select_related(*PEOPLE, "made_by"))
    if not rows:
        return []
    left = left_sides().filter(match__slot__matchday__stage__competition=competition)
    left = left.annotate(own=Exists(sides_of(user).filter(match=OuterRef("match"))))
    unruled: dict[tuple[int, bool], list[int]] = {}
    for entrant, match, own in left.order_by("match__slot__matchday__number", "match").values_list(
        "entrant", "match", "own"
    ):
        unruled.setdefault((entrant, own and official), []).append(match)
    recent = [row for row in rows if now - row.made_at <= UNDO]
    forfeits = list(forfeits_of(recent, user).select_related("submitted_by", "result").order_by("pk"))
    confirmed = {one.pk for one in forfeits if was_pressed(one.result)}
    back = way_back(competition) if len(recent) < len(rows) else None
    refusals = {row.pk: back.reason_against(row) for row in rows if back and row not in recent}
    without = drawn_without(recent)
    for row in recent:
        ruled = next((one for one in forfeits if one.own and one.pk in row.forfeits), None)
        refusals[row.pk] = next_stage_begun(row) if row.pk in without else not_yours(ruled) if ruled else None
    mine = {one.pk for one in forfeits if official and one.submitted_by_id == user.pk}
    return [
        Gone(
            row,
            row.entrant.full_name,
            not (refusals.get(row.pk) or (row in recent and confirmed.intersection(row.forfeits))),
            unruled.get((row.entrant_id, False), []),
            unruled.get((row.entrant_id, True), []),
            str(refusals.get(row.pk) or ""),
            row in recent and not mine.isdisjoint(row.forfeits),
        )
        for row in rows
    ]
