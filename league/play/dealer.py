"""Dealer of a table of any number of seats, and the record of the game. Pure.

The dealer washes by a secret seed, deals, judges moves and calls, shows and settles, and writes each line of the log.
It knows no player. The log is the truth: a dealer is read from it, acts, and is thrown away.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from games.errors import IllegalMove
from games.moves import (
    Bell,
    Blocked,
    Call,
    Concession,
    Deal,
    Draw,
    Event,
    Forfeit,
    Lot,
    Pass,
    Play,
    RoundPoints,
    RoundStart,
    Said,
    Seat,
    Settled,
    Show,
    Totals,
)
from games.notation.gamelog import GameLog, Tenths
from games.notation.reading import dumps, loads, write_time
from games.notation.writing import write_event
from games.round import Move, Round, RoundEnd
from games.ruleset import Lead, Muggins
from games.tile import Tile
from referee.game import Impossible
from referee.replay import go_on, opened
from referee.wash import lots, washed


class WrongMoment(Exception):
    """An act at the wrong time: a move between two hands, or a deal during one."""


class Dealer:
    """A game at the last line of its log.

    `tags`: header of the log. `at`: time of the lines that are written, none where no clock runs.
    """

    def __init__(self, tags: Mapping[str, str], seed: str, lines: Sequence[str] = ()) -> None:
        self.tags = dict(tags)
        self.seed = seed
        self.lines = list(lines)
        self.at: Tenths | None = None
        self.game = opened(self._read(self.tags))

    # ---- Questions

    @property
    def log(self) -> GameLog:
        """The log so far; it has its result once the game is over."""
        scores = "-".join(map(str, self.game.card.scores))
        return self._read({**self.tags, "Result": scores} if self.over else self.tags)

    def _read(self, tags: dict[str, str]) -> GameLog:
        [log] = loads("\n".join([dumps(GameLog(tags, [])), *self.lines, ""]))
        return log

    @property
    def seats(self) -> range:
        return range(self.game.seats)

    @property
    def over(self) -> bool:
        return self.game.card.ended is not None

    @property
    def between(self) -> bool:
        """Whether the next hand can be dealt; where there is muggins, it can also be called until then."""
        return self.live is None and not self.over

    @property
    def live(self) -> Round | None:
        """The hand in play."""
        return self.game.round if self.game.live else None

    def plays_of(self, seat: Seat) -> tuple[Play, ...]:
        """Return the legal plays of a seat."""
        live = self.live
        if live is None or live.to_act != seat:
            return ()
        return tuple(move for move in live.legal_moves() if isinstance(move, Play))

    @property
    def boneyard(self) -> list[Tile]:
        """Tiles left to draw, in their order."""
        live = self.game.round
        return [] if live is None else [tile for tile in self._washed() if not live.located & tile.bit]

    # ---- Acts

    def deal(self) -> None:
        """Settle the hand, and deal the next one unless the game is over.

        Raises :class:`WrongMoment` during a hand, and after the game.
        """
        if not self.between:
            raise WrongMoment
        self.settle()
        if not self.over:
            self._deal()

    def _deal(self) -> None:
        self.write(RoundStart(self.game.number + 1))
        live = self.game.need_round()
        if live.lead_due is Lead.LOT and live.leader is None:
            tiles = self.game.rules.tiles.tiles
            for seat, tile in enumerate(lots(tiles, self.seed, self.game.number, len(self.seats))):
                self.write(Lot(seat, tile))
        size = self.game.rules.hand_size(len(self.seats))
        order = self._washed()
        for seat in self.seats:
            self.write(Deal(seat, size, tuple(order[seat * size : (seat + 1) * size])))

    def make(self, move: Move, *, muggins: bool = False) -> None:
        """Make a move of a seat; the dealer gives the drawn tile, and shows the tiles left of a finished hand.

        `muggins`: with a call on the tile before, in the line where the rules open its window.
        Raises :class:`WrongMoment` between two hands, and :class:`~games.errors.IllegalMove`.
        """
        live = self.live
        if live is None:
            raise WrongMoment
        reasons = live.why_illegal(move)
        if reasons:
            raise IllegalMove(reasons[0])
        rule = self.game.rules.muggins
        if muggins and rule is Muggins.BEFORE_NEXT:
            self.write(Call(move.seat, Said.MUGGINS))
        if not self.over:
            self.write(self._completed(live, move))
        if muggins and rule is Muggins.AFTER_NEXT and not isinstance(move, Draw) and not self.over:
            self.write(Call(move.seat, Said.MUGGINS))
        self._finish()

    def draw(self, seat: Seat, *, muggins: bool = False) -> None:
        """Draw a tile, or pass where none is left to draw: both are one button.

        Raises as :meth:`make` does.
        """
        live = self.live
        if live is None:
            raise WrongMoment
        self.make(Draw(seat, 1) if live.can_draw else Pass(seat), muggins=muggins)

    def call(self, call: Call) -> None:
        """Write what a seat says, at any time until its hand is settled.

        Raises :class:`WrongMoment` where it has no meaning.
        """
        if self.over or self.game.round is None or self.game.settled:
            raise WrongMoment
        self._try(call)

    def ring(self) -> None:
        """Ring the bell: the game clock ran out.

        Raises :class:`WrongMoment` in a game without a clock, after the game, and for a second bell.
        """
        if self.over:
            raise WrongMoment
        self._try(Bell())

    def forfeit(self, seat: Seat, reason: str) -> None:
        """End the game: a seat has lost it.

        Raises :class:`WrongMoment` after the game.
        """
        if self.over:
            raise WrongMoment
        self._try(Forfeit(seat, reason))

    def concede(self, seat: Seat) -> None:
        """End the game: a seat gives it up.

        Raises :class:`WrongMoment` after the game.
        """
        if self.over:
            raise WrongMoment
        self._try(Concession(seat))

    def settle(self) -> None:
        """Book the points of the hand, if it is not settled yet."""
        if self.game.settled:
            return
        for seat, points in enumerate(self.game.settlement().score.points):
            if points:
                self.write(RoundPoints(seat, points))
        self.write(Totals(tuple(self.game.would_be_totals())))
        self.write(Settled())

    # ---- The record

    def write(self, event: Event) -> None:
        """Write a line that is known to be possible."""
        go_on(self.game, event, self.at)
        words = write_event(event)
        self.lines.append(words if self.at is None else f"{write_time(self.at)} {words}")

    def _try(self, event: Event) -> None:
        try:
            self.write(event)
        except Impossible:
            raise WrongMoment from None
        self._finish()

    def _washed(self) -> list[Tile]:
        return washed(self.game.rules.tiles.tiles, self.seed, self.game.number)

    def _completed(self, live: Round, move: Move) -> Move:
        """Name the tile that is drawn, or the only tile that takes a play."""
        if isinstance(move, Draw):
            return Draw(move.seat, 1, (self.boneyard[0],))
        if isinstance(move, Play) and move.on is None and live.layout.table:
            [on] = self.game.rules.tiles.in_mask(live.layout.places(move.tile.index))
            return replace(move, on=on)
        return move

    def _finish(self) -> None:
        """Write the totals of a finished game, or the tiles left of a finished hand.

        Without muggins the hand is settled at once.
        """
        if self.over:
            self.write(Totals(tuple(self.game.card.scores)))
        elif self.game.live or self.game.settled or self.game.opened:
            return
        elif self.game.need_round().ended is not RoundEnd.BELL:  # which leaves time for calls, and counts no tiles
            self._show()
            if self.game.rules.muggins is Muggins.OFF:
                self.settle()

    def _show(self) -> None:
        ended = self.game.need_round()
        if ended.ended is RoundEnd.BLOCKED:
            self.write(Blocked())
        for seat, hand in enumerate(ended.hands):
            self.write(Show(seat, tuple(self.game.rules.tiles.in_mask(hand))))
