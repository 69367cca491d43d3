"""Practice table: the dealer, one player, and the computer, who write a log line by line. Pure.

The log is the truth: the table is read from it, acts, and is thrown away. Tiles are washed by the secret seed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Final

from games.errors import IllegalMove
from games.moves import (
    SEATS,
    Blocked,
    Deal,
    Draw,
    Event,
    Lot,
    Pass,
    Play,
    RoundPoints,
    RoundStart,
    Seat,
    Settled,
    Show,
    Totals,
)
from games.notation.gamelog import GameLog
from games.notation.reading import dumps, loads
from games.notation.writing import write_event
from games.round import Move, Round, RoundEnd
from games.ruleset import Lead
from games.tile import Tile
from league.house.knowledge import known_to
from league.house.levels import Level, choose
from referee.replay import go_on, opened

PLAYER: Final[Seat] = 0
COMPUTER: Final[Seat] = 1
SEATED: Final = ("Player", "Computer")


@dataclass(frozen=True, slots=True)
class Terms:
    """What is agreed before the deal; ``seed`` is the secret that washes the tiles."""

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
        """Whether the next hand can be dealt."""
        return self.game.settled and not self.over

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
        """Deal the next hand; the computer moves first if it leads.

        Raises :class:`WrongMoment` during a hand, and after the game.
        """
        if not self.between:
            raise WrongMoment
        self._write(RoundStart(self.game.number + 1))
        live = self._round
        if live.lead_due is Lead.LOT and live.leader is None:
            self._draw_lots()
        size = self.game.rules.hand_size(len(SEATED))
        washed = self._washed()
        for seat in range(len(SEATED)):
            self._write(Deal(seat, size, tuple(washed[seat * size : (seat + 1) * size])))
        self._go_on()

    def move(self, move: Move) -> None:
        """Make a move of the player; the computer answers.

        Raises :class:`WrongMoment` between two hands, and :class:`~games.errors.IllegalMove`.
        """
        live = self.live
        if live is None:
            raise WrongMoment
        self._make(live, move)
        self._go_on()

    def draw(self) -> None:
        """Draw a tile, or pass where none is left to draw: both are one button."""
        live = self.live
        if live is None:
            raise WrongMoment
        self.move(Draw(PLAYER, 1) if live.can_draw else Pass(PLAYER))

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

    def _make(self, live: Round, move: Move) -> None:
        """Make a legal move; the dealer gives the drawn tile."""
        reasons = live.why_illegal(move)
        if reasons:
            raise IllegalMove(reasons[0])
        if isinstance(move, Draw):
            move = Draw(move.seat, 1, (self.boneyard[0],))
        elif isinstance(move, Play) and move.on is None:
            move = self._joined(live, move)
        self._write(move)

    def _joined(self, live: Round, play: Play) -> Play:
        """Name the tile that a play without ``on`` is joined to."""
        places = list(self.game.rules.tiles.in_mask(live.layout.places(play.tile.index))) if live.layout.table else []
        return Play(play.seat, play.tile, places[0]) if places else play

    def _go_on(self) -> None:
        """Let the computer act until it is the player's turn, and settle a finished hand."""
        while (live := self.live) is not None and live.to_act == COMPUTER:
            self._make(live, choose(known_to(COMPUTER, live), self.terms.level, f"{self.terms.seed} {len(self.lines)}"))
        if self.live is None and not self.game.settled:
            self._settle()

    def _settle(self) -> None:
        """Show the tiles left, and book the points of the hand."""
        ended = self._round
        if self.over:
            self._write(Totals(tuple(self.game.card.scores)))
            return
        if ended.ended is RoundEnd.BLOCKED:
            self._write(Blocked())
        for seat, hand in enumerate(ended.hands):
            self._write(Show(seat, tuple(self.game.rules.tiles.in_mask(hand))))
        for seat, points in enumerate(self.game.settlement().score.points):
            if points:
                self._write(RoundPoints(seat, points))
        self._write(Totals(tuple(self.game.would_be_totals())))
        self._write(Settled())

    def _write(self, event: Event) -> None:
        go_on(self.game, event)
        self.lines.append(write_event(event))
