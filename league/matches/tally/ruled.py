"""Ruled taps: points that an official gives, or takes back, at the table.

A ruled tap goes behind the last tap of the game and leaves the pad with its keeper: the pad gets it with its next
question. No pad takes it back.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import uuid4

from django.db import transaction
from django.utils import timezone

from league.accounts.models import User
from league.matches.locks import locked_match
from league.matches.models import Game, Match
from league.matches.models.tally import TallyTap
from league.matches.permissions import actor, why_not_rule
from league.matches.tally.services import Keeper, appended, store, why_closed
from league.matches.tally.tile_log import is_tiled
from league.matches.tally.touches import Touch


@dataclass(frozen=True, slots=True, kw_only=True)
class RuledPoints:
    """Points for a seat, 0 is side 1. `kind`: that of the tap, `points`, `muggins` or `penalty`."""

    kind: str
    seat: int
    points: int


def keep_ruling(
    game: Game,
    official: User,
    *,
    undo: TallyTap | None = None,
    points: RuledPoints | None = None,
    at: datetime | None = None,
) -> list[TallyTap]:
    """Take back a tap, and give points, in one transaction; return the new taps.

    Nothing is stored in a game without a tap: no pad keeps its score; nor on a tile pad, whose lines are judged by the
    referee: its scorer writes the ruling down. Raises NotAllowed (`permissions.why_not_rule`);
    Refused as `services.why_closed`.
    """
    at = at or timezone.now()
    if refusal := why_not_rule(actor(official, game.match)):
        raise refusal
    with transaction.atomic():
        locked_match(game.match_id)
        match = Match.objects.get(pk=game.match_id)
        rows = list(TallyTap.objects.filter(game=game).order_by("number"))
        touches = list(_touches(undo, points, at))
        if not rows or not touches or is_tiled(rows):
            return []
        if closed := why_closed(game, match):
            raise closed
        more = appended(game, Keeper(official.pk), rows[-1].pad, rows, touches, at, ruled=True)
        store(game, match, rows, more)
    return more


def _touches(undo: TallyTap | None, points: RuledPoints | None, at: datetime) -> Sequence[Touch]:
    found = []
    if undo is not None:
        found.append(Touch(id=uuid4(), kind=TallyTap.Kind.UNDO, at=at, of=undo.touch))
    if points is not None:
        found.append(Touch(id=uuid4(), kind=points.kind, at=at, seat=points.seat, points=points.points))
    return found
