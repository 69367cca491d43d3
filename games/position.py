"""Position in one round, and the effects of moves (RULES.md 1.4, section 2).

Hands, boneyard, table, turn. Unseen tiles are *unknown*: a hand is the mask of the tiles known to be in it and the
number of all its tiles; it is *known* if these agree because every dealt and drawn tile was named. `games.round` judges
legality; this module tests only for plainly legal moves.
"""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy
from enum import Enum
from operator import attrgetter
from typing import Self

from games.layout import Layout
from games.moves import Draw, Pass, Play, Seat
from games.ruleset import Lead, NoDouble, Ruleset, TileOrder
from games.tile import Join, Mask, Tile

Move = Play | Draw | Pass

_NEXT_SEAT = tuple(tuple((seat + 1) % seats for seat in range(seats)) for seats in (1, 1, 2, 3, 4, 5, 6))
_BIT = attrgetter("bit")
_NOBODY: frozenset[Seat] = frozenset()


class RoundEnd(Enum):
    """Way in which a round ended."""

    DOMINO = "domino"
    BLOCKED = "blocked"
    BELL = "bell"
    DEAD_END = "dead-end"

    def __init__(self, word: str) -> None:
        self.word = word  # the value, at the cost of an attribute: needed once a round


# Enum member access runs Python code, so members needed in every round have names of their own.
_HIGHEST_DOUBLE, _DRAW_UNTIL, _PIPS = Lead.HIGHEST_DOUBLE, NoDouble.DRAW_UNTIL, TileOrder.PIPS
_BY_DOMINO = RoundEnd.DOMINO


