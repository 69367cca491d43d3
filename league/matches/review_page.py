"""A game's entries that differ, side by side, as the page of its match shows them to one visitor."""

from dataclasses import dataclass

from league.matches import permissions
from league.matches.awards import absent, awards_of, lists_awards
from league.matches.models import Game, Reply, Result
from league.matches.reviews import objections, under_review
from league.matches.standing import is_official, source
from league.matches.weighing import Awards


@dataclass(frozen=True, slots=True)
class ReviewedEntry:
    """One of the entries. `only_here`: awards that it lists and another entry with awards does not."""

    result: Result
    only_here: Awards
    may_take: bool
    may_accept: bool


@dataclass(frozen=True, slots=True)
class GameReview:
    """`entries`: the one that stands first; `is_open`: nobody has decided yet."""

    entries: list[ReviewedEntry]
    objections: list[Reply]
    is_open: bool


def review_of(game: Game, result: Result | None, one: permissions.Actor) -> GameReview | None:
    """None where nobody contradicts, or contradicted, the result. Five statements at most, else none."""
    if result is None or not (result.contested or result.decided):
        return None
    rows = under_review([game.pk]).get(game.pk, []) if result.contested else _laid_aside(result)
    against = objections([game.pk]).get(game.pk, [])
    if not against and len(rows) < 2:
        return None
    awards = {row.pk: awards_of(row.record) if lists_awards(row.record) else None for row in rows}
    entries = [
        ReviewedEntry(
            result=row,
            only_here=_only_here(row, awards),
            may_take=result.contested and _may_take(one, row, result),
            may_accept=result.contested and not is_official(result) and permissions.why_not_accept(one, row) is None,
        )
        for row in rows
    ]
    return GameReview(entries, against, is_open=result.contested)


def _laid_aside(result: Result) -> list[Result]:
    """After a decision: the result, and the last entry of every other source that said something else."""
    rows = Result.objects.filter(game=result.game_id, record__withdrawn_at=None).exclude(pk=result.pk)
    rows = rows.select_related("record__submitted_by")
    last = {source(row.record.for_side, row.record.submitted_by_id): row for row in rows}
    differ = [row for row in last.values() if (row.scores, row.winner) != (result.scores, result.winner)]
    return [result, *differ]


def _only_here(row: Result, awards: dict[int, Awards | None]) -> Awards:
    others = [found for pk, found in awards.items() if pk != row.pk]
    return max((absent(awards[row.pk], other) for other in others), key=len, default=())


def _may_take(one: permissions.Actor, row: Result, current: Result) -> bool:
    if permissions.why_not_rule(one) is not None or permissions.is_own(one, row.record):
        return False
    return not is_official(current) or row.pk == current.pk
