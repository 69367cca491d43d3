"""Practice table of Uno Dominoes: the dealer, one player, and the computer in the other seats. Pure.

The computer acts until the player has something to decide: a turn, four tiles to draw, a dead end, or, before another
computer moves on, a catch: after each tile that leaves a computer with one, whether it said uno or not.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from games.moves import Play, Seat
from games.round import Move
from games.tile import Tile
from games.uno.markings import COLOUR_NAMES
from league.house.levels import forgets, notices
from league.house.uno_knowledge import known_at_uno, known_of_wild_four
from league.house.uno_levels import challenges, choose_uno
from league.play.dealer import WrongMoment
from league.play.table import PLAYER, Terms
from league.play.uno_dealer import UnoDealer


class UnoTable(UnoDealer):
    """A game of Uno Dominoes against the computer, at the last line of its log."""

    def __init__(self, terms: Terms, lines: Sequence[str] = ()) -> None:
        super().__init__(terms.tags, terms.seed, lines)
        self.terms = terms

    @property
    def plays(self) -> tuple[Play, ...]:
        """Legal plays of the player."""
        return self.plays_of(PLAYER)

    @property
    def paused(self) -> bool:
        """Whether the next computer waits until the player had time to catch."""
        return self.live is not None and self.awaited != PLAYER

    # ---- Acts of the player; each raises as the dealer does

    def deal(self) -> None:
        """Deal the next hand; the computer moves first if it leads."""
        super().deal()
        self._answer()

    def move(self, move: Move) -> None:
        """Play a tile; the computer answers."""
        self.make(move)
        self._answer()

    def draw_or_pass(self, seat: Seat = PLAYER) -> None:
        """Draw a tile, or pass; the computer answers."""
        super().draw_or_pass(seat)
        self._answer()

    def take_four(self) -> None:
        """Draw four after a Wild Draw Four; the computer goes on."""
        self.accept(PLAYER)
        self._answer()

    def doubt_four(self) -> None:
        """Challenge a Wild Draw Four; the computer goes on if it was lawful."""
        self.challenge(PLAYER)
        self._answer()

    def wait(self) -> None:
        """Let the next computer go on without a catch."""
        if not self.paused:
            raise WrongMoment
        self._answer()

    def open_again(self, on: Tile, colour: str) -> None:
        """Reopen a dead end; the computer goes on."""
        self.reopen(PLAYER, on, colour)
        self._answer()

    def leave(self) -> None:
        """Leave a dead end closed: the hand is settled."""
        self.leave_closed(PLAYER)

    # ---- The computer

    def _answer(self) -> None:
        """Let the computers act until the player has something to decide."""
        self._catch(of_player=True)
        while (seat := self.awaited) is not None and seat != PLAYER:
            self._catch(of_player=False)
            before = self.game.line
            self._act(seat)
            last = self.colours.last_tile
            if self.paused and last is not None and last.line > before:
                return

    def _act(self, seat: Seat) -> None:
        """Let a computer do one thing: a move with its uno call, or an answer to four tiles or a dead end."""
        if self.live is None:
            self._end_or_reopen(seat)
        elif self.victim == seat:
            doubts = challenges(known_of_wild_four(seat, self.colours), self.terms.level, self._chance("challenge"))
            (self.challenge if doubts else self.accept)(seat)
        else:
            self.make(choose_uno(known_at_uno(seat, self.colours), self.terms.level, self._chance("move")))
            self._remember_uno(seat)

    def _remember_uno(self, seat: Seat) -> None:
        last = self.colours.last_tile if self.live is not None else None
        due = last is not None and last.seat == seat and not last.called
        if due and self.may_say_uno(seat) and not forgets(self.terms.level, self._chance("uno")):
            self.say_uno(seat)

    def _end_or_reopen(self, seat: Seat) -> None:
        """Reopen a dead end that gives another player the points."""
        ended = self.colours
        if ended.scorer == seat:
            self.leave_closed(seat)
            return
        chance = Random(self._chance("reopen"))  # noqa: S311 (repeatable by its secret seed)
        on = chance.choice(list(self.game.rules.tiles.in_mask(ended.layout.table & ended.tiles.doubles)))
        self.reopen(seat, on, chance.choice(COLOUR_NAMES))
        self._remember_uno(seat)

    def _catch(self, *, of_player: bool) -> None:
        """Let the first computer that notices a missed uno catch it."""
        last = self.colours.last_tile if self.live is not None else None
        if last is None or last.called or (last.seat == PLAYER) != of_player:
            return
        others = (seat for seat in self.seats if seat not in (PLAYER, last.seat))
        for seat in others:
            if notices(self.terms.level, f"{self.seed} catch {seat} {last.line}"):
                self.catch(seat, last.seat)
                return

    def _chance(self, what: str) -> str:
        """Return the seed of a choice at this line."""
        return f"{self.seed} {what} {len(self.lines)}"
