"""Tile, its halves, and the places for another tile (RULES.md 1.2)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

Mask = int
"""Set of tiles: bit ``n`` is the tile with index ``n``."""


NOT_IN_SET: Final = -1
"""Index of a written tile that the set does not have."""


@dataclass(frozen=True, slots=True)
class Face:
    """One half of a tile. ``pips`` is its count."""

    index: int
    name: str
    pips: int


@dataclass(frozen=True, slots=True, eq=False)
class Tile:
    """A tile of a set.

    ``high`` and ``low`` are face indices, ``high`` is written first. ``joins`` are its joins by the place that takes
    it, ``takes`` is the mask of these places, and ``places`` are its own (see `games.places`). A set has one object for
    each tile, so tiles are compared by identity.

    >>> from games.tiles import DOUBLE_SIX
    >>> DOUBLE_SIX.tile("3-6")
    Tile('6-3')
    >>> DOUBLE_SIX.tile("3-6").pips
    9
    """

    index: int
    name: str
    high: int
    low: int
    pips: int
    bit: Mask = field(init=False, repr=False)
    """Mask of this tile alone; 0 for a tile outside the set."""
    joins: Mapping[Mask, Join] = field(init=False, repr=False)
    takes: Mask = field(init=False, repr=False)
    places: Mask = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "bit", 1 << self.index if self.index >= 0 else 0)
        self.lay({}, 0)

    def lay(self, joins: Mapping[Mask, Join], places: Mask) -> None:
        """Set the joins and places of the tile; the set calls this once it is complete."""
        object.__setattr__(self, "joins", joins)
        object.__setattr__(self, "takes", sum(joins))
        object.__setattr__(self, "places", places)

    @property
    def double(self) -> bool:
        """Whether both halves are the same."""
        return self.high == self.low

    def __repr__(self) -> str:
        return f"Tile({self.name!r})"


@dataclass(frozen=True, slots=True)
class Place:
    """Half ``face`` of a tile; it adds ``terms`` to the open-end count.

    ``then`` is the place that opens when this one is covered.
    """

    bit: Mask
    tile: Tile
    face: Face
    terms: tuple[int, ...]
    then: Place | None = None

    @property
    def counts(self) -> int:
        """Share of the open-end count."""
        return sum(self.terms)


@dataclass(frozen=True, slots=True)
class Join:
    """Effect of a tile joined at a place.

    ``on`` is the index of the tile it is joined to, ``None`` for the lead; ``flip`` are the places that close and open;
    ``change`` is added to the open-end count. ``spin`` is 0 for a tile that is no double; a double that becomes a
    spinner flips these places too.
    """

    on: int | None
    flip: Mask
    change: int
    spin: Mask = 0
