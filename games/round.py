"""Legality of moves in one round, from deal to domino or block.

Source: RULES.md 1.4, section 2. Legality is judged by known tiles: a known tile must be legal; an unknown tile gets the
benefit of the doubt. The effects of a move are in `games.position`.
"""

from __future__ import annotations

from collections.abc import Iterator

from games.errors import IllegalMove, Reason
from games.moves import Draw, Pass, Play, Seat
from games.position import Move, Position, RoundEnd
from games.ruleset import Lead
from games.tile import Tile

__all__ = ["Move", "Round", "RoundEnd"]


class Round(Position):
    """A position with the rules of play: legal moves, and reasons against illegal."""

    __slots__ = ()

    def legal_moves(self) -> Iterator[Play | Pass]:
        """Yield every legal play and pass of the seat to act, by known tiles.

        A draw is legal if this yields nothing and :attr:`can_draw`; the player does not choose the drawn tile.
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

    def apply(self, move: Move) -> None:
        """Make a legal move.

        Raises :class:`IllegalMove` if the rules forbid it; :meth:`record` makes it anyway.
        """
        reasons = self.why_illegal(move)
        if reasons:
            raise IllegalMove(reasons[0])
        self.record(move)

    def after(self, move: Move) -> Round:
        """Return a copy of the round after a move; the original does not change."""
        twin = self.copy()
        twin.apply(move)
        return twin

    def why_illegal(self, move: Move) -> tuple[Reason, ...]:
        """Return the reasons against a move by known tiles; none for a legal move.

        The first reason is the first by NOTATION.md section 4. After the reasons for a breach of the rules alone
        (``wrong-lead``, ``draw-when-able`` and the like) a round can go on: see :meth:`record`.
        """
        if isinstance(move, Play):
            reason = self.why_not_play(move.seat, move.tile, move.on)
            return (reason,) if reason else ()
        if isinstance(move, Draw):
            return self.why_not_draw(move.seat, move.count, move.tiles)
        return self.why_not_pass(move.seat)

    def why_not_play(self, seat: Seat, tile: Tile, on: Tile | None) -> Reason | None:
        """Return the reason against placing ``tile``, ``None`` if it is legal.

        It is joined to ``on``, or without ``on`` to the only place that takes it.
        """
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
        if tile.bit == self.rules.tiles.top_double and not self.drawn_lead:
            return None
        if self.lead_is_forced and (self._beaten(tile.index) or (not tile.double and self._drawn_for)):
            return Reason.WRONG_LEAD
        if self.leader is None and all(self.known) and self._nobody_leads_yet:
            return Reason.WRONG_LEAD
        return None

    def _beaten(self, tile: int) -> bool:
        """Return whether a tile known to be in a hand had to be led before this tile."""
        highest = self._highest()
        if highest is None or highest == tile:
            return False
        if self.drawn_lead:
            return True
        if self._drawn_for and self.drew and False in self.known:
            return False  # it may have been drawn first, and the others later: the deals that fit decide
        tiles = self.rules.tiles.tiles
        if tiles[tile].double != tiles[highest].double:
            return tiles[highest].double
        return self._rank(tiles[highest]) > self._rank(tiles[tile])

    def why_not_draw(self, seat: Seat, count: int, tiles: tuple[Tile | None, ...]) -> tuple[Reason, ...]:
        """Return the reasons against drawing ``count`` tiles, one after the other.

        ``tiles`` are the tiles seen.
        """
        if self.ended is not None:
            return (Reason.ROUND_OVER,)
        if not self.layout.table and count != 1 and self._nobody_leads_yet:
            return (Reason.BAD_EVENT,)
        if self._is_out_of_turn(seat):
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
            return (Reason.MUST_PLAY_DRAWN,) if self._draws_past(tiles) else ()
        if count == 1 and self.layout.table:
            able = self.hands[seat] & self.layout.fitting() & ~self.layout.table
            return (Reason.DRAW_WHEN_ABLE,) if able else ()
        return (Reason.DRAW_WHEN_ABLE,) if self._able_before_last(seat, tiles) else ()

    def _draws_past(self, tiles: tuple[Tile | None, ...]) -> bool:
        """Return whether a tile drawn before the last of these had to be played."""
        if not self._binds_to_drawn:
            return False
        fits = self.layout.fitting()
        return bool(self.drawn_fits) or any(tile is not None and fits & tile.bit for tile in tiles[:-1])

    def _able_before_last(self, seat: Seat, tiles: tuple[Tile | None, ...]) -> bool:
        """Return whether the seat could play before the last of these draws."""
        if self.playable(seat) or self._could_lead(seat):
            return True
        fits = self.layout.fitting() if self.layout.table else 0
        return any(tile is not None and fits >> tile.index & 1 for tile in tiles[:-1])

    def _could_lead(self, seat: Seat) -> bool:
        """Return whether a seat that draws or passes before the lead could have led.

        A leader always has a tile to play, except where a double must be led and drawn for: then nobody may hold one.
        """
        if self.layout.table or self.leader not in (None, seat):
            return False
        return not self._drawn_for or bool(self.located & self.rules.tiles.doubles)

    def _is_out_of_turn(self, seat: Seat) -> bool:
        """Return whether another seat is due to draw or pass.

        Before the lead the order is by seat, from A (7.12).
        """
        if self.to_act is not None:
            return seat != self.to_act
        return bool(self._drawn_for and seat) or self._cannot_lead(seat)

    def _cannot_lead(self, seat: Seat) -> bool:
        """Return whether a seat is known not to lead, while the leader is unknown."""
        if self.lead_due is not Lead.HIGHEST_DOUBLE:
            return seat in self.drew_lower
        doubles = self.rules.tiles.doubles
        elsewhere = self.located & ~self.hands[seat]
        own = (self.hands[seat] if self.known[seat] else ~elsewhere) & doubles
        if own or elsewhere & doubles:
            return own < elsewhere & doubles
        # It holds no double. Without doubles the leader follows from all hands; where doubles are drawn for, A begins.
        return self._drawn_for and seat != 0

    def why_not_pass(self, seat: Seat) -> tuple[Reason, ...]:
        """Return the reasons against passing.

        A pass with a playable tile and tiles to draw has two.
        """
        if self.ended is not None:
            return (Reason.ROUND_OVER,)
        if self._is_out_of_turn(seat):
            return (Reason.OUT_OF_TURN,)
        reasons: tuple[Reason, ...] = ()
        if self.playable(seat) or self._could_lead(seat):
            reasons = (Reason.PASS_WHEN_ABLE,)
        if self.can_draw:
            reasons += (Reason.PASS_WITH_BONEYARD,)
        if self.drawn_fits:
            reasons += (Reason.MUST_PLAY_DRAWN,)
        return reasons
