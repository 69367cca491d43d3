"""The clock of a game as pages and the API show it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from zoneinfo import ZoneInfo

from games.notation.reading import NotationError, loads
from league.matches import permissions
from league.matches.clock.log_times import Difference, compare, log_times
from league.matches.clock.services import clock_rules_of, marks
from league.matches.clock.state import SECOND, ClockMark, ClockReading, ClockRules, ClockState, GameClock, Milliseconds
from league.matches.clock_acts import ClockAct
from league.matches.models import ClockEvent, Game, Match

EVENT = ("clock_events__number", "clock_events__kind", "clock_events__at", "clock_events__given_ms")


@dataclass(frozen=True, slots=True, kw_only=True)
class ClockView:
    """The clock of game `number` of a match, at the server's time `now`.

    `version` is the number of its last event, 0 before any: a viewer reloads the clock when it changes. `bell_due`: the
    bell has rung, and its event is not stored yet. `paused_at`: since when a paused clock is paused.
    """

    match_id: int
    game_id: int
    number: int
    rules: ClockRules
    reading: ClockReading
    now: datetime
    version: int
    bell_due: bool
    paused_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ClockLine:
    """One line of a clock's history. `elapsed_ms`: the elapsed time at the event."""

    event: ClockEvent
    elapsed_ms: Milliseconds


@dataclass(frozen=True, slots=True, kw_only=True)
class ClockPage:
    """The clock on the page of its match.

    `may`: the acts now open to the asker; `differences`: those between the clock and the log shown.
    """

    view: ClockView
    may: frozenset[ClockAct]
    history: list[ClockLine]
    differences: list[Difference]


def clocks_of(match_ids: Iterable[int], now: datetime) -> dict[int, ClockView]:
    """Return by match the clock that was started last, else that of its first game.

    Matches without a clock are left out. Ask only for matches that the asker may see. One statement.
    """
    found: dict[int, ClockView] = {}
    for view in clocks_in(match_ids, now):
        if view.version or view.match_id not in found:
            found[view.match_id] = view
    return found


def clocks_in(match_ids: Iterable[int], now: datetime) -> list[ClockView]:
    """Return the clocks of all games of these matches, in order. Else as `clocks_of`."""
    rows = (
        Game.objects.filter(match__in=list(match_ids))
        .order_by("match", "number", "clock_events__number")
        .values_list("match", "pk", "number", "match__ruleset", "match__options", *EVENT)
    )
    found = []
    for (match_id, game_id, number, ruleset), group in groupby(rows, key=lambda row: row[:4]):
        events = [(row[4], *row[5:]) for row in group]
        rules = clock_rules_of(ruleset, events[0][0])
        if rules is None:
            continue
        given = [ClockMark(ClockAct(kind), at, ms) for _options, _number, kind, at, ms in events if kind]
        found.append(_view(rules, (match_id, game_id, number), given, events[-1][1] or 0, now))
    return found


def _view(
    rules: ClockRules, where: tuple[int, int, int], given: Sequence[ClockMark], version: int, now: datetime
) -> ClockView:
    match_id, game_id, number = where
    clock = GameClock.of(rules, given)
    pauses = [mark.at for mark in given if mark.act is ClockAct.PAUSE]
    return ClockView(
        match_id=match_id,
        game_id=game_id,
        number=number,
        rules=rules,
        reading=clock.reading(now),
        now=now,
        version=version,
        bell_due=clock.bell_missing(now) is not None,
        paused_at=pauses[-1] if clock.state is ClockState.PAUSED else None,
    )


def clock_page(
    game: Game,
    match: Match,
    one: permissions.Actor,
    *,
    now: datetime,
    text: str = "",
) -> ClockPage | None:
    """Return the clock of a game for the page of its match.

    The game has its `clock_events` loaded with their users, and its `current_results`. `text` is the sealed log that is
    shown beside the clock. None for a game without a clock, and for a game with a result whose clock was never started.
    """
    events = list(game.clock_events.all())
    rules = clock_rules_of(match.ruleset, match.options)
    if rules is None or (not events and (game.current_results or match.state == Match.State.DECIDED)):
        return None
    given = marks(events)
    return ClockPage(
        view=_view(rules, (match.pk, game.pk, game.number), given, events[-1].number if events else 0, now),
        may=_may(GameClock.of(rules, given), game, match, one, now),
        history=_history(rules, events, given),
        differences=_differences(text, rules, given, match) if text and events else [],
    )


def _may(clock: GameClock, game: Game, match: Match, one: permissions.Actor, now: datetime) -> frozenset[ClockAct]:
    if game.current_results or match.state == Match.State.DECIDED or match.published_at is None:
        return frozenset()
    return frozenset(
        act
        for act in ClockAct
        if act is not ClockAct.BELL
        and permissions.why_not_run_clock(one, act) is None
        and clock.why_not(ClockMark(act, now, given_ms=SECOND)) is None
    )


def _history(rules: ClockRules, events: Sequence[ClockEvent], given: Sequence[ClockMark]) -> list[ClockLine]:
    lines, clock = [], GameClock(rules)
    for event, mark in zip(events, given, strict=True):
        shown = clock.reading(mark.at)
        lines.append(ClockLine(event=event, elapsed_ms=shown.elapsed_ms))
        clock = clock.after(mark)
    return lines


def _differences(text: str, rules: ClockRules, given: Sequence[ClockMark], match: Match) -> list[Difference]:
    """Return the differences; none for a log that cannot be read."""
    try:
        log = loads(text)[0]
    except NotationError:
        return []
    return compare(log_times(log), rules, given, zone=ZoneInfo(match.league.time_zone))
