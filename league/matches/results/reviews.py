"""Reviews of results: objection, acceptance, decision. Each locks the match."""

from collections.abc import Sequence
from datetime import datetime

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from league.errors import Refused
from league.matches import permissions
from league.matches.clock import services as timekeeping
from league.matches.locks import locked_match
from league.matches.models import IN_ORDER, LONGEST_REASON, Match, Record, Reply, Result, unchecked_logs
from league.matches.results import second_side
from league.matches.results import services as results
from league.matches.results.judges import is_accepted_judge
from league.matches.results.standing import is_official, weigh_anew
from league.matches.seals import seal_reply
from league.matches.visibility import matches_of


@transaction.atomic
def disagree(result: Result, user: permissions.Visitor, *, sentence: str, at: datetime | None = None) -> Result:
    """Put a result that the asker could have confirmed under review, with a sentence.

    Raises Refused: those of `permissions.why_not_confirm`; `no-reason`, `long-reason`; `no-result`, `already-official`,
    `match-decided`.
    """
    at = at or timezone.now()
    one = permissions.actor(user, result.game.match)
    match = locked_match(result.game.match_id)
    now = _open_result(result, match)
    if refusal := permissions.why_not_confirm(one, now):
        raise refusal
    _reply(now, one, agrees=False, sentence=reason_of(sentence), at=at)
    _weigh(now, match, at)
    return Result.objects.get(pk=now.pk)


@transaction.atomic
def accept(result: Result, user: permissions.Visitor, at: datetime | None = None) -> Result:
    """Accept the other side's entry instead of one's own.

    It is official once nothing contradicts it.

    Raises Refused: those of `permissions.why_not_accept`; `needs-proof` (second_side.py); `not-under-review`,
    `already-official`, `match-decided`.
    """
    at = at or timezone.now()
    one = permissions.actor(user, result.game.match)
    match = locked_match(result.game.match_id)
    now = Result.objects.select_related("record", "game__match__league").get(pk=result.pk)
    _refuse_unless_under_review(now)
    current = Result.objects.get(game=now.game_id, current=True)
    if is_official(current):
        raise _settled(now)
    if match.state == Match.State.DECIDED:
        raise _decided(now)
    if refusal := permissions.why_not_accept(one, now):
        raise refusal
    second_side.check_proof(user, match.pk)
    second_side.check_word(one, now)
    _reply(now, one, agrees=True, at=at)
    _weigh(now, match, at)
    standing = Result.objects.select_related("record", "game").get(game=now.game_id, current=True)
    if is_official(standing):
        standing.one_device = second_side.one_device(user, standing)
        results.make_official(standing, how=permissions.how(user, standing.record), by=one.user_id, at=at)
    return standing


@transaction.atomic
def choose(result: Result, user: permissions.Visitor, *, reason: str, at: datetime | None = None) -> Result:
    """Decide a review for this entry, by an official or by the accepted judge.

    If one entry is official already, only that one can be upheld.

    Raises Refused: those of `permissions.why_not_rule`; `own-submission`; `not-under-review`; `already-official`;
    `being-checked` (a log may differ again); `no-reason`, `long-reason`.
    """
    at = at or timezone.now()
    one = permissions.actor(user, result.game.match)
    match = locked_match(result.game.match_id)  # the desk may name another judge meanwhile
    refusal = permissions.why_not_rule(one)
    if refusal and not is_accepted_judge(one, match.pk):
        raise refusal
    chosen = Result.objects.select_related("record", "game").get(pk=result.pk)
    current = Result.objects.filter(game=chosen.game_id, current=True).first()
    _refuse_unless_under_review(chosen)
    if permissions.is_own(one, chosen.record):
        raise permissions.own_submission()
    reason = reason_of(reason)
    if is_official(current):
        if current.pk != chosen.pk:
            raise _settled(chosen)
        current.contested, current.reason = False, reason
        current.save(update_fields=["contested", "reason"])
        Result.objects.filter(game=chosen.game_id, contested=True).update(contested=False)
        return current
    if unchecked_logs(chosen.game_id).exists():
        raise being_checked()
    take(chosen, match, how=permissions.how(user, chosen.record), by=one.user_id, reason=reason, at=at)
    return chosen


