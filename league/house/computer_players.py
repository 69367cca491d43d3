"""Computer players that play a game and write its log. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from games.moves import SEATS
from games.notation.gamelog import GameLog
from games.notation.reading import dumps
from games.ruleset import Matching
from referee.playouts.habits import Habits
from referee.playouts.pips import Playout, playout
from referee.playouts.uno import UnoPlayout, playout_uno

HABITS = Habits(miss=0.14, muggins=0.6)


@dataclass(frozen=True, slots=True)
class PlayedOut:
    """A log of the game, and its score in the order of the sides."""

    log: GameLog
    scores: Sequence[int]
    ended: str

    @property
    def text(self) -> str:
        return dumps(self.log)

    @property
    def sheet(self) -> dict[str, Any]:
        """The game as a bare score is entered."""
        return {"scores": list(self.scores), "ended": self.ended or None}


def play_out(
    ruleset: str, matching: Matching, options: Mapping[str, str], names: Sequence[str], *, code: str, rng: Random
) -> PlayedOut:
    """Play the game `code`; the same chance gives the same game.

    `options`: as a log writes them. `names`: of the players in the order of their seats.
    """
    done: Playout | UnoPlayout
    if matching is Matching.MARKINGS:
        done = playout_uno(rng=rng, seats=len(names), options=options, ruleset=ruleset)
    else:
        done = playout(ruleset, rng=rng, seats=names, habits=HABITS, options=options)
    seated = {f"Seat.{seat}": name for seat, name in zip(SEATS, names, strict=False)}
    log = GameLog({**done.log.tags, **seated, "Game": code}, done.log.entries)
    return PlayedOut(log, list(done.scores.values()), getattr(done, "ended", ""))
