"""A tile, its halves, and the places where another tile can be joined (RULES.md 1.2)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

Mask = int
"""A set of tiles: bit ``n`` stands for the tile with index ``n``."""


NOT_IN_SET: Final = -1
"""Index of a tile that was written down but is not a tile of the set."""


@dataclass(frozen=True, slots=True)
class Face:
    """One half of a tile. ``pips`` is what it counts for."""

    index: int
    name: str
    pips: int


@dataclass(frozen=True, slots=True, eq=False)
class Tile:
    """A tile of a set; ``high`` and ``low`` are face indices, ``high`` is written first.

    ``joins`` tells what it does at each place that takes it, ``takes`` is the mask of these places, and ``places`` are
    its own (see `games.places`). There is one object for each tile of a set, so tiles are compared by identity.

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
    """The mask that holds this tile alone; 0 for a tile outside the set."""
    joins: Mapping[Mask, Join] = field(init=False, repr=False)
    takes: Mask = field(init=False, repr=False)
    places: Mask = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "bit", 1 << self.index if self.index >= 0 else 0)
        self.lay({}, 0)

    def lay(self, joins: Mapping[Mask, Join], places: Mask) -> None:
        """Tell the tile what it does at other tiles, and its places: its set does, once it has all its tiles."""
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
    """Half ``face`` of a tile; it adds ``terms`` to the open-end count. ``then`` is open once this is covered."""

    bit: Mask
    tile: Tile
    face: Face
    terms: tuple[int, ...]
    then: Place | None = None

    @property
    def counts(self) -> int:
        """What the place adds to the open-end count."""
        return sum(self.terms)


@dataclass(frozen=True, slots=True)
class Join:
    """What a tile does when it comes to a place.

    ``on`` is the index of the tile that it is joined to, ``None`` for the lead; ``flip`` are the places that close and
    open; ``change`` is added to the open-end count. ``spin`` is 0 for a tile that is no double; a double that becomes a
    spinner flips these places too.
    """

    on: int | None
    flip: Mask
    change: int
    spin: Mask = 0
