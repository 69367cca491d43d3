"""Entry of tallies, cards, scores and rulings, and their undoing.

Each act is one transaction that locks the match. Logs are entered by `submission.submit_log`. Entries by two people
about one game are weighed (weighing.py), never overwritten.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from league.errors import Refused
from league.matches import permissions
from league.matches.clock import services as timekeeping
from league.matches.knowledge_level import suffices
from league.matches.locks import locked_match, refuse_reopened
from league.matches.models import Game, KnownBy, Match, Record, Result
from league.matches.results import second_side
from league.matches.results import services as results
from league.matches.results.entries import Saying, plain, store
from league.matches.results.judging import judge_ruling, judge_sheet
from league.matches.results.reviews import reason_of
from league.matches.results.standing import falls_without, is_official, official_result, was_pressed, weigh_anew
from league.matches.signals import entry_withdrawn, result_withdrawn

UNDO = timedelta(minutes=10)
"""Time within which an entry can be taken back."""
SHEETS = frozenset({KnownBy.TALLY, KnownBy.CARD, KnownBy.SCORE})


@dataclass(frozen=True, slots=True)
class Entered:
    """Result of an entry.

    `created` is False if the same source entered the same before.

    `result` is now the current one of the game; `contested`: another entry differs, and both are kept.
    """

    record: Record
    result: Result
    created: bool
    contested: bool


@transaction.atomic
def enter_sheet(
    game: Game,
    who: permissions.Visitor,
    data: Mapping[str, Any],
    *,
    kind: KnownBy,
    signed: bool = False,
    insist: bool = False,
    after: int | None = None,
    at: datetime | None = None,
) -> Entered:
    """Enter a tally, a card or a bare score (shape: `referee.cards.check.read`).

    Values by seat there are by side here. An equal entry of another source confirms the first; a different one is kept
    beside it, and an official decides. `signed`: the desk typed a card with both signatures, which count as the word of
    both sides. `insist`: enter it although the check found it impossible; it is then no checked card, and an official
    decides. `after`: the newest entry of the same source known to the sender (`last_words`, 0 for none), so that a late
    request, or one from a second screen of the same account, does not replace a newer entry.

    Raises Refused (nothing is stored): those of `permissions.why_not_enter`; `unreadable-sheet` (names row and field);
    `does-not-add-up` (fact `judged`: the findings); `not-the-desk`; `level-too-low`, `better-known`; `match-decided`;
    `not-published`, `stale-entry`; `needs-proof` (second_side.py).
    """
    match = Match.objects.select_related("league").get(pk=game.match_id)
    one = permissions.actor(who, match)
    if refusal := permissions.why_not_enter(one):
        raise refusal
    if signed and (one.plays or not one.enters):
        raise Refused("not-the-desk", _("Only the desk enters a card for both sides, and not of its own match."))
    if not suffices(kind, match.level):
        raise Refused(
            "level-too-low", _("This match needs more than that: %(level)s."), level=match.get_level_display()
        )
    judged = judge_sheet(match, data, kind)
    said = Saying(game=game, one=one, kind=kind, judged=judged, data=data, signed=signed, at=at or timezone.now())
    locked = locked_match(match.pk)
    if same := _said_before(said):
        return same
    _refuse_if_stale(said, after)
    if not judged.sound and not insist:
        raise Refused(
            "does-not-add-up", _("This does not add up: %(findings)s"), findings=judged.sentences, judged=judged
        )
    _refuse_if_closed(said, locked)
    entered = _enter(said, locked, match.league.confirmation_required)
    second_side.check_agreement(who, one.side, entered.result)
    return entered


@transaction.atomic
def rule(
    game: Game,
    user: permissions.Visitor,
    *,
    scores: Sequence[int],
    winner: int | None,
    reason: str,
    ended: str = "forfeit",
    at: datetime | None = None,
) -> Entered:
    """Rule on a game, as an official: a forfeit, a walk-over, an unprovable score.

    `scores` in the order of the sides. A ruling outranks entries, and another person confirms it like any other result;
    if an entry differs from it, another official takes one of them. If one official is enough it counts at once.

    Raises Refused: those of `permissions.why_not_rule`; `no-reason`, `long-reason`, `bad-score`, `already-official`,
    `match-decided`, `not-published`; `better-known` beside a log or another ruling, which is confirmed, taken or fixed
    instead.
    """
    match = Match.objects.select_related("league").get(pk=game.match_id)
    one = permissions.actor(user, match)
    if refusal := permissions.why_not_rule(one):
        raise refusal
    reason = reason_of(reason)
    judged = judge_ruling(match, scores, winner, ended)
    data = {"scores": list(scores), "winner": winner, "ended": ended}
    said = Saying(
        game=game,
        one=one,
        kind=KnownBy.RULED,
        judged=judged,
        data=data,
        reason=reason,
        at=at or timezone.now(),
    )
    locked = locked_match(match.pk)
    if same := _said_before(said):
        return same
    if locked.state == Match.State.DECIDED or official_result(game) is not None:
        raise _settled(game)
    _refuse_if_closed(said, locked)
    return _enter(said, locked, match.league.confirmation_required)


@transaction.atomic
def undo_entry(
    record: Record, user: permissions.Visitor, at: datetime | None = None, *, opens: bool = False
) -> Result | None:
    """Take back an entry at most ten minutes old.

    Returns the current result of the game, if any. The record is kept, but does not count. Allowed for its source, and
    for an official outside the match. `opens`: the caller handles a match that is open again.

    Raises Refused: `not-yours`, `too-late`, `is-log`, `already-withdrawn`, `confirmed-already`, and those of the
    receivers of `result_withdrawn` and `entry_withdrawn`.
    """
    at = at or timezone.now()
    game = record.game
    one = permissions.actor(user, game.match)
    required = Match.objects.values_list("league__confirmation_required", flat=True).get(pk=game.match_id)
    falls = falls_without(record, confirmation_required=required)
    if falls:
        result_withdrawn.send(Match, match_id=game.match_id)
    match = locked_match(game.match_id)
    now = Record.objects.get(pk=record.pk)
    _refuse_undo(now, one, at)
    if not falls and falls_without(now, confirmation_required=required):
        # It became official before the lock was acquired, and dependent rows made since are not undone.
        raise _confirmed_meanwhile()
    Record.objects.filter(pk=now.pk).update(withdrawn_at=at)
    weigh_anew(game, stays=was_pressed, confirmation_required=required, at=at)
    results.settle(match, results.current(match))
    if not opens:
        entry_withdrawn.send(Match, match_id=game.match_id)
    return Result.objects.filter(game=game, current=True).first()


# --- Entries ---


def _said_before(said: Saying) -> Entered | None:
    """Return the last entry of the same source, if it was the same."""
    mine = Record.objects.filter(game=said.game, withdrawn_at=None, **said.mine).order_by("turn", "pk").last()
    if mine is None or mine.kind != said.kind or mine.signed != said.signed:
        return None
    if mine.score_sheet.data != plain(said.data):
        return None
    standing = Result.objects.filter(game=said.game, current=True).first()
    return Entered(mine, standing, created=False, contested=standing.contested) if standing else None


def last_words(games: Sequence[int], **source: object) -> dict[int, int]:
    """Return by game the newest entry of a source, taken back or not. One statement.

    `source`: `for_side`, and `submitted_by` for staff.
    """
    rows = Record.objects.filter(game__in=games, **source).exclude(kind=KnownBy.LOG).order_by("pk")
    return dict(rows.values_list("game", "pk"))


def _refuse_if_stale(said: Saying, after: int | None) -> None:
    last = last_words([said.game.pk], **said.mine).get(said.game.pk, 0)
    if after is None or after == last:
        return
    before = Record.objects.select_related("result").filter(pk=last).first()
    if before is None:  # nothing newer than the page
        return
    if before.withdrawn_at:
        raise Refused("stale-entry", _("This was taken back meanwhile. Look at it, and enter it again if it is right."))
    raise Refused(
        "stale-entry",
        _("Meanwhile %(score)s was entered here, from another screen or phone. Look at it before you enter it again."),
        score=before.result,
    )


def _refuse_if_closed(said: Saying, match: Match) -> None:
    refuse_reopened(said.game.match, match)
    current = Result.objects.filter(game=said.game, current=True).select_related("record").first()
    if current is not None and current.known_by == KnownBy.LOG and said.kind == KnownBy.RULED:
        if current.contested:
            raise Refused("better-known", _("Two entries of this game differ. Take one of them, with a reason."))
        raise Refused(
            "better-known", _("This game is known from its log already. Confirm that, or submit another log.")
        )
    if current is not None and current.record.kind == KnownBy.RULED:
        raise Refused("better-known", _("An official has ruled on this game already."))
    if match.state == Match.State.DECIDED and current is None:
        raise Refused("match-decided", _("This match is decided; game %(code)s is not played."), code=said.game.code)


def _enter(said: Saying, match: Match, confirmation_required: bool) -> Entered:
    result = store(said)
    weigh_anew(said.game, stays=is_official, confirmation_required=confirmation_required, at=said.at)
    results.settle(match, results.current(match))
    timekeeping.stop_at_result(said.game.pk, timezone.now())
    standing = Result.objects.get(game=said.game, current=True)
    return Entered(result.record, standing, created=True, contested=standing.contested)


def _settled(game: Game) -> Refused:
    return Refused("already-official", _("The result of game %(code)s is confirmed already."), code=game.code)


def is_undoable(record: Record, one: permissions.Actor, at: datetime) -> bool:
    """Tell whether a page offers the undo of this entry, whose result is loaded. No statement."""
    in_time = at - record.submitted_at <= UNDO and record.withdrawn_at is None
    return in_time and record.kind != KnownBy.LOG and _may_undo(record, one) and not was_pressed(record.result)


def _may_undo(record: Record, one: permissions.Actor) -> bool:
    """Tell whether it is of the actor, who else is an official outside the match."""
    if one.plays:
        return record.for_side == one.side
    return one.official or bool(one.user_id and record.submitted_by_id == one.user_id)


def _refuse_undo(record: Record, one: permissions.Actor, at: datetime) -> None:
    if not _may_undo(record, one):
        raise Refused("not-yours", _("Only an official or the person who entered this can take it back."))
    if record.kind == KnownBy.LOG:
        raise Refused("is-log", _("A log is not taken back. Hand in the right one; it takes its place."))
    if record.withdrawn_at:
        raise Refused("already-withdrawn", _("This was taken back already."))
    if at - record.submitted_at > UNDO:
        raise Refused(
            "too-late",
            _("This was entered more than %(minutes)d minutes ago, and cannot be taken back any more."),
            minutes=UNDO.seconds // 60,
        )
    result = Result.objects.filter(record=record).first()
    if result and result.current and was_pressed(result):
        raise _confirmed_meanwhile()


def _confirmed_meanwhile() -> Refused:
    return Refused("confirmed-already", _("Somebody has confirmed this meanwhile."))
