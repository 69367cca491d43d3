"""Dealer of Uno Dominoes: draws for the lead, penalties, uno calls, catches, challenges and reopened dead ends. Pure.

Penalties are drawn at once, but four tiles only after their victim has accepted them or challenged.
"""

from __future__ import annotations

from dataclasses import replace
from typing import cast

from games.moves import Call, ChallengeOutcome, Draw, Pass, Play, Reopening, Said, Seat, Show
from games.round import Move, Round, RoundEnd
from games.tile import Tile
from games.uno.round import ColourRound
from league.play.dealer import Dealer, WrongMoment


class UnoDealer(Dealer):
    """A game of Uno Dominoes at the last line of its log."""

    # ---- Questions

    @property
    def colours(self) -> ColourRound:
        """The hand in play, or the last one."""
        return cast(ColourRound, self.game.need_round())

    @property
    def victim(self) -> Seat | None:
        """The seat that accepts four tiles or challenges; nobody else may act."""
        if self.live is None:
            return None
        live = self.colours
        wild = live.wild_four
        return wild.victim if wild is not None and live.can_challenge(wild.victim) and live.unpaid else None

    @property
    def reopener(self) -> Seat | None:
        """The holder of W-W, who may reopen the dead end of this hand."""
        ended = self.game.round and self.colours
        if not ended or ended.ended is not RoundEnd.DEAD_END or not self.game.rules.reopening:
            return None
        if self.game.opened or self.game.play_stopped:
            return None
        return next((seat for seat in self.seats if ended.hands[seat] & self._wild.bit), None)

    @property
    def between(self) -> bool:
        """Whether the next hand can be dealt."""
        return super().between and self.reopener is None

    @property
    def awaited(self) -> Seat | None:
        """The seat that has to do the next thing; None between two hands."""
        if self.live is None:
            return self.reopener
        return self.colours.to_act if self.victim is None else self.victim

    @property
    def _wild(self) -> Tile:
        return self.game.rules.tiles.tile("W-W")

    def plays_of(self, seat: Seat) -> tuple[Play, ...]:
        """Return the plays of a seat; a Wild Draw Four that a challenge would beat is one of them."""
        live = self.colours if self.live else None
        if live is None or live.to_act != seat or self.victim is not None:
            return ()
        return (*super().plays_of(seat), *live.bluffs())

    def may_say_uno(self, seat: Seat) -> bool:
        """Return whether an uno call of the seat counts now, and was not made already."""
        if self.live is None or self.colours.said_uno[seat]:
            return False
        held = self.colours.held[seat]
        return held == 1 or (held == 2 and self.awaited == seat == self.colours.to_act)

    # ---- Acts

    def make(self, move: Move, *, muggins: bool = False) -> None:
        """Make a move of a seat, and let penalties be drawn.

        Raises :class:`WrongMoment` between two hands and before an answer to a Wild Draw Four, and
        :class:`~games.errors.IllegalMove`.
        """
        if self.victim is not None:
            raise WrongMoment
        super().make(move)

    def draw(self, seat: Seat, *, muggins: bool = False) -> None:
        """Draw one tile for a turn, or pass after it, or where none is left: all are one button.

        Raises as :meth:`make` does.
        """
        if self.live is None:
            raise WrongMoment
        live = self.colours
        self.make(Draw(seat, 1) if live.can_draw and not live.drew else Pass(seat))

    def draw_or_pass(self, seat: Seat) -> None:
        """Draw a tile, and pass if it can't be played; after a draw, or with none left, pass.

        Raises as :meth:`make` does.
        """
        self.draw(seat)
        if self.live is not None and self.colours.drew and not self.plays_of(seat):
            self.draw(seat)

    def accept(self, seat: Seat) -> None:
        """Draw four after a Wild Draw Four.

        Raises :class:`WrongMoment` for any seat but the victim.
        """
        if self.victim != seat:
            raise WrongMoment
        self._pay()
        self._finish()

    def challenge(self, seat: Seat) -> None:
        """Challenge a Wild Draw Four: its player shows the rack, and one of both draws.

        Raises :class:`WrongMoment` for any seat but the victim.
        """
        wild = self.colours.wild_four if self.victim == seat else None
        if wild is None:
            raise WrongMoment
        self.write(Call(seat, Said.CHALLENGE))
        self.write(Show(wild.player, self._rack(wild.player)))
        self.write(ChallengeOutcome(upheld=bool(wild.guilty)))
        self._finish()

    def say_uno(self, seat: Seat) -> None:
        """Say uno with one tile left, or with two and the turn.

        Raises :class:`WrongMoment` where it would not count.
        """
        if not self.may_say_uno(seat):
            raise WrongMoment
        self.call(Call(seat, Said.UNO))

    def catch(self, seat: Seat, whom: Seat) -> None:
        """Catch a seat that did not say uno: it draws two; a wrong catch has no effect.

        Raises :class:`WrongMoment` between two hands, and for the own seat.
        """
        if self.live is None or seat == whom or whom not in self.seats:
            raise WrongMoment
        self.call(Call(seat, Said.CATCH, whom=whom))

    def reopen(self, seat: Seat, on: Tile, colour: str) -> None:
        """Reopen a dead end with W-W beside a doublet.

        Raises :class:`WrongMoment` for any seat but :attr:`reopener`, and where no doublet lies.
        """
        if self.reopener != seat or self.colours.why_not_reopen(seat, self._wild, on):
            raise WrongMoment
        self.write(Reopening(seat, self._wild, on, colour))
        self._finish()

    def leave_closed(self, seat: Seat) -> None:
        """Settle a dead end that may be reopened.

        Raises :class:`WrongMoment` for any seat but :attr:`reopener`.
        """
        if self.reopener != seat:
            raise WrongMoment
        super()._finish()

    # ---- The dealer

    def _deal(self) -> None:
        super()._deal()
        live = self.colours
        while not live.starter_seen:
            self.write(Draw(live.next_lead_drawer, 1, (self.boneyard[0],)))

    def _completed(self, live: Round, move: Move) -> Move:
        if isinstance(move, Play) and move.on is None and live.layout.table:
            [on] = self.colours.layout.takers(move.tile)
            return replace(move, on=self.game.rules.tiles.tiles[on])
        return super()._completed(live, move)

    def _finish(self) -> None:
        """Let penalties be drawn, unless the bell has stopped play, and end a finished hand.

        A dead end waits for who may reopen it.
        """
        closed = self.over or self.game.settled or self.game.opened or self.game.play_stopped
        if not closed and self.victim is None:
            self._pay()
        if self.over or (self.live is None and self.reopener is None):
            super()._finish()

    def _pay(self) -> None:
        live = self.colours
        for seat in live.unpaid:
            tiles = tuple(self.boneyard[: live.debts[seat]])
            if tiles:
                self.write(Draw(seat, len(tiles), tiles))

    def _rack(self, seat: Seat) -> tuple[Tile, ...]:
        return tuple(self.game.rules.tiles.in_mask(self.colours.hands[seat]))
