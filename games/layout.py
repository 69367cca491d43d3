"""The tiles on the table: what is joined to what, which ends are open, and the open-end count (RULES.md 1.2)."""

from __future__ import annotations

from collections.abc import Iterator
from copy import copy
from dataclasses import dataclass

from games.ruleset import Spinner
from games.tile import Face, Join, Mask, Place, Tile
from games.tiles import TileSet

# An enum looks its members up by a call in Python, so those that every double asks for have a name of their own.
_FIRST, _ALL = Spinner.FIRST, Spinner.ALL


@dataclass(frozen=True, slots=True)
class OpenEnd:
    """A place where a tile can be joined: ``face`` of ``tile``. ``counts`` is what it adds to the open-end count."""

    tile: Tile
    face: Face
    counts: int


class Layout:
    """Tiles on the table, kept so that a play costs the same however long the line is.

    ``open`` is the mask of the open places (see `games.places`) and ``count`` the open-end count. ``table`` is the mask
    of tiles placed, ``order`` the tiles as they came. ``spinner`` is the first double that became one.
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
        """An independent layout in the same position."""
        twin = copy(self)
        twin.order = self.order[:]
        return twin

    # ---- what fits

    def fitting(self) -> Mask:
        """The tiles of the set that can be joined somewhere; every tile while the table is empty."""
        places = self.tiles.places
        return places.fits[(self.open + places.carry) & places.guards]

    def places(self, tile: int) -> Mask:
        """The tiles on the table that this tile can be joined to."""
        takes = self.tiles.tiles[tile].takes & self.open
        return self.tiles.mask(place.tile for place in self.open_places() if place.bit & takes)

    def open_places(self) -> Iterator[Place]:
        """The open places of the tiles on the table, in the order in which these were placed."""
        by_tile = self.tiles.places.by_tile
        return (place for index in self.order for place in by_tile[index] if place.bit & self.open)

    @property
    def open_faces(self) -> int:
        """The faces that can be joined somewhere: bit ``f`` for face ``f``."""
        faces = 0
        for place in self.open_places():
            faces |= 1 << place.face.index
        return faces

    # ---- what is placed

    def join(self, tile: Tile, takes: Mask) -> Join | None:
        """Join a tile at the one open place among ``takes``, and tell what that did.

        ``None``, and nothing done, if none of them is open, or several, or if the tile is on the table already.
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
        """Put a tile on the table: as the lead, or joined to ``on``, which must have an open place that it fits."""
        tiles = self.tiles.tiles
        takes = tiles[tile].takes
        join = self.join(tiles[tile], takes if on is None else takes & tiles[on].places)
        assert join is not None

    # ---- in words

    @property
    def open_ends(self) -> list[OpenEnd]:
        """Every open end, in the order in which the tiles were placed; a double with a free side is one end.

        >>> from games.tiles import DOUBLE_SIX as d6
        >>> layout = Layout(d6, Spinner.FIRST)
        >>> layout.place(d6.tile("6-6").index, None)
        >>> layout.place(d6.tile("6-3").index, d6.tile("6-6").index)
        >>> [(end.tile.name, end.face.name, end.counts) for end in layout.open_ends]
        [('6-6', '6', 12), ('6-3', '3', 3)]
        """
        return [OpenEnd(place.tile, place.face, place.counts) for place in self.open_places()]

    def terms(self, ends: Mask | None = None) -> list[int]:
        """The summands of the count: both halves of a double that counts, one half of every other open end.

        ``ends`` are places that were open earlier in the round, if it is not about what is open now.
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
