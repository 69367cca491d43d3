"""Exact search of the end of a hand of two seats, with all tiles known. Pure."""

from __future__ import annotations

from typing import Final

from games.ruleset import Spinner
from games.scorecard import worths
from games.settlement import settle
from games.tile import Mask
from league.house.simulation import KnownHand, joins_of, lead_over

_NEVER: Final = 10_000
"""More than the points of a hand."""
Position = tuple[Mask, bool, Mask, Mask, int, int]
"""Open places, whether the next double spins, own and other hand, tiles drawn, and passes in a row."""


class TooLong(Exception):
    """A search with more positions than allowed."""


def lead_at_best(hand: KnownHand, positions: int) -> float:
    """Return the points of the seat to act less those of the other at the end of the hand, if both play their best.

    Points made before count too. Nobody draws by choice. Raises :class:`TooLong` after this number of positions.
    """
    seat = hand.to_act
    start = hand.open, hand.spins, hand.hands[seat], hand.hands[1 - seat], hand.drawn, hand.passes
    return lead_over(hand.points, seat) + _EndgameSearch(hand, positions).value(start, hand.count, -_NEVER, _NEVER)


class _EndgameSearch:
    """Alpha-beta search; ``seen`` are bounds of the lead still to be made, by position.

    The count of open ends follows from the open places, so it is no part of a position.
    """

    def __init__(self, hand: KnownHand, positions: int) -> None:
        self.rules = rules = hand.rules
        self.tiles = rules.tiles
        self.joins = joins_of(rules.tiles)
        self.worth = worths(rules.tiles, rules.play_divisor)
        self.forever = rules.spinner is Spinner.ALL
        self.boneyard, self.last = hand.boneyard, len(hand.boneyard) - rules.boneyard_reserve
        self.left = positions
        self.seen: dict[Position, tuple[int, int]] = {}

    def value(self, position: Position, count: int, low: int, high: int) -> int:
        """Return the lead that the seat to act still makes, exact between the bounds."""
        opened, spins, own, other, drawn, passes = position
        if not other or passes == 2:
            return self._settled(own, other)
        places = self.tiles.places
        can = places.fits[(opened + places.carry) & places.guards]
        while not own & can:
            if drawn >= self.last:
                return -self.value((opened, spins, other, own, drawn, passes + 1), count, -high, -low)
            own |= self.boneyard[drawn]
            drawn += 1
        position = opened, spins, own, other, drawn, 0
        least, most = self.seen.get(position, (-_NEVER, _NEVER))
        if least >= high or least == most:
            return least
        if most <= low:
            return most
        self.left -= 1
        if self.left < 0:
            raise TooLong
        best = self._best(position, count, low, high)
        self.seen[position] = (best if best > low else least, best if best < high else most)
        return best

    def _best(self, position: Position, count: int, low: int, high: int) -> int:
        opened, spins, own, other, drawn, _passes = position
        best = -_NEVER
        for points, tile, opens, after, spin in self._plays(opened, count, own):
            if spin and spins:
                then = opens ^ spin, self.forever, other, own ^ tile, drawn, 0
            else:
                then = opens, spins, other, own ^ tile, drawn, 0
            lead = points - self.value(then, after, points - high, points - low)
            if lead > best:
                best = lead
                if lead > low:
                    low = lead
                    if low >= high:
                        break
        return best

    def _plays(self, opened: Mask, count: int, own: Mask) -> list[tuple[int, Mask, Mask, int, Mask]]:
        """Return the plays, most points first: points, tile, open places, count, and places of a spinner."""
        found = []
        places = self.tiles.places
        fitting = own & places.fits[(opened + places.carry) & places.guards]
        while fitting:
            tile = fitting & -fitting
            fitting ^= tile
            takes, joins, _pips = self.joins[tile]
            takes &= opened
            while takes:
                place = takes & -takes
                takes ^= place
                flip, change, spin = joins[place]
                found.append((self.worth[count + change], tile, opened ^ flip, count + change, spin))
        found.sort(reverse=True)
        return found

    def _settled(self, own: Mask, other: Mask) -> int:
        out = 1 if not other else None
        pips = self.tiles.pips_in(own), self.tiles.pips_in(other)
        points = settle(self.rules, (own.bit_count(), other.bit_count()), pips, out).points
        return points[0] - points[1]
