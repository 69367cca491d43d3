"""Knowledge of one seat at a table: its own hand, and what lies open. Pure."""

from __future__ import annotations

from dataclasses import dataclass

from games.layout import Layout
from games.moves import Play, Seat
from games.round import Round
from games.ruleset import Ruleset
from games.tile import Mask


@dataclass(frozen=True, slots=True)
class Knowledge:
    """Everything that a player may use to choose a move.

    ``hand`` is its own hand, ``held`` the number of tiles in every hand. ``plays`` are its legal plays. ``unseen`` are
    the tiles in the boneyard or another hand.
    """

    rules: Ruleset
    seat: Seat
    hand: Mask
    layout: Layout
    held: tuple[int, ...]
    boneyard: int
    plays: tuple[Play, ...]
    can_draw: bool

    @property
    def unseen(self) -> Mask:
        return self.rules.tiles.all & ~self.layout.table & ~self.hand


def known_to(seat: Seat, live: Round) -> Knowledge:
    """Return the knowledge of the seat to act; no field of it depends on another hand."""
    return Knowledge(
        rules=live.rules,
        seat=seat,
        hand=live.hands[seat],
        layout=live.layout.copy(),
        held=tuple(live.held),
        boneyard=live.boneyard,
        plays=tuple(move for move in live.legal_moves() if isinstance(move, Play)),
        can_draw=live.can_draw,
    )
