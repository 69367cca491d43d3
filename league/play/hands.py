"""Tiles in a hand, in the order in which they came, each with its places on the table. Pure."""

from __future__ import annotations

from dataclasses import dataclass

from games.moves import Deal, Draw, Play, Reopening, Seat
from games.tile import Tile
from games.uno.markings import MarkedSet
from league.play.dealer import Dealer


@dataclass(frozen=True, slots=True)
class HeldTile:
    """A tile in a hand; `on`: tiles on the table that it can be joined to, "" for the lead.

    `ways`: where halves touch by colour or kind, the same tile with each half first; a doublet has one.
    """

    name: str
    on: tuple[str, ...]
    ways: tuple[HeldTile, ...] = ()


def hand_of(table: Dealer, seat: Seat) -> list[HeldTile]:
    """Return the tiles of a seat; places only where it is the seat's turn."""
    held, laid = _tiles(table, seat)
    places: dict[str, dict[str, None]] = {}
    for play in table.plays_of(seat):
        places.setdefault(play.tile.name, {})[laid[play.on.index] if play.on else ""] = None
    tiles = table.game.rules.tiles
    if isinstance(tiles, MarkedSet):
        return [_with_ways(list(dict.fromkeys((one, tiles.turned(one)))), places) for one in held]
    return [HeldTile(one.name, tuple(places.get(one.name, ()))) for one in held]


def _with_ways(ways: list[Tile], places: dict[str, dict[str, None]]) -> HeldTile:
    each = tuple(HeldTile(one.name, tuple(places.get(one.name, ()))) for one in ways)
    return HeldTile(ways[0].name, tuple(dict.fromkeys(on for way in each for on in way.on)), each)


def _tiles(table: Dealer, seat: Seat) -> tuple[list[Tile], dict[int, str]]:
    """Return the tiles of a seat, and the names of the tiles on the table as they were played, by their index."""
    held: dict[int, Tile] = {}
    laid: dict[int, str] = {}
    for entry in table.log.rounds[-1].entries:
        event = entry.event
        if isinstance(event, Deal | Draw) and event.seat == seat:
            held |= {tile.index: tile for tile in event.tiles if tile is not None}
        elif isinstance(event, Play | Reopening):
            laid[event.tile.index] = event.tile.name
            held.pop(event.tile.index, None)
    return list(held.values()), laid
