"""Clocks of a hall: tables of the current rounds, readiness to start, time.

Constant statement counts.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.db.models import Count, Exists, Min, OuterRef, Q, QuerySet

from league.accounts.models import League
from league.accounts.permissions import Asker
from league.competitions.countdown import counts_down
from league.competitions.entrants import slots_of_withdrawn
from league.competitions.locks import CALLED
from league.competitions.models import Competition, Matchday, Slot
from league.competitions.queries.hall_tables import OPEN, RANK, TONIGHT, HallTable, hall_slots, tables_at
from league.competitions.visibility import visible_competitions
from league.matches.clock.queries import ClockView
from league.matches.clock.state import REGRET_MS, ClockReading, ClockState, since_epoch
from league.matches.clock_acts import ClockAct
from league.matches.models import Amendment, Match
from league.prepared_statements import FixedSelect, Given, GivenUser


@dataclass(frozen=True, slots=True, kw_only=True)
class HallRound:
    """A published round with matches to play.

    `waiting`: number of matches with known entrants that have not begun, and `next_at` the hour of the earliest of
    them; `first_at`: the hour of the earliest match that is not over. `may_change`: an amendment that waits questions
    its pairings.
    """

    matchday: Matchday
    waiting: int
    first_at: datetime | None
    next_at: datetime | None
    may_change: bool = False

    @property
    def competition(self) -> Competition:
        return self.matchday.stage.competition


@dataclass(frozen=True, slots=True, kw_only=True)
class Hall:
    """The clocks of a hall.

    `rounds`: the current rounds of the hall, one a competition; `others`: other published rounds. `tables`: those of
    `rounds`, and tables where a match of another round is called or being played. `now`: the time at which all
    clocks are read.
    """

    rounds: list[HallRound]
    others: list[HallRound]
    tables: list[HallTable]
    now: datetime

    @property
    def ready(self) -> list[HallTable]:
        return [one for one in self.tables if one.why_not is None]

    @property
    def main(self) -> ClockView | None:
        """The clock that most tables show; of equals a running clock.

        A clock that has rung counts until another clock starts after it.
        """
        on = [one.clock for one in self.tables if one.on_the_clock]
        newest = max((one.reading.started_at for one in on), default=None)
        heard = [one for one in on if not (one.reading.rung_at and one.reading.rung_at < newest)] or on
        alike = Counter(shown_by(one.reading) for one in heard)
        most = max(alike, key=lambda shown: (alike[shown], -RANK[shown[0]], shown[1]), default=None)
        return next((one for one in heard if shown_by(one.reading) == most), None)

    @property
    def with_main(self) -> list[HallTable]:
        """The tables that show the same as the main clock."""
        return [one for one in self.tables if one.on_the_clock and one not in self.different]

    @property
    def rounds_with_main(self) -> list[Matchday]:
        """The rounds that the main clock counts for."""
        return _rounds_of(self.with_main)

    @property
    def rounds_at_tables(self) -> list[Matchday]:
        """`rounds`, and other rounds with a match being played."""
        return _rounds_of(self.tables)

    @property
    def different(self) -> list[HallTable]:
        """Tables on the clock that show something else."""
        main = self.main
        if main is None:
            return []
        shown = shown_by(main.reading)
        return [one for one in self.tables if one.on_the_clock and shown_by(one.clock.reading) != shown]

    @property
    def calls(self) -> list[HallTable]:
        """Matches called to their tables whose players are still awaited there, the latest call first."""
        called = [
            one for one in self.tables if one.match and counts_down(one.match, one.round.stage.competition, self.now)
        ]
        return sorted(called, key=lambda one: one.match.called_at, reverse=True)

    @property
    def next_rounds(self) -> list[HallRound]:
        """The rounds with ready matches, the first of each stage and bracket.

        The plan counts only between evenings: a match moved to another day does not hide the round of this evening.
        """
        found: dict[tuple[int, str], HallRound] = {}
        for one in (*self.rounds, *self.others):
            if one.waiting:
                part = one.matchday.stage_id, one.matchday.section
                found[part] = min(found.get(part, one), one, key=self._turn)
        return list(found.values())

    def _turn(self, one: HallRound) -> tuple[bool, int]:
        return not _of_evening(one.next_at, self.now), one.matchday.number


def _rounds_of(tables: Iterable[HallTable]) -> list[Matchday]:
    days = {one.round.pk: one.round for one in tables}
    return sorted(days.values(), key=lambda day: (day.stage.competition.name, day.stage_id, day.number))


def shown_by(reading: ClockReading) -> tuple[ClockState, float]:
    """Key of equal clocks: same instant of ringing, or same remaining time."""
    if reading.state is ClockState.RUNNING and reading.rings_at:
        return reading.state, reading.rings_at.timestamp()
    if reading.state is ClockState.RUNG and reading.rung_at:
        return reading.state, reading.rung_at.timestamp()
    return reading.state, float(reading.remaining_ms)


def hall(user: Asker, league: League, now: datetime, *, slug: str | None = None, number: int | None = None) -> Hall:
    """Return the hall. Raises Competition.DoesNotExist if the asker may not see it.

    Without `slug` every competition of the league with a round of this evening; `number` chooses a round of the named
    competition. Six statements at most.
    """
    scope = visible_competitions(user).filter(league=league)
    if slug:
        scope = scope.filter(slug=slug)
        scope.get()  # raises if absent, or a draft hidden from the asker
        rounds = _rounds(list(_open_rounds(scope)))
    elif user.is_authenticated:
        rounds = _rounds(ROUNDS_FOR_USER.models(league=league.pk, user=user.pk or 0))
    else:
        rounds = _rounds(ROUNDS.models(league=league.pk))
    chosen = _chosen(rounds, now, slug, number)
    keys = [one.matchday.pk for one in chosen]
    tables = tables_at(list(hall_slots(scope, keys, now)), keys, now)
    return Hall(rounds=chosen, others=[one for one in rounds if one not in chosen], tables=tables, now=now)


def _rounds(rows: Sequence[Any]) -> list[HallRound]:
    return [
        HallRound(
            matchday=row,
            waiting=row.waiting,
            first_at=row.first_at,
            next_at=row.next_at,
            may_change=row.may_change,
        )
        for row in rows
    ]


def _open_rounds(scope: QuerySet[Competition]) -> QuerySet[Any]:
    """Published rounds with a match to play, in their order."""
    open_slots = Slot.objects.filter(match__state__in=OPEN, matchday__stage__competition__in=scope.values("pk"))
    open_slots = open_slots.exclude(pk__in=slots_of_withdrawn().values("pk"))
    to_play = Q(slots__in=open_slots.values("pk"))
    waiting = Q(slots__in=open_slots.filter(match__state=Match.State.SCHEDULED).values("pk"))
    questioned = Slot.objects.filter(matchday=OuterRef("pk"), questioned_by__state=Amendment.State.PROPOSED)
    begun = Match.objects.filter(CALLED, slot__matchday=OuterRef("pk"))
    return (
        Matchday.objects.filter(
            Exists(open_slots.filter(matchday=OuterRef("pk"))),
            stage__competition__in=scope.filter(published_at__isnull=False).values("pk"),
            published_at__isnull=False,
        )
        .annotate(
            waiting=Count("slots", filter=waiting),
            first_at=Min("slots__match__starts_at", filter=to_play),
            next_at=Min("slots__match__starts_at", filter=waiting),
            may_change=Exists(questioned) & ~Exists(begun),
        )
        .select_related("stage__competition")
        .order_by("stage__competition__name", "stage__competition", "stage__number", "number")
    )


ROUNDS = FixedSelect(lambda: _open_rounds(visible_competitions(AnonymousUser()).filter(league=Given("league"))))
ROUNDS_FOR_USER = FixedSelect(
    lambda: _open_rounds(visible_competitions(GivenUser()).filter(league=Given("league")))  # type: ignore[arg-type]
)


def _chosen(rounds: Sequence[HallRound], now: datetime, slug: str | None, number: int | None) -> list[HallRound]:
    """Choose the first round of each competition, or the round `number`.

    The last round if rounds are published one after the other.
    """
    if slug and number is not None:
        return [one for one in rounds if one.matchday.number == number][:1]
    first: dict[int, HallRound] = {}
    for one in rounds:
        if one.competition.release == Competition.Release.ROUND_BY_ROUND:
            first[one.competition.pk] = one
        else:
            first.setdefault(one.competition.pk, one)
    return [one for one in first.values() if slug or _of_evening(one.first_at, now)]


def _of_evening(hour: datetime | None, now: datetime) -> bool:
    return hour is None or abs(hour - now) < TONIGHT


def tables_for(act: ClockAct, found: Hall) -> list[HallTable]:
    """The tables at which `act` can be done to all at once.

    Of paused tables those that were paused together go on; of started tables those that were started together last are
    cancelled.
    """
    match act:
        case ClockAct.START:
            return found.ready
        case ClockAct.PAUSE:
            return _in(found, ClockState.RUNNING)
        case ClockAct.RESUME:
            paused = _in(found, ClockState.PAUSED)
            together = Counter(one.clock.paused_at for one in paused)
            since = max(together, key=lambda at: (together[at], at), default=None)
            return [one for one in paused if one.clock.paused_at == since]
        case ClockAct.CANCEL:
            fresh = [one for one in found.tables if _just_started(one, found.now)]
            latest = max((one.clock.reading.started_at for one in fresh), default=None)
            return [one for one in fresh if one.clock.reading.started_at == latest]
    return []


def _in(found: Hall, state: ClockState) -> list[HallTable]:
    return [one for one in found.tables if one.on_the_clock and one.clock.reading.state is state]


def _just_started(one: HallTable, now: datetime) -> bool:
    if not one.on_the_clock or one.clock.reading.state not in {ClockState.RUNNING, ClockState.PAUSED}:
        return False
    return since_epoch(now) - since_epoch(one.clock.reading.started_at) <= REGRET_MS
