"""Check the current result of a game: replies, reviews, judges, amendments."""

from collections.abc import Iterator, Mapping
from typing import Any

from league.errors import Refused
from league.matches.amendments import judge
from league.matches.integrity.differences import Found, Gravity
from league.matches.integrity.reading import (
    AmendmentRow,
    GameRows,
    MatchRows,
    StoredRecord,
    StoredResult,
    is_official,
    results_of,
)
from league.matches.models import Amendment, Game, KnownBy, Match, Record, Result
from league.matches.results.standing import review_of
from league.matches.seals import JudgeFacts, ReplyFacts, judge_head, reply_head
from league.players.models import PlayerMerge


def check_replies(game: GameRows) -> Iterator[Found]:
    heads = {one.result.pk: one.head for one in game.records if one.result}
    before = ""
    for one in game.replies:
        facts: list[Any]
        _pk, result, head, *facts = one
        if reply_head(before, ReplyFacts(heads.get(result, ""), *facts)) != head:
            yield f"reply {one.pk}", "chain head", head, "that of its facts and of the reply before it", Gravity.ROW
        before = head


def check_judge(match: MatchRows) -> Iterator[Found]:
    """Check the judge named for a match whose officials all play in it."""
    one = match.judge
    if one is None:
        return
    facts = JudgeFacts(match.pk, one.player, one.named_by, one.named_at, one.accepted)
    if all(judge_head(facts._replace(player=code)) != one.head for code in codes_ever_of(one.player)):
        yield f"judge {one.pk}", "chain head", one.head, "that of its facts", Gravity.ROW


def codes_ever_of(code: str) -> Iterator[str]:
    """Yield the code, then those of all players ever merged with its player.

    One statement, if more than the first is read.
    """
    yield code
    codes, pairs = {code}, list(PlayerMerge.objects.values_list("kept__code", "absorbed__code"))
    while more := [one for pair in pairs if codes & {*pair} for one in pair if one not in codes]:
        codes.update(more)
        yield from more


def check_review(game: GameRows) -> Iterator[Found]:
    """Check the current entry of a game, and which entries wait for a decision."""
    results = results_of(game)
    standing = next((one for one in results if one.current), None)
    imported = all(one.via == Record.Via.IMPORT for one in game.records)
    if standing is None or imported or is_official(standing):
        yield from _without_review(results, standing)
        return
    found = review_of(Game.objects.select_related("match").get(pk=game.pk))
    if found is None:
        return
    for one in results:
        for what, says, keys in (
            ("counts", one.current, {found.current}),
            ("contested", one.contested, found.contested),
            ("needs a decision", one.needs_decision and one.current, found.open & {found.current}),
        ):
            if says != (one.pk in keys):
                yield f"result {one.pk}", what, says, not says, Gravity.ROW


def _without_review(results: list[StoredResult], standing: StoredResult | None) -> Iterator[Found]:
    """Check the marks of a game whose official result waits for no decision."""
    if standing is not None and is_official(standing) and standing.needs_decision:
        yield f"result {standing.pk}", "needs a decision", True, False, Gravity.ROW
    marked = [one for one in results if one.contested]
    others = [one for one in marked if standing is not None and _outcome(one) != _outcome(standing)]
    if marked and not (standing is not None and standing.contested and others):
        for one in marked:
            yield f"result {one.pk}", "contested", True, False, Gravity.ROW


def _outcome(one: StoredResult) -> tuple[dict[str, int], int | None]:
    return dict(one.scores), one.winner


# --- Amendments ---


def check_amendments(game: GameRows, match: MatchRows) -> Iterator[Found]:
    records = {one.result.pk: one for one in game.records if one.result}
    for one in game.amendments:
        row = f"amendment {one.pk}"
        if one.old not in records or (one.new is not None and one.new not in records):
            yield row, "results", (one.old, one.new), "of its game", Gravity.ROW
        elif one.new is not None:
            yield from _check_confirmed(row, one, records[one.new])
        elif one.state == Amendment.State.PROPOSED:
            yield from _check_proposed(row, one, match)


def _check_confirmed(row: str, one: AmendmentRow, record: StoredRecord) -> Iterator[Found]:
    new = record.result
    if new is None:
        return
    for what, says, should in (
        ("scores and winner", (dict(one.scores), one.winner), _outcome(new)),
        ("kind", one.kind, record.kind),
        ("what it says", _content(one.kind, one.data), record.text if record.kind == KnownBy.LOG else record.sheet),
        ("proposed by", one.proposed_by, record.submitted_by),
        ("closed by", one.closed_by, new.confirmed_by),
        ("closed", one.closed_at, new.confirmed_at),
    ):
        if says != should:
            yield row, what, says, should, Gravity.ROW


def _content(kind: str, data: Mapping[str, Any]) -> Any:
    return data.get("log") if kind == KnownBy.LOG else data


def _check_proposed(row: str, one: AmendmentRow, match: MatchRows) -> Iterator[Found]:
    says = dict(one.scores), one.winner
    try:
        judged = judge(Match.objects.get(pk=match.pk), one.kind, one.data)
        should: object = (dict(judged.scores), judged.winner)
    except Refused as refusal:
        should = f"none ({refusal.code})"
    if says != should:
        yield row, "scores and winner", says, should, Gravity.ROW


def check_states(game: GameRows, match: MatchRows) -> Iterator[Found]:
    """Check that a game with entries has one current result, not a withdrawn one."""
    standing = [one for one in results_of(game) if one.current]
    live = [one.result for one in game.records if one.result is not None and one.withdrawn_at is None]
    waiting = any(one.state == Result.State.AMENDED for one in live)
    if not match.is_void and live and not standing and not waiting:
        yield f"game {game.code}", "result that stands", "none", f"result {live[-1].pk}", Gravity.ROW
    for record in game.records:
        result = record.result
        if result is None:
            continue
        if result.current and (record.withdrawn_at is not None or match.is_void):
            yield f"result {result.pk}", "counts", True, False, Gravity.ROW
        amended = any(one.old == result.pk and one.new is not None for one in game.amendments)
        if result.state == Result.State.AMENDED and not amended and not match.is_void:
            yield f"result {result.pk}", "state", result.state, Result.State.OFFICIAL.value, Gravity.ROW
        amends = any(one.new == result.pk for one in game.amendments)
        if (result.confirmed_how == Result.Confirmation.AMENDED) != amends:
            yield f"result {result.pk}", "confirmed how", result.confirmed_how, "amended", Gravity.ROW
