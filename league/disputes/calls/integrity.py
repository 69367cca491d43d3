"""Check of rulings at the table: facts, lines of the log and ruled taps agree."""

from collections.abc import Iterator
from typing import Any

from games.moves import Call, Event, Penalty, Said
from games.notation.writing import write_event
from league.disputes.calls.ending import KINDS, PENALTY_TEXT
from league.disputes.models import RefereeCall
from league.matches.integrity.differences import RowDifference
from league.matches.integrity.running import NOT_READ
from league.matches.models.tally import TallyTap

About = RefereeCall.About


def call_differences() -> Iterator[RowDifference]:
    """Find the differences of every ruling at the table. Nothing is written.

    The taps have a hash chain; a ruling without a tap is held against its own lines only.
    """
    for key in list(RefereeCall.objects.exclude(about="").order_by("pk").values_list("pk", flat=True)):
        try:
            yield from _of_ruling(RefereeCall.objects.select_related("match", "tap").get(pk=key))
        except NOT_READ as error:
            yield RowDifference(f"call for the referee {key}", "row", repr(error), "readable")
    yield from _taps_without_ruling()


def _of_ruling(call: RefereeCall) -> Iterator[RowDifference]:
    lines = call.lines.splitlines()
    if call.about != About.PENALTY:  # a note with the question comes first
        lines = lines[1:]
    if lines not in (should := _lines(call)):
        yield _difference(call, "lines", lines, " or ".join(map(str, should)))
    if call.tap is not None:
        for what, says, follows in _of_tap(call, call.tap):
            if says != follows:
                yield _difference(call, what, says, follows)


def _lines(call: RefereeCall) -> list[list[str]]:
    """Return the possible lines after the note: a call that fails may prove that of the other side."""
    seat, points = (call.side or 0) - 1, call.points or 0
    events: list[list[Event]] = [[Call(seat, Said.MUGGINS if call.about == About.MUGGINS else Said.COUNT, points)]]
    if call.about == About.PENALTY:
        events = [[Penalty(seat, points, PENALTY_TEXT)]]
    elif not call.upheld:
        events = [[], [Call(1 - seat, Said.COUNT, points)]]
    return [[write_event(event) for event in one] for one in events]


def _of_tap(call: RefereeCall, tap: TallyTap) -> Iterator[tuple[str, object, object]]:
    """Yield facts with the value of the ruling and that of its tap, the last that it made."""
    yield "game", call.game_id, tap.game_id
    yield "ended by", call.ended_by_id, tap.by_id
    yield "ended", call.ended_at, tap.received_at
    if not call.upheld:
        yield "upheld", call.upheld, tap.kind != TallyTap.Kind.UNDO
        return
    side = (tap.seat or 0) + 1
    yield "ruling on", KINDS[About(call.about)], tap.kind
    yield "side", call.side, 3 - side if call.about == About.PENALTY else side
    yield "points", call.points, tap.points


def _taps_without_ruling() -> Iterator[RowDifference]:
    """Find ruled taps whose call was removed or names another one: of each ruling the last tap has its call."""
    named = set(RefereeCall.objects.exclude(tap=None).values_list("tap", flat=True))
    last: dict[Any, TallyTap] = {}
    for tap in TallyTap.objects.filter(ruled=True).select_related("game__match").order_by("game", "number"):
        last[tap.game_id, tap.received_at] = tap
    for tap in last.values():
        if tap.pk not in named:
            match = tap.game.match
            told = f"tap {tap.number} of game {tap.game.code}"
            yield RowDifference(told, "call of the ruling", "missing", "there", league=match.league_id, match=match.pk)


def _difference(call: RefereeCall, what: str, says: object, should: object) -> RowDifference:
    match = call.match
    return RowDifference(f"call for the referee {call.pk}", what, says, should, league=match.league_id, match=match.pk)
