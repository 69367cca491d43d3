"""Tiles on the table: joins, open ends, and the open-end count (RULES.md 1.2)."""

from __future__ import annotations

from collections.abc import Iterator
from copy import copy
from dataclasses import dataclass

from games.ruleset import Spinner
from games.tile import Face, Join, Mask, Place, Tile
from games.tiles import TileSet

# Enum member access runs Python code, so members needed for every double have names of their own.
_FIRST, _ALL = Spinner.FIRST, Spinner.ALL


@dataclass(frozen=True, slots=True)
class OpenEnd:
    """A place that takes a tile: ``face`` of ``tile``.

    ``counts`` is its share of the open-end count.
    """

    tile: Tile
    face: Face
    counts: int


class Layout:
    """Tiles on the table; a play costs the same at every length of the line.

    ``open`` is the mask of the open places (see `games.places`) and ``count`` the open-end count. ``table`` is the mask
    of tiles placed, ``order`` the tiles in the order of play. ``spinner`` is the first double that became a spinner.
    """

    __slots__ = ("_spins", "count", "open", "order", "spinner", "spinner_mode", "table", "tiles")

    def __init__(self, tiles: TileSet, spinner_mode: Spinner) -> None:
        self.tiles = tiles
        self.spinner_mode = spinner_mode
        self.open: Mask = tiles.places.start
        self.count = 0
        self.table: Mask = 0
        self.order: list[int] = []
        self.spinner: int | None = None
        self._spins = spinner_mode is not Spinner.NONE

    def copy(self) -> Layout:
        """Return an independent layout in the same position."""
        twin = copy(self)
        twin.order = self.order[:]
        return twin

    # ---- Fitting tiles

    def fitting(self) -> Mask:
        """Return the tiles of the set that fit somewhere; all tiles for an empty table."""
        places = self.tiles.places
        return places.fits[(self.open + places.carry) & places.guards]

    def places(self, tile: int) -> Mask:
        """Return the tiles on the table that this tile can be joined to."""
        takes = self.tiles.tiles[tile].takes & self.open
        return self.tiles.mask(place.tile for place in self.open_places() if place.bit & takes)

    def open_places(self) -> Iterator[Place]:
        """Yield the open places of the tiles on the table, in the order of play."""
        by_tile = self.tiles.places.by_tile
        return (place for index in self.order for place in by_tile[index] if place.bit & self.open)

    @property
    def open_faces(self) -> int:
        """Faces with an open place: bit ``f`` for face ``f``."""
        faces = 0
        for place in self.open_places():
            faces |= 1 << place.face.index
        return faces

    # ---- Placed tiles

    def join(self, tile: Tile, takes: Mask) -> Join | None:
        """Join a tile at the only open place among ``takes``, and return the join.

        Does nothing and returns ``None`` if none of these places is open, or several are, or if the tile is on the
        table already.
        """
        join = tile.joins.get(takes & self.open)
        table = self.table
        bit = tile.bit
        if join is None or table & bit:
            return None
        self.table = table | bit
        self.order.append(tile.index)
        self.open ^= join.flip
        self.count += join.change
        if join.spin and self._spins:
            self._spin(tile.index, join.spin)
        return join

    def _spin(self, double: int, flip: Mask) -> None:
        self.open ^= flip
        if self.spinner is None:
            self.spinner = double
            self._spins = self.spinner_mode is Spinner.ALL

    def place(self, tile: int, on: int | None) -> None:
        """Put a tile on the table: as the lead, or joined to ``on``.

        ``on`` must have an open place that the tile fits.
        """
        tiles = self.tiles.tiles
        takes = tiles[tile].takes
        join = self.join(tiles[tile], takes if on is None else takes & tiles[on].places)
        assert join is not None

    # ---- Open ends for display

    @property
    def open_ends(self) -> list[OpenEnd]:
        """All open ends, in the order of play; a double with a free side is one end.

        >>> from games.tiles import DOUBLE_SIX as d6
        >>> layout = Layout(d6, Spinner.FIRST)
        >>> layout.place(d6.tile("6-6").index, None)
        >>> layout.place(d6.tile("6-3").index, d6.tile("6-6").index)
        >>> [(end.tile.name, end.face.name, end.counts) for end in layout.open_ends]
        [('6-6', '6', 12), ('6-3', '3', 3)]
        """
        return [OpenEnd(place.tile, place.face, place.counts) for place in self.open_places()]

    def terms(self, ends: Mask | None = None) -> list[int]:
        """Return the summands of the open-end count.

        Both halves of a double that counts, one half of every other open end. ``ends`` are places that were open
        earlier in the round, in place of those open now.
        """
        if ends is None:
            ends = self.open
        places, tiles = self.tiles.places.by_tile, self.tiles.tiles
        terms: list[int] = []
        for index in self.order:
            if tiles[index].places & ends:
                for place in places[index]:
                    if place.bit & ends:
                        terms += place.terms
        return terms
