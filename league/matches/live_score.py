"""The running score of a game whose tally is being kept, as anybody may see it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol


@dataclass(frozen=True, slots=True)
class LiveScore:
    """Of game `number`: points by number of the side, the round in play, and when the last tap that is in it came in.
    A copy of what the taps say, kept on the row of the game.
    """

    number: int
    points: dict[int, int]
    round_number: int
    as_of: datetime


class Tallied(Protocol):
    """A game with its running score as it is kept, and its result."""

    @property
    def number(self) -> int: ...

    @property
    def tally(self) -> Mapping[str, Any] | None: ...

    @property
    def score(self) -> object | None: ...


def live_score(game: Tallied) -> LiveScore | None:
    """None before anything counts."""
    if not game.tally:
        return None
    points = dict(enumerate(game.tally["points"], start=1))
    return LiveScore(game.number, points, game.tally["round"], datetime.fromisoformat(game.tally["at"]))


def live_of(games: Iterable[Tallied]) -> LiveScore | None:
    """Of the first game that is being tallied and has no result."""
    return next((live for game in games if game.score is None and (live := live_score(game))), None)
