"""Log of a game that was entered on the tile pad.

A tap holds one line of the notation, or several that were made by one touch. The standing taps, in order, are the log.
"""

import re
from collections.abc import Iterator, Sequence
from zoneinfo import ZoneInfo

from games.moves import Bell, Call, Draw, Play, RoundStart, Said, Settled
from games.notation.gamelog import Entry, GameLog, Tenths
from games.notation.reading import dumps, loads
from games.ruleset import Matching, Ruleset
from league.matches.models import Game
from league.matches.models.tally import TallyTap
from league.matches.tally.standing import NO_PAD, standing_rows
from league.matches.tally.two_phones import is_first_hand
from league.players.models import PEOPLE

Kind = TallyTap.Kind
JOINS = re.compile(r"[A-F] (call|draw) ")
MOST_NOTED = 150
"""Most letters of a line in a note; a note has 200 (games/notation/lines.py)."""
UNQUOTED = str.maketrans({'"': "'", "\\": None})
SCORES = frozenset({Kind.POINTS, Kind.MUGGINS, Kind.PENALTY, Kind.ROUND_END, Kind.BELL, Kind.END})
"""Kinds of taps that only the score pad makes."""


def is_tiled(taps: Sequence[TallyTap]) -> bool:
    """Return whether the game is entered on the tile pad: some of its standing taps are lines."""
    return any(tap.kind == Kind.LINE for tap in taps) and any(tap.kind == Kind.LINE for tap in standing_rows(taps))


def is_scored(taps: Sequence[TallyTap]) -> bool:
    """Return whether the game is kept on the score pad; after a step down it is, also without a score."""
    return not is_tiled(taps) and (
        any(tap.pad == NO_PAD for tap in taps) or any(tap.kind in SCORES for tap in standing_rows(taps))
    )


def lines_of(taps: Sequence[TallyTap]) -> list[tuple[str, TallyTap]]:
    """Return the standing lines of the notation in order, each with its tap."""
    return [(line, tap) for tap in standing_rows(taps) if tap.line for line in tap.line.split("\n")]


def _with_notes(taps: Sequence[TallyTap]) -> Iterator[tuple[str, TallyTap]]:
    """Yield the standing lines, and a note of each line that was taken back after another seat's next line.

    Without it a scorer could enter plays until the public score tells what an open one was worth, and leave no trace.
    """
    standing = {tap.number for tap in standing_rows(taps)}
    notes: list[tuple[str, TallyTap]] = []
    for tap in taps:
        if tap.of and tap.of not in standing and _is_late(taps[tap.of - 1], tap, taps):
            text = taps[tap.of - 1].line or ""
            told = [line.translate(UNQUOTED)[:MOST_NOTED] for line in text.split("\n") if not line.startswith("round ")]
            notes += [(f'note "taken back: {line}"', tap) for line in told]
        elif tap.line and tap.number in standing:
            # An announcement is not parted from its play, nor a draw from the one before.
            if not JOINS.match(tap.line):
                yield from notes
                notes.clear()
            yield from ((line, tap) for line in tap.line.split("\n"))
    yield from notes


def _is_late(tap: TallyTap, undo: TallyTap, taps: Sequence[TallyTap]) -> bool:
    lines = [one.line for one in taps[tap.number - 1 : undo.number - 1] if one.line and one.kind == Kind.LINE]
    return bool(tap.line) and len({line.rpartition("\n")[2][0] for line in lines}) > 1


def has_ended(taps: Sequence[TallyTap]) -> bool:
    """Return whether the last standing line ends the record."""
    return [line for line, _tap in lines_of(taps)][-1:] == ["end"]


def log_text(game: Game, taps: Sequence[TallyTap], rules: Ruleset) -> str:
    """Return the log of a game whose match and league are loaded. One statement."""
    return dumps(GameLog(_tags(game, taps, rules), entries_of(taps, rules)))


