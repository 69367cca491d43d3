"""Log with every tile named: for each round one deal that fits (NOTATION.md 4).

The deal is one of many. It breaks no rule besides those that the record proves broken; the recorded points of unseen
hands are ignored, so the completed log may correct them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from games.moves import SEATS, Deal, Draw, Event, Lot, Play, RoundStart, Seat, Show
from games.notation.gamelog import Entry, GameLog
from games.notation.reading import dumps
from games.rulesets import RULESETS
from games.tile import Tile
from games.tiles import TileSet
from referee.hands.deals import Witness, witness
from referee.replay import replayed, verify
from referee.verdict import Finding, Severity

Tiles = tuple[Tile, ...]


@dataclass(frozen=True, slots=True)
class LaidRound:
    """Tiles of one round: ``hands`` by seat as dealt.

    ``drawn`` are in the order of the draws, ``left`` those still in the boneyard.
    """

    number: int
    hands: Mapping[Seat, Tiles]
    drawn: Tiles
    left: Tiles

    def as_json(self) -> dict[str, Any]:
        """Return the round as plain data."""
        return {
            "number": self.number,
            "hands": {SEATS[seat]: _names(tiles) for seat, tiles in self.hands.items()},
            "boneyard": _names(self.drawn + self.left),
            "drawn": len(self.drawn),
        }


@dataclass(frozen=True, slots=True)
class LaidGame:
    """A completed game: its log with every tile named, and its rounds."""

    log: GameLog
    rounds: tuple[LaidRound, ...]

    def text(self) -> str:
        """Return the log as text, with a remark on the boneyard after each round's hands."""
        remarks = {laid.number: _remark(laid) for laid in self.rounds}
        lines = dumps(self.log).splitlines()
        entries = self.log.entries
        head = len(lines) - len(entries)
        return "\n".join([*lines[:head], *_with_remarks(lines[head:], entries, remarks)]) + "\n"


def _names(tiles: Tiles) -> list[str]:
    return [tile.name for tile in tiles]


def _remark(laid: LaidRound) -> str:
    drawn, left = " ".join(_names(laid.drawn)) or "nothing", " ".join(_names(laid.left)) or "nothing"
    return f"# drawn, in this order: {drawn}; left in the boneyard: {left}"


def _with_remarks(lines: list[str], entries: list[Entry], remarks: Mapping[int, str]) -> Iterator[str]:
    number = 0
    for n, (line, entry) in enumerate(zip(lines, entries, strict=True)):
        yield line
        if isinstance(entry.event, RoundStart):
            number = entry.event.number
        hands_end = n + 1 == len(entries) or not isinstance(entries[n + 1].event, Deal)
        if isinstance(entry.event, Deal) and hands_end:
            yield remarks[number]


def lay_out(log: GameLog) -> LaidGame | Finding:
    """Find one deal for every round of a log, or the first impossible line.

    For pip games. The same log gives the same deal. The log must have been read from a text, as :func:`referee.verify`
    requires.
    """
    for finding in verify(log).findings:
        if finding.severity == Severity.IMPOSSIBLE.value:
            return finding
    deals = {number: deal for number, facts in replayed(log).hidden.rounds if (deal := witness(facts)) is not None}
    entries: list[Entry] = []
    rounds = []
    for number, part in _parts(log):
        deal = deals.get(number)
        filled = part if deal is None else list(_filled(part, deal))
        entries += filled
        if number:
            rounds.append(_laid_round(number, filled, RULESETS[log.ruleset].tiles))
    return LaidGame(GameLog(log.tags, entries), tuple(rounds))


def _parts(log: GameLog) -> Iterator[tuple[int, list[Entry]]]:
    """Yield the entries by round; number 0 for those before the first round."""
    number, part = 0, list[Entry]()
    for entry in log.entries:
        if isinstance(entry.event, RoundStart):
            yield number, part
            number, part = entry.event.number, []
        part.append(entry)
    yield number, part


def _filled(part: list[Entry], deal: Witness) -> Iterator[Entry]:
    """Yield the entries of a round with the tiles of a deal.

    Hands without a line get a line after the others.
    """
    hands = [list(tiles) for tiles in deal.dealt]
    listed = {entry.event.seat for entry in part if isinstance(entry.event, Deal)}
    last = max(n for n, entry in enumerate(part) if isinstance(entry.event, RoundStart | Lot | Deal))
    for n, entry in enumerate(part):
        yield entry._replace(event=_seen(entry, deal, hands))
        if n == last:
            for seat, tiles in enumerate(deal.dealt):
                if seat not in listed:
                    yield Entry(0, None, Deal(seat, len(tiles), tiles))


def _seen(entry: Entry, deal: Witness, hands: list[list[Tile]]) -> Event:
    """Return the event as written with every tile seen, and update ``hands``."""
    event = entry.event
    if isinstance(event, Deal):
        return Deal(event.seat, event.count, deal.dealt[event.seat])
    if isinstance(event, Draw):
        tiles = deal.drawn.get(entry.line, event.tiles)
        hands[event.seat] += [tile for tile in tiles if tile is not None]
        return Draw(event.seat, event.count, tiles)
    if isinstance(event, Play):
        hands[event.seat].remove(event.tile)
    if isinstance(event, Show):
        unnamed = iter([tile for tile in hands[event.seat] if tile not in event.tiles])
        return Show(event.seat, tuple(next(unnamed, None) if tile is None else tile for tile in event.tiles))
    return event


def _laid_round(number: int, part: list[Entry], tiles: TileSet) -> LaidRound:
    hands: dict[Seat, Tiles] = {}
    drawn: list[Tile] = []
    for entry in part:
        if isinstance(entry.event, Deal):
            hands[entry.event.seat] = _named(entry.event)
        elif isinstance(entry.event, Draw):
            drawn += _named(entry.event)
    left = tiles.all & ~tiles.mask([*drawn, *(tile for hand in hands.values() for tile in hand)])
    return LaidRound(number, dict(sorted(hands.items())), tuple(drawn), tuple(tiles.in_mask(left)))


def _named(event: Deal | Draw) -> Tiles:
    return tuple(tile for tile in event.tiles if tile is not None)
