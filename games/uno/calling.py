"""What calls do where tiles match by colour or kind: uno, catches, challenges (RULES.md 2.20 to 2.23, 2.28, 2.29)."""

from __future__ import annotations

from games.moves import Play, Seat
from games.tile import Tile
from games.uno.calls import Caught, LastTile
from games.uno.markings import MarkedSet
from games.uno.racks import Racks

CAUGHT_DRAWS = 2
"""Tiles that a caught player draws (RULES.md 2.28)."""
GUILTY_DRAWS = 4
"""Tiles that the player of an unlawful Wild Draw Four draws (RULES.md 2.20)."""


def names_colour_rightly(tiles: MarkedSet, move: Play, *, last: bool) -> bool:
    """Whether a colour is named exactly where a wild half is left exposed; the last tile needs none (7.21)."""
    if not move.tile.bit:
        return True
    if not tiles.wild >> move.tile.low & 1:
        return move.colour is None
    return move.colour is not None or last


class Challengeable(Racks):
    """A round with the calls that are open in it."""

    __slots__ = ()

    def owed(self, seat: Seat) -> int:
        """The penalty tiles that a seat may draw now, also if an open challenge has not said yet who draws them."""
        wild = self.wild_four
        if wild is not None and wild.pending:
            if seat == wild.player:
                return self.debts[seat] + GUILTY_DRAWS
            if seat == wild.victim:
                return self.rules.failed_challenge
        return self.debts[seat]

    # ---- what is called

    def say_uno(self, seat: Seat) -> None:
        """The call counts with one tile in hand, or with two and the turn (NOTATION.md 7.21)."""
        if self.held[seat] == 1 or (self.held[seat] == 2 and seat == self.to_act):
            self.said_uno[seat] = True
            if self.last_tile is not None and self.last_tile.seat == seat:
                self.last_tile.called = True

    def catch(self, claimant: Seat, whom: Seat) -> tuple[Caught, LastTile | None]:
        """Somebody catches a seat; if rightly, it has to draw. Also returns what it was caught at, if anything."""
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
        """Whether this seat must draw four and has not begun to (NOTATION.md 7.19)."""
        wild = self.wild_four
        return wild is not None and seat == wild.victim and not wild.paid and not wild.challenged

    def challenge(self, line: int) -> None:
        """The Wild Draw Four is challenged; a known rack decides at once."""
        wild = self.wild_four
        assert wild is not None
        wild.challenged = line
        if wild.known:
            self.decide(guilty=bool(wild.rack & wild.banned))

    def decide(self, *, guilty: bool, inferred: bool = False) -> None:
        """A challenge ends: the player draws and the challenger acts next, or the challenger draws (2.20 to 2.22)."""
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
        """The player of a challenged Wild Draw Four shows the rack; the right number of tiles decides."""
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
