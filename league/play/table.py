"""Practice table: the dealer, one player, and the computer in the other seats. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from games.moves import SEATS, Call, Event, Play, Said, Seat
from games.round import Move
from games.ruleset import Muggins
from league.house.knowledge import known_to
from league.house.levels import Level, choose, notices
from league.play.dealer import Dealer, WrongMoment

PLAYER: Final[Seat] = 0
COMPUTER: Final[Seat] = 1
SEATED: Final = ("Player", "Computer")
COMPANY: Final = ("Player", "Alba", "Bruno", "Clara")
"""Names at a table of more than two seats."""


@dataclass(frozen=True, slots=True)
class Terms:
    """Terms agreed before the deal; ``seed`` is the secret that washes the tiles.

    The player has the first of the ``seats``, the computer the others.
    """

    ruleset: str
    level: Level
    seed: str
    options: Mapping[str, str] = field(default_factory=dict)
    seats: int = 2

    @property
    def tags(self) -> dict[str, str]:
        """Header of the log."""
        return log_tags(self.ruleset, SEATED if self.seats == 2 else COMPANY[: self.seats], self.options)


def log_tags(ruleset: str, seated: Sequence[str], options: Mapping[str, str]) -> dict[str, str]:
    """Return the header of a log: rules, names by seat, house rules."""
    return {
        "Ruleset": ruleset,
        **{f"Seat.{SEATS[seat]}": name for seat, name in enumerate(seated)},
        **{f"Option.{key}": value for key, value in options.items()},
    }


class PracticeTable(Dealer):
    """A game against the computer, at the last line of its log."""

    def __init__(self, terms: Terms, lines: Sequence[str] = ()) -> None:
        super().__init__(terms.tags, terms.seed, lines)
        self.terms = terms

    @property
    def events(self) -> list[Event]:
        """Events of the hand in play, in their order."""
        return [entry.event for entry in self.log.rounds[-1].entries]

    @property
    def plays(self) -> tuple[Play, ...]:
        """Legal plays of the player."""
        return self.plays_of(PLAYER)

    def deal(self) -> None:
        """Settle the hand and deal the next one; the computer moves first if it leads.

        Raises :class:`~league.play.dealer.WrongMoment` during a hand, and after the game.
        """
        super().deal()
        self._answer()

    def move(self, move: Move, *, muggins: bool = False) -> None:
        """Make a move of the player, with a muggins call on the computer's last tile; the computer answers.

        Raises as :meth:`make` does.
        """
        self.make(move, muggins=muggins)
        self._answer()

    def draw_or_pass(self, *, muggins: bool = False) -> None:
        """Draw a tile of the player, or pass where none is left to draw; the computer answers.

        Raises as :meth:`make` does.
        """
        self.draw(PLAYER, muggins=muggins)
        self._answer()

    def call_muggins(self) -> None:
        """Call muggins between two hands, or while the next computer waits, on the last tile of a computer.

        Raises :class:`~league.play.dealer.WrongMoment` at any other time.
        """
        if not self.between and not self.paused:
            raise WrongMoment
        self.call(Call(PLAYER, Said.MUGGINS))

    @property
    def paused(self) -> bool:
        """Whether the next computer waits until the player had time to call muggins."""
        return self.live is not None and self.live.to_act not in (None, PLAYER)

    def wait(self) -> None:
        """Let the next computer go on without a call.

        Raises :class:`~league.play.dealer.WrongMoment` where none waits.
        """
        if not self.paused:
            raise WrongMoment
        self._answer()

    # ---- The computer

    def _answer(self) -> None:
        """Let the computers act until the player has something to decide, and call muggins after a finished hand.
        Where muggins is called, each tile after which another computer is to act waits for the player.
        """
        while (live := self.live) is not None and (seat := live.to_act) not in (None, PLAYER):
            move = choose(known_to(seat, live, self.events), self.terms.level, self._chance("move"))
            self.make(move, muggins=self._catches(seat, before=True))
            if isinstance(move, Play) and self.paused and self.game.rules.muggins is not Muggins.OFF:
                return
        if self.between and not self.game.settled and self._catches(COMPUTER):
            self.call(Call(COMPUTER, Said.MUGGINS))

    def _catches(self, seat: Seat, *, before: bool = False) -> bool:
        """Return whether a computer calls muggins: another seat left points open, and it notices.

        After a hand it leaves those of the other computers to the player.
        """
        claims = self.game.claims
        fresh = self.game.rules.muggins is Muggins.BEFORE_NEXT or before
        open_play = claims.fresh if fresh else claims.claimable
        others = {PLAYER} if self.live is None else {*self.seats} - {seat}
        owed = open_play is not None and open_play.seat in others and open_play.owed
        return bool(owed) and notices(self.terms.level, self._chance("muggins"))

    def _chance(self, what: str) -> str:
        """Return the seed of a choice at this line."""
        return f"{self.seed} {what} {len(self.lines)}"
