"""Tiles of a domino set, as indices into the set and as bit masks.

A hand, a boneyard or a set of fitting tiles is an ``int`` with bit ``tile.index`` set for every tile in it, so
membership is ``mask & tile.bit`` and the tiles of a hand that fit are ``hand & fits``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from games.places import Places
from games.tile import NOT_IN_SET, Face, Mask, Tile

_CHUNK_BITS = 10
_CHUNK: Mask = (1 << _CHUNK_BITS) - 1
"""Mask of one chunk: pips of a mask are summed a chunk of tiles at a time."""


class TileSet:
    """A full set of tiles with the tables the engine reads; made once, at import.

    ``faces`` and ``tiles`` are in index order. ``with_face[f]`` is the mask of tiles that carry face ``f``;
    ``fits[m]`` the mask of tiles that carry any face of the face mask ``m``. ``places`` are the places of the set,
    ``top_double`` is the mask of the highest double alone.
    """

    __slots__ = (
        "_by_name",
        "_pip_sums",
        "_strangers",
        "all",
        "doubles",
        "faces",
        "fits",
        "high",
        "low",
        "name",
        "pips",
        "places",
        "tiles",
        "top_double",
        "with_face",
    )

    def __init__(self, name: str, faces: Iterable[Face], tiles: Iterable[Tile]) -> None:
        self.name = name
        self.faces: tuple[Face, ...] = tuple(faces)
        self.tiles: tuple[Tile, ...] = tuple(tiles)
        self.high: tuple[int, ...] = tuple(t.high for t in self.tiles)
        self.low: tuple[int, ...] = tuple(t.low for t in self.tiles)
        self.pips: tuple[int, ...] = tuple(t.pips for t in self.tiles)
        self.all: Mask = (1 << len(self.tiles)) - 1
        self.doubles: Mask = self.mask(t for t in self.tiles if t.double)
        self.top_double: Mask = 1 << self.doubles.bit_length() - 1 if self.doubles else 0
        self.sum_up_pips()
        self.with_face: tuple[Mask, ...] = tuple(
            self.mask(t for t in self.tiles if f.index in (t.high, t.low)) for f in self.faces
        )
        self.fits: tuple[Mask, ...] = tuple(self._fitting(m) for m in range(1 << len(self.faces)))
        self.places = Places(self.faces, self.tiles)
        for t, own in zip(self.tiles, self.places.by_tile, strict=True):
            t.lay(self.places.joins(t), sum(place.bit for place in own))
        self._by_name = {t.name: t for t in self.tiles}
        for t in self.tiles:
            self._by_name["-".join(reversed(t.name.split("-")))] = t
        # Names of tiles outside the set: the notation can spell some twenty thousand.
        self._strangers: dict[str, Tile] = {}

    def sum_up_pips(self) -> None:
        """Make the tables of :meth:`pips_in`."""
        chunks = range(0, len(self.tiles), _CHUNK_BITS)
        self._pip_sums = [_subset_sums(self.pips[at : at + _CHUNK_BITS]) for at in chunks]

    def _fitting(self, face_mask: int) -> Mask:
        tiles = 0
        for face, carrying in enumerate(self.with_face):
            if face_mask >> face & 1:
                tiles |= carrying
        return tiles

    def tile(self, name: str) -> Tile:
        """Return the tile written ``name``, halves in either order.

        Raises ``KeyError`` if the set has no such tile.
        """
        return self._by_name[name]

    def read(self, name: str) -> Tile:
        """Return the tile written ``name``, or a tile outside the set.

        The latter has the index :data:`NOT_IN_SET`; see :meth:`tile`.
        """
        tile = self._by_name.get(name) or self._strangers.get(name)
        if tile is None:
            tile = self._strangers[name] = Tile(NOT_IN_SET, name, NOT_IN_SET, NOT_IN_SET, 0)
        return tile

    def named(self, names: Iterable[str]) -> tuple[Tile, ...]:
        """Return the tiles with these names.

        Raises ``KeyError`` if the set does not have one of them.
        """
        return tuple(map(self._by_name.__getitem__, names))

    @staticmethod
    def mask(tiles: Iterable[Tile]) -> Mask:
        """Return the tiles as a mask."""
        mask = 0
        for tile in tiles:
            mask |= 1 << tile.index
        return mask

    def in_mask(self, mask: Mask) -> Iterator[Tile]:
        """Yield the tiles of a mask, lowest index first."""
        while mask:
            lowest = mask & -mask
            yield self.tiles[lowest.bit_length() - 1]
            mask ^= lowest

    def pips_in(self, mask: Mask) -> int:
        """Return the pips of all tiles of a mask."""
        total = 0
        for sums in self._pip_sums:
            if not mask:
                break
            total += sums[mask & _CHUNK]
            mask >>= _CHUNK_BITS
        return total


def _subset_sums(numbers: Iterable[int]) -> list[int]:
    """Return the sum of every subset: item ``m`` adds the numbers at its set bits."""
    sums = [0]
    for number in numbers:
        sums += [n + number for n in sums]
    return sums


def _double_six() -> TileSet:
    """Make the set of 28 tiles x-y with 0 <= y <= x <= 6 (RULES.md 1.1).

    7 doubles, 21 others, 168 pips.
    """
    faces = [Face(n, str(n), n) for n in range(7)]
    pairs = [(x, y) for x in range(7) for y in range(x + 1)]
    return TileSet("double-six", faces, [Tile(i, f"{x}-{y}", x, y, x + y) for i, (x, y) in enumerate(pairs)])


DOUBLE_SIX: Final = _double_six()
