"""Practice table: the dealer, one player, and the computer, who write a log line by line. Pure.

The log is the truth: the table is read from it, acts, and is thrown away. Tiles are washed by the secret seed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from random import Random
from typing import Final

from games.errors import IllegalMove
from games.moves import (
    SEATS,
    Blocked,
    Call,
    Deal,
    Draw,
    Event,
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
from games.notation.gamelog import GameLog
from games.notation.reading import dumps, loads
from games.notation.writing import write_event
from games.round import Move, Round, RoundEnd
from games.ruleset import Lead, Muggins
from games.tile import Tile
from league.house.knowledge import known_to
from league.house.levels import Level, choose, notices
from referee.replay import go_on, opened

PLAYER: Final[Seat] = 0
COMPUTER: Final[Seat] = 1
SEATED: Final = ("Player", "Computer")


@dataclass(frozen=True, slots=True)
class Terms:
    """Terms agreed before the deal; ``seed`` is the secret that washes the tiles."""

    ruleset: str
    level: Level
    seed: str
    options: Mapping[str, str] = field(default_factory=dict)

    @property
    def tags(self) -> dict[str, str]:
        """Header of the log."""
        return {
            "Ruleset": self.ruleset,
            **{f"Seat.{SEATS[seat]}": name for seat, name in enumerate(SEATED)},
            **{f"Option.{key}": value for key, value in self.options.items()},
        }


class WrongMoment(Exception):
    """An act at the wrong time: a move between two hands, or a deal during one."""


class PracticeTable:
    """A game against the computer, at the last line of its log."""

    def __init__(self, terms: Terms, lines: Sequence[str] = ()) -> None:
        self.terms = terms
        self.lines = list(lines)
        self.game = opened(self._read(terms.tags))

    # ---- Questions

    @property
    def log(self) -> GameLog:
        """The log so far; it has its result once the game is over."""
        scores = "-".join(map(str, self.game.card.scores))
        return self._read({**self.terms.tags, "Result": scores} if self.over else self.terms.tags)

    def _read(self, tags: dict[str, str]) -> GameLog:
        [log] = loads("\n".join([dumps(GameLog(tags, [])), *self.lines, ""]))
        return log

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

    @property
    def plays(self) -> tuple[Play, ...]:
        """Legal plays of the player."""
        live = self.live
        return known_to(PLAYER, live).plays if live is not None and live.to_act == PLAYER else ()

    @property
    def boneyard(self) -> list[Tile]:
        """Tiles left to draw, in their order."""
        live = self.game.round
        return [] if live is None else [tile for tile in self._washed() if not live.located & tile.bit]

    # ---- Acts

    def deal(self) -> None:
        """Settle the hand and deal the next one; the computer moves first if it leads.

        Raises :class:`WrongMoment` during a hand, and after the game.
        """
        if not self.between:
            raise WrongMoment
        self._close()
        if not self.over:
            self._deal()

    def _deal(self) -> None:
        self._write(RoundStart(self.game.number + 1))
        live = self._round
        if live.lead_due is Lead.LOT and live.leader is None:
            self._draw_lots()
        size = self.game.rules.hand_size(len(SEATED))
        washed = self._washed()
        for seat in range(len(SEATED)):
            self._write(Deal(seat, size, tuple(washed[seat * size : (seat + 1) * size])))
        self._go_on()

    def move(self, move: Move, *, muggins: bool = False) -> None:
        """Make a move of the player, with a muggins call on the computer's last tile; the computer answers.

        Raises :class:`WrongMoment` between two hands, and :class:`~games.errors.IllegalMove`.
        """
        live = self.live
        if live is None:
            raise WrongMoment
        self._make(live, move, muggins=muggins)
        self._go_on()

    def draw(self, *, muggins: bool = False) -> None:
        """Draw a tile, or pass where none is left to draw: both are one button."""
        live = self.live
        if live is None:
            raise WrongMoment
        self.move(Draw(PLAYER, 1) if live.can_draw else Pass(PLAYER), muggins=muggins)

    def call_muggins(self) -> None:
        """Call muggins between two hands, on the last tile of the computer.

        Raises :class:`WrongMoment` at any other time.
        """
        if not self.between or self.game.settled:
            raise WrongMoment
        self._write(Call(PLAYER, Said.MUGGINS))
        if self.over:
            self._write_totals()

    # ---- The dealer

    @property
    def _round(self) -> Round:
        return self.game.need_round()

    def _washed(self) -> list[Tile]:
        washed = list(self.game.rules.tiles.tiles)
        self._chance("wash").shuffle(washed)
        return washed

    def _draw_lots(self) -> None:
        for seat, tile in enumerate(self._chance("lot").sample(self.game.rules.tiles.tiles, len(SEATED))):
            self._write(Lot(seat, tile))

    def _chance(self, what: str) -> Random:
        """Return the chance of this hand."""
        return Random(f"{self.terms.seed} {what} {self.game.number}")  # noqa: S311 (repeatable by its secret seed)

    def _make(self, live: Round, move: Move, *, muggins: bool) -> None:
        """Make a legal move; the dealer gives the drawn tile.

        A muggins call comes before the move or after it, as the rules open its window.
        """
        reasons = live.why_illegal(move)
        if reasons:
            raise IllegalMove(reasons[0])
        rule = self.game.rules.muggins
        if muggins and rule is Muggins.BEFORE_NEXT:
            self._write(Call(move.seat, Said.MUGGINS))
        if self.over:
            return
        self._write(self._completed(live, move))
        if muggins and rule is Muggins.AFTER_NEXT and not isinstance(move, Draw) and not self.over:
            self._write(Call(move.seat, Said.MUGGINS))

    def _completed(self, live: Round, move: Move) -> Move:
        """Name the tile that is drawn, or the only tile that takes a play."""
        if isinstance(move, Draw):
            return Draw(move.seat, 1, (self.boneyard[0],))
        if isinstance(move, Play) and move.on is None and live.layout.table:
            [on] = self.game.rules.tiles.in_mask(live.layout.places(move.tile.index))
            return replace(move, on=on)
        return move

    def _go_on(self) -> None:
        """Let the computer act until it is the player's turn, and show the tiles left of a finished hand."""
        while (live := self.live) is not None and live.to_act == COMPUTER:
            move = choose(known_to(COMPUTER, live), self.terms.level, self._seed("move"))
            self._make(live, move, muggins=self._catches(before=True))
        if self.over:
            self._write_totals()
        elif self.live is None and not self.game.opened:
            self._show()

    def _catches(self, *, before: bool = False) -> bool:
        """Return whether the computer calls muggins: the player left points open, and it notices."""
        claims = self.game.claims
        fresh = self.game.rules.muggins is Muggins.BEFORE_NEXT or before
        open_play = claims.fresh if fresh else claims.claimable
        owed = open_play is not None and open_play.seat == PLAYER and open_play.owed
        return bool(owed) and notices(self.terms.level, self._seed("muggins"))

    def _seed(self, what: str) -> str:
        return f"{self.terms.seed} {what} {len(self.lines)}"

    def _show(self) -> None:
        """Show the tiles left; without muggins the hand is settled at once."""
        ended, rules = self._round, self.game.rules
        if ended.ended is RoundEnd.BLOCKED:
            self._write(Blocked())
        for seat, hand in enumerate(ended.hands):
            self._write(Show(seat, tuple(rules.tiles.in_mask(hand))))
        if rules.muggins is Muggins.OFF:
            self._close()
        elif self._catches():
            self._write(Call(COMPUTER, Said.MUGGINS))
            if self.over:
                self._write_totals()

    def _close(self) -> None:
        """Book the points of the hand, if it is not settled yet."""
        if self.game.settled:
            return
        for seat, points in enumerate(self.game.settlement().score.points):
            if points:
                self._write(RoundPoints(seat, points))
        self._write(Totals(tuple(self.game.would_be_totals())))
        self._write(Settled())

    def _write_totals(self) -> None:
        self._write(Totals(tuple(self.game.card.scores)))

    def _write(self, event: Event) -> None:
        go_on(self.game, event)
        self.lines.append(write_event(event))
