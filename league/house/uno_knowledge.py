"""Knowledge of one seat at a table of Uno Dominoes: its own rack, and what lies open. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from math import comb

from games.moves import Play, Seat
from games.ruleset import Ruleset
from games.tile import Mask
from games.uno.layout import ColourLayout
from games.uno.markings import MarkedSet
from games.uno.round import ColourRound


@dataclass(frozen=True, slots=True)
class UnoKnowledge:
    """Everything that a player may use to choose a move.

    ``hand`` is its own rack, ``held`` the number of tiles on every rack. ``plays`` are its lawful plays, ``bluffs`` the
    Wild Draw Fours that a challenge would beat. ``next_seat`` plays next unless an action changes it.
    """

    rules: Ruleset
    tiles: MarkedSet
    seat: Seat
    hand: Mask
    layout: ColourLayout
    held: tuple[int, ...]
    next_seat: Seat
    plays: tuple[Play, ...]
    bluffs: tuple[Play, ...]
    can_draw: bool


@dataclass(frozen=True, slots=True)
class WildFourSeen:
    """A Wild Draw Four as its victim knows it.

    ``held``: tiles on the rack of its player; ``unseen``: tiles that may be there; ``banned``: how many of these made
    it unlawful. ``risk``: tiles that a wrong challenge draws.
    """

    held: int
    unseen: int
    banned: int
    risk: int

    @property
    def banned_held(self) -> float:
        """Chance that a rack of unseen tiles holds a banned one."""
        return 1 - comb(self.unseen - self.banned, self.held) / comb(self.unseen, self.held)


def known_at_uno(seat: Seat, live: ColourRound) -> UnoKnowledge:
    """Return the knowledge of the seat to act; no field of it depends on another rack."""
    return UnoKnowledge(
        rules=live.rules,
        tiles=live.tiles,
        seat=seat,
        hand=live.hands[seat],
        layout=live.layout.copy(),
        held=tuple(live.held),
        next_seat=(seat + live.direction) % live.seats,
        plays=tuple(move for move in live.legal_moves() if isinstance(move, Play)),
        bluffs=tuple(live.bluffs()),
        can_draw=live.can_draw and not live.drew,
    )


def known_of_wild_four(seat: Seat, live: ColourRound) -> WildFourSeen:
    """Return what the victim of the last Wild Draw Four knows; no field of it depends on another rack.

    Raises ValueError without one.
    """
    wild = live.wild_four
    if wild is None:
        raise ValueError("no Wild Draw Four was played")
    unseen = live.tiles.all & ~live.layout.table & ~live.hands[seat]
    return WildFourSeen(
        live.held[wild.player], unseen.bit_count(), (unseen & wild.banned).bit_count(), live.rules.failed_challenge
    )