def is_log_of(text: str, taps: Sequence[TallyTap], rules: Ruleset) -> bool:
    """Return whether a log has the lines of these taps, whatever its tags. Raises NotationError."""
    return has_ended(taps) and loads(text)[0].entries == entries_of(taps, rules)


def entries_of(taps: Sequence[TallyTap], rules: Ruleset) -> list[Entry]:
    """Return the entries of the log, without a statement.

    Draws in a row become one line, except in Uno Dominoes, where a penalty and a draw of the turn differ. An
    announcement joins its play; a line that was taken back late becomes a note. Times are those of the game's clock;
    until the bell is noted they stop at its end.
    """
    return _entries([*_with_notes(taps)], rules)


def _entries(lines: Sequence[tuple[str, TallyTap]], rules: Ruleset) -> list[Entry]:
    (log,) = loads("\n".join([f'[Ruleset "{rules.key}"]', *(line for line, _tap in lines), ""]))
    times = _times([tap.clock_ms for _line, tap in lines], [entry.event for entry in log.entries], rules.clock_s * 10)
    timed = [entry._replace(at=at) for entry, at in zip(log.entries, times, strict=True)]
    return list(_joined(timed)) if rules.matching is Matching.PIPS else timed


def entry_of_tap(taps: Sequence[TallyTap], number: int, rules: Ruleset) -> int:
    """Return the place, from 0, of the entry in the log that the last line of a standing tap made."""
    lines = [*_with_notes(taps)]
    last = max(place for place, (_line, tap) in enumerate(lines) if tap.number == number)
    return len(_entries(lines[: last + 1], rules)) - 1


def _tags(game: Game, taps: Sequence[TallyTap], rules: Ruleset) -> dict[str, str]:
    zone = ZoneInfo(game.match.league.time_zone)
    sides = game.match.sides.select_related(*PEOPLE).order_by("number")
    seats = {f"Seat.{'ABCDEF'[place]}": side.player_of(game.number).code for place, side in enumerate(sides)}
    entered = {"Entered": "each seat on its own phone"} if is_first_hand(lines_of(taps)) else {}
    options = {f"Option.{key}": value for key, value in rules.overrides.items()}
    begun = taps[0].received_at.astimezone(zone)
    return {"Ruleset": rules.key, "Date": begun.date().isoformat(), "Game": game.code} | seats | entered | options


def _times(counted: Sequence[int | None], events: Sequence[object], end: Tenths) -> Iterator[Tenths | None]:
    """Yield the time of each line; ``counted``: milliseconds of the clock. They never run backwards."""
    last, rung, untimed = 0, False, not end
    for ms, event in zip(counted, events, strict=True):
        rung |= isinstance(event, Bell)
        if ms is None or untimed:
            yield None
        else:
            last = max(last, ms // 100 if rung else min(ms // 100, end))
            yield last
        # After the settlement of the bell comes overtime, without a clock.
        untimed |= rung and isinstance(event, Settled | RoundStart)


def _joined(entries: Sequence[Entry]) -> Iterator[Entry]:
    before: Entry | None = None
    for entry in entries:
        if before is None:
            before = entry
        elif one := _one_line(before, entry):
            before = one
        else:
            yield before
            before = entry
    if before is not None:
        yield before


def _one_line(before: Entry, entry: Entry) -> Entry | None:
    one, other = before.event, entry.event
    if isinstance(one, Draw) and isinstance(other, Draw) and one.seat == other.seat:
        seen = (*one.tiles, *other.tiles)
        count = one.count + other.count
        return before._replace(event=Draw(one.seat, count, seen if len(seen) == count and any(seen) else ()))
    if isinstance(one, Play) and isinstance(other, Call) and _announces(one, other):
        return before._replace(event=Play(one.seat, one.tile, one.on, other.number))
    return None


def _announces(play: Play, call: Call) -> bool:
    return call.said is Said.COUNT and call.seat == play.seat and play.call is None and play.colour is None
