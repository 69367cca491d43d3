"""The tiles on the table where tiles match by colour or kind: open ends, and what they show (RULES.md 2.6 to 2.8)."""

from __future__ import annotations

from copy import copy

from games.tile import Mask, Tile
from games.uno.markings import COLOUR_NAMES, MarkedSet

FOUR_WAYS = 4


class ColourLayout:
    """Tiles on the table and their open ends.

    ``ends`` maps the index of each tile that can be joined to what it shows there, an open face of the set;
    ``free`` maps it to the number of places where it can be joined. A dead end has none, and no entry.
    """

    __slots__ = ("all_doublets", "ends", "free", "table", "tiles")

    spinner: int | None = None
    """No tile becomes a spinner here: the starting doublet is open on four sides at once (RULES.md 2.6)."""

    def __init__(self, tiles: MarkedSet, *, all_doublets: bool = False) -> None:
        self.tiles = tiles
        self.all_doublets = all_doublets
        self.table: Mask = 0
        self.ends: dict[int, int] = {}
        self.free: dict[int, int] = {}

    def copy(self) -> ColourLayout:
        """An independent layout in the same position."""
        twin = copy(self)
        twin.ends, twin.free = self.ends.copy(), self.free.copy()
        return twin

    def lead(self, tile: Tile, colour: str | None) -> None:
        """The first tile: a doublet is open on four sides, a wrong lead that is none at its second half (7.21)."""
        self.table |= tile.bit
        self._open(tile, colour, FOUR_WAYS if tile.double else 1)

    def place(self, tile: Tile, on: int, colour: str | None) -> None:
        """Join a tile to ``on``, with the half that is written first; it must fit there."""
        self.table |= tile.bit
        left = self.free[on] - 1
        if left:
            self.free[on] = left
        else:
            del self.free[on], self.ends[on]
        # A doublet lies across the arm: only its far side goes on, and its ends too in the all-doublet variation.
        self._open(tile, colour, 3 if self.all_doublets and tile.double else 1)

    def reopen(self, tile: Tile, colour: str) -> None:
        """Put a wild doublet beside a doublet: its far side and its two ends are open (RULES.md 2.37)."""
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
        """Whether the half that is written first may touch the open end of ``on``."""
        if tile.double and self.tiles.doubles >> on & 1:
            return False
        return bool(self.tiles.joins_at[tile.high] >> self.ends[on] & 1)

    def takers(self, tile: Tile) -> list[int]:
        """The tiles on the table that this tile can be joined to with the half that is written first."""
        return [on for on in self.ends if self.fits(tile, on)]

    def playable(self) -> Mask:
        """The tiles of the set that could be joined somewhere, by one half or the other."""
        tiles, fitting = self.tiles, 0
        for on, face in self.ends.items():
            fits = tiles.fits_at[face]
            fitting |= fits & ~tiles.doubles if tiles.doubles >> on & 1 else fits
        return fitting

    def coloured(self) -> Mask:
        """The tiles of the set that carry the colour of an open end, named colours included (RULES.md 2.18)."""
        mask = 0
        for face in self.ends.values():
            mask |= self.tiles.coloured_like[face]
        return mask

    def shown(self) -> list[str]:
        """What the open ends show, for a sentence: ``r7``, ``W-W`` named red as ``red``."""
        names = [m.name for m in self.tiles.markings] + list(COLOUR_NAMES)
        return sorted({names[face] for face in self.ends.values()})
