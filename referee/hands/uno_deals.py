"""Proofs about unseen racks, for matching by colour or kind (NOTATION.md 4).

Nobody has to play here, so a draw or a pass proves nothing about a rack. The remaining proofs: a tile of two players,
more tiles than a rack had places, and a doublet in a dealt rack that should have led.
"""

from __future__ import annotations

from games.moves import SEATS, Deal, Draw, Seat, Show
from games.tile import Mask
from games.uno.round import ColourRound
from referee.hands.bounds import Leftovers, PlaceGroup
from referee.hands.hidden import seen

Dealt = list[tuple[int, Deal, Mask]]
"""Lines of dealt racks, with the seen tiles as a mask."""


class UnseenRacks:
    """One round, followed line by line.

    ``clash`` is the line after which no deal fits, with the name and the facts of its sentence. ``led`` is the line of
    the lead and its tile, if a numeric doublet was led without a draw for it; ``better`` are doublets that should have
    led.
    """

    __slots__ = ("_drawn", "_drew_unseen", "_in_turn", "_named", "_own", "_shown", "better", "clash", "led")

    def __init__(self) -> None:
        self.clash: tuple[int, str, dict[str, str]] | None = None
        self.led: tuple[int, int] | None = None
        self.better: Mask = 0
        self._named: list[tuple[int, Mask]] = []
        self._shown: Mask = 0
        self._drew_unseen: set[Seat] = set()
        self._drawn: list[PlaceGroup] = []
        self._in_turn = 0  # index of the last draw that was no penalty
        self._own: dict[Seat, Mask] = {}

    def draw(self, line: int, live: ColourRound, event: Draw, *, penalty: bool) -> None:
        """Note tiles drawn while some rack was unknown."""
        mask = seen(event.tiles)
        self._named.append((line, mask))
        if mask.bit_count() < event.count:
            self._drew_unseen.add(event.seat)
            if not penalty:
                self._in_turn = len(self._drawn)
            self._drawn.append(PlaceGroup(event.seat, event.count - mask.bit_count(), live.tiles.all & ~live.located))

    def rests(self, live: ColourRound, dealt: Dealt) -> list[Leftovers]:
        """Return the tiles that may be left on the racks of an ended round.

        Empty if no deal fits. Nobody broke a rule besides the findings: no dealt rack held a doublet that comes before
        the led doublet. If no deal fits that, and the offender is unknown, every deal that the facts allow counts.
        """
        if self.clash is not None:
            return []
        early = live.tiles.all
        if self.led is not None and not self.better:
            for starter in live.tiles.starters:
                if live.comes_before(starter, self.led[1]):
                    early &= ~(1 << starter)
        ways = (self._rests(live, dealt, early), self._rests(live, dealt, live.tiles.all))
        return [rests for rests in ways if rests.fits()][:1]

    def _rests(self, live: ColourRound, dealt: Dealt, early: Mask) -> Leftovers:
        """Return the tiles left, with at most the tiles ``early`` in the dealt racks."""
        unseen = live.tiles.all & ~live.located & ~self._shown
        hands = {deal.seat: deal.count - hand.bit_count() for _, deal, hand in dealt}
        size = live.rules.hand_size(live.seats)
        seats = range(live.seats)
        own = [self._own.get(seat, 0) for seat in seats]
        places = [PlaceGroup(seat, hands.get(seat, size), early) for seat in seats] + self._drawn
        return Leftovers(
            [hand & ~own[seat] for seat, hand in enumerate(live.hands)],
            [PlaceGroup(seat, count, may & (unseen | own[seat])) for seat, count, may in places],
            sum(own),
            live.layout.table,
        )

    def place(self, line: int, live: ColourRound, seat: Seat, bit: Mask, dealt: Dealt) -> None:
        """Note a tile about to be placed that was not known to be in this rack."""
        if live.located & bit:
            self._clash(line, "no-deal-twice", live, bit, dealt)
        elif live.held[seat] <= live.hands[seat].bit_count():
            self._clash(line, "no-deal-rack", live, live.hands[seat] | bit, dealt, seat)
        else:
            self._look_for_better(live, seat, bit)
        self._take(seat, bit)
        if live.drew and live.drawn is None and seat == live.to_act:
            # Only the drawn tile may be played after it, even if a seat drew a penalty in between.
            self._drawn[self._in_turn] = self._drawn[self._in_turn]._replace(may=bit)

    def show(self, line: int, live: ColourRound, event: Show, dealt: Dealt) -> None:
        """Note an unknown rack about to be shown at the end of the round."""
        mask = seen(event.tiles)
        if mask & self._shown:
            self._clash(line, "no-deal-twice", live, mask & self._shown, dealt)
        self._shown |= mask
        self.show_challenged(line, live, event, dealt)

    def show_challenged(self, line: int, live: ColourRound, event: Show, dealt: Dealt) -> None:
        """Note an unknown rack about to be shown to a challenger."""
        mask, hand = seen(event.tiles), live.hands[event.seat]
        self._take(event.seat, mask & ~hand)
        if (mask | hand).bit_count() > live.held[event.seat]:
            self._clash(line, "no-deal-rack", live, mask | hand, dealt, event.seat)
        else:
            self._look_for_better(live, event.seat, mask & ~hand)
        self._named.append((line, mask))

    def _take(self, seat: Seat, tiles: Mask) -> None:
        """Note that these tiles lay in unseen places of this rack."""
        self._own[seat] = self._own.get(seat, 0) | tiles

    def _look_for_better(self, live: ColourRound, seat: Seat, mask: Mask) -> None:
        """Note dealt doublets that should have led (RULES.md 2.3).

        Tiles of a rack not drawn in sight were dealt, unless some were drawn unseen.
        """
        if self.led is None or seat in self._drew_unseen or not mask & live.tiles.starting:
            return
        starters = (tile for tile in live.tiles.starters if mask >> tile & 1)
        self.better |= sum(1 << tile for tile in starters if live.comes_before(tile, self.led[1]))

    def _clash(self, line: int, say: str, live: ColourRound, mask: Mask, dealt: Dealt, seat: Seat = 0) -> None:
        if self.clash is not None:
            return
        named = [*((at, hand) for at, _, hand in dealt), *self._named]
        lines = sorted({at for at, tiles in named if tiles & mask} | {line})
        told = ("line " if len(lines) == 1 else "lines ") + ", ".join(map(str, lines))
        names = " ".join(tile.name for tile in live.tiles.in_mask(mask))
        self.clash = line, say, {"tiles": names, "lines": told, "seat": SEATS[seat], "held": str(live.held[seat])}
