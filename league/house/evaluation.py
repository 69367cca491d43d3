"""Expected points of each move, over samples of the hidden hands. Pure.

The same knowledge, samples and seed give the same numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from math import sqrt
from random import Random
from statistics import stdev
from typing import Final

from games.moves import Draw, Pass
from games.round import Move
from league.house.endgame import TooLong, lead_at_best
from league.house.hidden_hands import HiddenDeal, deals
from league.house.knowledge import Knowledge
from league.house.simulation import KnownHand, lead_over

SAMPLES: Final = 1500
"""Hands simulated for a move at full strength: at most 500 ms (p95) on one core; `bench_computer` measures it."""
FEW_TILES: Final = 6
"""Tiles in all hands from which on a sampled deal is searched to its end."""
POSITIONS: Final = 150
"""Positions of such a search, before the fast policy plays instead."""
POSITIONS_KNOWN: Final = 20_000
"""Positions of the searches of all moves where no tile is hidden."""


@dataclass(frozen=True, slots=True)
class Valued:
    """A move, and the points of its seat less the others' that it leads to until the end of the hand, on average.

    ``leads`` are those of each sampled deal; moves are tried in the same deals, in the same order.
    """

    move: Move
    points: float
    leads: Sequence[float] = ()

    def standard_error(self, other: Valued) -> float:
        """Return the standard error of the difference to another move, over the deals that both were tried in."""
        differences = [one - two for one, two in zip(self.leads, other.leads, strict=False)]
        return stdev(differences) / sqrt(len(differences)) if len(differences) > 1 else 0.0


@dataclass(slots=True)
class Tried:
    """A move, and its leads in the deals it was tried in."""

    move: Move
    leads: list[float] = field(default_factory=list)

    @property
    def mean(self) -> float:
        return sum(self.leads) / len(self.leads)


def valued(known: Knowledge, samples: int, seed: str, keep: Move | None = None) -> list[Valued]:
    """Return the moves of the seat to act with their expected points, best first.

    ``samples`` hands are simulated for all moves together. Each move gets some; then the worse half drops out, again
    and again, so that the best moves get the most (sequential halving: Karnin, Koren, Somekh 2013). ``keep`` never
    drops out; a move that did comes after those that stayed.
    """
    tried = [Tried(move) for move in candidates(known)]
    worlds = deals(known, Random(seed))
    if is_certain(known):
        _try(known, islice(worlds, 1), tried, POSITIONS_KNOWN // len(tried))
        return _sorted(tried)
    return halved(tried, samples, lambda deals, moves: _try(known, islice(worlds, deals), moves, POSITIONS), keep)


def halved(
    tried: list[Tried], samples: int, attempt: Callable[[int, list[Tried]], None], keep: Move | None = None
) -> list[Valued]:
    """Return moves with their expected points, best first, by sequential halving.

    ``attempt`` plays a number of deals with each of some moves; ``samples`` are the hands of all moves together.
    """
    stayed, dropped = tried, list[Tried]()
    rounds = max(1, (len(tried) - 1).bit_length())
    for _round in range(rounds):
        attempt(max(2, samples // rounds // len(stayed)), stayed)
        stayed.sort(key=lambda one: -one.mean)
        half = max(2, (len(stayed) + 1) // 2)
        dropped += [one for one in stayed[half:] if one.move != keep]
        stayed = [one for place, one in enumerate(stayed) if place < half or one.move == keep]
    return _sorted(stayed) + _sorted(dropped)


def _sorted(tried: Iterable[Tried]) -> list[Valued]:
    return sorted((Valued(one.move, one.mean, one.leads) for one in tried), key=lambda one: -one.points)


def candidates(known: Knowledge) -> list[Move]:
    """Return the moves to choose from: plays, a draw where it is due or free, else a pass."""
    moves: list[Move] = list(known.plays)
    if known.draws_by_choice or (known.can_draw and not moves):
        moves.append(Draw(known.seat, 1))
    return moves or [Pass(known.seat)]


def is_certain(known: Knowledge) -> bool:
    """Return whether no tile is hidden: all unseen tiles are in the other hand."""
    return len(known.held) == 2 and not known.boneyard


def _try(known: Knowledge, worlds: Iterator[HiddenDeal], tried: list[Tried], positions: int) -> None:
    """Try each move in each of these deals."""
    for hidden in worlds:
        start = KnownHand.of(known, hidden)
        for one in tried:
            hand = start.copy()
            hand.make(one.move)
            one.leads.append(_lead(hand, known.seat, positions))


def _lead(hand: KnownHand, seat: int, positions: int) -> float:
    if len(hand.hands) == 2 and (positions > POSITIONS or _few(hand)):
        try:
            lead = lead_at_best(hand, positions)
        except TooLong:
            pass
        else:
            return lead if hand.to_act == seat else -lead
    hand.play_out()
    return lead_over(hand.settled(), seat)


def _few(hand: KnownHand) -> bool:
    return sum(one.bit_count() for one in hand.hands) <= FEW_TILES
