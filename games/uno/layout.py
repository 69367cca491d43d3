"""Tiles on the table, matched by colour or kind: open ends (RULES.md 2.6 to 2.8)."""

from __future__ import annotations

from copy import copy

from games.tile import Mask, Tile
from games.uno.markings import COLOUR_NAMES, MarkedSet

FOUR_WAYS = 4


class ColourLayout:
    """Tiles on the table and their open ends.

    ``ends`` maps the index of each tile with an open end to the open face shown there; ``free`` maps it to the number
    of places where it can be joined. A dead end has none, and no entry.
    """

    __slots__ = ("all_doublets", "ends", "free", "table", "tiles")

    spinner: int | None = None
    """None: the starting doublet is open on four sides at once (RULES.md 2.6)."""

    def __init__(self, tiles: MarkedSet, *, all_doublets: bool = False) -> None:
        self.tiles = tiles
        self.all_doublets = all_doublets
        self.table: Mask = 0
        self.ends: dict[int, int] = {}
        self.free: dict[int, int] = {}

    def copy(self) -> ColourLayout:
        """Return an independent layout in the same position."""
        twin = copy(self)
        twin.ends, twin.free = self.ends.copy(), self.free.copy()
        return twin

    def lead(self, tile: Tile, colour: str | None) -> None:
        """Place the first tile: a doublet is open on four sides.

        A wrong lead without a doublet is open at its second half (7.21).
        """
        self.table |= tile.bit
        self._open(tile, colour, FOUR_WAYS if tile.double else 1)

    def place(self, tile: Tile, on: int, colour: str | None) -> None:
        """Join a tile to ``on``, with the half written first; it must fit there."""
        self.table |= tile.bit
        left = self.free[on] - 1
        if left:
            self.free[on] = left
        else:
            del self.free[on], self.ends[on]
        # A doublet lies across the arm: only its far side goes on, and its ends too in the all-doublet variation.
        self._open(tile, colour, 3 if self.all_doublets and tile.double else 1)

    def reopen(self, tile: Tile, colour: str) -> None:
        """Put a wild doublet beside a doublet (RULES.md 2.37).

        Its far side and its two ends are open.
        """
        self.table |= tile.bit
        self._open(tile, colour, 3)

    def _open(self, tile: Tile, colour: str | None, places: int) -> None:
        face, tiles = tile.low, self.tiles
        if tiles.dead >> face & 1:
            return
        if colour is not None and tiles.wild >> face & 1:
            face = tiles.named_faces[COLOUR_NAMES.index(colour)]
        self.ends[tile.index] = face
        self.free[tile.index] = places

    def fits(self, tile: Tile, on: int) -> bool:
        """Return whether the half written first may touch the open end of ``on``."""
        if tile.double and self.tiles.doubles >> on & 1:
            return False
        return bool(self.tiles.joins_at[tile.high] >> self.ends[on] & 1)

    def takers(self, tile: Tile) -> list[int]:
        """Return the tiles on the table that take this tile by the half written first."""
        return [on for on in self.ends if self.fits(tile, on)]

    def playable(self) -> Mask:
        """Return the tiles of the set that fit somewhere, by one half or the other."""
        tiles, fitting = self.tiles, 0
        for on, face in self.ends.items():
            fits = tiles.fits_at[face]
            fitting |= fits & ~tiles.doubles if tiles.doubles >> on & 1 else fits
        return fitting

    def coloured(self) -> Mask:
        """Return the tiles of the set with the colour of an open end (RULES.md 2.18).

        Named colours are included.
        """
        mask = 0
        for face in self.ends.values():
            mask |= self.tiles.coloured_like[face]
        return mask

    def shown(self) -> list[str]:
        """Return the names of the open ends, for a sentence.

        ``r7``; ``W-W`` named red is ``red``.
        """
        names = [m.name for m in self.tiles.markings] + list(COLOUR_NAMES)
        return sorted({names[face] for face in self.ends.values()})
