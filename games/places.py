"""Places where a tile can be joined, as bits (RULES.md 1.2).

The tables for the layout, made once for a set. A *place* is a half that takes a tile. The open places of a table are
one mask, so joining a tile takes one bit out of it and puts one in, and the open-end count changes by a number known
beforehand. A double changes when its sides and ends are covered; every open state of it is a place, and covering that
place leads to the next.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from games.tile import Face, Join, Mask, Place, Tile


class _Fits(dict[int, int]):
    """Tiles that fit a set of faces, by the guard bits of the faces; filled on demand."""

    def __init__(self, by_guard: Iterable[tuple[int, Mask]]) -> None:
        super().__init__()
        self._by_guard = tuple(by_guard)

    def __missing__(self, guards: int) -> Mask:
        tiles = 0
        for guard, fitting in self._by_guard:
            if guards & guard:
                tiles |= fitting
        self[guards] = tiles
        return tiles


class Places:
    """Places of a tile set.

    ``start`` is the empty table, a place that takes every tile. The bits of the places of one face are adjacent, below
    a *guard* bit that is no place, so that ``(open + carry) & guards`` finds the open faces in two steps: a face with
    an open place carries into its guard. ``fits`` gives the tiles for these guards; ``by_tile`` are the places of each
    tile.
    """

    def __init__(self, faces: Sequence[Face], tiles: Sequence[Tile]) -> None:
        self.start: Mask = 1
        self.carry: Mask = 1
        self.guards: Mask = 2
        self.by_tile: list[list[Place]] = [[] for _ in tiles]
        self._next = 4
        fits = [(self.guards, sum(tile.bit for tile in tiles))]
        # From the highest face down, so that the places of a tile come in written order, higher half first.
        for face in reversed(faces):
            carrying = [tile for tile in tiles if face.index in (tile.high, tile.low)]
            first = self._next
            for tile in carrying:
                self.by_tile[tile.index] += self._of_double(tile, face) if tile.double else [self._new(tile, face, 1)]
            self.carry |= self._next - first
            self.guards |= self._next
            fits.append((self._next, sum(tile.bit for tile in carrying)))
            self._next <<= 1
        self.fits = _Fits(fits)

    def _new(self, tile: Tile, face: Face, halves: int, then: Place | None = None) -> Place:
        bit, self._next = self._next, self._next << 1
        return Place(bit, tile, face, (face.pips,) * halves, then)

    def _of_double(self, tile: Tile, face: Face) -> list[Place]:
        """Make the six places of a double.

        Lone; with a side covered; the same two for a spinner; a spinner with both sides covered; the same with one end
        covered. Both halves count, once, until the second side is covered; then only a spinner stays open (RULES.md
        1.2).
        """
        end = self._new(tile, face, 0)
        ends = self._new(tile, face, 0, end)
        spinning = self._new(tile, face, 2, ends)
        side = self._new(tile, face, 2)
        return [self._new(tile, face, 2, side), side, self._new(tile, face, 2, spinning), spinning, ends, end]

    def joins(self, tile: Tile) -> dict[Mask, Join]:
        """Return the joins of a tile at every place that takes it, by the place's bit."""
        joins = {self.start: self._lead(tile)}
        for places in self.by_tile:
            for place in places:
                # Two different tiles have one face in common at most; only the tile itself has both.
                shared = {tile.high, tile.low} & {place.tile.high, place.tile.low}
                if tile is not place.tile and shared == {place.face.index}:
                    joins[place.bit] = self._join(tile, place)
        return joins

    def _lead(self, tile: Tile) -> Join:
        own = self.by_tile[tile.index]
        if not tile.double:
            return Join(None, self.start | own[0].bit | own[1].bit, tile.pips)
        lone, spinning = own[0], own[2]
        return Join(None, self.start | lone.bit, lone.counts, lone.bit | spinning.bit)

    def _join(self, tile: Tile, place: Place) -> Join:
        own = self.by_tile[tile.index]
        outer = own[1] if tile.double else own[0] if own[1].face is place.face else own[1]
        flip, change = place.bit | outer.bit, outer.counts - place.counts
        if place.then is not None:
            flip |= place.then.bit
            change += place.then.counts
        return Join(place.tile.index, flip, change, outer.bit | own[3].bit if tile.double else 0)
