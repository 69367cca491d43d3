"""Live score: the public running score of a game with a tally."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Protocol

from django.utils import timezone


@dataclass(frozen=True, slots=True)
class LiveScore:
    """Live score of game `number`, a copy of the taps kept in the row of the game.

    `points` by number of the side; `as_of`: when the last counted tap was received.
    """

    number: int
    points: dict[int, int]
    round_number: int
    as_of: datetime

    @property
    def score(self) -> str:
        """The points of the sides in their order: “35–20”."""
        return "–".join(map(str, self.points.values()))


class Tallied(Protocol):
    """A game with its stored running score and its result."""

    @property
    def number(self) -> int: ...

    @property
    def tally(self) -> Mapping[str, Any] | None: ...

    @property
    def score(self) -> object | None: ...


def delayed(score: dict[str, Any] | None, before: Mapping[str, Any] | None, delay_s: int) -> dict[str, Any] | None:
    """Return the copy of a score for the row of the game, with the scores to show until its delay is over."""
    if score is None or not delay_s:
        return score
    shown = {name: value for name, value in (before or {}).items() if name not in {"delay_s", "before"}}
    earlier = [*(before or {}).get("before", ()), *([shown] if shown and shown["at"] != score["at"] else ())]
    due = datetime.fromisoformat(score["at"]) - timedelta(seconds=delay_s)
    old = [one for one in earlier if datetime.fromisoformat(one["at"]) <= due]
    return score | {"delay_s": delay_s, "before": [*old[-1:], *earlier[len(old) :]]}


def public_from(tally: Mapping[str, Any]) -> list[tuple[datetime, Mapping[str, Any]]]:
    """Return the scores of a copy with the moment from which on each is public, oldest first."""
    delay = timedelta(seconds=tally.get("delay_s", 0))
    return [(datetime.fromisoformat(one["at"]) + delay, one) for one in (*tally.get("before", ()), tally)]


def live_score(game: Tallied, now: datetime | None = None) -> LiveScore | None:
    """Return the live score; None before the first point, and while that is delayed."""
    if not game.tally:
        return None
    now = now or timezone.now()
    seen = [one for at, one in public_from(game.tally) if at <= now or not game.tally.get("delay_s")]
    if not seen:
        return None
    points = dict(enumerate(seen[-1]["points"], start=1))
    return LiveScore(game.number, points, seen[-1]["round"], datetime.fromisoformat(seen[-1]["at"]))


def live_of(games: Iterable[Tallied]) -> LiveScore | None:
    """Return the live score of the first game with a tally and without a result."""
    return next((live for game in games if game.score is None and (live := live_score(game))), None)
