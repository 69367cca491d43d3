"""Muggins calls beyond one play: simultaneous calls, and round-end points.

Source: RULES.md Q20, Q23.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from games.claims import Decision, Why
from games.moves import (
    Bell,
    Call,
    ChipsLeft,
    Draw,
    Event,
    Pass,
    Play,
    RoundPoints,
    RoundStart,
    Said,
    Seat,
    Settled,
    Show,
    Totals,
)
from games.notation.gamelog import Entry, Tenths
from games.ruleset import Muggins
from games.settlement import RoundScore
from referee.game import ReplayedGame

_ANOTHER_PLAY = (Play, Pass, Draw, RoundStart, Settled)
# These count as a completed turn under after_next.
_LIKE_A_TURN = (Bell, Show, RoundPoints, Totals, ChipsLeft)


def simultaneous(record: Iterable[Entry], seats: int, muggins: Muggins) -> Mapping[int, Sequence[Entry]]:
    """Group muggins lines of several seats with the same TIME on one play.

    Source: NOTATION.md 5. The key is the line of the first; the other lines have empty groups. A player's second call
    is left out (7.9).
    """
    between = _ANOTHER_PLAY + (_LIKE_A_TURN if muggins is Muggins.AFTER_NEXT else ())
    groups: dict[int, list[Entry]] = {}
    first: Entry | None = None
    called: set[Seat] = set()
    for entry in record:
        event = entry.event
        if isinstance(event, between):
            first = None
        elif entry.line and _is_call(event, seats):
            if entry.at is not None and (first is None or first.at != entry.at):
                first, called = entry, set()
            if first is not None and entry.at is not None and _seat(entry) not in called:
                groups.setdefault(first.line, []).append(entry)
            called.add(_seat(entry))
    several = {line: calls for line, calls in groups.items() if len(calls) > 1}
    return several | {call.line: () for calls in several.values() for call in calls[1:]}


def _is_call(event: Event, seats: int) -> bool:
    return isinstance(event, Call) and event.said is Said.MUGGINS and event.seat < seats


def _seat(entry: Entry) -> Seat:
    assert isinstance(entry.event, Call)
    return entry.event.seat


def claim(game: ReplayedGame, at: Tenths | None, event: Call) -> None:
    """Call muggins for a seat, with all simultaneous calls.

    The seat nearest after the scorer comes first.
    """
    calls = game.together.get(game.line)
    if calls is None:
        _claim_alone(game, at, event)
        return
    seats = [_seat(call) for call in calls]
    for place in game.claims.nearest_first(seats):
        line, _, call = calls[place]
        assert isinstance(call, Call)
        game.claims.claim(line, call.seat, call.number, at)


def _claim_alone(game: ReplayedGame, at: Tenths | None, event: Call) -> None:
    if not game.rules.muggins_on_round_end or game.live or game.settled or game.claims.anything_owed:
        game.claims.claim(game.line, event.seat, event.number, at)
        return
    due, proved, _ = game.settlement()
    owed = _left_out(game, due) if proved and event.seat != due.winner else 0
    if owed:
        game.call_round_end(event.seat, owed)
    why = Why.ROUND_END if owed else Why.NO_ROUND_END
    game.claims.decisions.append(Decision(game.line, event.seat, None, event.number, why, owed, winner=due.winner))


def _left_out(game: ReplayedGame, due: RoundScore) -> int:
    """Return the unclaimed round-end points missing in the winner's ``scores`` line."""
    if due.winner is None or game.round_end_call is not None:
        return 0
    said = game.recorded.get(due.winner, (0, 0))[1]
    return max(0, due.points[due.winner] - said)
