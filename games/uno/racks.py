"""Racks, draw pile and lead for matching by colour or kind (RULES.md 2.2 to 2.5)."""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy, deepcopy
from operator import attrgetter
from typing import Self

from games.errors import Reason
from games.moves import Seat
from games.round import RoundEnd
from games.ruleset import Lead, Ruleset, StartTie
from games.tile import Mask, Tile
from games.uno.calls import LastTile, WildFour
from games.uno.layout import ColourLayout
from games.uno.markings import MarkedSet

_BIT = attrgetter("bit")


class Racks:
    """Racks, draw pile, table and turn in one round.

    ``hands``, ``held``, ``known``, ``boneyard``, ``located`` and the like are those of :class:`games.round.Round`.
    ``direction`` is 1 clockwise, else -1. ``debts[s]`` are penalty tiles that seat ``s`` must still draw; ``drew``: the
    seat to act has drawn for its turn; ``drawn``: the tile drawn, if seen. ``lead_drawer`` is the last seat that drew
    for the lead. ``last_tile`` may be caught, ``wild_four`` challenged. ``scorer`` is the seat that has the points of a
    round that did not end in a block.
    """

    __slots__ = (
        "begun",
        "boneyard",
        "dealt",
        "debts",
        "direction",
        "drawn",
        "drew",
        "ended",
        "found_blocked",
        "hands",
        "has_shown",
        "held",
        "known",
        "last_tile",
        "layout",
        "lead_drawer",
        "lead_due",
        "leader",
        "led_by",
        "located",
        "passes",
        "rules",
        "said_uno",
        "scorer",
        "seats",
        "shown",
        "tiles",
        "to_act",
        "wild_four",
    )

    def __init__(self, rules: Ruleset, seats: int, lead: Lead, leader: Seat | None = None) -> None:
        assert isinstance(rules.tiles, MarkedSet)
        size = rules.hand_size(seats)
        self.rules = rules
        self.tiles: MarkedSet = rules.tiles
        self.seats = seats
        self.hands: list[Mask] = [0] * seats
        self.held = [size] * seats
        self.known = [False] * seats
        self.dealt = [False] * seats
        self.shown: list[Mask | None] = [None] * seats
        self.has_shown = [False] * seats
        self.boneyard = len(rules.tiles.tiles) - size * seats
        self.layout = ColourLayout(self.tiles, all_doublets=rules.all_doublet)
        self.lead_due = Lead.LOT if rules.start_tie is StartTie.LOT else lead
        self.leader = leader
        self.to_act = leader
        self.led_by: Seat | None = None
        self.located: Mask = 0
        self.direction = 1
        self.debts = [0] * seats
        self.passes = 0
        self.begun = self.drew = False
        self.drawn: Tile | None = None
        self.lead_drawer: Seat | None = None
        self.last_tile: LastTile | None = None
        self.said_uno = [False] * seats
        self.wild_four: WildFour | None = None
        self.ended: RoundEnd | None = None
        self.found_blocked = False
        self.scorer: Seat | None = None

    def copy(self) -> Self:
        """Return an independent round in the same position."""
        twin = copy(self)
        twin.hands, twin.held, twin.known = self.hands[:], self.held[:], self.known[:]
        twin.dealt, twin.shown, twin.has_shown = self.dealt[:], self.shown[:], self.has_shown[:]
        twin.debts, twin.said_uno = self.debts[:], self.said_uno[:]
        twin.last_tile, twin.wild_four = deepcopy(self.last_tile), deepcopy(self.wild_four)
        twin.layout = self.layout.copy()
        return twin

    # ---- The deal and the lead

    def deal(self, seat: Seat, count: int, tiles: tuple[Tile | None, ...]) -> bool:
        """Give a seat its hand, as :meth:`games.round.Round.deal` does."""
        seen = tiles if None not in tiles else [tile for tile in tiles if tile is not None]
        hand: Mask = sum(map(_BIT, seen))
        # A repeated tile carries over, a tile outside the set has no bit: either way a bit is missing.
        if hand & self.located or hand.bit_count() != len(seen):
            return False
        self.boneyard += self.held[seat] - count
        self.held[seat] = count
        self.dealt[seat] = True
        self.hands[seat] = hand
        self.located |= hand
        self.known[seat] = len(seen) == count
        if hand & self.tiles.starting or all(self.known):
            self._find_leader()
        return True

    def _find_leader(self) -> None:
        """Give the lead to the holder of the highest numeric doublet, if it is certain."""
        best = next((tile for tile in self.tiles.starters if self.located >> tile & 1), None)
        if best is None:
            return
        equals = [tile for tile in self.tiles.starters if not self.comes_before(best, tile)]
        if not all(self.known) and any(not self.located >> tile & 1 for tile in equals):
            return
        holders = {s for tile in equals for s in range(self.seats) if self.hands[s] >> tile & 1}
        if len(holders) == 1:
            self.leader = self.to_act = holders.pop()

    def lead_by_lot(self, lots: Mapping[Seat, int]) -> None:
        """Do nothing: lots are drawn before the hands.

        So a lot for one of two equal doublets can't be checked.
        """

    def comes_before(self, tile: int, other: int) -> bool:
        """Return whether a starting doublet precedes another (RULES.md 2.4).

        By lot equal numbers are level.
        """
        starters = self.tiles.starters
        if self.rules.start_tie is StartTie.LOT:
            return self.tiles.pips[tile] > self.tiles.pips[other]
        return starters.index(tile) < starters.index(other)

    @property
    def starter_seen(self) -> bool:
        """Whether a numeric doublet is known to be in a hand: nobody draws for the lead."""
        return any(self.located >> tile & 1 for tile in self.tiles.starters)

    @property
    def next_lead_drawer(self) -> Seat:
        """Next seat to draw for the lead (RULES.md 2.5).

        One tile each, from the first seat on.
        """
        return 0 if self.lead_drawer is None else (self.lead_drawer + 1) % self.seats

    def _why_not_lead(self, seat: Seat, tile: Tile, on: Tile | None) -> Reason | None:
        if not self.hands[seat] & tile.bit and self.known[seat]:
            return Reason.TILE_NOT_IN_HAND
        if on is not None:
            return Reason.NO_OPEN_END
        starters = self.tiles.starters
        if tile.index not in starters or (self.leader is not None and seat != self.leader):
            return Reason.WRONG_LEAD
        if any(self.located >> other & 1 and self.comes_before(other, tile.index) for other in starters):
            return Reason.WRONG_LEAD
        drawer = self.lead_drawer
        # The last drawer leads the tile drawn, not a tile that was in hand before (NOTATION.md 7.12).
        if drawer is not None and (seat != drawer or self._not_the_drawn(seat, tile.bit)):
            return Reason.WRONG_LEAD
        return None

    def _why_not_draw_for_lead(self, seat: Seat, count: int) -> Reason | None:
        due = self.next_lead_drawer if self.leader is None else self.leader
        if seat != due or self._known_not_to_lead(seat):
            return Reason.OUT_OF_TURN
        if count > 1 or (self.leader is not None and self.lead_drawer == seat):
            return Reason.BAD_EVENT
        return Reason.DRAW_WHEN_ABLE if self.starter_seen else None

    def _why_not_pass_the_lead(self, seat: Seat) -> tuple[Reason, ...]:
        due = self.next_lead_drawer if self.leader is None else self.leader
        # The last drawn tile is unseen: it may be the doublet to be led.
        may_have_drawn_it = self.leader is None and seat == self.lead_drawer and self.drawn is None
        if not may_have_drawn_it and (seat != due or self._known_not_to_lead(seat)):
            return (Reason.OUT_OF_TURN,)
        reasons = (Reason.PASS_WHEN_ABLE,) if self.starter_seen else ()
        return (*reasons, Reason.PASS_WITH_BONEYARD) if self.boneyard else reasons

    def _known_not_to_lead(self, seat: Seat) -> bool:
        """Return whether the rack is known, and a known doublet precedes all of it (7.12)."""
        if not self.known[seat] or not self.starter_seen:
            return False
        starters = self.tiles.starters
        own = next((tile for tile in starters if self.hands[seat] >> tile & 1), None)
        return own is None or any(self.located >> tile & 1 and self.comes_before(tile, own) for tile in starters)

    def _drawn_for_lead(self, seat: Seat, tile: Tile | None) -> None:
        self.lead_drawer, self.drawn = seat, tile
        if tile is not None and tile.index in self.tiles.starters and self.leader is None:
            self.leader = self.to_act = seat

    def _not_the_drawn(self, seat: Seat, bit: Mask) -> bool:
        """Return whether this is known not to be the tile drawn in this turn.

        Source: RULES.md 2.25, NOTATION.md 7.3.
        """
        return self.drawn.bit != bit if self.drawn is not None else bool(self.hands[seat] & bit)

    # ---- Remaining tiles

    def show(self, seat: Seat, tiles: tuple[Tile | None, ...]) -> None:
        """Show the tiles left in a hand.

        If all are seen, in the right number, the rest of the hand is known.
        """
        self.has_shown[seat] = True
        if len(tiles) == self.held[seat] and None not in tiles:
            self.shown[seat] = self.tiles.mask(tile for tile in tiles if tile is not None)

    def rests(self) -> list[Mask | None]:
        """Return the tiles left in each hand, ``None`` if unknown (NOTATION.md section 4).

        A rack is known too if all its tiles were seen: it was shown to a challenger.
        """
        rests: list[Mask | None] = [
            hand if self.known[seat] or hand.bit_count() == held else self.shown[seat]
            for seat, (hand, held) in enumerate(zip(self.hands, self.held, strict=True))
        ]
        unknown = [seat for seat, rest in enumerate(rests) if rest is None]
        if len(unknown) == 1 and not self.boneyard:
            left = self.tiles.all & ~self.layout.table
            for rest in rests:
                left &= ~(rest or 0)
            if left.bit_count() == self.held[unknown[0]]:
                rests[unknown[0]] = left
        return rests
