"""Differing entries of a game side by side, for one visitor of the match page."""

from dataclasses import dataclass

from league.matches import permissions
from league.matches.models import Game, Reply, Result
from league.matches.results.awards import absent, awards_of, lists_awards
from league.matches.results.judges import JudgeView, is_accepted_judge, judge_view, needs_judge
from league.matches.results.reviews import objections, under_review
from league.matches.results.standing import is_official, outcome, source
from league.matches.results.weighing import Awards


@dataclass(frozen=True, slots=True)
class ReviewedEntry:
    """One of the entries.

    `only_here`: awards that another entry with awards does not list.
    """

    result: Result
    only_here: Awards
    may_take: bool
    may_accept: bool


@dataclass(frozen=True, slots=True)
class GameReview:
    """The review of a game.

    `entries`: the current one first; `is_open`: no decision and no agreement yet. `may_name`: the asker may name a
    judge, because no official is free.
    """

    entries: list[ReviewedEntry]
    objections: list[Reply]
    is_open: bool
    judge: JudgeView | None = None
    may_name: bool = False


def review_of(game: Game, result: Result | None, one: permissions.Actor, *, had_replies: bool) -> GameReview | None:
    """Return the review of a game, open or closed; None if there never was one.

    `had_replies`: a result of the match was disagreed with or accepted. At most six statements, none without a review.
    """
    if result is None or not (result.contested or result.decided or _is_settled(result, had_replies)):
        return None
    rows = under_review([game.pk]).get(game.pk, []) if result.contested else _last_of_others(result)
    awards = {row.pk: awards_of(row.record) if lists_awards(row.record) else None for row in rows}
    if not result.contested:
        rows = [row for row in rows if row is result or _differ(row, result, awards)]
    against = objections([game.pk], sentences=permissions.reads_statements(one)).get(game.pk, [])
    if not against and len(rows) < 2:
        return None
    may_rule = result.contested and _may_rule(one, game.match_id)
    entries = [
        ReviewedEntry(
            result=row,
            only_here=_only_here(row, awards),
            may_take=may_rule and _may_take(one, row, result),
            may_accept=result.contested and not is_official(result) and permissions.why_not_accept(one, row) is None,
        )
        for row in rows
    ]
    judge = judge_view(game.match, one) if result.contested or result.decided else None
    may_name = result.contested and one.enters and not may_rule and needs_judge(game.match_id)
    return GameReview(entries, against, is_open=result.contested, judge=judge, may_name=may_name)


def _is_settled(result: Result, had_replies: bool) -> bool:
    """Return whether a review ended by agreement; an amendment is shown apart."""
    return had_replies and is_official(result) and result.confirmed_how != Result.Confirmation.AMENDED


def _last_of_others(result: Result) -> list[Result]:
    """Return the result, and the last entry of every other source."""
    rows = Result.objects.filter(game=result.game_id, record__withdrawn_at=None).exclude(pk=result.pk)
    rows = rows.select_related("record__submitted_by", "record__game__match").order_by("record__turn", "record")
    last = {source(row.record.for_side, row.record.submitted_by_id): row for row in rows}
    last.pop(source(result.record.for_side, result.record.submitted_by_id), None)
    return [result, *last.values()]


def _differ(row: Result, result: Result, awards: dict[int, Awards | None]) -> bool:
    listed = awards[row.pk] is not None and awards[result.pk] is not None
    return outcome(row) != outcome(result) or (listed and awards[row.pk] != awards[result.pk])


def _only_here(row: Result, awards: dict[int, Awards | None]) -> Awards:
    others = [found for pk, found in awards.items() if pk != row.pk]
    return max((absent(awards[row.pk], other) for other in others), key=len, default=())


def _may_rule(one: permissions.Actor, match_id: int) -> bool:
    return permissions.why_not_rule(one) is None or is_accepted_judge(one, match_id)


def _may_take(one: permissions.Actor, row: Result, current: Result) -> bool:
    return not permissions.is_own(one, row.record) and (not is_official(current) or row.pk == current.pk)
