"""Tiles in a hand, in the order in which they came, each with its places on the table. Pure."""

from dataclasses import dataclass

from games.moves import Deal, Draw, Play, Seat
from league.play.dealer import Dealer


@dataclass(frozen=True, slots=True)
class HeldTile:
    """A tile in a hand; `on`: tiles on the table that it can be joined to, "" for the lead."""

    name: str
    on: tuple[str, ...]


def hand_of(table: Dealer, seat: Seat) -> list[HeldTile]:
    """Return the tiles of a seat; places only where it is the seat's turn."""
    places: dict[str, list[str]] = {}
    for play in table.plays_of(seat):
        places.setdefault(play.tile.name, []).append(play.on.name if play.on else "")
    return [HeldTile(name, tuple(places.get(name, ()))) for name in _held(table, seat)]


def _held(table: Dealer, seat: Seat) -> list[str]:
    names: list[str] = []
    for entry in table.log.rounds[-1].entries:
        event = entry.event
        if isinstance(event, Deal | Draw) and event.seat == seat:
            names += [tile.name for tile in event.tiles if tile is not None]
        elif isinstance(event, Play) and event.seat == seat:
            names.remove(event.tile.name)
    return names
