"""The running score of a game whose tally is being kept, as anybody may see it."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from league.matches.models import Game


@dataclass(frozen=True, slots=True)
class LiveScore:
    """Of game `number`: points by number of the side, the round in play, and when the last tap that is in it came in.
    A copy of what the taps say, kept on the row of the game.
    """

    number: int
    points: dict[int, int]
    round_number: int
    as_of: datetime


def live_score(game: Game) -> LiveScore | None:
    """None before anything counts."""
    if not game.tally:
        return None
    points = dict(enumerate(game.tally["points"], start=1))
    return LiveScore(game.number, points, game.tally["round"], datetime.fromisoformat(game.tally["at"]))


def live_of(games: Iterable[Game]) -> LiveScore | None:
    """Of the first game that is being tallied and has no result; its `current_results` are loaded. No statement."""
    return next((live for game in games if not game.current_results and (live := live_score(game))), None)
