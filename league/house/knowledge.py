"""Knowledge of one seat at a table: its own hand, what lies open, and what happened. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from games.layout import Layout
from games.moves import Event, Play, Seat
from games.round import Round
from games.ruleset import Ruleset
from games.tile import Mask
from league.house.history import PublicAct, absent, public_history


@dataclass(frozen=True, slots=True)
class Knowledge:
    """Everything that a player may use to choose a move.

    ``hand`` is its own hand, ``held`` the number of tiles in every hand. ``plays`` are its legal plays. ``unseen`` are
    the tiles in the boneyard or another hand, ``history`` the acts of this hand that everybody saw, and ``passes`` the
    passes in a row until now.
    """

    rules: Ruleset
    seat: Seat
    hand: Mask
    layout: Layout
    held: tuple[int, ...]
    boneyard: int
    plays: tuple[Play, ...]
    can_draw: bool
    draws_by_choice: bool = False
    passes: int = 0
    history: tuple[PublicAct, ...] = ()

    @property
    def unseen(self) -> Mask:
        return self.rules.tiles.all & ~self.layout.table & ~self.hand

    def may_hold(self, seat: Seat) -> Mask:
        """Return the unseen tiles that another seat may hold, by its draws and passes."""
        return self.unseen & ~absent(self.history, seat)


def known_to(seat: Seat, live: Round, events: Iterable[Event] = ()) -> Knowledge:
    """Return the knowledge of the seat to act; no field of it depends on another hand.

    ``events`` are those of the hand so far; without them nothing is known of draws and passes.
    """
    return Knowledge(
        rules=live.rules,
        seat=seat,
        hand=live.hands[seat],
        layout=live.layout.copy(),
        held=tuple(live.held),
        boneyard=live.boneyard,
        plays=tuple(move for move in live.legal_moves() if isinstance(move, Play)),
        can_draw=live.can_draw,
        draws_by_choice=live.can_draw and live.rules.voluntary_draw and not live.drawn_fits,
        passes=live.passes,
        history=public_history(live, events),
    )
