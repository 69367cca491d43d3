"""Dates of a season: when each round of its divisions begins.

Wall time counts: seven in the evening stays seven when the clocks change.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta, tzinfo
from itertools import pairwise
from zoneinfo import ZoneInfo

from django.db import transaction
from django.db.models import QuerySet
from django.utils.formats import date_format
from django.utils.timezone import is_aware
from django.utils.translation import gettext_lazy as _

from league.accounts.models import User
from league.accounts.permissions import Act, check_may
from league.competitions.draw.schedule.bookings import undecided_slots
from league.competitions.draw.schedule.seating import note_change
from league.competitions.formats.registry import PAIRED_BY_ROUND
from league.competitions.locks import begun, locked, locked_season, refuse_if_closed
from league.competitions.models import YEARS, Berth, Competition, Season, SeasonDate, Slot, Stage
from league.errors import Refused
from league.matches.models import Match
from league.players.models import PEOPLE, people_in

MOST_DATES = 128
LONGEST_PAUSE = 366
MOST_NAMED = 5
OPEN = (Match.State.SCHEDULED, Match.State.PLAYING)


@dataclass(frozen=True, slots=True, kw_only=True)
class RegularDates:
    """Dates at a fixed interval.

    `count` dates, `every` so many days from `first` on, at `hour` of the league. A holiday is skipped: its round and
    all later rounds move to the next free dates.
    """

    first: date
    hour: time
    every: int
    count: int
    holidays: Collection[date] = field(default_factory=tuple)

    def in_zone(self, zone: tzinfo) -> list[datetime]:
        """List the dates, aware and in order. Raises Refused `bad-dates`."""
        refuse_if_far(self.first)
        if not 1 <= self.every <= LONGEST_PAUSE:
            raise Refused("bad-dates", _("There are 1 to %(most)d days between rounds."), most=LONGEST_PAUSE)
        if not 0 <= self.count <= MOST_DATES:
            raise Refused("bad-dates", _("A season has at most %(most)d rounds."), most=MOST_DATES)
        return [datetime.combine(day, self.hour, zone) for day in self._days()]

    def _days(self) -> Iterator[date]:
        day, found = self.first, 0
        while found < self.count:
            if day not in self.holidays:
                found += 1
                yield day
            day += timedelta(days=self.every)


def refuse_if_far(day: date) -> None:
    """Raise Refused `bad-dates` at the ends of the calendar, where sums of dates fail."""
    if day.year not in YEARS:
        raise Refused("bad-dates", _("A date is in the years 1900 to 2200."))


def checked_dates(dates: Sequence[datetime]) -> list[datetime]:
    """Return the dates as a list.

    Raises Refused `bad-dates`, which names the wrong date.
    """
    for at in dates:
        refuse_if_far(at)
    if len(dates) > MOST_DATES:
        raise Refused("bad-dates", _("A season has at most %(most)d rounds."), most=MOST_DATES)
    if not all(map(is_aware, dates)):
        raise Refused("bad-dates", _("A date needs a time zone."))
    for number, (before, after) in enumerate(pairwise(dates), start=2):
        if after <= before:
            raise Refused(
                "bad-dates",
                _("Round %(number)d (%(day)s) is not after the one before it."),
                number=number,
                day=day_text(after),
            )
    return list(dates)


def day_text(at: datetime) -> str:
    return date_format(at, "j F Y, H:i")


@transaction.atomic
def write_dates(season: Season, dates: Sequence[datetime]) -> None:
    """Replace the dates of a season. Needs the caller's lock."""
    checked = checked_dates(dates)
    season.dates.all().delete()
    SeasonDate.objects.bulk_create(
        SeasonDate(season=season, number=number, starts_at=at) for number, at in enumerate(checked, start=1)
    )
    first = checked[0] if checked else None
    Competition.objects.filter(division__season=season).update(starts_at=first)


# --- Moving a matchday ---


@transaction.atomic
def move_matchday(season: Season, number: int, starts_at: datetime, *, user: User) -> int:
    """Move one round of all divisions to another date; return how many matches moved.

    Its matches that have not begun move by the same wall time as the date, and keep their tables. Raises NotAllowed,
    and Refused `season-closed`, `no-such-date`, `bad-dates`, `out-of-turn` (a Swiss system has its rounds one after the
    other), `match-begun` if every match of it has begun, `table-taken`, `entrant-busy`, which name the obstacle.
    """
    season = locked_season(season.pk)
    check_may(user, Act.MANAGE_COMPETITIONS, season.league)
    refuse_if_closed(season)
    refuse_if_far(starts_at)
    if not is_aware(starts_at):
        raise Refused("bad-dates", _("A date needs a time zone."))
    row = season.dates.filter(number=number).first()
    if row is None:
        raise Refused("no-such-date", _("This season has no round %(number)d."), number=number)
    _refuse_if_out_of_turn(season, number, starts_at)
    competitions = [locked(one) for one in _competitions(season)]
    slots = _movable(competitions, number)
    if not slots and _of_round(competitions, number).filter(match__isnull=False).exists():
        raise Refused(
            "match-begun", _("Every match of round %(number)d has begun: there is nothing to move."), number=number
        )
    _shift(slots, row.starts_at, starts_at, ZoneInfo(season.league.time_zone))
    _refuse_if_booked(season, slots)
    _store(slots)
    row.starts_at = starts_at
    row.save(update_fields=["starts_at"])
    if number == 1:
        Competition.objects.filter(division__season=season).update(starts_at=starts_at)
    return len(slots)