class Position:
    """Position in one round.

    ``led_by`` is the seat that led, ``to_act`` the seat to act, if known. ``hands[s]`` are the tiles known to be in the
    hand of seat ``s``, ``held[s]`` is the number of its tiles, and ``known[s]`` whether ``hands[s]`` holds all of them.
    ``boneyard`` is the number of tiles left to draw from, the reserve included. ``located`` are the tiles with a known
    place: on the table, or in a certain hand, before hands are shown. ``leader`` is the seat that must lead, if known.
    ``found_blocked``: the block follows from known hands, without a declaration. ``bound``: more than turn, hand and
    place decides about a play, because the lead is not simply the turn of a known leader, or a drawn tile must be
    played. ``drew_lower`` are the seats with a lot lower than another. ``drawn_lead`` is the double drawn for the lead,
    0 if none is known to have been the first.
    """

    __slots__ = (
        "boneyard",
        "bound",
        "dealt",
        "drawn_fits",
        "drawn_lead",
        "drew",
        "drew_lower",
        "ended",
        "found_blocked",
        "hands",
        "has_shown",
        "held",
        "known",
        "layout",
        "lead_due",
        "leader",
        "led_by",
        "located",
        "next_seat",
        "passes",
        "reserve",
        "rules",
        "seats",
        "shown",
        "to_act",
        "went_out",
    )

    def __init__(self, rules: Ruleset, seats: int, lead: Lead, leader: Seat | None = None) -> None:
        tiles, size = rules.tiles, rules.hand[seats]
        self.rules = rules
        self.seats = seats
        self.next_seat = _NEXT_SEAT[seats]
        self.hands: list[Mask] = [0] * seats
        self.held = [size] * seats
        self.known = [False] * seats
        self.dealt = self.known[:]
        self.shown: list[Mask | None] = [None] * seats
        self.has_shown = self.known[:]
        self.boneyard = len(tiles.tiles) - size * seats
        self.layout = Layout(tiles, rules.spinner)
        self.leader = self.to_act = leader
        self.led_by: Seat | None = None
        self.located: Mask = 0
        self.passes = 0
        self.drew = False
        self.drew_lower: frozenset[Seat] = _NOBODY
        self.drawn_fits: Mask = 0
        self.drawn_lead: Mask = 0
        self.ended: RoundEnd | None = None
        self.found_blocked = False
        self.went_out: Seat | None = None
        self.lead_due = lead
        self.bound = leader is None or self.lead_is_forced
        self.reserve = rules.boneyard_reserve

    def copy(self) -> Self:
        """Return an independent copy."""
        twin = copy(self)
        twin.hands, twin.held, twin.known = self.hands[:], self.held[:], self.known[:]
        twin.dealt, twin.shown, twin.has_shown = self.dealt[:], self.shown[:], self.has_shown[:]
        twin.layout = self.layout.copy()
        return twin

    # ---- The deal

    def deal(self, seat: Seat, count: int, tiles: tuple[Tile | None, ...]) -> bool:
        """Give a seat its hand: ``count`` tiles; ``None`` in ``tiles`` is an unseen tile.

        Returns whether the seen tiles are different tiles of the set that no hand is known to hold; else nothing is
        dealt.
        """
        seen = tiles if all(tiles) else [tile for tile in tiles if tile is not None]
        hand: Mask = sum(map(_BIT, seen))
        # A repeated tile carries over, a tile outside the set has no bit: either way a bit is missing.
        if hand & self.located or hand.bit_count() != len(seen):
            return False
        if count != self.held[seat]:
            self.boneyard += self.held[seat] - count
            self.held[seat] = count
        self.dealt[seat] = True
        self.hands[seat] = hand
        self.located |= hand
        self.known[seat] = len(seen) == count
        if self.lead_due is _HIGHEST_DOUBLE:
            # While a hand is unknown, only the highest double of the set can't be beaten by an unseen tile.
            if hand & self.rules.tiles.top_double:
                self.leader = self.to_act = seat
            elif self.leader is None and False not in self.known:
                self.leader = self.to_act = self._holder(self._highest())
        return True

    def lead_by_lot(self, lots: Mapping[Seat, int]) -> None:
        """Give the lead to the seat with the highest lot, with any tile.

        A seat without a recorded lot may have drawn the highest.
        """
        tiles = self.rules.tiles.tiles
        ranks = {seat: self._rank(tiles[lot]) for seat, lot in lots.items()}
        first = max(ranks, key=ranks.__getitem__)
        sure = len(lots) == self.seats or ranks[first] == max(map(self._rank, tiles))
        self.leader = self.to_act = first if sure else None
        self.drew_lower = frozenset(lots) - {first}

    def _holder(self, tile: int | None) -> Seat | None:
        return next((s for s in range(self.seats) if tile is not None and self.hands[s] >> tile & 1), None)

    def _highest(self) -> int | None:
        """Return the highest double in known hands, or else by the rules the highest tile.

        A double drawn for the lead comes first, even if its drawer drew a higher one later (RULES.md 3.4).
        """
        if self.drawn_lead:
            return self.drawn_lead.bit_length() - 1
        everything = 0
        for hand in self.hands:
            everything |= hand
        doubles = everything & self.rules.tiles.doubles
        if doubles or self.rules.no_double is _DRAW_UNTIL:
            return doubles.bit_length() - 1 if doubles else None
        return max(self.rules.tiles.in_mask(everything), key=self._rank).index if everything else None

    def _rank(self, tile: Tile) -> tuple[int, int]:
        if self.rules.highest_tile is _PIPS:
            return tile.pips, tile.high
        return tile.high, tile.low

    # ---- Playable and drawable tiles

    def playable(self, seat: Seat) -> Mask:
        """Return the tiles known to be in the hand of ``seat`` that could be placed now."""
        if self.layout.table:
            # A hand can name a tile that another seat has played: no deal fits that, and no second play is possible.
            return self.hands[seat] & self.layout.fitting() & ~self.layout.table
        if self.lead_is_forced:
            highest = self._highest()
            return self.hands[seat] & (1 << highest) if highest is not None and seat == self.leader else 0
        # Where doubles are drawn for, no seat leads before a seat is known to hold one.
        return 0 if self._drawn_for and not self.located & self.rules.tiles.doubles else self.hands[seat]

    @property
    def drawable(self) -> int:
        """Number of boneyard tiles that may be drawn: all but the reserve."""
        return max(0, self.boneyard - self.reserve)

    @property
    def can_draw(self) -> bool:
        """Whether a tile may be drawn."""
        return self.boneyard > self.reserve

    @property
    def begun(self) -> bool:
        """Whether anything but the deal has happened."""
        return bool(self.layout.table or self.passes or self.drew)

    @property
    def lead_is_forced(self) -> bool:
        """Whether the lead is a certain tile."""
        return self.lead_due is _HIGHEST_DOUBLE and self.rules.lead_forced

    @property
    def _drawn_for(self) -> bool:
        """Whether a double must be led, and drawn for if nobody holds one (RULES.md 3.4)."""
        return self.lead_due is _HIGHEST_DOUBLE and self.rules.no_double is _DRAW_UNTIL

    @property
    def _nobody_leads_yet(self) -> bool:
        """Whether a draw now is for the lead: one tile a line, in seat order from A.

        Known hands do not matter, and draws by choice change nothing (NOTATION.md 7.12).
        """
        return self._drawn_for and not self.layout.table and self.leader is None

    # ---- Moves

    def record(self, move: Move) -> None:
        """Make a move made at a table, even an illegal one, if it was possible."""
        if isinstance(move, Play):
            self.play(move)
        elif isinstance(move, Draw):
            self.draw(move.seat, move.count, move.tiles)
        else:
            self.pass_turn(move.seat)

    def try_play(self, play: Play) -> Join | None:
        """Make a plainly legal play and return the join; else return ``None``.

        Most plays are plain: it is the seat's turn, it holds the tile or may hold it, one place takes it, and nothing
        binds the seat further. A play that passes these tests passes ``why_not_play``; another play may still be legal.
        """
        seat, tile = play.seat, play.tile
        if seat != self.to_act or self.ended is not None or self.bound:
            return None
        hand = self.hands[seat]
        bit = tile.bit
        if not hand & bit and self.known[seat]:
            return None
        join = self.layout.join(tile, play.takes)
        if join is None:
            return None
        if join.on is None:
            self.led_by = seat
        if hand & bit:
            self.hands[seat] = hand ^ bit
        else:
            self.located |= bit
        self.passes = 0
        self.to_act = self.next_seat[seat]
        held = self.held[seat] - 1
        self.held[seat] = held
        if not held:
            self.ended = _BY_DOMINO
            self.went_out = seat
        elif self.boneyard <= self.reserve:
            self._detect_block()
        return join

    def play(self, play: Play) -> Join:
        """Place a tile, even against the rules, end the turn, and return the join.

        It corrects the obstacles first, and then makes a plain play.
        """
        seat = play.seat
        self.to_act = seat
        self.hands[seat] |= play.tile.bit
        self.located |= play.tile.bit
        self.bound = False
        self.drawn_fits = 0
        join = self.try_play(play)
        assert join is not None, "a play that can't have been made"
        return join

    def try_draw(self, draw: Draw) -> bool:
        """Make a draw if it is plainly legal, and return whether it was made.

        A draw is plain if it is the seat's turn after the lead, the seat took a single tile that was unseen or is known
        nowhere else, and it is known to hold no tile that fits. A draw that passes these tests passes ``why_not_draw``.
        """
        seat, bit = draw.seat, draw.bit
        if seat != self.to_act or self.ended is not None or self.led_by is None or bit & self.located:
            return False
        if not bit and (draw.tiles or draw.count != 1):
            return False
        hand = self.hands[seat]
        left = self.boneyard - 1
        if left < self.reserve or hand & self.layout.fitting() or self.rules.voluntary_draw:
            return False
        self.drew = True
        self.boneyard = left
        self.held[seat] += 1
        if bit:
            self.hands[seat] = hand | bit
            self.located |= bit
        else:
            self.known[seat] = False
        if left <= self.reserve:
            self._detect_block()
        return True

    def draw(self, seat: Seat, count: int, tiles: tuple[Tile | None, ...]) -> None:
        """Take tiles from the boneyard; the turn goes on."""
        if not self.layout.table and self._nobody_leads_yet:
            self._drawn_for_lead(seat, tiles[0] if tiles else None)
        elif self.to_act is None:
            self.to_act = seat  # only the leader draws now, so the next drawer is the same seat
        self.drew = True
        self.boneyard -= count
        self.held[seat] += count
        if len(tiles) < count or None in tiles:
            self.known[seat] = False
        for tile in tiles:
            if tile is not None:
                self.hands[seat] |= tile.bit
                self.located |= tile.bit
        if self._binds_to_drawn:
            last = tiles[-1] if tiles else None
            self.drawn_fits = 0 if last is None else self.layout.fitting() & last.bit
            self.bound = self.drawn_fits != 0
        if self.boneyard <= self.reserve and self.layout.table:
            self._detect_block()

    @property
    def _binds_to_drawn(self) -> bool:
        """Whether a tile drawn now must be played if it fits.

        So where draws by choice are allowed (RULES.md 0.16).
        """
        rules = self.rules
        return rules.must_play_drawn and rules.voluntary_draw and self.layout.table != 0

    def _drawn_for_lead(self, seat: Seat, tile: Tile | None) -> None:
        """Set the next drawer after a draw for the lead; the drawer of a double leads it.

        This seat's lead is known only if no seat can have held or drawn a double before: else this draw may be wrong,
        and the lead of another seat right.
        """
        double = tile is not None and tile.double
        top = self.rules.tiles.doubles.bit_length() - 1
        # The highest double of all, in the first draw, must be led even if a seat was dealt another double.
        sure = double and tile is not None and ((tile.index == top and not self.drew) or all(self.known))
        self.leader = seat if sure else None
        if tile is not None and sure:
            self.drawn_lead = tile.bit
        self.to_act = seat if double else self.next_seat[seat]

    def pass_turn(self, seat: Seat) -> None:
        """End the turn without a tile; passes of all seats in a row block the round."""
        self.passes += 1
        self.drawn_fits = 0
        # A seat that passed the lead must still lead: any lead now is out of order.
        self.bound = self.led_by is None
        self.to_act = self.next_seat[seat]
        if self.passes == self.seats:
            self.ended = RoundEnd.BLOCKED

    def _detect_block(self) -> None:
        # Detected at once, without waiting for passes, where every hand is known (RULES.md 1.4).
        if all(self.known) and not self.any_known_playable():
            self.ended = RoundEnd.BLOCKED
            self.found_blocked = True

    def any_known_playable(self) -> bool:
        """Return whether a tile known to be in some hand could be placed now."""
        fits = self.layout.fitting() & ~self.layout.table
        return any(hand & fits for hand in self.hands)

    def cut(self) -> None:
        """End the round by the bell."""
        self.ended = RoundEnd.BELL

    def block(self) -> None:
        """End the round as blocked."""
        self.ended = RoundEnd.BLOCKED

    # ---- Remaining tiles

    def show(self, seat: Seat, tiles: tuple[Tile | None, ...]) -> None:
        """Show the tiles left in a hand.

        If all are seen, in the right number, the rest of the hand is known.
        """
        self.has_shown[seat] = True
        if len(tiles) == self.held[seat] and all(tiles):
            self.shown[seat] = self.hands[seat] if self.known[seat] else sum(map(_BIT, tiles))

    def rests(self) -> list[Mask | None]:
        """Return the tiles left in each hand, ``None`` if unknown (NOTATION.md section 4)."""
        if False not in self.known:
            return list(self.hands)
        rests: list[Mask | None] = []
        for seat, held in enumerate(self.held):
            if not held:
                rests.append(0)
            else:
                rests.append(self.hands[seat] if self.known[seat] else self.shown[seat])
        if None not in rests:
            return rests
        unknown = [seat for seat, rest in enumerate(rests) if rest is None]
        if len(unknown) == 1 and self.boneyard == 0:
            elsewhere = self.layout.table
            for rest in rests:
                elsewhere |= rest or 0
            left = self.rules.tiles.all & ~elsewhere
            if left.bit_count() == self.held[unknown[0]]:
                rests[unknown[0]] = left
        return rests
