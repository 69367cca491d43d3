"""One deal, from the wash to domino or block: who may do what, and what it does (RULES.md 1.4, section 2).

What nobody saw is *unknown*: a hand is the mask of the tiles known to be in it and the number of all its tiles; it is
*known* if these are the same because every dealt and drawn tile was named. A known tile must be legal; an unknown one
is given the benefit of the doubt.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from copy import copy
from enum import Enum
from operator import attrgetter

from games.errors import IllegalMove, Reason
from games.layout import Layout
from games.moves import Draw, Pass, Play, Seat
from games.places import Join
from games.ruleset import Lead, NoDouble, Ruleset, TileOrder
from games.tiles import Mask, Tile

Move = Play | Draw | Pass


_NEXT_SEAT = tuple(tuple((seat + 1) % seats for seat in range(seats)) for seats in (1, 1, 2, 3, 4, 5, 6))


_BIT = attrgetter("bit")

# An enum looks its members up by a call in Python, so those that every round asks for have a name of their own.
_HIGHEST_DOUBLE, _DRAW_UNTIL, _PIPS = Lead.HIGHEST_DOUBLE, NoDouble.DRAW_UNTIL, TileOrder.PIPS


class RoundEnd(Enum):
    """How a round ended."""

    DOMINO = "domino"
    BLOCKED = "blocked"
    BELL = "bell"
    DEAD_END = "dead-end"

    def __init__(self, word: str) -> None:
        self.word = word  # the value, at the cost of an attribute: asked for once a round


class Round:
    """The position in one round. ``led_by`` is the seat that led, ``to_act`` the seat whose turn it is, if known.

    ``hands[s]`` are the tiles known to be in the hand of seat ``s``, ``held[s]`` is the number of its tiles and
    ``known[s]`` whether these are all of them. ``boneyard`` is the number of tiles left to draw from, the reserve
    included. ``located`` are the tiles that somebody knows the place of: on the table, or in a certain hand, before
    hands are shown. ``leader`` is the seat that must lead, if that is known. ``found_blocked`` tells that the block
    was seen from known hands, before anybody said so. ``bound`` tells that more than turn, hand and place decides what
    may be played: the lead is not simply the turn of a known leader, or a drawn tile must be played. ``drew_lower`` are
    the seats with a lot that another one beats.
    """

    __slots__ = (
        "boneyard",
        "bound",
        "dealt",
        "drawn_fits",
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
        self.drew_lower: frozenset[Seat] = frozenset()
        self.drawn_fits: Mask = 0
        self.ended: RoundEnd | None = None
        self.found_blocked = False
        self.went_out: Seat | None = None
        self.lead_due = lead
        self.bound = leader is None or self.lead_is_forced
        self.reserve = rules.boneyard_reserve

    def copy(self) -> Round:
        """An independent round in the same position."""
        twin = copy(self)
        twin.hands, twin.held, twin.known = self.hands[:], self.held[:], self.known[:]
        twin.dealt, twin.shown, twin.has_shown = self.dealt[:], self.shown[:], self.has_shown[:]
        twin.layout = self.layout.copy()
        return twin

    def after(self, move: Move) -> Round:
        """The round as it would stand after a move; this one is left alone."""
        twin = self.copy()
        twin.apply(move)
        return twin

    # ---- the deal

    def deal(self, seat: Seat, count: int, tiles: tuple[Tile | None, ...]) -> bool:
        """Give a seat its hand: ``count`` tiles, of which those in ``tiles`` that are not ``None`` were seen.

        Returns whether these are different tiles of the set that nobody is known to hold; else nothing is dealt.
        """
        seen = tiles if all(tiles) else [tile for tile in tiles if tile is not None]
        hand: Mask = sum(map(_BIT, seen))
        # A tile that is there twice carries over, one outside the set has no bit: either way a bit is missing.
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
            # Where not every hand is known, only the highest double of the set can't be beaten by an unseen tile.
            if hand & self.rules.tiles.top_double:
                self.leader = self.to_act = seat
            elif self.leader is None and False not in self.known:
                self.leader = self.to_act = self._holder(self._highest())
        return True

    def lead_by_lot(self, lots: Mapping[Seat, int]) -> None:
        """The seat with the highest lot leads, with any tile; a seat whose lot is not recorded may have drawn it."""
        tiles = self.rules.tiles.tiles
        ranks = {seat: self._rank(tiles[lot]) for seat, lot in lots.items()}
        first = max(ranks, key=ranks.__getitem__)
        sure = len(lots) == self.seats or ranks[first] == max(map(self._rank, tiles))
        self.leader = self.to_act = first if sure else None
        self.drew_lower = frozenset(lots) - {first}

    def _holder(self, tile: int | None) -> Seat | None:
        return next((s for s in range(self.seats) if tile is not None and self.hands[s] >> tile & 1), None)

    def _highest(self) -> int | None:
        """Highest double in the hands that are known; without one the highest tile, where that is the rule."""
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

    # ---- what is legal

    def playable(self, seat: Seat) -> Mask:
        """The tiles known to be in the hand of ``seat`` that could be placed now."""
        if self.layout.table:
            # A hand can name a tile that another seat has played: there is no deal for that, and no second play.
            return self.hands[seat] & self.layout.fitting() & ~self.layout.table
        if self.lead_is_forced:
            highest = self._highest()
            return self.hands[seat] & (1 << highest) if highest is not None and seat == self.leader else 0
        # Where doubles are drawn for, nobody leads before somebody is known to hold one.
        return 0 if self._drawn_for and not self.located & self.rules.tiles.doubles else self.hands[seat]

    def why_illegal(self, move: Move) -> tuple[Reason, ...]:
        """What the rules have against a move by what is known; nothing if it is legal.

        The first reason is the one that NOTATION.md section 4 puts first. A round can go on after the reasons that
        only say that a player broke a rule (``wrong-lead``, ``draw-when-able`` and the like): see :meth:`apply`.
        """
        if isinstance(move, Play):
            reason = self.why_not_play(move.seat, move.tile, move.on)
            return (reason,) if reason else ()
        if isinstance(move, Draw):
            return self.why_not_draw(move.seat, move.count, move.tiles)
        return self.why_not_pass(move.seat)

    def why_not_play(self, seat: Seat, tile: Tile, on: Tile | None) -> Reason | None:
        """What is wrong with placing ``tile``, joined to ``on`` or, where only one place can take it, to that."""
        if self.ended is not None:
            return Reason.ROUND_OVER
        bit = tile.bit
        if not bit or (on is not None and not on.bit):
            return Reason.UNKNOWN_TILE
        layout = self.layout
        table = layout.table
        if not table:
            return self._why_not_lead(seat, tile, on)
        if seat != self.to_act:
            return Reason.OUT_OF_TURN
        if table & bit:
            return Reason.TILE_ALREADY_PLAYED
        if not self.hands[seat] & bit and self.known[seat]:
            return Reason.TILE_NOT_IN_HAND
        places = tile.takes & layout.open
        if on is None:
            if not places:
                return Reason.DOES_NOT_MATCH
            if places & (places - 1):
                return Reason.AMBIGUOUS_PLAY
        elif not places & on.places:
            return Reason.DOES_NOT_MATCH if on.places & layout.open else Reason.NO_OPEN_END
        if self.drawn_fits and not self.drawn_fits & bit:
            return Reason.MUST_PLAY_DRAWN
        return None

    def _why_not_lead(self, seat: Seat, tile: Tile, on: Tile | None) -> Reason | None:
        if not self.hands[seat] & tile.bit and self.known[seat]:
            return Reason.TILE_NOT_IN_HAND
        if on is not None:
            return Reason.NO_OPEN_END
        if (self.leader is not None and seat != self.leader) or seat in self.drew_lower:
            return Reason.WRONG_LEAD
        if tile.bit == self.rules.tiles.top_double:
            return None
        if self.lead_is_forced and (self._beaten(tile.index) or (not tile.double and self._drawn_for)):
            return Reason.WRONG_LEAD
        if self.leader is None and all(self.known) and self._nobody_leads_yet:
            return Reason.WRONG_LEAD
        return None

    def _beaten(self, tile: int) -> bool:
        """Whether a tile known to be in a hand had to be led before this one."""
        highest = self._highest()
        if highest is None or highest == tile:
            return False
        tiles = self.rules.tiles.tiles
        if tiles[tile].double != tiles[highest].double:
            return tiles[highest].double
        return self._rank(tiles[highest]) > self._rank(tiles[tile])

    def why_not_draw(self, seat: Seat, count: int, tiles: tuple[Tile | None, ...]) -> tuple[Reason, ...]:
        """What is wrong with drawing ``count`` tiles, of which ``tiles`` were seen, one after the other."""
        if self.ended is not None:
            return (Reason.ROUND_OVER,)
        if not self.layout.table and count != 1 and self._nobody_leads_yet:
            return (Reason.BAD_EVENT,)
        if seat != self.to_act and (self.to_act is not None or (seat and self._nobody_leads_yet)):
            return (Reason.OUT_OF_TURN,)
        if self.to_act is None and self._cannot_lead(seat):
            return (Reason.OUT_OF_TURN,)
        if count > self.boneyard - self.reserve:
            return (Reason.DRAW_FROM_EMPTY,)
        elsewhere = self.located
        for tile in tiles:
            if tile is None:
                continue
            if not tile.bit:
                return (Reason.UNKNOWN_TILE,)
            if elsewhere & tile.bit:
                return (Reason.DUPLICATE_TILE,)
            elsewhere |= tile.bit
        if self.rules.voluntary_draw:
            return ()
        if count == 1 and self.layout.table:
            able = self.hands[seat] & self.layout.fitting() & ~self.layout.table
            return (Reason.DRAW_WHEN_ABLE,) if able else ()
        return (Reason.DRAW_WHEN_ABLE,) if self._able_before_last(seat, tiles) else ()

    def _able_before_last(self, seat: Seat, tiles: tuple[Tile | None, ...]) -> bool:
        """Whether the seat could play before the last of these draws."""
        if self.playable(seat) or self._could_lead(seat):
            return True
        fits = self.layout.fitting() if self.layout.table else 0
        return any(tile is not None and fits >> tile.index & 1 for tile in tiles[:-1])

    def _could_lead(self, seat: Seat) -> bool:
        """Whether a seat that takes a turn before the lead could have led: whoever has the lead can play a tile.

        Only where a double has to be led and is drawn for, it may be that nobody holds one.
        """
        if self.layout.table or self.leader not in (None, seat):
            return False
        return not self._drawn_for or bool(self.located & self.rules.tiles.doubles)

    def _cannot_lead(self, seat: Seat) -> bool:
        """Whether a seat is known not to have the lead while it is not known who has it."""
        if self.lead_due is not _HIGHEST_DOUBLE:
            return seat in self.drew_lower
        doubles = self.rules.tiles.doubles
        elsewhere = self.located & ~self.hands[seat]
        own = (self.hands[seat] if self.known[seat] else ~elsewhere) & doubles
        if own or elsewhere & doubles:
            return own < elsewhere & doubles
        # It holds no double. Who leads without one is known with all the hands; where doubles are drawn, A begins.
        return self._drawn_for and seat != 0

    @property
    def _drawn_for(self) -> bool:
        """Whether a double has to be led, and where nobody holds one it is drawn for (RULES.md 3.4)."""
        return self.lead_due is _HIGHEST_DOUBLE and self.rules.no_double is _DRAW_UNTIL

    @property
    def _nobody_leads_yet(self) -> bool:
        """Whether a draw at this moment is a draw for the lead: one tile a line, in seat order from A.

        Where draws by choice are allowed, the holder of an unseen double may be drawing before the lead.
        """
        if self.layout.table or not self._drawn_for or self.located & self.rules.tiles.doubles:
            return False
        # Once such draws have begun it is known whose turn it is, also if what they brought was not seen.
        begun = self.drew and self.to_act is not None
        return begun or not self.rules.voluntary_draw or all(self.known)

    def _drawn_for_lead(self, seat: Seat, tile: Tile | None) -> None:
        """Who draws next after a draw for the lead: nobody after a double, which its drawer leads.

        That this seat leads is known only if no unseen tile can be a higher double: else it may be the draw that was
        wrong, and the lead of another seat right.
        """
        double = tile is not None and tile.double
        top = self.rules.tiles.doubles.bit_length() - 1
        sure = double and tile is not None and (tile.index == top or all(self.known))
        self.leader = seat if sure else None
        self.to_act = seat if double else self.next_seat[seat]

    def why_not_pass(self, seat: Seat) -> tuple[Reason, ...]:
        """What is wrong with passing; a pass with a playable tile and tiles to draw has two things wrong."""
        if self.ended is not None:
            return (Reason.ROUND_OVER,)
        if self._cannot_lead(seat) if self.to_act is None else seat != self.to_act:
            return (Reason.OUT_OF_TURN,)
        reasons: tuple[Reason, ...] = ()
        if self.playable(seat) or self._could_lead(seat):
            reasons = (Reason.PASS_WHEN_ABLE,)
        if self.can_draw:
            reasons += (Reason.PASS_WITH_BONEYARD,)
        return reasons

    @property
    def drawable(self) -> int:
        """Tiles of the boneyard that may be drawn: all but its reserve."""
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

    def legal_moves(self) -> Iterator[Play | Pass]:
        """Every play and pass that is legal for the seat to act, by what is known.

        A draw is legal if nothing comes and :attr:`can_draw`; which tile it brings is not the player's choice.
        """
        seat = self.to_act
        if seat is None or self.ended is not None:
            return
        tiles = self.rules.tiles
        for tile in tiles.in_mask(self.playable(seat)):
            places = self.layout.places(tile.index) if self.layout.table else 0
            for on in tiles.in_mask(places) if places else (None,):
                if self.why_not_play(seat, tile, on) is None:
                    yield Play(seat, tile, on)
        if not self.why_not_pass(seat):
            yield Pass(seat)

    # ---- what a move does

    def apply(self, move: Move) -> None:
        """Make a move. Raises :class:`IllegalMove` if the rules forbid it; :meth:`record` takes it as it was."""
        reasons = self.why_illegal(move)
        if reasons:
            raise IllegalMove(reasons[0])
        self.record(move)

    def record(self, move: Move) -> None:
        """Make a move that was made at a table, also if it broke a rule, so long as it was possible."""
        if isinstance(move, Play):
            self.play(move)
        elif isinstance(move, Draw):
            self.draw(move.seat, move.count, move.tiles)
        else:
            self.pass_turn(move.seat)

    def try_play(self, play: Play) -> Join | None:
        """Make a play if it is plainly legal, and tell how the tile was joined; else do nothing.

        Most plays are plain: it is the seat's turn, it is known to hold the tile, one place takes it, and nothing binds
        the seat further. Whatever passes these tests passes :meth:`why_not_play`; what doesn't may still be legal.
        """
        seat, tile = play.seat, play.tile
        if seat != self.to_act or self.ended is not None or self.bound:
            return None
        hand = self.hands[seat]
        bit = tile.bit
        if not hand & bit:
            return None
        join = self.layout.join(tile, play.takes)
        if join is None:
            return None
        if join.on is None:
            self.led_by = seat
        self.hands[seat] = hand ^ bit
        self.passes = 0
        self.to_act = self.next_seat[seat]
        held = self.held[seat] - 1
        self.held[seat] = held
        if not held:
            self.ended = RoundEnd.DOMINO
            self.went_out = seat
        elif self.boneyard <= self.reserve:
            self._detect_block()
        return join

    def play(self, play: Play) -> Join:
        """Place a tile and end the turn, also where that broke a rule: as a plain play, once what stood in its way is
        set right. Tells how the tile was joined.
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
        """Make a draw if it is plainly legal, else do nothing; tells which.

        A draw is plain if it is the seat's turn after the lead, it took one tile that was seen and is known nowhere
        else, and it holds nothing that fits. Whatever passes these tests passes :meth:`why_not_draw`.
        """
        seat, bit = draw.seat, draw.bit
        if seat != self.to_act or self.ended is not None or self.led_by is None or not bit or bit & self.located:
            return False
        hand = self.hands[seat]
        left = self.boneyard - 1
        if left < self.reserve or hand & self.layout.fitting() or self.rules.voluntary_draw:
            return False
        self.drew = True
        self.boneyard = left
        self.held[seat] += 1
        self.hands[seat] = hand | bit
        self.located |= bit
        if left <= self.reserve:
            self._detect_block()
        return True

    def draw(self, seat: Seat, count: int, tiles: tuple[Tile | None, ...]) -> None:
        """Take tiles from the boneyard; the turn goes on."""
        if not self.layout.table and self._nobody_leads_yet:
            self._drawn_for_lead(seat, tiles[0] if tiles else None)
        elif self.to_act is None and (not self._drawn_for or self.located & self.rules.tiles.doubles):
            self.to_act = seat  # only who has the lead draws now: whoever draws next is the same seat
        self.drew = True
        self.boneyard -= count
        self.held[seat] += count
        if len(tiles) < count or None in tiles:
            self.known[seat] = False
        for tile in tiles:
            if tile is not None:
                self.hands[seat] |= tile.bit
                self.located |= tile.bit
                if self.rules.must_play_drawn and self.rules.voluntary_draw and self.layout.table:
                    self.drawn_fits |= self.layout.fitting() & tile.bit
                    self.bound = self.drawn_fits != 0
        if self.boneyard <= self.reserve and self.layout.table:
            self._detect_block()

    def pass_turn(self, seat: Seat) -> None:
        """End the turn without a tile; when every seat has passed in a row the round is blocked."""
        self.passes += 1
        self.drawn_fits = 0
        # A seat that passed the lead on has still to lead: whoever does it, does it out of order.
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
        """Whether a tile known to be in some hand could be placed now."""
        fits = self.layout.fitting() & ~self.layout.table
        return any(hand & fits for hand in self.hands)

    def cut(self) -> None:
        """The bell ends the round."""
        self.ended = RoundEnd.BELL

    def block(self) -> None:
        """The round is declared blocked."""
        self.ended = RoundEnd.BLOCKED

    # ---- what is left

    def show(self, seat: Seat, tiles: tuple[Tile | None, ...]) -> None:
        """The seat shows the tiles left in its hand; with the right number, all seen, its rest is known."""
        self.has_shown[seat] = True
        if len(tiles) == self.held[seat] and all(tiles):
            self.shown[seat] = self.hands[seat] if self.known[seat] else sum(map(_BIT, tiles))

    def rests(self) -> list[Mask | None]:
        """The tiles left in each hand, ``None`` where the record leaves them open (NOTATION.md section 4)."""
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
