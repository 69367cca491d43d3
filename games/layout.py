"""The tiles on the table: what is joined to what, which ends are open, and the open-end count (RULES.md 1.2)."""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass

from games.ruleset import Spinner
from games.tiles import Face, Mask, Tile, TileSet

# An enum looks its members up by a call in Python, so those that every double asks for have a name of their own.
_FIRST, _ALL = Spinner.FIRST, Spinner.ALL


@dataclass(frozen=True, slots=True)
class OpenEnd:
    """A place where a tile can be joined: ``face`` of ``tile``. ``counts`` is what it adds to the open-end count."""

    tile: Tile
    face: Face
    counts: int


class Layout:
    """Tiles on the table, kept as counters so that a play costs the same however long the line is.

    ``count`` is the open-end count. ``table`` is the mask of tiles placed, ``order`` the tiles as they came.
    ``open_faces`` has bit ``f`` set if a tile with face ``f`` can be joined somewhere, and ``tips[f]`` is the mask of
    the tiles on the table with an open place of face ``f``. ``covered[t]`` is the number of tiles joined to double
    ``t``, whichever of the two came first. ``spinner`` is the first double that became one, ``spinners`` the mask of
    all of them.
    """

    __slots__ = (
        "_doubles",
        "_joins",
        "count",
        "covered",
        "open_faces",
        "order",
        "spinner",
        "spinner_mode",
        "spinners",
        "table",
        "tiles",
        "tips",
    )

    def __init__(self, tiles: TileSet, spinner_mode: Spinner) -> None:
        self.tiles = tiles
        self.spinner_mode = spinner_mode
        self.count = 0
        self.table: Mask = 0
        self.open_faces = 0
        self.tips: list[Mask] = [0] * len(tiles.faces)
        self.covered = [0] * len(tiles.tiles)
        self.spinner: int | None = None
        self.order: list[int] = []
        self._doubles = tiles.doubles
        self._joins = tiles.joins
        self.spinners: Mask = 0

    def copy(self) -> Layout:
        """An independent layout in the same position."""
        twin = copy(self)
        twin.tips, twin.covered, twin.order = self.tips[:], self.covered[:], self.order[:]
        return twin

    def fitting(self) -> Mask:
        """The tiles of the set that can be joined somewhere; every tile while the table is empty."""
        return self.tiles.fits[self.open_faces] if self.table else self.tiles.all

    def places(self, tile: int) -> Mask:
        """The tiles on the table that this tile can be joined to."""
        return self.tips[self.tiles.high[tile]] | self.tips[self.tiles.low[tile]]

    def has_open_place(self, tile: int) -> bool:
        """Whether anything at all could be joined to this tile on the table."""
        bit = 1 << tile
        return bool((self.tips[self.tiles.high[tile]] | self.tips[self.tiles.low[tile]]) & bit)

    def place(self, tile: int, on: int | None) -> None:
        """Put a tile on the table: as the lead, or joined to ``on``, which must have an open place that it fits."""
        self.order.append(tile)
        bit = 1 << tile
        self.table |= bit
        if on is None:
            self._lead(tile, bit)
            return
        tips = self.tips
        open_faces = self.open_faces
        face, outer, face_bit, outer_bit, face_pips, change = self._joins[tile][on]  # type: ignore[misc]  # it fits
        on_bit = 1 << on
        if on_bit & self._doubles:
            covered = self.covered[on] + 1
            self.covered[on] = covered
            if covered == 2:
                # Both sides covered: the double stops counting, and a spinner's ends open (RULES.md 1.2).
                change -= 2 * face_pips
            closes = covered == (4 if self.spinners & on_bit else 2)
        else:
            change -= face_pips
            closes = True
        if closes:
            left = tips[face] ^ on_bit
            tips[face] = left
            if not left:
                open_faces ^= face_bit
        tips[outer] |= bit
        self.open_faces = open_faces | outer_bit
        if bit & self._doubles:
            # A double at the tip of an arm counts both halves once (RULES.md 1.2).
            change += face_pips
            self.covered[tile] = 1
            self.try_spinner(tile, bit)
        self.count += change

    def _lead(self, tile: int, bit: Mask) -> None:
        tiles, tips = self.tiles, self.tips
        high, low = tiles.high[tile], tiles.low[tile]
        self.count = tiles.pips[tile]
        self.open_faces = 1 << high | 1 << low
        tips[high] = tips[low] = bit
        if high == low:
            # A lone double counts both halves once, and has two free sides (RULES.md 1.2).
            self.try_spinner(tile, bit)

    def try_spinner(self, double: int, bit: Mask) -> None:
        """A double was placed: by the spinner mode it may be a spinner."""
        if self.spinner_mode is _ALL or (self.spinner_mode is _FIRST and self.spinner is None):
            self.spinners |= bit
            if self.spinner is None:
                self.spinner = double

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
        ends: list[OpenEnd] = []
        for index in self.order:
            tile = self.tiles.tiles[index]
            for face in dict.fromkeys((tile.high, tile.low)):
                if self.tips[face] & tile.bit:
                    halves = 1 if not tile.double else 2 if self.covered[index] < 2 else 0
                    ends.append(OpenEnd(tile, self.tiles.faces[face], halves * self.tiles.faces[face].pips))
        return ends

    def terms(self) -> list[int]:
        """The summands of the count: both halves of a double that counts, one half of every other open end."""
        terms: list[int] = []
        tiles, tips = self.tiles, self.tips
        for index in self.order:
            high, low = tiles.high[index], tiles.low[index]
            if high == low:
                if self.covered[index] < 2:
                    terms += (tiles.faces[high].pips,) * 2
                continue
            for face in (high, low):
                if tips[face] >> index & 1:
                    terms.append(tiles.faces[face].pips)
        return terms
