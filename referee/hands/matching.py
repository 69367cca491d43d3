"""Perfect matching of tiles and unseen places by bit masks, or its clash.

Places of one kind form a group: ``room[g]`` places that may hold the tiles of the mask ``may[g]``. Augmenting paths
(Kuhn) place the tiles left over by the first, greedy pass; a failed path is a Hall violator: more tiles than places, or
more places than tiles.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from games.tile import Mask


class Clash(NamedTuple):
    """Reason against a matching: ``tiles`` and the groups they compete for.

    The groups have ``room`` places in all. If ``scarce`` these tiles are too few for the places, else the places too
    few for the tiles.
    """

    tiles: Mask
    groups: tuple[int, ...]
    room: int
    scarce: bool


def bits(mask: Mask) -> Iterator[Mask]:
    """Yield the tiles of a mask, each as its own mask, lowest first."""
    while mask:
        bit = mask & -mask
        yield bit
        mask ^= bit


def _first(count: int, tiles: Mask, order: Iterable[Mask]) -> Mask:
    """Return the first ``count`` of these tiles, at least one.

    Tiles missing in ``order`` come last.
    """
    chosen = 0
    for bit in order:
        if bit & tiles:
            chosen |= bit
            count -= 1
            if not count:
                return chosen
    for bit in bits(tiles & ~chosen):
        chosen |= bit
        count -= 1
        if not count:
            break
    return chosen


class Seating:
    """Tiles in groups of places.

    ``holds[g]`` are the tiles that group ``g`` holds, ``room[g]`` is the number of its free places.
    """

    __slots__ = ("_seen", "_seen_tiles", "holds", "may", "room")

    _seen: set[int]
    """Groups reached by the search for a path, and the tiles; set by the search."""
    _seen_tiles: Mask

    def __init__(self, room: list[int], may: list[Mask]) -> None:
        self.room = room
        self.may = may
        self.holds: list[Mask] = [0] * len(room)

    def put_all(self, tiles: Mask, soonest: Callable[[int], Iterable[Mask]]) -> Clash | None:
        """Find a place for each of these tiles, or return the clash.

        If group ``g`` has fewer places than tiles that may lie there, the first in ``soonest(g)`` get them. That order,
        and the order of the groups, from the last to the first, matter for speed alone: the soonest deadline first, and
        the oldest places last, leaves little to repair.
        """
        room, may, holds = self.room, self.may, self.holds
        for group in range(len(may) - 1, -1, -1):
            fitting = tiles & may[group]
            if fitting:
                count = fitting.bit_count()
                if count > room[group]:
                    fitting = _first(room[group], fitting, soonest(group))
                    count = room[group]
                room[group] -= count
                holds[group] = fitting
                tiles ^= fitting
                if not tiles:
                    return None
        for bit in bits(tiles):
            clash = self._insist(bit)
            if clash is not None:
                return clash
        return None

    def put(self, bit: Mask) -> bool:
        """Find a place for one more tile, moving others if needed; return success."""
        self._seen = set()
        return self._put(bit)

    def _insist(self, bit: Mask) -> Clash | None:
        if self.put(bit):
            return None
        tiles = bit
        for group in self._seen:
            tiles |= self.holds[group]
        groups = tuple(sorted(self._seen))
        return Clash(tiles, groups, sum(self.holds[group].bit_count() for group in groups), scarce=False)

    def _put(self, bit: Mask) -> bool:
        """Place a tile, moving others if needed."""
        for group, may in enumerate(self.may):
            if not may & bit or group in self._seen:
                continue
            self._seen.add(group)
            if self.room[group]:
                self.room[group] -= 1
                self.holds[group] |= bit
                return True
            for other in bits(self.holds[group]):
                if self._put(other):
                    self.holds[group] ^= other | bit
                    return True
        return False

    def fill(self, spare: Mask) -> Clash | None:
        """Fill every free place with a tile of ``spare``; placed tiles only move."""
        for group, free in enumerate(self.room):
            for _ in range(free):
                self._seen_tiles = 0
                self._seen = {group}
                given = self._fetch(group, spare)
                if not given:
                    return self._too_few()
                spare &= ~given
                self.room[group] -= 1
        return None

    def _too_few(self) -> Clash:
        groups = tuple(sorted(self._seen))
        tiles, places = 0, 0
        for group in groups:
            tiles |= self.may[group]
            places += self.holds[group].bit_count() + self.room[group]
        return Clash(tiles, groups, places, scarce=True)

    def _fetch(self, group: int, spare: Mask) -> Mask:
        """Move one more tile into a group; return the spare tile used, 0 if none fits."""
        wanted = self.may[group] & ~self.holds[group] & ~self._seen_tiles
        free = wanted & spare
        if free:
            self.holds[group] |= free & -free
            return free & -free
        for bit in bits(wanted):
            if self._seen_tiles & bit:
                continue
            self._seen_tiles |= bit
            owner = next(g for g, held in enumerate(self.holds) if held & bit)
            self._seen.add(owner)
            given = self._fetch(owner, spare)
            if given:
                self.holds[owner] ^= bit
                self.holds[group] |= bit
                return given
        return 0
