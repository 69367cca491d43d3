"""Tile sets with halves of a colour and a kind; their matching (RULES.md 4.3)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from games.inventory import COLOURS, MARKINGS, NUMBERS, Listed, packaged_inventory
from games.tile import Face, Mask, Tile
from games.tiles import TileSet

POINTS: Final = {number: int(number) for number in NUMBERS} | {"D2": 10, "S": 10, "R": 10, "DE": 20, "WD4": 20, "W": 25}
"""Points of a half at the end of a round (RULES.md 2.33)."""
WILD: Final = ("W", "WD4")
COLOUR_NAMES: Final = tuple(COLOURS.values())


@dataclass(frozen=True, slots=True)
class Marking(Face):
    """One half: ``pips`` are its points, ``colour`` its colour number or ``None``."""

    kind: str
    colour: int | None


class MarkedSet(TileSet):
    """A set with matching by colour or kind, each tile in two spellings.

    The half written first is the half that touches: ``b7-gS`` and ``gS-b7`` are two :class:`~games.tile.Tile` objects
    with one index and one bit, and ``tile.high`` is the active face. :attr:`tiles` has every tile once, halves in the
    order of their names.

    An open end shows an *open face*: the index of a marking, or of ``named_faces[c]``, a wild half of named colour.
    ``joins_at[f]`` is the mask of the open faces that half ``f`` may touch, ``fits_at[o]`` the mask of the tiles with a
    half that may touch open face ``o``, ``coloured_like[o]`` the mask of the tiles with its colour. ``starters`` are
    the numeric doublets, the highest first, ``starting`` is their mask.
    """

    __slots__ = (
        "coloured_like",
        "dead",
        "fits_at",
        "joins_at",
        "markings",
        "named_faces",
        "open_faces",
        "starters",
        "starting",
        "wild",
    )

    def __init__(self, name: str, listed: Iterable[Listed]) -> None:
        # The tables of a pip set cover all sets of faces, 2^51 here: none of them is made.
        letters = list(COLOURS)
        self.name = name
        self.markings = tuple(
            Marking(n, half.name, POINTS[half.kind], half.kind, letters.index(half.colour) if half.colour else None)
            for n, half in enumerate(MARKINGS)
        )
        self.faces = self.markings
        face_of = {marking.name: marking.index for marking in self.markings}
        pairs = [sorted((a.name, b.name)) for a, b in listed]
        self.tiles = tuple(self._tile(n, face_of[a], face_of[b]) for n, (a, b) in enumerate(pairs))
        self.high = tuple(tile.high for tile in self.tiles)
        self.low = tuple(tile.low for tile in self.tiles)
        self.pips = tuple(tile.pips for tile in self.tiles)
        self.all = (1 << len(self.tiles)) - 1
        self.doubles = self.mask(tile for tile in self.tiles if tile.double)
        self.with_face = tuple(self.mask(t for t in self.tiles if f.index in (t.high, t.low)) for f in self.faces)
        self.fits = ()
        self.sum_up_pips()
        self._by_name = {tile.name: tile for tile in self.tiles}
        self._by_name |= {tile.name: tile for tile in map(self.turned, self.tiles)}
        self._strangers = {}
        self._make_tables()

    def _tile(self, index: int, first: int, second: int) -> Tile:
        a, b = self.markings[first], self.markings[second]
        return Tile(index, f"{a.name}-{b.name}", first, second, a.pips + b.pips)

    def turned(self, tile: Tile) -> Tile:
        """Return the same tile with its halves swapped; a doublet is itself."""
        name = "-".join(reversed(tile.name.split("-")))
        return self._by_name.get(name) or self._tile(tile.index, tile.low, tile.high)

    def _make_tables(self) -> None:
        self.wild: Mask = sum(1 << m.index for m in self.markings if m.kind in WILD)
        self.dead: Mask = sum(1 << m.index for m in self.markings if m.kind == "DE")
        self.named_faces = tuple(len(self.markings) + colour for colour in range(len(COLOURS)))
        shown = [(m.kind, m.colour) for m in self.markings] + [(None, colour) for colour in range(len(COLOURS))]
        self.open_faces = len(shown)
        self.joins_at = tuple(
            sum(1 << n for n, (kind, colour) in enumerate(shown) if _matches(m, kind, colour)) for m in self.markings
        )
        self.fits_at = tuple(
            self.mask(t for t in self.tiles if (self.joins_at[t.high] | self.joins_at[t.low]) >> n & 1)
            for n in range(self.open_faces)
        )
        self.coloured_like = tuple(
            self.mask(
                t
                for t in self.tiles
                if colour is not None and colour in (self.markings[t.high].colour, self.markings[t.low].colour)
            )
            for _, colour in shown
        )
        numeric = [t for t in self.tiles if t.double and self.markings[t.high].kind in NUMBERS]
        # Highest number first; among equals by the colour order of the printed table (RULES.md 2.3, 2.4).
        numeric.sort(key=lambda t: (-self.markings[t.high].pips, self.markings[t.high].colour))
        self.starters = tuple(t.index for t in numeric)
        self.starting = self.mask(numeric)


def _matches(half: Marking, kind: str | None, colour: int | None) -> bool:
    """Return whether a half may touch an open end: by kind, by colour, or as wild."""
    if half.kind == "DE" or kind == "DE":
        return False
    if half.kind in WILD:
        return True
    return half.kind == kind or half.colour == colour


UNO: Final = MarkedSet("uno", packaged_inventory("uno_inventory.csv"))
"""The reconstructed set of 81 Uno Dominoes (RULES.md 4.2)."""
