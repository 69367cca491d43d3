"""Which tiles may lie in which unseen places: a perfect matching by bit masks, or the clash that forbids it.

Places of one kind form a group: ``room[g]`` places that may hold the tiles of the mask ``may[g]``. Augmenting paths
(Kuhn) repair what the first, greedy pass leaves over; a failed path is a Hall violator: more tiles than places, or more
places than tiles.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from games.tile import Mask


class Clash(NamedTuple):
    """Why there is no matching: ``tiles`` and the groups they compete for, that have ``room`` places in all.

    If ``scarce`` there are too few tiles for these places, else too few places for these tiles.
    """

    tiles: Mask
    groups: tuple[int, ...]
    room: int
    scarce: bool


def bits(mask: Mask) -> Iterator[Mask]:
    """The tiles of a mask, each as a mask of its own, lowest first."""
    while mask:
        bit = mask & -mask
        yield bit
        mask ^= bit


def _first(count: int, tiles: Mask, order: Iterable[Mask]) -> Mask:
    """The first ``count`` of these tiles, one at least; those that are not in the order are the last."""
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
    """Tiles in groups of places. ``holds[g]`` are the tiles that group ``g`` holds, ``room[g]`` its free places."""

    __slots__ = ("_seen", "_seen_tiles", "holds", "may", "room")

    _seen: set[int]
    """Groups that the search for a path has come to, and the tiles; made when one is searched for."""
    _seen_tiles: Mask

    def __init__(self, room: list[int], may: list[Mask]) -> None:
        self.room = room
        self.may = may
        self.holds: list[Mask] = [0] * len(room)

    def put_all(self, tiles: Mask, soonest: Callable[[int], Iterable[Mask]]) -> Clash | None:
        """Find a place for each of these tiles. Returns the clash if there is none for one of them.

        Where group ``g`` has fewer places than tiles that may lie there, those that come first in ``soonest(g)`` get
        them. Its order, and that of the groups, from the last to the first, matters for speed alone: the soonest
        deadline first, and the oldest places last, leaves little to repair.
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
        """Find a place for one more tile, moving others on where that helps; tells whether there is one."""
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
        """Place a tile, moving others on where that helps."""
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
        """Fill every free place with a tile of ``spare``; tiles that lie already may be moved, none is put away."""
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
        """Bring one more tile into a group; returns the spare tile that was used up, 0 if there is none."""
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
