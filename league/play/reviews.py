"""Review of a finished practice game: asked for once, made in the background, kept with the game."""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from django.db import transaction
from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from games.moves import Draw, Play
from games.round import Move
from league.celery import send
from league.errors import Refused
from league.house.review import SAMPLES, JudgedMove, ReviewedHand, reviewed
from league.play.models import PracticeGame
from league.play.table import PLAYER
from league.play.terms import WITHOUT_SEARCH
from referee.frames import Reel, reel

log = logging.getLogger(__name__)

MOST_TRIES: Final = 3
MISSED_AFTER = timedelta(seconds=60)
"""Time after the request until the sweep makes the review."""


@dataclass(frozen=True, slots=True)
class ReviewedMove:
    """A move as it is kept: `tile` "" for a draw or a pass, `on` "" for the lead."""

    tile: str
    on: str
    draw: bool


@dataclass(frozen=True, slots=True)
class ReviewedDecision:
    """A move of the player with a choice, in `line` of the log, and the best move then; expected points each."""

    line: int
    played: ReviewedMove
    best: ReviewedMove
    points: float
    best_points: float
    lost: float


@dataclass(frozen=True, slots=True)
class MissedPoints:
    """Points of a tile in `line` that the player did not announce, or with `muggins` did not claim."""

    line: int
    tile: str
    points: int
    muggins: bool


@dataclass(frozen=True, slots=True)
class HandReview:
    """A hand: its result is deal + draws + others − lost − unannounced, as leads of the player."""

    number: int
    result: float
    deal: float
    draws: float
    others: float
    lost: float
    unannounced: int
    decisions: Sequence[ReviewedDecision]
    missed: Sequence[MissedPoints]


@transaction.atomic
def ask(code: str) -> None:
    """Ask for the review of a finished game; asking again changes nothing.

    Raises PracticeGame.DoesNotExist, and Refused `unfinished`, `no-review`.
    """
    game = PracticeGame.objects.select_for_update().get(code=code)
    if game.ended_at is None:
        raise Refused("unfinished", _("A game is reviewed after its end."))
    if game.ruleset in WITHOUT_SEARCH:
        raise Refused("no-review", _("This game has no review."))
    if game.review_asked_at is None:
        game.review_asked_at = timezone.now()
        game.save(update_fields=["review_asked_at"])
        transaction.on_commit(lambda: send("play.review", game.pk))


def carry_out(game_id: int) -> bool:
    """Make a review that was asked for. True if this call kept it; safe to run twice."""
    due = PracticeGame.objects.filter(pk=game_id, review__isnull=True, review_asked_at__isnull=False)
    game = due.first()
    if game is None:
        return False
    # Outside of a transaction, so that the try counts even if the worker dies.
    due.update(review_tries=F("review_tries") + 1)
    hands = reviewed(game.table().log, PLAYER, samples=SAMPLES, seed=game.code)
    return bool(due.update(review=[_as_kept(hand) for hand in hands]))


def carry_out_missed(now: datetime) -> int:
    """Make the reviews whose message was lost, and return their number."""
    due = PracticeGame.objects.filter(
        review__isnull=True, review_asked_at__lt=now - MISSED_AFTER, review_tries__lt=MOST_TRIES
    )
    return sum(_tried(game) for game in list(due.values_list("pk", flat=True)[:20]))


def _tried(game_id: int) -> bool:
    try:
        return carry_out(game_id)
    except Exception:
        log.exception("the review of practice game %d failed in the sweep", game_id)
        return False


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


def _as_kept(hand: ReviewedHand) -> dict[str, Any]:
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
        return {"tile": move.tile.name, "on": move.on.name if move.on else "", "draw": False}
    return {"tile": "", "on": "", "draw": isinstance(move, Draw)}


@dataclass(frozen=True, slots=True)
class ReviewView:
    """The review of a finished game. `hands`: None until it is made.

    `waits`: it was asked for; `failed`: it was given up. `steps`: the address of a step of the replay, by the line of
    the log. All points are leads of the player over the computer.
    """

    code: str
    ruleset: str
    scores: tuple[int, ...]
    hands: list[HandReview] | None
    waits: bool
    failed: bool
    steps: Mapping[int, str]

    @property
    def result(self) -> float:
        return sum(hand.result for hand in self.hands or [])

    @property
    def luck(self) -> float:
        """Points from the deals, the draws, and the tiles and plays of the computer."""
        return sum(hand.deal + hand.draws + hand.others for hand in self.hands or [])

    @property
    def lost(self) -> float:
        """Points given away by the choices of the player."""
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


def review_view(code: str) -> ReviewView:
    """Return the review of a finished game, as far as it is made. One statement.

    Raises PracticeGame.DoesNotExist, also for a game that is not finished or has no review.
    """
    game = PracticeGame.objects.exclude(ruleset__in=WITHOUT_SEARCH).get(code=code, ended_at__isnull=False)
    table = game.table()
    waits = game.review is None and game.review_asked_at is not None
    return ReviewView(
        code=code,
        ruleset=game.ruleset,
        scores=tuple(table.game.card.scores),
        hands=None if game.review is None else read(game.review),
        waits=waits and game.review_tries < MOST_TRIES,
        failed=waits and game.review_tries >= MOST_TRIES,
        steps={} if game.review is None else _steps(reel(table.log)),
    )


def _steps(film: Reel) -> dict[int, str]:
    return {
        frame.line: f"r{shown.number}.{shown.owning_step(step)}"
        for shown in film.rounds
        for step, frame in enumerate(shown.frames)
    }
