"""Simulation of the rest of a hand of Uno Dominoes, with all racks known: a fast policy. Pure.

Left out are calls of UNO, challenges and reopened dead ends. The engine (`games.uno`) judges legality; here only legal
moves are made, from the same tables of open faces.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from random import Random
from typing import Final, NamedTuple

from games.moves import Draw, Play, Seat
from games.round import Move
from games.ruleset import Deadlock, ReverseOfTwo, Ruleset
from games.tile import Mask, Tile
from games.uno.layout import FOUR_WAYS
from games.uno.markings import COLOUR_NAMES, MarkedSet
from games.uno.round import DRAWS
from league.house.uno_knowledge import UnoKnowledge

HINDERS: Final[Mapping[str, int]] = {"S": 8, "R": 3, "D2": 15, "WD4": 0}
"""Points of the policy for an action against the next player."""
WILD: Final = -60
"""Points of the policy for a wild half: it is played when nothing else fits."""
DEAD: Final = -1
NAMED: Final = -2
"""Faces of a way: no open end, and a wild half whose colour is named at the play."""


class Way(NamedTuple):
    """A tile joined by one of its halves: points of the policy, kind of the half that touches, open face after it."""

    value: int
    kind: str
    face: int


@cache
def ways_at(tiles: MarkedSet) -> tuple[Mapping[Mask, tuple[Way, ...]], ...]:
    """Return by open face the tiles that touch it, with the ways of each."""
    every = [(way, _way(tiles, way)) for tile in tiles.tiles for way in dict.fromkeys((tile, tiles.turned(tile)))]
    found: list[dict[Mask, tuple[Way, ...]]] = [{} for _face in range(tiles.open_faces)]
    for tile, way in every:
        for face, at in enumerate(found):
            if tiles.joins_at[tile.high] >> face & 1:
                at[tile.bit] = (*at.get(tile.bit, ()), way)
    return tuple(found)


def _way(tiles: MarkedSet, tile: Tile) -> Way:
    kind, wild = tiles.markings[tile.high].kind, tiles.wild
    value = tile.pips + HINDERS.get(kind, 0) + (WILD if (wild >> tile.high | wild >> tile.low) & 1 else 0)
    return Way(value, kind, DEAD if tiles.dead >> tile.low & 1 else NAMED if wild >> tile.low & 1 else tile.low)


@dataclass(slots=True)
class KnownRacks:
    """A hand of Uno Dominoes with all racks known; ``pile`` is drawn from its end.

    ``ends`` and ``free`` are those of `games.uno.layout.ColourLayout`. ``only`` is the tile just drawn: no other may be
    played in this turn. ``winner`` is the seat with the points of a hand that is over.
    """

    rules: Ruleset
    tiles: MarkedSet
    ends: dict[int, int]
    free: dict[int, int]
    racks: list[Mask]
    pile: list[Mask]
    to_act: Seat
    direction: int
    only: Mask = 0
    passes: int = 0
    over: bool = False
    winner: Seat | None = None

    @classmethod
    def of(cls, known: UnoKnowledge, chance: Random) -> KnownRacks:
        """Return the hand of a seat that acts, with the unseen tiles at random."""
        unseen = [tile.bit for tile in known.tiles.in_mask(known.tiles.all & ~known.layout.table & ~known.hand)]
        chance.shuffle(unseen)
        racks = []
        for seat, held in enumerate(known.held):
            racks.append(known.hand if seat == known.seat else sum(unseen.pop() for _tile in range(held)))
        ahead = len(racks) == 2 or known.next_seat == (known.seat + 1) % len(racks)
        return cls(
            rules=known.rules,
            tiles=known.tiles,
            ends=known.layout.ends.copy(),
            free=known.layout.free.copy(),
            racks=racks,
            pile=unseen,
            to_act=known.seat,
            direction=1 if ahead else -1,
        )

    def copy(self) -> KnownRacks:
        return KnownRacks(
            self.rules,
            self.tiles,
            self.ends.copy(),
            self.free.copy(),
            self.racks[:],
            self.pile[:],
            self.to_act,
            self.direction,
            self.only,
            self.passes,
        )

    # ---- Moves

    def make(self, move: Move) -> None:
        """Make a legal move of the seat to act; a play names the tile it joins, a draw takes the next of the pile."""
        if isinstance(move, Play) and move.on is None:
            self._lead(move.tile)
        elif isinstance(move, Play) and move.on is not None:
            way = _way(self.tiles, move.tile)
            named = None if move.colour is None else self.tiles.named_faces[COLOUR_NAMES.index(move.colour)]
            self._play(move.tile.bit, move.on.index, way, named)
        elif isinstance(move, Draw):
            self._draw()
        else:
            self._pass()

    def _lead(self, tile: Tile) -> None:
        self.racks[self.to_act] ^= tile.bit
        self.ends[tile.index], self.free[tile.index] = tile.low, FOUR_WAYS
        self.to_act = (self.to_act + self.direction) % len(self.racks)

    def _play(self, tile: Mask, on: int, way: Way, named: int | None = None) -> None:
        seat, index, tiles = self.to_act, tile.bit_length() - 1, self.tiles
        self.free[on] -= 1
        if not self.free[on]:
            del self.free[on], self.ends[on]
        self.racks[seat] ^= tile
        if way.face != DEAD:
            self.ends[index] = self._most_held(seat) if way.face == NAMED and named is None else named or way.face
            self.free[index] = 3 if self.rules.all_doublet and tiles.doubles & tile else 1
        self.passes, self.only = 0, 0
        self._go_on(way.kind)
        if not self.racks[seat] or not self.ends:
            self.over, self.winner = True, seat

    def _most_held(self, seat: Seat) -> int:
        """Return the open face of the colour that a rack holds most of."""
        rack, coloured = self.racks[seat], self.tiles.coloured_like
        return max(self.tiles.named_faces, key=lambda face: (rack & coloured[face]).bit_count())

    def _go_on(self, kind: str) -> None:
        """Move the turn on after the half that touched: reverse, skip, or tiles drawn by the next player."""
        seats, steps = len(self.racks), 1
        if kind == "R":
            self.direction = -self.direction
            steps = 2 if seats == 2 and self.rules.reverse_2p is ReverseOfTwo.SKIP else 1
        elif kind == "S":
            steps = 2
        elif kind in DRAWS:
            victim, steps = (self.to_act + self.direction) % seats, 2
            for _tile in range(min(DRAWS[kind], len(self.pile))):
                self.racks[victim] |= self.pile.pop()
        self.to_act = (self.to_act + steps * self.direction) % seats

    def _draw(self) -> None:
        self.only = self.pile.pop()
        self.racks[self.to_act] |= self.only

    def _pass(self) -> None:
        self.only = 0
        self.passes = 0 if self.pile else self.passes + 1
        self.to_act = (self.to_act + self.direction) % len(self.racks)
        if self.passes == len(self.racks):
            self._block()

    def _block(self) -> None:
        rests = self._rests()
        self.over = True
        if self.rules.block is Deadlock.LOW and rests.count(min(rests)) == 1:
            self.winner = rests.index(min(rests))

    # ---- The rest

    def play_out(self) -> None:
        """Play to the end of the hand: each seat plays what the policy values most, else it draws, else it passes."""
        while not self.over:
            best = self._best(self.only or self.racks[self.to_act])
            if best is None and not self.only and self.pile:
                self._draw()
                best = self._best(self.only)
            if best is None:
                self._pass()
            else:
                self._play(*best)

    def _best(self, rack: Mask) -> tuple[Mask, int, Way] | None:
        """Return the play of these tiles that the policy values most: tile, the tile it joins, and the way."""
        ways, doubles = ways_at(self.tiles), self.tiles.doubles
        fits_at = self.tiles.fits_at
        most, best = -1000, None
        for on, face in self.ends.items():
            fits = rack & fits_at[face]
            if doubles >> on & 1:
                fits &= ~doubles
            at = ways[face]
            while fits:
                tile = fits & -fits
                fits ^= tile
                for way in at[tile]:
                    if way.value > most:
                        most, best = way.value, (tile, on, way)
        return best

    def points(self) -> list[int]:
        """Return the points by seat of a hand that is over."""
        rests = self._rests()
        return [sum(rests) - rests[seat] if seat == self.winner else 0 for seat in range(len(rests))]

    def _rests(self) -> list[int]:
        return [self.tiles.pips_in(rack) for rack in self.racks]
