"""Bounds for the pips left in unseen hands, over every deal that fits a round.

A deal puts tiles into unseen places (see `referee.hands.unseen`). It leaves in a hand the tiles in that seat's places
that were not played. The least and the most of a weighted sum of hands are an assignment problem. The Hungarian method
solves it: Kuhn 1955, in the form with potentials, n places and m tiles in n * n * m steps.

Where every place counts alike, as after a domino, a greedy choice is best: the sets of tiles that find places are a
matroid.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from games.moves import Seat
from games.tile import Mask
from referee.hands.matching import Seating, bits

_FAR: Final = 1 << 40
"""Cost of a tile in a place that can't hold it: more than any deal costs."""
_PULL: Final = 1 << 20
"""Discount for a tile that must lie in some place: more than all other costs."""


class PlaceGroup(NamedTuple):
    """Unseen places of one kind: their seat, number and possible tiles."""

    seat: Seat
    room: int
    may: Mask


class Leftovers(NamedTuple):
    """Tiles that may be left in the hands, for one reading of a record.

    ``known[s]`` are the tiles that seat ``s`` is known to have left. ``places`` are the unseen places. A tile of
    ``must`` lies in one of these places for certain. A tile of ``played`` is not left.
    """

    known: Sequence[Mask]
    places: Sequence[PlaceGroup]
    must: Mask
    played: Mask

    def fits(self) -> bool:
        """Return whether some deal fits."""
        return self._one_by_one((0,) * self._any().bit_length()) is not None

    def least(self, signs: Sequence[int], pips: Sequence[int]) -> int | None:
        """Find the least sum of hands, each taken ``signs[s]`` times.

        ``None`` where no deal fits.
        """
        sure = 0
        for sign, hand in zip(signs, self.known, strict=True):
            sure += sign * sum(pips[bit.bit_length() - 1] for bit in bits(hand))
        own = self._own()
        for seat, tiles in own.items():
            sure += signs[seat] * sum(pips[bit.bit_length() - 1] for bit in bits(tiles & ~self.played))
        free: Counter[Seat] = Counter()
        for seat, room, _ in self.places:
            free[seat] += room
        taken = {signs[seat] for seat, room in free.items() if room > own[seat].bit_count()}
        unseen = self._one_by_one(pips, *taken) if len(taken) < 2 else self._assigned(signs, pips)
        return None if unseen is None else sure + unseen

    def _own(self) -> Mapping[Seat, Mask]:
        """Sort the tiles that lie in some place for certain by seat."""
        own: dict[Seat, Mask] = {}
        for seat, _, may in self.places:
            own[seat] = own.get(seat, 0) | (may & self.must)
        return own

    def _one_by_one(self, pips: Sequence[int], sign: int = 0) -> int | None:
        """Take the cheapest tiles that find a place; right for equal places, a matroid."""
        match = Seating([place.room for place in self.places], [place.may for place in self.places])
        if match.put_all(self.must, lambda _: ()) is not None:
            return None
        total, left = 0, sum(match.room)
        for bit in sorted(bits(self._any() & ~self.must), key=lambda bit: sign * pips[bit.bit_length() - 1]):
            if not left:
                break
            if match.put(bit):
                left -= 1
                total += sign * pips[bit.bit_length() - 1]
        return None if left else total

    def _assigned(self, signs: Sequence[int], pips: Sequence[int]) -> int | None:
        tiles = list(bits(self._any()))
        rows = []
        for seat, room, may in self.places:
            row = [self._cost(bit, may, signs[seat] * pips[bit.bit_length() - 1]) for bit in tiles]
            rows += [row] * room
        if len(rows) > len(tiles):
            return None
        cost = _cheapest(rows) + _PULL * self.must.bit_count()
        # Too large: a place holds an impossible tile, or a tile is in none of the places it must lie in.
        return cost if abs(cost) < _PULL // 2 else None

    def _any(self) -> Mask:
        tiles = self.must
        for place in self.places:
            if place.room:
                tiles |= place.may
        return tiles

    def _cost(self, bit: Mask, may: Mask, left: int) -> int:
        if not may & bit:
            return _FAR
        return -_PULL if self.must & bit else left


def least_and_most(ways: Sequence[Leftovers], signs: Sequence[int], pips: Sequence[int]) -> tuple[int, int]:
    """Find the least and the most sum of hands over every deal.

    At least one of the ``ways`` has a deal.
    """
    against = [-sign for sign in signs]
    least = [n for rests in ways if (n := rests.least(signs, pips)) is not None]
    most = [-n for rests in ways if (n := rests.least(against, pips)) is not None]
    return min(least), max(most)


def _cheapest(costs: Sequence[Sequence[int]]) -> int:
    """Find the least sum of one number a row, no two in one column.

    The columns are at least as many as the rows.
    """
    wide = len(costs[0]) if costs else 0
    of_row, of_column = [0] * (len(costs) + 1), [0] * (wide + 1)
    row_of = [0] * (wide + 1)  # the row, from 1, that has taken a column; a row begins at column 0
    for row in range(1, len(costs) + 1):
        row_of[0], column = row, 0
        slack, came_from, seen = [_FAR * 4] * (wide + 1), [0] * (wide + 1), [False] * (wide + 1)
        while row_of[column]:
            seen[column] = True
            here, step, nearest = row_of[column], _FAR * 4, 0
            numbers, price = costs[here - 1], of_row[here]
            for other in range(1, wide + 1):
                if seen[other]:
                    continue
                reduced = numbers[other - 1] - price - of_column[other]
                if reduced < slack[other]:
                    slack[other], came_from[other] = reduced, column
                if slack[other] < step:
                    step, nearest = slack[other], other
            for other in range(wide + 1):
                if seen[other]:
                    of_row[row_of[other]] += step
                    of_column[other] -= step
                else:
                    slack[other] -= step
            column = nearest
        while column:
            row_of[column] = row_of[came_from[column]]
            column = came_from[column]
    return -of_column[0]
