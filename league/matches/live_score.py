"""Live score: the public running score of a game with a tally."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol


@dataclass(frozen=True, slots=True)
class LiveScore:
    """Live score of game `number`, a copy of the taps kept in the row of the game.

    `points` by number of the side; `as_of`: when the last counted tap was received.
    """

    number: int
    points: dict[int, int]
    round_number: int
    as_of: datetime


class Tallied(Protocol):
    """A game with its stored running score and its result."""

    @property
    def number(self) -> int: ...

    @property
    def tally(self) -> Mapping[str, Any] | None: ...

    @property
    def score(self) -> object | None: ...


def live_score(game: Tallied) -> LiveScore | None:
    """Return the live score; None before the first point."""
    if not game.tally:
        return None
    points = dict(enumerate(game.tally["points"], start=1))
    return LiveScore(game.number, points, game.tally["round"], datetime.fromisoformat(game.tally["at"]))


def live_of(games: Iterable[Tallied]) -> LiveScore | None:
    """Return the live score of the first game with a tally and without a result."""
    return next((live for game in games if game.score is None and (live := live_score(game))), None)
