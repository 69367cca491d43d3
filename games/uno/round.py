"""One round of Uno Dominoes: legality and effects of moves.

Source: RULES.md 4.3, NOTATION.md 7.18 to 7.21. As in :mod:`games.round`, an unseen tile is unknown and gets the benefit
of the doubt. Nobody has to play here: a player may draw one tile, and play that tile or pass.
"""

from __future__ import annotations

from collections.abc import Iterator

from games.errors import IllegalMove, Reason
from games.moves import Draw, Pass, Play, Seat
from games.round import RoundEnd
from games.ruleset import ReverseOfTwo
from games.tile import Mask, Tile
from games.uno.calling import Challengeable, names_colour_rightly
from games.uno.calls import LastTile, WildFour
from games.uno.markings import COLOUR_NAMES

DRAWS = {"D2": 2, "WD4": 4}
"""Tiles drawn by the next player after an active half, by kind.

Source: RULES.md 2.12, 2.18.
"""


class ColourRound(Challengeable):
    """A round of a game with matching by colour or kind, on top of :class:`Racks`."""

    __slots__ = ()

    def after(self, move: Play | Draw | Pass) -> ColourRound:
        """Return a copy of the round after a move; the original does not change."""
        twin = self.copy()
        twin.apply(move)
        return twin

    # ---- Legality

    def playable(self, seat: Seat) -> Mask:
        """Return the tiles known in the hand of ``seat`` that fit now, by either half."""
        if self.layout.table:
            return self.hands[seat] & self.layout.playable()
        if self.leader not in (None, seat):
            return 0
        starters = self.tiles.starters
        best = next((tile for tile in starters if self.located >> tile & 1), None)
        level = [tile for tile in starters if best is not None and not self.comes_before(best, tile)]
        return self.hands[seat] & sum(1 << tile for tile in level)

    def why_illegal(self, move: Play | Draw | Pass) -> tuple[Reason, ...]:
        """Return the reasons against a move by known tiles; none for a legal move."""
        reasons = self._why_not(move)
        if not reasons and self.unpaid and self._begins_turn(move):
            return (Reason.FORCED_DRAW,)
        return reasons

    def _why_not(self, move: Play | Draw | Pass) -> tuple[Reason, ...]:
        if isinstance(move, Play):
            if not self.colour_in_order(move):
                return (Reason.BAD_EVENT,)
            reason = self.why_not_play(move.seat, move.tile, move.on)
            return (reason,) if reason else ()
        if isinstance(move, Draw):
            return self.why_not_draw(move.seat, move.count, move.tiles)
        return self.why_not_pass(move.seat)

    def _begins_turn(self, move: Play | Draw | Pass) -> bool:
        pays = isinstance(move, Draw) and self.owed(move.seat) > 0
        return bool(self.layout.table) and not self.drew and not pays

    def colour_in_order(self, move: Play) -> bool:
        """Return whether a colour is named exactly where it must be."""
        return names_colour_rightly(self.tiles, move, last=self.held[move.seat] <= 1)

    def why_not_play(self, seat: Seat, tile: Tile, on: Tile | None) -> Reason | None:
        """Return the reason against placing ``tile`` by its first half, or ``None``.

        It is joined to ``on``, or without ``on`` to the only tile that takes it.
        """
        if self.ended is not None:
            return Reason.ROUND_OVER
        bit = tile.bit
        if not bit or (on is not None and not on.bit):
            return Reason.UNKNOWN_TILE
        layout = self.layout
        if not layout.table:
            return self._why_not_lead(seat, tile, on)
        if seat != self.to_act and not self._may_act(seat):
            return Reason.OUT_OF_TURN
        if layout.table & bit:
            return Reason.TILE_ALREADY_PLAYED
        if not self.hands[seat] & bit and self.known[seat]:
            return Reason.TILE_NOT_IN_HAND
        if on is not None:
            if on.index not in layout.ends:
                return Reason.NO_OPEN_END
            if not layout.fits(tile, on.index):
                return Reason.DOES_NOT_MATCH
        else:
            takers = layout.takers(tile)
            if len(takers) != 1:
                return Reason.AMBIGUOUS_PLAY if takers else Reason.DOES_NOT_MATCH
        return Reason.MUST_PLAY_DRAWN if self.drew and self._not_the_drawn(seat, bit) else None

    def _may_act(self, seat: Seat) -> bool:
        """Return whether an undecided challenge may have given this seat the turn."""
        wild = self.wild_four
        return wild is not None and wild.pending and seat == wild.victim

    def why_not_draw(self, seat: Seat, count: int, tiles: tuple[Tile | None, ...]) -> tuple[Reason, ...]:
        """Return the reasons against a draw.

        A draw is an owed penalty, one tile for a turn, or one for the lead.
        """
        owed = self.owed(seat)
        reason: Reason | None = None
        if self.ended is not None and not owed:
            reason = Reason.ROUND_OVER
        elif not self.layout.table:
            reason = self._why_not_draw_for_lead(seat, count)
        elif owed:
            reason = Reason.OUT_OF_TURN if count > owed else None
        elif seat != self.to_act and not self._may_act(seat):
            reason = Reason.OUT_OF_TURN
        elif self.drew or count > 1:
            return (Reason.BAD_EVENT,)
        if reason in (None, Reason.DRAW_WHEN_ABLE):
            reason = self._why_not_these(count, tiles) or reason
        return (reason,) if reason else ()

    def _why_not_these(self, count: int, tiles: tuple[Tile | None, ...]) -> Reason | None:
        if count > self.boneyard:
            return Reason.DRAW_FROM_EMPTY
        elsewhere = self.located
        for tile in tiles:
            if tile is None:
                continue
            if not tile.bit:
                return Reason.UNKNOWN_TILE
            if elsewhere & tile.bit:
                return Reason.DUPLICATE_TILE
            elsewhere |= tile.bit
        return None

    def why_not_pass(self, seat: Seat) -> tuple[Reason, ...]:
        """Return the reasons against passing (RULES.md 2.24 to 2.26).

        A draw of one tile comes first, while the pile has any.
        """
        if self.ended is not None:
            return (Reason.ROUND_OVER,)
        if not self.layout.table:
            return self._why_not_pass_the_lead(seat)
        if seat != self.to_act and not self._may_act(seat):
            return (Reason.OUT_OF_TURN,)
        return () if self.drew or not self.boneyard else (Reason.PASS_WITH_BONEYARD,)

    @property
    def drawable(self) -> int:
        """Number of tiles in the draw pile."""
        return self.boneyard

    @property
    def can_draw(self) -> bool:
        """Whether a tile may be drawn."""
        return self.boneyard > 0

    @property
    def unpaid(self) -> list[Seat]:
        """Seats with a penalty still to draw, while the pile has tiles (RULES.md 2.26)."""
        return [seat for seat, owed in enumerate(self.debts) if owed] if self.boneyard else []

    def legal_moves(self) -> Iterator[Play | Pass]:
        """Yield every legal play and pass of the seat to act, by known tiles.

        A play with a wild half comes once for each colour. A draw is legal in place of a play, if none was made in this
        turn and :attr:`can_draw`.
        """
        seat = self.to_act
        if seat is None or self.ended is not None or self.unpaid:
            return
        yield from (play for play in self._plays(seat) if self.is_lawful(play))
        if not self.why_not_pass(seat):
            yield Pass(seat)

    def bluffs(self) -> Iterator[Play]:
        """Yield the Wild Draw Fours of the seat to act that a challenge would beat."""
        if self.to_act is not None and self.ended is None and not self.unpaid:
            yield from (play for play in self._plays(self.to_act) if not self.is_lawful(play))

    def _plays(self, seat: Seat) -> Iterator[Play]:
        for tile in self.tiles.in_mask(self.playable(seat)):
            for way in dict.fromkeys((tile, self.tiles.turned(tile))):
                ends = self.layout.takers(way) if self.layout.table else [None]
                for on in (None if end is None else self.tiles.tiles[end] for end in ends):
                    if self.why_not_play(seat, way, on) is None:
                        wild = self.tiles.wild >> way.low & 1
                        yield from (Play(seat, way, on, None, c) for c in (COLOUR_NAMES if wild else (None,)))

    def is_lawful(self, play: Play) -> bool:
        """Return whether an active Wild Draw Four is allowed (2.18).

        No other tile on the rack may have an exposed colour. :meth:`why_illegal` does not test this: an unlawful Wild
        Draw Four counts unless it is challenged (NOTATION.md 7.19).
        """
        if not self._draws_four(play.tile):
            return True
        return not self.hands[play.seat] & ~play.tile.bit & self.layout.coloured()

    # ---- Moves

    def apply(self, move: Play | Draw | Pass) -> None:
        """Make a legal move.

        Raises :class:`IllegalMove` if the rules forbid it; :meth:`record` makes it anyway.
        """
        reasons = self.why_illegal(move)
        if reasons:
            raise IllegalMove(reasons[0])
        self.record(move)

    def record(self, move: Play | Draw | Pass) -> None:
        """Make a move made at a table, even an illegal one, if it was possible."""
        if self._begins_turn(move):
            self.begin_turn(move.seat)
        if isinstance(move, Play):
            on = None if move.on is None else move.on.index
            self.play(move.seat, move.tile, on, move.colour)
        elif isinstance(move, Draw):
            self.draw(move.seat, move.count, move.tiles)
        else:
            self.pass_turn(move.seat)

    def begin_turn(self, seat: Seat | None) -> list[Seat]:
        """End the time of calls and penalties: a seat's turn or the settlement begins.

        Returns the seats that did not draw their penalty; all penalties are cleared.
        """
        wild = self.wild_four
        if wild is None and not any(self.debts):
            return []
        if wild is not None:
            if wild.pending and seat is not None:
                self.decide(guilty=seat == wild.victim, inferred=True)
            self.wild_four = None
        unpaid = self.unpaid
        self.debts = [0] * self.seats
        return unpaid

    def play(self, seat: Seat, tile: Tile, on: int | None, colour: str | None, line: int = 0) -> int | None:
        """Place a tile and end the turn.

        Returns the index of the tile it was joined to, ``None`` for the lead.
        """
        layout = self.layout
        leads = not layout.table
        bit = tile.bit
        banned = layout.coloured() if self._draws_four(tile) and not leads else 0
        if leads:
            self.led_by = seat
            layout.lead(tile, colour)
        else:
            if on is None:
                on = layout.takers(tile)[0]
            layout.place(tile, on, colour)
        self.begun = True
        self._leaves_hand(seat, bit, line)
        self.drew, self.drawn, self.passes = False, None, 0
        self.to_act = self._step(seat, 1)
        if not leads:
            self._take_effect(seat, tile, line, banned)
        self._look_for_end(seat)
        return on

    def _draws_four(self, tile: Tile) -> bool:
        return self.tiles.markings[tile.high].kind == "WD4"

    def _leaves_hand(self, seat: Seat, bit: Mask, line: int) -> None:
        """Take a tile from the hand, and move the catch windows on (2.29).

        The windows of others close; a window opens if this leaves one tile.
        """
        self.located |= bit
        self.hands[seat] &= ~bit
        self.held[seat] -= 1
        self.last_tile = LastTile(seat, line, self.said_uno[seat]) if self.held[seat] == 1 else None

    def _step(self, seat: Seat, steps: int) -> Seat:
        return (seat + steps * self.direction) % self.seats

    def _take_effect(self, seat: Seat, tile: Tile, line: int, banned: Mask) -> None:
        """Apply the effect of the active half (RULES.md 2.10 to 2.15, 2.18)."""
        kind = self.tiles.markings[tile.high].kind
        if kind == "R":
            self.direction = -self.direction
            skips = self.seats == 2 and self.rules.reverse_2p is ReverseOfTwo.SKIP
            self.to_act = self._step(seat, 2 if skips else 1)
        elif kind == "S":
            self.to_act = self._step(seat, 2)
        elif kind in DRAWS:
            victim = self._step(seat, 1)
            self.debts[victim] += DRAWS[kind]
            self.to_act = self._step(seat, 2)
            if kind == "WD4":
                known = self.known[seat] or not self.held[seat]
                self.wild_four = WildFour(seat, victim, line, self.hands[seat], banned, known)

    def _look_for_end(self, seat: Seat) -> None:
        if not self.held[seat]:
            self.ended, self.scorer = RoundEnd.DOMINO, seat
        elif not self.layout.ends:
            self.ended, self.scorer = RoundEnd.DEAD_END, seat
        elif not self.boneyard:
            self._detect_block()
        if self.ended is not None:
            self.last_tile = None

    def draw(self, seat: Seat, count: int, tiles: tuple[Tile | None, ...]) -> None:
        """Take tiles from the draw pile: a penalty, one for a turn, or one for the lead."""
        unseen = len(tiles) < count or None in tiles
        for_lead = not self.layout.table and not self.starter_seen
        for tile in tiles:
            if tile is not None:
                self.hands[seat] |= tile.bit
                self.located |= tile.bit
        self.begun = True
        self.boneyard -= count
        self.held[seat] += count
        if unseen:
            self.known[seat] = False
        self.said_uno[seat] = False
        if not self.layout.table:
            if for_lead:
                self._drawn_for_lead(seat, None if unseen else tiles[0])
        elif self.owed(seat):
            self._pay(seat, count)
        else:
            self.drew, self.drawn = True, None if unseen else tiles[0]
        if not self.boneyard and self.layout.table and self.ended is None:
            self._detect_block()

    def _pay(self, seat: Seat, count: int) -> None:
        wild = self.wild_four
        if wild is not None:
            # The drawer shows the outcome of a challenge without a ruling; a caught player's tiles do not.
            if wild.pending and (seat == wild.victim or (seat == wild.player and count > self.debts[seat])):
                self.decide(guilty=seat == wild.player, inferred=True)
            wild.paid = wild.paid or seat == wild.victim
        self.debts[seat] = max(0, self.debts[seat] - count)

    def pass_turn(self, seat: Seat) -> None:
        """End the turn without a tile.

        Passes of all seats in a row at an empty pile block the round.
        """
        self.begun = True
        if not self.layout.table:
            return
        self.passes = 0 if self.boneyard else self.passes + 1
        self.drew, self.drawn = False, None
        self.to_act = self._step(seat, 1)
        if self.passes == self.seats:
            self.block()

    def _detect_block(self) -> None:
        if all(self.known) and not self.any_known_playable():
            self.block()
            self.found_blocked = True

    def any_known_playable(self) -> bool:
        """Return whether a tile known to be in some hand could be placed now."""
        fits = self.layout.playable() if self.layout.table else self.tiles.all
        return any(hand & fits for hand in self.hands)

    def cut(self) -> None:
        """End the round by the bell."""
        self.ended, self.last_tile = RoundEnd.BELL, None

    def block(self) -> None:
        """End the round as blocked: nobody can or will move."""
        self.ended, self.last_tile = RoundEnd.BLOCKED, None

    # ---- Reopened dead ends

    def why_not_reopen(self, seat: Seat, tile: Tile, on: Tile) -> Reason | None:
        """Return the reason against reopening a dead end, or ``None`` (RULES.md 2.37).

        A wild doublet is put beside a doublet.
        """
        if not tile.bit or not on.bit:
            return Reason.UNKNOWN_TILE
        if self.layout.table & tile.bit:
            return Reason.TILE_ALREADY_PLAYED
        if not self.hands[seat] & tile.bit and self.known[seat]:
            return Reason.TILE_NOT_IN_HAND
        if not self.layout.table & on.bit:
            return Reason.NO_OPEN_END
        wild = tile.double and self.tiles.markings[tile.high].kind == "W"
        return None if wild and on.double else Reason.DOES_NOT_MATCH

    def reopen(self, seat: Seat, tile: Tile, colour: str, line: int = 0) -> None:
        """Reopen a dead end; play continues from this player."""
        self.ended = self.scorer = None
        self.layout.reopen(tile, colour)
        self._leaves_hand(seat, tile.bit, line)
        self.passes = 0
        self.to_act = self._step(seat, 1)
        self._look_for_end(seat)
