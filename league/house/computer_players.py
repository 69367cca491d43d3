"""Computer players play a game of a match, by its rules and house rules, and write it down."""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from games.moves import SEATS
from games.notation.gamelog import GameLog
from games.notation.reading import dumps
from games.ruleset import Matching
from league.matches.models import Game
from league.matches.results.judging import rules_of_match
from league.matches.rules import option_text
from league.players.models import PEOPLE
from referee.playouts.habits import Habits
from referee.playouts.pips import playout
from referee.playouts.uno import playout_uno

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
        """As a bare score is entered."""
        return {"scores": list(self.scores), "ended": self.ended or None}


def play(game: Game, rng: Random) -> PlayedOut:
    """The same chance gives the same game. Raises Refused `unknown-ruleset`."""
    match = game.match
    sides = match.sides.select_related(*PEOPLE).order_by("number")
    names = [side.player_of(game.number).name for side in sides]
    options = {key: option_text(value) for key, value in match.options.items()}
    if rules_of_match(match).matching is Matching.MARKINGS:
        done = playout_uno(rng=rng, seats=len(names), options=options, ruleset=match.ruleset)
    else:
        done = playout(match.ruleset, rng=rng, seats=names, habits=HABITS, options=options)
    seated = {f"Seat.{seat}": name for seat, name in zip(SEATS, names, strict=False)}
    log = GameLog({**done.log.tags, **seated, "Game": game.code}, done.log.entries)
    return PlayedOut(log, list(done.scores.values()), getattr(done, "ended", ""))
