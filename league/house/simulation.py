"""Simulation of the rest of a hand, with all tiles known: a fast policy, made for thousands of hands. Pure.

The engine (`games.round`) judges legality; here only legal moves are generated, from the same tables of places.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Final

from games.moves import Draw, Play, Seat
from games.round import Move
from games.ruleset import Ruleset, Spinner
from games.scorecard import worths
from games.settlement import settle
from games.tile import Mask
from games.tiles import TileSet
from league.house.hidden_hands import HiddenDeal
from league.house.knowledge import Knowledge

Joined = tuple[Mask, int, Mask]
"""Effect of a join: places that flip, change of the open-end count, places that flip for a spinner."""
_WEIGHTS: Final = 64
"""More than the pips of a tile: among plays with equal points the heaviest tile comes first."""


@cache
def joins_of(tiles: TileSet) -> Mapping[Mask, tuple[Mask, Mapping[Mask, Joined], int]]:
    """Return by tile the places that take it, its joins by place, and its pips."""
    return {
        tile.bit: (
            tile.takes,
            {place: (join.flip, join.change, join.spin) for place, join in tile.joins.items()},
            tile.pips,
        )
        for tile in tiles.tiles
    }


@dataclass(slots=True)
class KnownHand:
    """A hand with all tiles known. ``drawn`` tiles of ``boneyard`` are taken, ``points`` are those since the start.

    ``spins``: the next double becomes a spinner.
    """

    rules: Ruleset
    open: Mask
    count: int
    spins: bool
    hands: list[Mask]
    boneyard: tuple[Mask, ...]
    drawn: int
    to_act: Seat
    passes: int
    points: list[int]

    @classmethod
    def of(cls, known: Knowledge, hidden: HiddenDeal) -> KnownHand:
        """Return the hand of a seat that acts, if the hidden tiles lie so."""
        layout, rules = known.layout, known.rules
        spins = rules.spinner is Spinner.ALL or (rules.spinner is Spinner.FIRST and layout.spinner is None)
        return cls(
            rules=rules,
            open=layout.open,
            count=layout.count,
            spins=spins,
            hands=list(hidden.hands),
            boneyard=hidden.boneyard,
            drawn=0,
            to_act=known.seat,
            passes=known.passes,
            points=[0] * len(known.held),
        )

    def copy(self) -> KnownHand:
        return KnownHand(
            self.rules,
            self.open,
            self.count,
            self.spins,
            self.hands[:],
            self.boneyard,
            self.drawn,
            self.to_act,
            self.passes,
            self.points[:],
        )

    # ---- Moves

    @property
    def can_draw(self) -> bool:
        return len(self.boneyard) - self.drawn > self.rules.boneyard_reserve

    @property
    def over(self) -> bool:
        return 0 in self.hands or self.passes == len(self.hands)

    def fitting(self) -> Mask:
        """Return the tiles of the seat to act that fit."""
        places = self.rules.tiles.places
        return self.hands[self.to_act] & places.fits[(self.open + places.carry) & places.guards]

    def make(self, move: Move) -> None:
        """Make a legal move; a draw takes the next tile of the boneyard."""
        if isinstance(move, Play):
            self.play(move.tile.bit, move.takes & self.open)
        elif isinstance(move, Draw):
            self.draw()
        else:
            self.pass_turn()

    def play(self, tile: Mask, place: Mask) -> None:
        flip, change, spin = joins_of(self.rules.tiles)[tile][1][place]
        self.open ^= flip
        self.count += change
        if spin and self.spins:
            self.open ^= spin
            self.spins = self.rules.spinner is Spinner.ALL
        self.points[self.to_act] += worths(self.rules.tiles, self.rules.play_divisor)[self.count]
        self.hands[self.to_act] ^= tile
        self.passes = 0
        self.to_act = (self.to_act + 1) % len(self.hands)

    def draw(self) -> None:
        self.hands[self.to_act] |= self.boneyard[self.drawn]
        self.drawn += 1

    def pass_turn(self) -> None:
        self.passes += 1
        self.to_act = (self.to_act + 1) % len(self.hands)

    # ---- The rest

    def play_out(self) -> None:
        """Play to the end of the hand: each seat takes the most points now, with the heaviest tile among equals."""
        rules = self.rules
        tiles, worth = joins_of(rules.tiles), worths(rules.tiles, rules.play_divisor)
        places = rules.tiles.places
        fits, carry, guards = places.fits, places.carry, places.guards
        hands, points, seats = self.hands, self.points, len(self.hands)
        opened, count, seat, passes, spins = self.open, self.count, self.to_act, self.passes, self.spins
        boneyard, drawn, last = self.boneyard, self.drawn, len(self.boneyard) - rules.boneyard_reserve
        forever = rules.spinner is Spinner.ALL
        while passes < seats and 0 not in hands:
            can = fits[(opened + carry) & guards]
            fitting = hands[seat] & can
            while not fitting and drawn < last:
                tile = boneyard[drawn]
                drawn += 1
                hands[seat] |= tile
                fitting = tile & can
            if not fitting:
                passes += 1
                seat = (seat + 1) % seats
                continue
            best = -1
            while fitting:
                tile = fitting & -fitting
                fitting ^= tile
                takes, joins, pips = tiles[tile]
                takes &= opened
                while takes:
                    place = takes & -takes
                    takes ^= place
                    join = joins[place]
                    value = worth[count + join[1]] * _WEIGHTS + pips
                    if value > best:
                        best, chosen, (flip, change, spin) = value, tile, join
            opened ^= flip
            count += change
            if spin and spins:
                opened ^= spin
                spins = forever
            points[seat] += best // _WEIGHTS
            hands[seat] ^= chosen
            passes = 0
            seat = (seat + 1) % seats
        self.open, self.count, self.to_act, self.passes, self.spins = opened, count, seat, passes, spins
        self.drawn = drawn

    def settled(self) -> list[int]:
        """Return the points by seat of a hand that is over, with those for the tiles left."""
        out = self.hands.index(0) if 0 in self.hands else None
        pips = [self.rules.tiles.pips_in(hand) for hand in self.hands]
        left = settle(self.rules, [hand.bit_count() for hand in self.hands], pips, out)
        return [own + more for own, more in zip(self.points, left.points, strict=True)]


def lead_over(points: list[int], seat: Seat) -> float:
    """Return the points of a seat less those of the others, on average over them.

    >>> lead_over([10, 25], 1)
    15.0
    """
    return points[seat] - (sum(points) - points[seat]) / (len(points) - 1)
