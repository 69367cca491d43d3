"""What a record proves of racks that nobody saw whole, where tiles match by colour or kind (NOTATION.md section 4).

Nobody has to play here, so a draw or a pass says nothing about a rack. What is left to prove: a tile that was with two
players, more tiles than a rack had places, and a doublet in a dealt rack that should have led.
"""

from __future__ import annotations

from games.moves import SEATS, Deal, Draw, Seat, Show
from games.tile import Mask
from games.uno.round import ColourRound
from referee.hands.bounds import Leftovers, PlaceGroup
from referee.hands.hidden import seen

Dealt = list[tuple[int, Deal, Mask]]
"""The lines of dealt racks, with the tiles that were seen."""


class UnseenRacks:
    """One round, followed line by line.

    ``clash`` is the line after which no deal fits, with the name of its sentence and the facts for that. ``led`` is the
    line of the lead and its tile, if a numeric doublet was led without a draw for it; ``better`` are doublets that
    should have led.
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
        self._in_turn = 0  # the last of these that was no penalty
        self._own: dict[Seat, Mask] = {}

    def draw(self, line: int, live: ColourRound, event: Draw, *, penalty: bool) -> None:
        """Tiles were drawn while some rack was not known."""
        mask = seen(event.tiles)
        self._named.append((line, mask))
        if mask.bit_count() < event.count:
            self._drew_unseen.add(event.seat)
            if not penalty:
                self._in_turn = len(self._drawn)
            self._drawn.append(PlaceGroup(event.seat, event.count - mask.bit_count(), live.tiles.all & ~live.located))

    def rests(self, live: ColourRound, dealt: Dealt) -> list[Leftovers]:
        """What may be left on the racks of a round that has ended, so far as it is known: nothing where no deal fits.

        Nobody broke a rule but as found: no dealt rack held a doublet that comes before the one that was led. Where
        no deal is without that, and nobody can say whose it was, all are taken that the facts allow.
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
        """With these tiles at most in the racks that were dealt."""
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
        """A tile is about to be placed that was not known to be in this rack."""
        if live.located & bit:
            self._clash(line, "no-deal-twice", live, bit, dealt)
        elif live.held[seat] <= live.hands[seat].bit_count():
            self._clash(line, "no-deal-rack", live, live.hands[seat] | bit, dealt, seat)
        else:
            self._look_for_better(live, seat, bit)
        self._take(seat, bit)
        if live.drew and live.drawn is None and seat == live.to_act:
            # Only the drawn tile may be played after it, also if somebody drew a penalty in between.
            self._drawn[self._in_turn] = self._drawn[self._in_turn]._replace(may=bit)

    def show(self, line: int, live: ColourRound, event: Show, dealt: Dealt) -> None:
        """A rack that is not known is about to be shown at the end of the round."""
        mask = seen(event.tiles)
        if mask & self._shown:
            self._clash(line, "no-deal-twice", live, mask & self._shown, dealt)
        self._shown |= mask
        self.show_challenged(line, live, event, dealt)

    def show_challenged(self, line: int, live: ColourRound, event: Show, dealt: Dealt) -> None:
        """A rack that is not known is about to be shown to a challenger."""
        mask, hand = seen(event.tiles), live.hands[event.seat]
        self._take(event.seat, mask & ~hand)
        if (mask | hand).bit_count() > live.held[event.seat]:
            self._clash(line, "no-deal-rack", live, mask | hand, dealt, event.seat)
        else:
            self._look_for_better(live, event.seat, mask & ~hand)
        self._named.append((line, mask))

    def _take(self, seat: Seat, tiles: Mask) -> None:
        """These tiles lay in places of this rack that nobody saw."""
        self._own[seat] = self._own.get(seat, 0) | tiles

    def _look_for_better(self, live: ColourRound, seat: Seat, mask: Mask) -> None:
        """Tiles of a rack that were not drawn in sight were dealt, unless some were drawn unseen (RULES.md 2.3)."""
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
