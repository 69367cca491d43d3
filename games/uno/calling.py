"""Uno calls, catches and challenges, and their effects.

Source: RULES.md 2.20 to 2.23, 2.28, 2.29.
"""

from __future__ import annotations

from games.moves import Play, Seat
from games.tile import Tile
from games.uno.calls import Caught, LastTile
from games.uno.markings import MarkedSet
from games.uno.racks import Racks

CAUGHT_DRAWS = 2
"""Tiles drawn by a caught player (RULES.md 2.28)."""
GUILTY_DRAWS = 4
"""Tiles drawn by the player of an unlawful Wild Draw Four (RULES.md 2.20)."""


def names_colour_rightly(tiles: MarkedSet, move: Play, *, last: bool) -> bool:
    """Return whether a colour is named exactly where a wild half stays exposed.

    The last tile needs none (7.21).
    """
    if not move.tile.bit:
        return True
    if not tiles.wild >> move.tile.low & 1:
        return move.colour is None
    return move.colour is not None or last


class Challengeable(Racks):
    """A round with its open calls."""

    __slots__ = ()

    def owed(self, seat: Seat) -> int:
        """Return the penalty tiles that a seat may draw now.

        An open challenge counts for both its seats.
        """
        wild = self.wild_four
        if wild is not None and wild.pending:
            if seat == wild.player:
                return self.debts[seat] + GUILTY_DRAWS
            if seat == wild.victim:
                return self.rules.failed_challenge
        return self.debts[seat]

    # ---- Calls

    def say_uno(self, seat: Seat) -> None:
        """Take an uno call: valid with one tile in hand, or with two and the turn.

        See NOTATION.md 7.21.
        """
        if self.held[seat] == 1 or (self.held[seat] == 2 and seat == self.to_act):
            self.said_uno[seat] = True
            if self.last_tile is not None and self.last_tile.seat == seat:
                self.last_tile.called = True

    def catch(self, claimant: Seat, whom: Seat) -> tuple[Caught, LastTile | None]:
        """Catch a seat; a seat caught rightly must draw.

        Also returns its last tile, if it had come down to one.
        """
        last = self.last_tile
        if last is None or last.seat != whom:
            return Caught.NOBODY, None
        if claimant == whom:
            return Caught.ONESELF, last
        if last.called:
            return Caught.CALLED, last
        self.last_tile = None
        self.debts[whom] += CAUGHT_DRAWS
        return Caught.MISSED, last

    def can_challenge(self, seat: Seat) -> bool:
        """Return whether this seat must draw four and has not begun to (NOTATION.md 7.19)."""
        wild = self.wild_four
        return wild is not None and seat == wild.victim and not wild.paid and not wild.challenged

    def challenge(self, line: int) -> None:
        """Challenge the Wild Draw Four; a known rack decides at once."""
        wild = self.wild_four
        assert wild is not None
        wild.challenged = line
        if wild.known:
            self.decide(guilty=bool(wild.rack & wild.banned))

    def decide(self, *, guilty: bool, inferred: bool = False) -> None:
        """End a challenge (2.20 to 2.22).

        Guilty: the player draws and the challenger acts next. Not guilty: the challenger draws.
        """
        wild = self.wild_four
        assert wild is not None
        wild.guilty, wild.inferred = guilty, inferred
        if guilty:
            self.debts[wild.victim] = 0
            self.debts[wild.player] += GUILTY_DRAWS
            self.to_act = wild.victim
        else:
            self.debts[wild.victim] = self.rules.failed_challenge

    def show_rack(self, tiles: tuple[Tile | None, ...]) -> None:
        """Show the rack of the challenged player; the right number of tiles decides."""
        wild = self.wild_four
        assert wild is not None
        wild.shown = True
        if len(tiles) != self.held[wild.player]:
            return
        seen = self.tiles.mask(tile for tile in tiles if tile is not None)
        drawn_since = self.hands[wild.player] & ~wild.rack
        self.hands[wild.player] |= seen
        self.located |= seen
        rack = seen & ~drawn_since
        if wild.guilty is None and (None not in tiles or rack & wild.banned):
            wild.rack, wild.known = rack, True
            self.decide(guilty=bool(rack & wild.banned))
