"""Two logs that differ, as a protest: the question that decides between them."""

from __future__ import annotations

from games.moves import Call, Event, Play, RoundPoints, RoundStart, Said, Seat, Totals
from games.notation.gamelog import Entry, GameLog
from referee.replay import verify
from referee.rulings.difference import LogDifference
from referee.rulings.protests import Protest, ProtestKind

_KINDS = {
    Said.COUNT: ProtestKind.COUNT,
    Said.MUGGINS: ProtestKind.MUGGINS,
    Said.CATCH: ProtestKind.CATCH,
    Said.CHALLENGE: ProtestKind.CHALLENGE,
}


def protest_between(left: GameLog, right: GameLog, one: LogDifference) -> Protest | None:
    """Return the protest against the first log that a difference of two logs amounts to.

    It is filed by the seat that the second log favours, as an error of writing. ``None`` where neither a call nor a
    result differs: such a line has no question of the rules.
    """
    old, new = one.left, one.right
    if old is not None and new is not None:
        return _changed(left, old, new)
    if new is not None and isinstance(new.event, Call):
        return _claimed(left, right, new, new.event)
    if old is not None and isinstance(old.event, Call):
        return _denied(left, old, old.event)
    return None


def _changed(left: GameLog, old: Entry, new: Entry) -> Protest | None:
    event, other = old.event, new.event
    if isinstance(event, RoundPoints | Totals) and event != other:
        by = _next(left, getattr(event, "seat", 0))
        return Protest(kind=ProtestKind.RESULT, by=by, line=old.line, miswritten=True)
    if not (isinstance(event, Play) and isinstance(other, Play)):
        return None
    if (event.seat, event.tile) != (other.seat, other.tile) or event.call == other.call:
        return None
    by = event.seat if (other.call or 0) > (event.call or 0) else _next(left, event.seat)
    return Protest(kind=ProtestKind.COUNT, by=by, line=old.line, number=other.call, miswritten=True)


def _claimed(left: GameLog, right: GameLog, entry: Entry, call: Call) -> Protest | None:
    """Return the protest of the seat whose call the first log does not have."""
    play = _play_of(right, entry, call)
    line = None if play is None else _line_in(left, right, play)
    if line is None or call.said not in _KINDS:
        return None
    number = call.number if call.said is Said.COUNT else None
    return Protest(kind=_KINDS[call.said], by=call.seat, line=line, number=number, against=call.whom, miswritten=True)


def _denied(left: GameLog, entry: Entry, call: Call) -> Protest | None:
    """Return the protest of the seat that a call of the first log hurts."""
    play = _play_of(left, entry, call)
    if play is None or call.said not in (Said.COUNT, Said.MUGGINS) or not isinstance(play.event, Play):
        return None
    by = play.event.seat if call.said is Said.MUGGINS else _next(left, play.event.seat)
    return Protest(kind=_KINDS[call.said], by=by, line=play.line, miswritten=True)


def _play_of(log: GameLog, entry: Entry, call: Call) -> Entry | None:
    """Return the play that a call is about."""
    before = [one for one in log.entries if one.line < entry.line and isinstance(one.event, Play)]
    if call.said is Said.MUGGINS:
        line = next((one.play for one in verify(log).rulings if one.line == entry.line), None)
        return next((one for one in before if one.line == line), None)
    player = {Said.COUNT: call.seat, Said.CATCH: call.whom}.get(call.said)
    return next((one for one in reversed(before) if player in (None, _player(one.event))), None)


def _player(event: Event) -> Seat | None:
    return getattr(event, "seat", None)


def _line_in(left: GameLog, right: GameLog, play: Entry) -> int | None:
    """Return the line of the same play in the other log: its tile in the same hand."""
    wanted, hand = play.event, _hand(right, play.line)
    assert isinstance(wanted, Play)
    for entry in left.entries:
        event = entry.event
        same = isinstance(event, Play) and (event.seat, event.tile) == (wanted.seat, wanted.tile)
        if same and _hand(left, entry.line) == hand:
            return entry.line
    return None


def _hand(log: GameLog, line: int) -> int:
    return sum(isinstance(entry.event, RoundStart) and entry.line <= line for entry in log.entries)


def _next(log: GameLog, seat: Seat) -> Seat:
    return (seat + 1) % len(log.seats)
