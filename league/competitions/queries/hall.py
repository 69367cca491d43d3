"""Clocks of a hall: tables of the current rounds, readiness to start, time.

Constant statement counts.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from django.contrib.auth.models import AnonymousUser
from django.db.models import Count, Exists, F, Min, OuterRef, Q, QuerySet

from league.accounts.models import League
from league.accounts.permissions import Asker
from league.competitions.countdown import counts_down
from league.competitions.draw.seating import natural
from league.competitions.entrants import slots_of_withdrawn
from league.competitions.locks import CALLED
from league.competitions.models import Berth, Competition, Matchday, Slot
from league.competitions.visibility import visible_competitions
from league.matches.clock.queries import ClockView, clocks_in
from league.matches.clock.state import REGRET_MS, ClockReading, ClockState, since_epoch
from league.matches.clock_acts import ClockAct
from league.matches.models import Amendment, Game, Match, Result
from league.players.models import PEOPLE, Entrant, people_in
from league.prepared_statements import FixedSelect, Given, GivenUser

if TYPE_CHECKING:
    from typing import TypedDict

    from django_stubs_ext import WithAnnotations

    class Ended(TypedDict):
        has_result: bool


TONIGHT = timedelta(hours=12)
"""Limit of an evening around the first open match of a round.

A round further away belongs to another evening: it is started only if its competition is named.
"""
# The first of two equally common states is the main clock's.
RANK = {
    state: place
    for place, state in enumerate((ClockState.RUNNING, ClockState.PAUSED, ClockState.RUNG, ClockState.OVERTIME))
}
ON_THE_CLOCK = frozenset(RANK)
OPEN = (Match.State.SCHEDULED, Match.State.PLAYING)


class NotReady(StrEnum):
    """Reason why the clock of a table does not start with the others."""

    RUNNING = "running"
    PAUSED = "paused"
    RUNG = "rung"
    OVERTIME = "overtime"
    STOPPED = "stopped"
    UNTIMED = "untimed"
    PLAYED = "played"
    UNKNOWN = "unknown"
    ELSEWHERE = "elsewhere"
    QUEUED = "queued"


STANDS: Mapping[ClockState, NotReady] = {
    ClockState.RUNNING: NotReady.RUNNING,
    ClockState.PAUSED: NotReady.PAUSED,
    ClockState.RUNG: NotReady.RUNG,
    ClockState.OVERTIME: NotReady.OVERTIME,
    ClockState.OVER: NotReady.STOPPED,
}


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
class HallTable:
    """A slot of a round, at its table.

    `names`: the entrants, as far as they are known. `game`: the current or next game, None if no game can be played or
    the match is over; `clock`: of that game. `why_not` is None if the clock can start with the others; `busy_at`: the
    table where a player of this match still plays. `minor`: a minor plays, whose table is not public.
    """

    key: str
    name: str
    names: list[str]
    round: Matchday
    match: Match | None
    game: Game | None
    clock: ClockView | None
    why_not: NotReady | None
    busy_at: str = ""
    minor: bool = False

    @property
    def on_the_clock(self) -> bool:
        return self.clock is not None and self.clock.reading.state in ON_THE_CLOCK


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
    slots = list(_slots(scope, [one.matchday.pk for one in chosen], now))
    others = [one for one in rounds if one not in chosen]
    return Hall(rounds=chosen, others=others, tables=_tables(slots, chosen, now), now=now)


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


def _slots(scope: QuerySet[Competition], chosen: Iterable[int], now: datetime) -> QuerySet[Slot]:
    """Slots of the rounds, and of other rounds with a clock started or a call made this evening.

    Without byes, which have no table, and without open matches of an entrant who has withdrawn.
    """
    late = Q(
        match__state=Match.State.PLAYING,
        match__games__clock_events__at__gt=now - TONIGHT,
        matchday__stage__competition__in=scope.values("pk"),
    )
    called = Q(
        match__state__in=OPEN,
        match__called_at__gt=now - TONIGHT,
        matchday__stage__competition__in=scope.values("pk"),
    )
    wanted = Slot.objects.filter(Q(matchday__in=list(chosen)) | late | called).values("pk")
    return (
        Slot.objects.filter(pk__in=wanted)
        .annotate(berth_count=Count("berths"))
        .exclude(berth_count=1)
        .exclude(not_needed=True)
        .exclude(Q(match__state__in=OPEN) & Q(pk__in=slots_of_withdrawn().values("pk")))
        .select_related("match__table", "match__league", "table", "matchday__stage__competition")
        # A called match is before those whose table is a forecast.
        .order_by(
            F("match__called_at").asc(nulls_last=True),
            F("match__starts_at").asc(nulls_last=True),
            "matchday__number",
            "number",
            "pk",
        )
    )


def _tables(slots: Sequence[Slot], chosen: Sequence[HallRound], now: datetime) -> list[HallTable]:
    matches = [slot.match_id for slot in slots if slot.match_id]
    clocks = {view.game_id: view for view in clocks_in(matches, now)}
    games, entrants = _games(matches), _entrants(slots)
    rounds = {one.matchday.pk for one in chosen}
    found = {}
    for slot in slots:
        seated = entrants.get(slot.pk, [])
        found[slot] = _table(slot, seated, _played_now(games.get(slot.match_id, ()), clocks), clocks)
    # After the bell a player may sit down elsewhere, though the result is still missing.
    at_table = [(slot, view) for slot, view in found.items() if _plays(view)]
    playing = {pk: view for slot, view in at_table for one in entrants.get(slot.pk, ()) for pk in people_in(one)}
    taken = {_place_id(slot) for slot, _view in at_table}
    shown = []
    for slot, view in found.items():
        people = [pk for one in entrants.get(slot.pk, ()) for pk in people_in(one)]
        view = _unless_busy(view, [playing[pk] for pk in people if pk in playing])
        view = _unless_taken(view, _place_id(slot), taken)
        if slot.matchday_id in rounds or view.on_the_clock or (slot.match and slot.match.called_at):
            shown.append(view)
    return sorted(shown, key=lambda one: (not one.name, natural(one.name), one.key))


def _place_id(slot: Slot) -> int | None:
    return slot.match.table_id if slot.match else slot.table_id


def _unless_taken(view: HallTable, place: int | None, taken: set[int | None]) -> HallTable:
    """Of several matches of a round at one table only the earliest starts.

    It takes the table.
    """
    if view.why_not is not None or place is None:
        return view
    if place in taken:
        return replace(view, why_not=NotReady.QUEUED)
    taken.add(place)
    return view


def _plays(view: HallTable) -> bool:
    return view.on_the_clock and view.clock.reading.state is not ClockState.RUNG


def _games(match_ids: Iterable[int]) -> "dict[int, list[WithAnnotations[Game, Ended]]]":
    """Games by match, in order; `has_result` of each."""
    current = Result.objects.filter(game=OuterRef("pk"), current=True)
    rows = Game.objects.filter(match__in=list(match_ids)).annotate(has_result=Exists(current))
    found: dict[int, list[WithAnnotations[Game, Ended]]] = {}
    for game in rows.select_related("match").order_by("match", "number"):
        found.setdefault(game.match_id, []).append(game)
    return found


def _played_now(games: "Sequence[WithAnnotations[Game, Ended]]", clocks: Mapping[int, ClockView]) -> Game | None:
    """The game whose clock is not over, else the first game without a result."""
    open_games = [game for game in games if not game.has_result]
    live = (one for one in open_games if one.pk in clocks and clocks[one.pk].reading.state in ON_THE_CLOCK)
    return next(live, open_games[0] if open_games else None)


def _entrants(slots: Sequence[Slot]) -> dict[int, list[Entrant]]:
    """Entrants of each slot."""
    berths = Berth.objects.filter(slot__in=slots, entrant__isnull=False, absent_since=None).select_related(*PEOPLE)
    found: dict[int, list[Entrant]] = {}
    for berth in berths.order_by("slot", "number"):
        found.setdefault(berth.slot_id, []).append(berth.entrant)
    return found


def _table(slot: Slot, seated: Sequence[Entrant], game: Game | None, clocks: Mapping[int, ClockView]) -> HallTable:
    match = slot.match
    over = match is not None and match.state not in OPEN
    clock = clocks.get(game.pk) if game and not over else None
    place = match.table if match else slot.table
    return HallTable(
        key=f"slot-{slot.pk}",
        name=place.name if place else "",
        names=[str(one) for one in seated],
        round=slot.matchday,
        match=match,
        game=None if over else game,
        clock=clock,
        why_not=_why_not(match, game, clock, over=over),
        minor=any(one.is_minor for one in seated),
    )


def _why_not(match: Match | None, game: Game | None, clock: ClockView | None, *, over: bool) -> NotReady | None:
    if match is None:
        return NotReady.UNKNOWN
    if over or game is None:
        return NotReady.PLAYED
    if clock is None:
        return NotReady.UNTIMED
    return STANDS.get(clock.reading.state)


def _unless_busy(view: HallTable, at: Sequence[HallTable]) -> HallTable:
    """Refuse the start while a player's earlier match is being played."""
    other = next((one for one in at if one.key != view.key), None)
    if view.why_not is not None or other is None:
        return view
    return replace(view, why_not=NotReady.ELSEWHERE, busy_at=other.name)


# --- Tables of an act ---


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
