"""Tables of a hall: the slots of the current rounds with their clocks, and why a clock does not start."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum
from typing import TYPE_CHECKING

from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet

from league.competitions.draw.schedule.seating import natural
from league.competitions.entrants import slots_of_withdrawn
from league.competitions.models import Berth, Competition, Matchday, Slot
from league.matches.clock.queries import ClockView, clocks_in
from league.matches.clock.state import ClockState
from league.matches.models import Game, Match, Result
from league.players.models import PEOPLE, Entrant, people_in

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


def hall_slots(scope: QuerySet[Competition], chosen: Iterable[int], now: datetime) -> QuerySet[Slot]:
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


def tables_at(slots: Sequence[Slot], rounds: Collection[int], now: datetime) -> list[HallTable]:
    """Return the tables of these slots; `rounds`: keys of the current rounds. Five statements at most."""
    matches = [slot.match_id for slot in slots if slot.match_id]
    clocks = {view.game_id: view for view in clocks_in(matches, now)}
    games, entrants = _games(matches), _entrants(slots)
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