def take(chosen: Result, match: Match, *, how: str, by: int | None, reason: str, at: datetime) -> None:
    """Make an entry the official result of its game by a decision.

    The caller holds the lock of the match, and has checked that no other result is official.
    """
    Result.objects.filter(game=chosen.game_id, current=True).exclude(pk=chosen.pk).update(current=False)
    chosen.current, chosen.needs_decision, chosen.reason = True, True, reason
    results.make_official(chosen, how=how, by=by, at=at)
    results.settle(match, results.current(match))
    timekeeping.stop_at_result(chosen.game_id, timezone.now())


def under_review(game_ids: Sequence[int]) -> dict[int, list[Result]]:
    """Return the differing entries by game, the current one first. Two statements."""
    rows = (
        Result.objects.filter(game__in=game_ids, contested=True, record__withdrawn_at=None)
        .select_related("record__submitted_by", "record__game__match", "game")
        .order_by("-current", "pk")
    )
    found: dict[int, list[Result]] = {}
    for row in rows:
        found.setdefault(row.game_id, []).append(row)
    return found


def objections(game_ids: Sequence[int], *, sentences: bool) -> dict[int, list[Reply]]:
    """Return the objections to results by game, the oldest first. One statement.

    `sentences`: the asker may read them (`permissions.reads_statements`).
    """
    rows = Reply.objects.filter(result__game__in=game_ids, agrees=False).select_related("result", "said_by")
    found: dict[int, list[Reply]] = {}
    for row in rows.order_by("pk"):
        row.sentence = row.sentence if sentences else ""
        found.setdefault(row.result.game_id, []).append(row)
    return found


def forget_sentences_of(player_id: int) -> None:
    """Empty the sentences and reasons, which may name the player.

    The replies and decisions stay.
    """
    Reply.objects.filter(result__game__match__in=matches_of(player_id)).exclude(sentence="").update(sentence="")
    Result.objects.filter(game__match__in=matches_of(player_id)).exclude(reason="").update(reason="")


def reason_of(text: str) -> str:
    """Return the reason without extra spaces.

    Raises Refused `no-reason`, `long-reason`.
    """
    plain = " ".join(text.replace("\0", "").split())  # PostgreSQL takes no such byte
    if not plain:
        raise Refused("no-reason", _("Say why in a few words: both sides read it."))
    if len(plain) > LONGEST_REASON:
        raise Refused("long-reason", _("A reason has at most %(longest)d characters."), longest=LONGEST_REASON)
    return plain


def being_checked() -> Refused:
    return Refused("being-checked", _("A log of this game is being checked. Wait for its verdict."))


def _reply(result: Result, one: permissions.Actor, *, agrees: bool, at: datetime, sentence: str = "") -> None:
    last = Record.objects.filter(game=result.game_id).order_by(*IN_ORDER).last()
    reply = Reply(
        result=result,
        agrees=agrees,
        sentence=sentence,
        for_side=one.side,
        said_by_id=one.user_id,
        said_at=at,
        turn=last.turn,
        after=last.pk,
    )
    seal_reply(reply)
    reply.save(force_insert=True)


def _weigh(result: Result, match: Match, at: datetime) -> None:
    game = result.game
    weigh_anew(game, stays=is_official, confirmation_required=game.match.league.confirmation_required, at=at)
    results.settle(match, results.current(match))


def _open_result(result: Result, match: Match) -> Result:
    now = Result.objects.select_related("record", "game__match__league").get(pk=result.pk)
    if not now.current:
        raise Refused("no-result", _("Meanwhile something else was entered. Check the current result."))
    if is_official(now):
        raise _settled(now)
    if match.state == Match.State.DECIDED:
        raise _decided(now)
    return now


def _refuse_unless_under_review(result: Result) -> None:
    if not result.contested or result.record.withdrawn_at:
        raise Refused("not-under-review", _("This result is not under review any more. Look at it again."))


def _settled(result: Result) -> Refused:
    return Refused("already-official", _("The result of game %(code)s is confirmed already."), code=result.game.code)


def _decided(result: Result) -> Refused:
    return Refused("match-decided", _("This match is decided; game %(code)s is not played."), code=result.game.code)
