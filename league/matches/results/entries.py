"""Entries: a new entry about one game, and the rows that keep it for ever."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from league.matches import permissions
from league.matches.hash_chain import heads, sha256
from league.matches.knowledge_level import known_by_log
from league.matches.models import Game, KnownBy, Record, Result, ScoreSheet, SealedLog
from league.matches.results.judging import JudgedSheet
from league.matches.seals import seal_record


@dataclass(frozen=True, slots=True, kw_only=True)
class Saying:
    """A new entry.

    `data` of a log: `{"log": "…"}` as it is sealed. A log is entered this way only to amend an official result, else by
    `submission.submit_log`.
    """

    game: Game
    one: permissions.Actor
    kind: KnownBy
    judged: JudgedSheet
    data: Mapping[str, Any]
    at: datetime
    signed: bool = False
    reason: str = ""

    @property
    def mine(self) -> dict[str, object]:
        """Filter for records of the same source."""
        if self.one.plays:
            return {"for_side": self.one.side}
        return {"for_side": None, "submitted_by": self.one.user_id}

    @property
    def via(self) -> Record.Via:
        if self.one.guest:
            return Record.Via.TABLE
        return Record.Via.ACCOUNT if self.one.plays or self.kind == KnownBy.RULED else Record.Via.DESK


def store(said: Saying) -> Result:
    """Store the record with its parts, and a result that is not current yet.

    The caller holds the lock of the match.
    """
    before = Record.objects.filter(game=said.game).order_by("turn", "pk").last()
    data = plain(said.data)
    text = sheet_text(data)
    who = f"{said.one.side or ''}/{said.one.user_id or ''}"
    count = Record.objects.filter(game=said.game).count()
    content = sha256((data["log"] if said.kind == KnownBy.LOG else text).encode())
    record = Record(
        game=said.game,
        kind=said.kind,
        submitted_by_id=said.one.user_id,
        for_side=said.one.side,
        alone=said.one.decides_alone,
        via=said.via,
        device=said.one.device,
        signed=said.signed,
        reason=said.reason,
        submitted_at=said.at,
        replaces=before,
        state=Record.State.VERIFIED,
        upload_sha256=sha256(f"{said.kind} {who} {count} {text}".encode()),
        seats=said.judged.seats,
        partners=dict(said.judged.partners),
        turn=before.turn if before else 0,
    )
    seal_record(record, content, is_first=before is None)
    record.save(force_insert=True)
    if said.kind == KnownBy.LOG:
        SealedLog.objects.create(record=record, text=data["log"], sha256=content, heads=heads(data["log"]))
    else:
        ScoreSheet.objects.create(record=record, data=data, sha256=content)
    verdict = said.judged.verdict
    verdict.record, verdict.verified_at = record, said.at
    verdict.save(force_insert=True)
    return Result.objects.create(
        game=said.game,
        record=record,
        scores=said.judged.scores,
        winner=said.judged.winner,
        ended=verdict.ended,
        known_by=_known_by(said),
        needs_decision=not said.judged.sound,
        current=False,
        entered_at=said.at,
    )


def sheet_text(data: Any) -> str:
    """Return the text of a score sheet that its SHA-256 covers."""
    return json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def _known_by(said: Saying) -> str:
    if said.kind == KnownBy.LOG:
        return known_by_log(said.judged.verdict)
    return said.kind if said.judged.sound else KnownBy.SCORE


def plain(data: object) -> Any:
    """Convert data into the form in which the database returns it."""
    return json.loads(json.dumps(data))
