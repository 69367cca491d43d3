"""Reviews of finished games: asked for once a seat, made in the background, and kept with the game."""

import logging
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from games.moves import Draw, Pass, Play, Seat
from games.notation.gamelog import GameLog
from league.celery import send
from league.errors import Refused
from league.house.review import SAMPLES, reviewed
from league.matches.models import Record
from league.play.models import MoveReview, OnlineGame, PracticeGame
from league.play.review_view import MOST_TRIES, ReviewView, as_kept, view_of
from league.play.table import PLAYER

logger = logging.getLogger(__name__)

MISSED_AFTER = timedelta(seconds=60)
"""Time after the request until the sweep makes the review."""

ReviewedGame = PracticeGame | OnlineGame | Record


def key_of(game: ReviewedGame) -> dict[str, ReviewedGame]:
    """Return the field and value that name a game in its reviews."""
    if isinstance(game, PracticeGame):
        return {"practice": game}
    return {"online": game} if isinstance(game, OnlineGame) else {"record": game}


@transaction.atomic
def ask_for_seat(game: ReviewedGame, seat: Seat) -> None:
    """Ask for the review of a seat; asking again changes nothing. The caller has checked the game and the asker."""
    now = timezone.now()
    review, is_new = MoveReview.objects.get_or_create(**key_of(game), seat=seat, defaults={"asked_at": now})
    if is_new:
        transaction.on_commit(lambda: send("play.review", review.pk))


def carry_out(review_id: int) -> bool:
    """Make a review that was asked for. True if this call kept it; safe to run twice."""
    due = MoveReview.objects.filter(pk=review_id, hands__isnull=True)
    review = due.select_related("practice", "online", "record__sealed").first()
    if review is None:
        return False
    # Outside of a transaction, so that the try counts even if the worker dies.
    due.update(tries=F("tries") + 1)
    hands = reviewed(review.log(), review.seat, samples=SAMPLES, seed=_seed(review))
    return bool(due.update(hands=[as_kept(hand) for hand in hands]))


def _seed(review: MoveReview) -> str:
    if review.record is not None:
        return review.record.sealed.sha256
    game = review.practice or review.online
    return game.code if game else ""


def carry_out_missed(now: datetime) -> int:
    """Make the reviews whose message was lost, and return their number."""
    due = MoveReview.objects.filter(hands__isnull=True, asked_at__lt=now - MISSED_AFTER, tries__lt=MOST_TRIES)
    return sum(_tried(review) for review in list(due.order_by("asked_at").values_list("pk", flat=True)[:20]))


def _tried(review_id: int) -> bool:
    try:
        return carry_out(review_id)
    except Exception:
        logger.exception("the review %d failed in the sweep", review_id)
        return False


# ---- Practice games


@transaction.atomic
def ask(code: str) -> None:
    """Ask for the review of a finished practice game.

    Raises PracticeGame.DoesNotExist, and Refused `unfinished`.
    """
    game = PracticeGame.objects.get(code=code)
    if game.ended_at is None:
        raise unfinished()
    ask_for_seat(game, PLAYER)


def unfinished() -> Refused:
    return Refused("unfinished", _("A game is reviewed after its end."))


def no_review() -> Refused:
    return Refused("no-review", _("This game has no review."))


@dataclass(frozen=True, slots=True)
class PracticeReview:
    """The review of a practice game; `scores` by seat, the player's first."""

    ruleset: str
    scores: tuple[int, ...]
    view: ReviewView


def review_of_practice(code: str) -> PracticeReview:
    """Return the review of a finished practice game. One statement.

    Raises PracticeGame.DoesNotExist, also for a game that is not finished.
    """
    game = PracticeGame.objects.select_related("move_review").get(code=code, ended_at__isnull=False)
    table = game.table()
    log = table.log
    view = view_of(getattr(game, "move_review", None), log, after_hints(log, game.hinted))
    return PracticeReview(game.ruleset, tuple(table.game.card.scores), view)


def after_hints(log: GameLog, hinted: Iterable[int]) -> frozenset[int]:
    """Return the lines of the player's moves that followed a hint, by the numbers of entries at the hints."""
    moves = [
        (number, entry.line)
        for number, entry in enumerate(log.entries)
        if isinstance(entry.event, Play | Draw | Pass) and entry.event.seat == PLAYER
    ]
    return frozenset(line for at in hinted for line in [one for number, one in moves if number >= at][:1])
