"""Forfeit the matches of an entrant who has withdrawn."""

import logging
from collections.abc import Iterable
from datetime import datetime
from typing import TYPE_CHECKING

from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet, Subquery

from league.accounts.models import User
from league.competitions.draw.schedule.calling import take_off
from league.competitions.entrants import standing_withdrawals
from league.competitions.formats.registry import TABLE_FORMATS
from league.competitions.models import Competition, Slot, Withdrawal
from league.errors import NotAllowed
from league.matches.models import Game, Match, Result, Side
from league.matches.results import entering
from league.matches.rules import rules_agreed

if TYPE_CHECKING:
    from typing import TypedDict

    from django_stubs_ext import WithAnnotations

    class Left(TypedDict):
        since: datetime


log = logging.getLogger(__name__)


def forfeit_scheduled(competition: Competition, slots: Iterable[Slot]) -> None:
    """Forfeit open matches in which one of the two has withdrawn.

    If both have withdrawn, an official rules. Matches of an unpublished round wait for publication.
    """
    gone = {one.entrant_id: one for one in standing_withdrawals(competition)}
    if not gone:
        return
    matches = Match.objects.filter(
        slot__in=[slot.pk for slot in slots], state__in=OPEN, published_at__isnull=False
    ).exclude(slot__matchday__stage__format__in=TABLE_FORMATS)
    lost: dict[int, list[Match]] = {}
    for match in matches.order_by("slot__matchday__number", "pk").prefetch_related("sides"):
        left = [side.entrant_id for side in match.sides.all() if side.entrant_id in gone]
        if len(left) == 1:
            lost.setdefault(left[0], []).append(match)
    for entrant, their in lost.items():
        forfeit_open(gone[entrant], their)


def left_sides() -> "QuerySet[WithAnnotations[Side, Left]]":
    """Select the withdrawn sides (`since` when) of published matches of two that are still open.

    Their forfeit was refused, or both have left: an official who does not play there rules.
    """
    left = Withdrawal.objects.filter(
        competition=OuterRef("match__slot__matchday__stage__competition"), entrant=OuterRef("entrant"), undone_at=None
    )
    rows = Side.objects.filter(
        Exists(left), match__state__in=OPEN, match__published_at__isnull=False, match__slot__not_needed=False
    ).exclude(match__slot__matchday__stage__format__in=TABLE_FORMATS)
    return rows.annotate(since=Subquery(left.values("made_at")))


def left_columns(match: str) -> dict[str, Subquery]:
    """Columns for the path of a match: `first_left` and `last_left`, the numbers of its withdrawn sides, and `left_at`.

    None in a match that does not wait for a ruling; equal if one side has left.
    """
    left = left_sides().filter(match=OuterRef(match))
    return {
        "first_left": Subquery(left.order_by("number").values("number")[:1]),
        "last_left": Subquery(left.order_by("-number").values("number")[:1]),
        "left_at": Subquery(left.order_by("-since").values("since")[:1]),
    }


def forfeit_open(done: Withdrawal, matches: Iterable[Match]) -> None:
    """Forfeit matches of a withdrawn entrant; one in which the official plays waits, without a table."""
    records: list[int] = []
    for match in matches:
        try:
            with transaction.atomic():
                records += forfeit_match(match, done.entrant_id, user=done.made_by, reason=done.reason)
        except NotAllowed as refused:
            # Another official has to rule this match; the pages show it.
            log.info("match %d is not forfeited: %s", match.pk, refused.code)
            take_off(match.slot)
    done.forfeits = [*done.forfeits, *records]
    done.save(update_fields=["forfeits"])


def forfeit_match(match: Match, loser: int | None, *, user: User, reason: str) -> list[int]:
    """Rule as many open games as the other side needs to win; return record keys.

    Without a loser both have lost: all open games are ruled, and nobody wins.
    """
    sides = list(match.sides.order_by("number"))
    winner = next((side.number for side in sides if loser is not None and side.entrant_id != loser), None)
    rules = rules_agreed(match.ruleset, match.options)
    scores = [(rules.target if rules else 1) if side.number == winner else 0 for side in sides]
    games = Game.objects.filter(match=match).exclude(results__current=True).order_by("number")
    won = Result.objects.filter(game__match=match, current=True, winner=winner).count()
    missing = games if winner is None else games[: max(match.best_of // 2 + 1 - won, 0)]
    ruled = [entering.rule(game, user, scores=scores, winner=winner, reason=reason) for game in missing]
    return [one.record.pk for one in ruled]


OPEN = (Match.State.SCHEDULED, Match.State.PLAYING)