def _competitions(season: Season) -> list[int]:
    return list(season.divisions.order_by("competition").values_list("competition", flat=True))


def _refuse_if_out_of_turn(season: Season, number: int, starts_at: datetime) -> None:
    """Keep the order of rounds in seasons with a Swiss system.

    There each round is paired from the rounds before it.
    """
    if not Stage.objects.filter(competition__division__season=season, format__in=PAIRED_BY_ROUND).exists():
        return
    before = season.dates.filter(number=number - 1, starts_at__gte=starts_at).first()
    after = season.dates.filter(number=number + 1, starts_at__lte=starts_at).first()
    if other := before or after:
        raise Refused(
            "out-of-turn",
            _("Round %(number)d is on %(day)s. In a Swiss system the rounds keep their order."),
            number=other.number,
            day=day_text(other.starts_at),
        )


def _of_round(competitions: Sequence[Competition], number: int) -> QuerySet[Slot]:
    return Slot.objects.filter(
        matchday__stage__competition__in=competitions, matchday__number=number, starts_at__isnull=False
    )


def _movable(competitions: Sequence[Competition], number: int) -> list[Slot]:
    """Slots of the round that have not begun; a begun match keeps its hour."""
    rows = _of_round(competitions, number).select_related("match", "matchday__stage__competition", "table")
    slots = list(rows.order_by("matchday__stage__competition__division__level", "number"))
    at_the_table = begun(slot.match_id for slot in slots if slot.match_id)
    return [one for one in slots if one.match is None or (one.match.state in OPEN and one.match_id not in at_the_table)]


def _shift(slots: Iterable[Slot], before: datetime, after: datetime, zone: tzinfo) -> None:
    by = after.astimezone(zone).replace(tzinfo=None) - before.astimezone(zone).replace(tzinfo=None)
    for slot in slots:
        wall = slot.starts_at.astimezone(zone).replace(tzinfo=None) + by
        slot.starts_at = wall.replace(tzinfo=zone)


def _refuse_if_booked(season: Season, slots: Sequence[Slot]) -> None:
    """Refuse clashes with undecided matches of the league that do not move along."""
    if not slots:
        return
    busy = list(_near(season, slots))
    who = _entrants([*slots, *busy])
    for slot in slots:
        for other in (one for one in busy if _overlap(slot, one)):
            if slot.table_id and slot.table_id == other.table_id:
                raise Refused("table-taken", _TABLE, **_facts(slot, other), table=slot.table)
            if both := who.get(slot.pk, {}).keys() & who.get(other.pk, {}).keys():
                entrant = who[slot.pk][min(both)]
                raise Refused("entrant-busy", _BUSY, **_facts(slot, other), entrant=entrant)


_TABLE = _("Table %(table)s has a match of %(competition)s, %(matchday)s, at %(at)s. Nothing was moved.")
_BUSY = _("%(entrant)s plays in %(competition)s, %(matchday)s, at %(at)s. Nothing was moved.")


def _facts(slot: Slot, other: Slot) -> dict[str, object]:
    return {
        "competition": other.matchday.stage.competition,
        "matchday": other.matchday,
        "at": day_text(other.starts_at.astimezone(slot.starts_at.tzinfo)),
    }


def _near(season: Season, slots: Sequence[Slot]) -> QuerySet[Slot]:
    first, last = min(one.starts_at for one in slots), max(one.starts_at for one in slots)
    near = undecided_slots(season.league_id).exclude(pk__in=[one.pk for one in slots])
    near = near.filter(starts_at__gt=first - timedelta(days=1), starts_at__lt=last + timedelta(days=1))
    return near.select_related("matchday__stage__competition").order_by("starts_at", "pk")


def _entrants(slots: Sequence[Slot]) -> dict[int, dict[int, object]]:
    """Entrants of each slot, by player.

    By player, because nobody plays twice at once under two entries either.
    """
    found: dict[int, dict[int, object]] = {}
    berths = Berth.objects.filter(slot__in=slots, entrant__isnull=False).select_related(*PEOPLE)
    for berth in berths:
        for player in people_in(berth.entrant):
            found.setdefault(berth.slot_id, {})[player] = berth.entrant
    return found


def _overlap(one: Slot, other: Slot) -> bool:
    return one.starts_at < _over(other) and other.starts_at < _over(one)


def _over(slot: Slot) -> datetime:
    return slot.starts_at + timedelta(minutes=slot.matchday.stage.competition.minutes)


def _store(slots: Sequence[Slot]) -> None:
    Slot.objects.bulk_update(slots, ["starts_at"], batch_size=500)
    matches = [slot.match for slot in slots if slot.match]
    for slot in slots:
        if slot.match:
            slot.match.starts_at = slot.starts_at
    Match.objects.bulk_update(matches, ["starts_at"], batch_size=500)
    note_change(slots)
