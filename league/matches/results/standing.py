"""Choose the current entry of a game, and make it official by agreement.

The caller holds the lock of the match.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from django.db.models import Q

from league.matches.knowledge_level import suffices
from league.matches.models import LEVELS, Game, KnownBy, Record, Reply, Result, StoredVerdict, unchecked_logs
from league.matches.results import second_side
from league.matches.results.awards import awards_of, lists_awards
from league.matches.results.weighing import Awards, Ground, Opinion, Outcome, Said, Statement, Weighed, weigh
from league.matches.seals import seal_of

# Confirmed by button: no further entry makes it provisional again.
PRESSED = frozenset(
    {
        Result.Confirmation.PERSON,
        Result.Confirmation.SIDE,
        Result.Confirmation.PIN,
        Result.Confirmation.SILENCE,
        Result.Confirmation.AMENDED,
    }
)


def weigh_anew(game: Game, *, stays: Callable[[Result], bool], confirmation_required: bool, at: datetime) -> None:
    """Choose the current entry of a game, and make it contested or official.

    No entry replaces a result that `stays`; differing entries are marked. While a log of the game waits for its
    verdict, nothing becomes official by agreement.
    """
    rows = {row.pk: row for row in _rows(game)}
    current = Result.objects.filter(game=game, current=True).select_related("record").first()
    if current is not None and current.record.withdrawn_at is None and stays(current):
        _mark_beside(current, rows)
        return
    found = weigh(_said(game, rows), confirmation_required=confirmation_required)
    if found is not None and found.ground is not None and unchecked_logs(game.pk).exists():
        found = replace(found, ground=None)  # an earlier log is checked first
    Result.objects.filter(Q(contested=True) | Q(current=True), game=game).update(
        contested=False,
        current=False,
        state=Result.State.PROVISIONAL,
        confirmed_how="",
        confirmed_by=None,
        confirmed_at=None,
        seal="",
    )
    if found is not None:
        _set(rows, found, at)


@dataclass(frozen=True, slots=True)
class Review:
    """The review of a game without an official result: keys of results.

    `open`: they wait for a decision.
    """

    current: int
    contested: frozenset[int]
    open: frozenset[int]


def review_of(game: Game) -> Review | None:
    """Compute the review as `weigh_anew` stores it; None without an entry.

    Three statements, more if logs differ.
    """
    rows = {row.pk: row for row in _rows(game)}
    found = weigh(_said(game, rows), confirmation_required=True)
    if found is None:
        return None
    contested = frozenset({found.current, *found.contested} if found.reviewed else ())
    return Review(found.current, contested, frozenset(key for key in rows if _is_open(rows[key], key in contested)))


def _is_open(row: Result, is_contested: bool) -> bool:
    return is_contested or not _sound(row)


def falls_without(record: Record, *, confirmation_required: bool) -> bool:
    """Return whether withdrawing this record changes the official result of its game.

    It may fall or become another one. A result that a person confirmed does not fall.
    """
    current = official_result(record.game)
    if current is None or was_pressed(current):
        return False
    rows = {row.pk: row for row in _rows(record.game) if row.record_id != record.pk}
    found = weigh(_said(record.game, rows), confirmation_required=confirmation_required)
    return found is None or found.ground is None or outcome(rows[found.current]) != outcome(current)


def _rows(game: Game) -> Sequence[Result]:
    entries = Result.objects.filter(game=game, record__withdrawn_at=None)
    related = ("record__verdict", "record__sealed", "record__score_sheet", "game__match")
    return list(entries.select_related(*related).order_by("record__turn", "record"))


def _said(game: Game, rows: Mapping[int, Result]) -> list[Said]:
    """Return entries and replies in the order of their time."""
    awards = _awards(rows)
    said: list[tuple[tuple[int, int], int, Said]] = [
        (row.record.order, 0, _statement(row, awards.get(row.pk))) for row in rows.values()
    ]
    replies = Reply.objects.filter(result__game=game, result__record__withdrawn_at=None).select_related("result")
    for number, reply in enumerate(replies.order_by("pk"), start=1):
        opinion = Opinion(
            source=source(reply.for_side, reply.said_by_id),
            agrees=reply.agrees,
            outcome=outcome(reply.result),
            awards=awards.get(reply.result_id),
        )
        said.append(((reply.turn, reply.after), number, opinion))
    return [one for _order, _number, one in sorted(said, key=lambda one: one[:2])]


def _awards(rows: Mapping[int, Result]) -> dict[int, Awards | None]:
    """Return the awards of the entries if two sources list awards.

    Else there is nothing to compare.
    """
    listing = [row for row in rows.values() if lists_awards(row.record)]
    if len({_source(row.record) for row in listing}) < 2:
        return {}
    return {row.pk: awards_of(row.record) for row in listing}


def is_official(current: Result) -> bool:
    return current.state == Result.State.OFFICIAL


def was_pressed(current: Result) -> bool:
    """Return whether it is official by a confirmation, not by agreeing entries."""
    return is_official(current) and (current.decided or current.confirmed_how in PRESSED)


def takes_score_beside(current: Result) -> bool:
    """Return whether pages offer another score: not beside a ruling or a settled log."""
    known_by = current.known_by
    return known_by != KnownBy.RULED and (known_by != KnownBy.LOG or current.contested)


def _mark_beside(current: Result, rows: Mapping[int, Result]) -> None:
    """Mark entries that differ from a result that stays official.

    A decision settles earlier entries.
    """
    if current.confirmed_how == Result.Confirmation.AMENDED:
        rows = {key: row for key, row in rows.items() if row.record.order > current.record.order}
    elif current.decided:
        rows = {key: row for key, row in rows.items() if row.record.submitted_at > current.confirmed_at}
    last = {_source(row.record): row for row in rows.values()}
    differ = [row.pk for row in last.values() if row.pk != current.pk and outcome(row) != outcome(current)]
    marked = [*differ, current.pk] if differ else []
    Result.objects.filter(game=current.game_id).exclude(pk__in=marked).update(contested=False)
    Result.objects.filter(pk__in=marked).update(contested=True)


def _set(rows: Mapping[int, Result], found: Weighed, at: datetime) -> None:
    for key, row in rows.items():
        is_contested = found.reviewed and (key == found.current or key in found.contested)
        row.current, row.contested = key == found.current, is_contested
        row.needs_decision = _is_open(row, is_contested)
        row.state = Result.State.PROVISIONAL
        row.confirmed_by, row.confirmed_at, row.confirmed_how = None, None, ""
        row.decided, row.reason = False, ""
        if key != found.current or found.ground is None:
            row.one_device = Result.OneDevice.NO
    standing = rows[found.current]
    if found.ground is not None:
        other = rows[found.agreed[-1]].record if found.agreed else None
        # Of two equal entries the second confirmed the first.
        second = max((one for one in (other, standing.record) if one), key=lambda one: one.order)
        standing.state, standing.confirmed_how = Result.State.OFFICIAL, found.ground.value
        standing.confirmed_at = at if found.ground is not Ground.NOT_REQUIRED else None
        has_name = found.ground in {Ground.AGREED, Ground.ALONE}
        standing.confirmed_by_id = second.submitted_by_id if has_name else None
    for row in rows.values():
        row.seal = seal_of(row, row.record.head)
    Result.objects.bulk_update(
        rows.values(),
        [
            "current",
            "contested",
            "needs_decision",
            "state",
            "confirmed_by",
            "confirmed_at",
            "confirmed_how",
            "decided",
            "reason",
            "seal",
            "one_device",
        ],
    )


def _statement(row: Result, awards: Awards | None) -> Statement:
    return Statement(
        key=row.pk,
        source=_source(row.record),
        rank=-LEVELS.index(KnownBy(row.known_by)) if row.known_by in LEVELS else 0,
        outcome=outcome(row),
        awards=awards,
        sound=_sound(row),
        signed=row.record.signed,
        ruling=row.record.kind == KnownBy.RULED,
        alone=row.record.alone,
        counts=second_side.counts(row),
    )


def _sound(row: Result) -> bool:
    """Return whether it breaks no rule.

    If more than a card is required, a log must prove every point.
    """
    if row.record.kind == KnownBy.LOG and not suffices(row.known_by, row.game.match.level):
        return False
    return row.record.verdict.status != StoredVerdict.Status.VIOLATION


def _source(record: Record) -> str:
    return source(record.for_side, record.submitted_by_id)


def source(side: int | None, user_id: int | None) -> str:
    """Name the source of an entry: a side as a whole, or one person of the staff."""
    return f"side {side}" if side is not None else f"staff {user_id}"


def outcome(row: Result) -> Outcome:
    return tuple(row.scores[side] for side in sorted(row.scores, key=int)), row.winner


def official_result(game: Game) -> Result | None:
    official = Result.objects.filter(game=game, current=True, state=Result.State.OFFICIAL)
    return official.select_related("record").first()
