"""Review of a seat as it is kept, and as a page shows it."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final

from games.moves import Draw, Play
from games.notation.gamelog import GameLog
from games.round import Move
from league.house.review import JudgedMove, ReviewedHand
from league.play.models import MoveReview
from referee.frames import Reel, reel

MOST_TRIES: Final = 3
"""Attempts until a review is given up."""


@dataclass(frozen=True, slots=True)
class ReviewedMove:
    """A move as it is kept: `tile` "" for a draw or a pass, `on` "" for the lead, `colour` of a wild half."""

    tile: str
    on: str
    draw: bool
    colour: str = ""


@dataclass(frozen=True, slots=True)
class ReviewedDecision:
    """A move of the seat with a choice, in `line` of the log, and the best move then; expected points each."""

    line: int
    played: ReviewedMove
    best: ReviewedMove
    points: float
    best_points: float
    lost: float


@dataclass(frozen=True, slots=True)
class MissedPoints:
    """Points of a tile in `line` that the seat did not announce, or with `muggins` did not claim."""

    line: int
    tile: str
    points: int
    muggins: bool


@dataclass(frozen=True, slots=True)
class HandReview:
    """A hand: its result is deal + draws + others − lost − unannounced, as leads of the seat."""

    number: int
    result: float
    deal: float
    draws: float
    others: float
    lost: float
    unannounced: int
    decisions: Sequence[ReviewedDecision]
    missed: Sequence[MissedPoints]


def read(kept: Sequence[Mapping[str, Any]]) -> list[HandReview]:
    """Read a review as it is kept in the row of its game."""
    return [
        HandReview(
            **{
                **hand,
                "decisions": [_decision(one) for one in hand["decisions"]],
                "missed": [MissedPoints(**one) for one in hand["missed"]],
            }
        )
        for hand in kept
    ]


def _decision(one: Mapping[str, Any]) -> ReviewedDecision:
    return ReviewedDecision(**{**one, "played": ReviewedMove(**one["played"]), "best": ReviewedMove(**one["best"])})


def as_kept(hand: ReviewedHand) -> dict[str, Any]:
    """Return a reviewed hand as JSON; points are rounded to tenths."""
    return {
        "number": hand.number,
        "result": hand.result,
        "deal": round(hand.deal, 1),
        "draws": round(hand.draws, 1),
        "others": round(hand.others, 1),
        "lost": round(hand.lost, 1),
        "unannounced": hand.unannounced,
        "decisions": [_kept_decision(one) for one in hand.moves if one.choice],
        "missed": [asdict(one) for one in hand.missed],
    }


def _kept_decision(one: JudgedMove) -> dict[str, Any]:
    return {
        "line": one.line,
        "played": _move(one.played),
        "best": _move(one.best),
        "points": round(one.played_points, 1),
        "best_points": round(one.best_points, 1),
        "lost": round(one.lost, 1),
    }


def _move(move: Move) -> dict[str, Any]:
    if isinstance(move, Play):
        kept = {"tile": move.tile.name, "on": move.on.name if move.on else "", "draw": False}
        return kept | {"colour": move.colour} if move.colour else kept
    return {"tile": "", "on": "", "draw": isinstance(move, Draw)}


@dataclass(frozen=True, slots=True)
class ReviewView:
    """The review of one seat in a finished game. `hands`: None until it is made.

    `waits`: it was asked for; `failed`: it was given up. `steps`: the address of a step of the replay, by the line of
    the log; `hinted`: lines of moves that were made after a hint. All points are leads of the seat over the others.
    """

    hands: list[HandReview] | None
    waits: bool
    failed: bool
    steps: Mapping[int, str]
    hinted: frozenset[int] = frozenset()

    @property
    def result(self) -> float:
        return sum(hand.result for hand in self.hands or [])

    @property
    def luck(self) -> float:
        """Points from the deals, the draws, and the tiles and plays of the others."""
        return sum(hand.deal + hand.draws + hand.others for hand in self.hands or [])

    @property
    def lost(self) -> float:
        """Points given away by the choices of the seat."""
        return sum(hand.lost for hand in self.hands or [])

    @property
    def unannounced(self) -> int:
        return sum(hand.unannounced for hand in self.hands or [])

    @property
    def missed_muggins(self) -> int:
        return sum(one.points for hand in self.hands or [] for one in hand.missed if one.muggins)

    @property
    def decisions(self) -> int:
        return sum(len(hand.decisions) for hand in self.hands or [])

    @property
    def best_ones(self) -> int:
        """Number of decisions that gave nothing away."""
        return sum(not one.lost for hand in self.hands or [] for one in hand.decisions)


def view_of(review: MoveReview | None, log: GameLog | None = None, hinted: frozenset[int] = frozenset()) -> ReviewView:
    """Return a review as far as it is made; None was not asked for.

    `log`: its log, if it is read already.
    """
    if review is None or review.hands is None:
        tries = 0 if review is None else review.tries
        waits = review is not None and tries < MOST_TRIES
        return ReviewView(None, waits, failed=tries >= MOST_TRIES, steps={})
    steps = _steps(reel(log or review.log()))
    return ReviewView(read(review.hands), waits=False, failed=False, steps=steps, hinted=hinted)


def _steps(film: Reel) -> dict[int, str]:
    return {
        frame.line: f"r{shown.number}.{shown.owning_step(step)}"
        for shown in film.rounds
        for step, frame in enumerate(shown.frames)
    }
