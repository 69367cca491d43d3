"""Expected points of each move at Uno Dominoes, over samples of the hidden racks. Pure.

Every rack and pile of unseen tiles is equally likely: nobody has to play, so that draws and passes prove nothing. The
same knowledge, samples and seed give the same numbers.
"""

from __future__ import annotations

from random import Random
from typing import Final

from games.moves import Draw, Pass, Play
from games.round import Move
from league.house.evaluation import Tried, Valued, halved
from league.house.simulation import lead_over
from league.house.uno_knowledge import UnoKnowledge
from league.house.uno_simulation import KnownRacks

UNO_SAMPLES: Final = 1200
"""Hands simulated for a move at full strength: at most 500 ms (p95) on one core; `bench_computer` measures it."""


def moves_at_uno(known: UnoKnowledge, plays: tuple[Play, ...]) -> tuple[Move, ...]:
    """Return plays, and the draw or pass that may be made in their place; a doublet that leads has no other move."""
    if plays and not known.layout.table:
        return plays
    return (*plays, Draw(known.seat, 1) if known.can_draw else Pass(known.seat))


def valued_at_uno(
    known: UnoKnowledge, plays: tuple[Play, ...], samples: int, seed: str, keep: Move | None = None
) -> list[Valued]:
    """Return these plays and the move in their place with their expected points, best first.

    ``keep`` never drops out, as in `valued`. Not for a draw for the lead.
    """
    chance = Random(seed)

    def attempt(deals: int, moves: list[Tried]) -> None:
        for _deal in range(deals):
            start = KnownRacks.of(known, chance)
            for one in moves:
                hand = start.copy()
                hand.make(one.move)
                hand.play_out()
                one.leads.append(lead_over(hand.points(), known.seat))

    return halved([Tried(move) for move in moves_at_uno(known, plays)], samples, attempt, keep)
