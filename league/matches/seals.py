"""Hash chain of records and replies, and seals of official results.

Pure but for the queries at the end. Each record of a game has a `head`, SHA-256(head of the record before it in the
game || its own line): a changed, removed or inserted record breaks the chain. The line holds the facts of the record,
its game and its players, and the SHA-256 of the log or sheet. Each official result has a `seal`, SHA-256 of the head of
its record and of the confirmation: score, person and time.

An attacker who redoes all hashes is found only by a witness outside of the database.
"""

import json
from collections.abc import Collection, Mapping
from datetime import UTC, datetime
from typing import Any, NamedTuple

from league.matches.hash_chain import sha256
from league.matches.models import Game, NamedJudge, Record, Reply, Result, Side
from league.prepared_statements import FixedSelects

AT_ONCE = 500
CODES = ("entrant__player__code", "entrant__partner__code")

Sides = Mapping[str, list[str]]
"""The codes of the players at submission by side number, the first partner first."""


class RecordFacts(NamedTuple):
    """The facts in the head of a record.

    `content`: the SHA-256 of its sealed log or score sheet.
    """

    game_code: str
    game_number: int
    ruleset: str
    options: Mapping[str, Any]
    kind: str
    submitted_by: int | None
    for_side: int | None
    via: str
    signed: bool
    submitted_at: datetime
    replaces: int | None
    upload_sha256: str
    seats: Mapping[str, int]
    partners: Mapping[str, str]
    sides: Sides
    content: str
    alone: bool = False


class ReplyFacts(NamedTuple):
    """The facts in the head of a reply, beside the head of the reply before it.

    `record_head`: of its record. The sentence is left out: it may name somebody, so it can be emptied.
    """

    record_head: str
    agrees: bool
    for_side: int | None
    said_by: int | None
    said_at: datetime
    turn: int
    after: int


class ResultFacts(NamedTuple):
    """The facts in the seal of an official result. `head`: of its record."""

    head: str
    scores: Mapping[str, int]
    winner: int | None
    ended: str
    known_by: str
    confirmed_how: str
    confirmed_by: int | None
    confirmed_at: datetime | None
    decided: bool


class JudgeFacts(NamedTuple):
    """The facts in the head of a named judge. `player`: the code at that time."""

    match: int
    player: str
    named_by: int
    named_at: datetime
    accepted: Mapping[str, str]


def record_head(before: str, facts: RecordFacts) -> str:
    """Compute the head of a record.

    `before`: the head of the record before it, empty for the first.
    """
    line = facts._replace(kind=str(facts.kind), via=str(facts.via))
    return sha256(before.encode() + _text(line))


def reply_head(before: str, facts: ReplyFacts) -> str:
    """Compute the head of a reply.

    `before`: the head of the reply before it, empty for the first.
    """
    return sha256(before.encode() + _text(facts))


def judge_head(facts: JudgeFacts) -> str:
    return sha256(_text(facts))


def result_seal(facts: ResultFacts) -> str:
    line = facts._replace(known_by=str(facts.known_by), confirmed_how=str(facts.confirmed_how))
    return sha256(_text(line))


def _text(line: tuple[object, ...]) -> bytes:
    return json.dumps(line, sort_keys=True, separators=(",", ":"), ensure_ascii=False, default=_hour).encode()


def _hour(at: datetime) -> str:
    """Write a time the same way on every database: UTC, in microseconds."""
    return at.astimezone(UTC).isoformat(timespec="microseconds")


# --- Rows ---


def seal_record(record: Record, content: str, *, is_first: bool) -> None:
    """Set sides and head of a record before it is stored.

    The caller holds the lock of the match.
    """
    record.sides = sides_of(record.game.match_id)
    before = "" if is_first else Record.objects.filter(game=record.game_id).order_by("pk").values_list("head").last()[0]
    record.head = record_head(before, facts_of_record(record, record.game, content))


def seal_reply(reply: Reply) -> None:
    """Set the head of a reply before it is stored.

    The caller holds the lock of the match.
    """
    last = Reply.objects.filter(result__game=reply.result.game_id).order_by("pk").values_list("head", flat=True).last()
    record = reply.result.record
    said = (reply.agrees, reply.for_side, reply.said_by_id, reply.said_at, reply.turn, reply.after)
    reply.head = reply_head(last or "", ReplyFacts(record.head, *said))


def seal_judge(judge: NamedJudge) -> None:
    """Set the head of a judge before it is stored.

    The caller holds the lock of the match.
    """
    said = (judge.player.code, judge.named_by_id, judge.named_at, judge.accepted)
    judge.head = judge_head(JudgeFacts(judge.match_id, *said))


def sides_of(match_id: int) -> dict[str, list[str]]:
    return sides_of_matches([match_id]).get(match_id, {})


def sides_of_matches(match_ids: Collection[int]) -> dict[int, dict[str, list[str]]]:
    """Return the codes of the players by match and side.

    One statement for each 500 matches.
    """
    found: dict[int, dict[str, list[str]]] = {}
    ids = sorted(match_ids)
    for start in range(0, len(ids), AT_ONCE):
        for match, number, *both in SIDE_CODES.rows(ids[start : start + AT_ONCE]):
            found.setdefault(match, {})[str(number)] = [code for code in both if code]
    return found


SIDE_CODES = FixedSelects(
    lambda matches: (
        Side.objects.filter(match__in=matches).order_by("match", "number").values_list("match", "number", *CODES)
    )
)


def facts_of_record(record: Record, game: Game, content: str) -> RecordFacts:
    return RecordFacts(
        game_code=game.code,
        game_number=game.number,
        ruleset=game.match.ruleset,
        options=game.match.options,
        kind=record.kind,
        submitted_by=record.submitted_by_id,
        for_side=record.for_side,
        via=record.via,
        signed=record.signed,
        submitted_at=record.submitted_at,
        replaces=record.replaces_id,
        upload_sha256=record.upload_sha256,
        seats=record.seats,
        partners=record.partners,
        sides=record.sides,
        content=content,
        alone=record.alone,
    )


def seal_of(result: Result, head: str) -> str:
    """Compute the seal of a result before it is stored; empty unless it is official."""
    if result.state != Result.State.OFFICIAL:
        return ""
    return result_seal(
        ResultFacts(
            head=head,
            scores=result.scores,
            winner=result.winner,
            ended=result.ended,
            known_by=result.known_by,
            confirmed_how=result.confirmed_how,
            confirmed_by=result.confirmed_by_id,
            confirmed_at=result.confirmed_at,
            decided=result.decided,
        )
    )
