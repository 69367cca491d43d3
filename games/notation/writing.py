"""Line writer: an event to words (NOTATION.md section 3)."""

from __future__ import annotations

from games import moves
from games.moves import SEATS, Event
from games.tile import Tile


def _tiles(tiles: tuple[Tile | None, ...], count: int) -> str:
    return " ".join("?" if tile is None else tile.name for tile in tiles) or str(count)


def _write_play(event: moves.Play) -> str:
    words = [SEATS[event.seat], event.tile.name]
    words += ["on", event.on.name] if event.on else []
    words += ["call", str(event.call)] if event.call is not None else []
    words += ["colour", event.colour] if event.colour else []
    return " ".join(words)


def _write_call(event: moves.Call) -> str:
    words = [SEATS[event.seat], event.said.value]
    words += [str(event.number)] if event.number is not None else []
    words += [SEATS[event.whom]] if event.whom is not None else []
    return " ".join(words)


def _quote(text: str) -> str:
    if any(ord(c) < 32 for c in text):
        raise ValueError(f"a quoted text is one line without control characters, not {text!r}")
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def write_event(event: Event) -> str:
    """Write an event as words, without a time."""
    match event:
        case moves.Play():
            return _write_play(event)
        case moves.Call():
            return _write_call(event)
        case moves.Draw(seat, count, tiles):
            return f"{SEATS[seat]} draw {_tiles(tiles, count)}"
        case moves.Deal(seat, count, tiles):
            return f"{SEATS[seat]} hand {_tiles(tiles, count)}"
        case moves.Show(seat, tiles):
            return f"{SEATS[seat]} shows {_tiles(tiles, 0) if tiles else 'none'}"
        case moves.Pass(seat):
            return f"{SEATS[seat]} pass"
        case moves.RoundPoints(seat, points):
            return f"{SEATS[seat]} scores {points}"
        case moves.Lot(seat, tile):
            return f"{SEATS[seat]} lot {tile.name}"
        case moves.Concession(seat):
            return f"{SEATS[seat]} concedes"
        case moves.Forfeit(seat, reason):
            return f"{SEATS[seat]} forfeits {_quote(reason)}"
        case moves.Penalty(seat, points, reason):
            return f"penalty {SEATS[seat]} {points} {_quote(reason)}"
        case moves.Reopening(seat, tile, on, colour):
            return f"{SEATS[seat]} reopens {tile.name} on {on.name} colour {colour}"
        case moves.RoundStart(number):
            return f"round {number}"
        case moves.Totals(numbers) | moves.ChipsLeft(numbers):
            return f"{'score' if isinstance(event, moves.Totals) else 'chips'} {'-'.join(map(str, numbers))}"
        case moves.Note(text):
            return f"note {_quote(text)}"
        case moves.ChallengeOutcome(upheld):
            return "upheld" if upheld else "rejected"
    return _BARE[type(event)]


_BARE: dict[type, str] = {
    moves.Blocked: "blocked",
    moves.Settled: "settled",
    moves.Bell: "bell",
    moves.End: "end",
}
