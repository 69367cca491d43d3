"""Check one record: its log or sheet, its hashes, today's verdict, and its result."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from league.errors import Refused
from league.matches.hash_chain import ROUND_LINE, broken_at, sha256
from league.matches.integrity.differences import Found, Gravity
from league.matches.integrity.reading import VERDICT, GameRows, MatchRows, StoredRecord, StoredResult, is_official
from league.matches.knowledge_level import known_by_log
from league.matches.log_text import as_one, read_header
from league.matches.logs.submission import judge_text
from league.matches.models import KnownBy, Record, Result, StoredVerdict
from league.matches.results.entries import plain, sheet_text
from league.matches.results.judging import judge_ruling_of, judge_sheet_of
from league.matches.results.services import GIVES_RESULT
from league.matches.rules import rules_agreed
from league.matches.seals import RecordFacts, ResultFacts, record_head, result_seal

EDITIONS = ("engine_edition", "ruleset_edition")


@dataclass(frozen=True, slots=True)
class JudgedAgain:
    """A record with today's verdict, None if it can't be judged."""

    row: StoredRecord
    now: StoredVerdict | None

    @property
    def edition_differs(self) -> bool:
        then = self.row.verdict
        return bool(then and self.now and any(then[name] != getattr(self.now, name) for name in EDITIONS))


def check_record(record: StoredRecord, before: str, game: GameRows, match: MatchRows) -> Iterator[Found]:
    """Find every difference of a record.

    `before`: the head of the record before it in the game.
    """
    row = f"record {record.pk}"
    content = record.text_sha256 if record.kind == KnownBy.LOG else record.sheet_sha256
    if content is None:
        yield row, "its log or sheet", "missing", record.upload_sha256, Gravity.ROW
    else:
        yield from _check_content(record)
    if record_head(before, _facts(record, game, match, content or "")) != record.head:
        yield row, "chain head", record.head, "that of its facts and of the record before it", Gravity.ROW
    yield from _check_sides(record, match)
    yield from _check_upload(record)
    if content is not None:
        yield from _check_verdict(record, game, match)


def _facts(record: StoredRecord, game: GameRows, match: MatchRows, content: str) -> RecordFacts:
    return RecordFacts(
        game_code=game.code,
        game_number=game.number,
        ruleset=match.ruleset,
        options=match.options,
        kind=record.kind,
        submitted_by=record.submitted_by,
        for_side=record.for_side,
        via=record.via,
        signed=record.signed,
        submitted_at=record.submitted_at,
        replaces=record.replaces,
        upload_sha256=record.upload_sha256,
        seats=record.seats,
        partners=record.partners,
        sides=record.sides,
        content=content,
        alone=record.alone,
    )


def _check_content(record: StoredRecord) -> Iterator[Found]:
    if record.kind == KnownBy.LOG and record.text is not None:
        found = sha256(record.text.encode())
        if found != record.text_sha256:
            yield f"sealed log of record {record.pk}", "SHA-256", record.text_sha256, found, Gravity.ROW
        if (place := broken_at(record.text, record.heads or [])) is not None:
            part = f"chain at round {place}" if place else "chain at the header"
            yield f"sealed log of record {record.pk}", part, "broken", "whole", Gravity.ROW
        return
    found = sha256(sheet_text(record.sheet).encode())
    if found != record.sheet_sha256:
        yield f"score sheet of record {record.pk}", "SHA-256", record.sheet_sha256, found, Gravity.ROW


def _check_sides(record: StoredRecord, match: MatchRows) -> Iterator[Found]:
    """Compare the players of the record with those of the fixture and of the log."""
    met = {number: match.today(codes) for number, codes in record.sides.items()}
    today = {number: match.today(codes) for number, codes in match.sides.items()}
    if met != today:
        yield f"match {match.pk}", f"sides, as record {record.pk} has them", today, met, Gravity.ROW
    if record.text is None:
        return
    first = ROUND_LINE.search(record.text)
    named = read_header(record.text[: first.start()] if first else record.text).seats
    for letter, side in record.seats.items():
        if named.get(letter) not in record.sides.get(str(side), []):
            yield f"record {record.pk}", f"seat {letter}", named.get(letter), record.sides.get(str(side)), Gravity.ROW


def _check_upload(record: StoredRecord) -> Iterator[Found]:
    if record.kind != KnownBy.LOG:
        return
    if record.upload is None:
        # An amendment or a ruling of a dispute enters the text that results; nobody has uploaded it.
        if record.via != Record.Via.DESK:
            yield f"record {record.pk}", "upload", "missing", record.upload_sha256, Gravity.ROW
        return
    if record.erased_at is not None and (record.raw or record.filename):
        yield f"upload of record {record.pk}", "erased", record.erased_at, "never: its bytes are there", Gravity.ROW
    raw = bytes(memoryview(record.raw or b""))  # of a number `bytes` makes as many zeros
    if record.erased_at is None and sha256(as_one(raw)) != record.upload_sha256:
        yield f"upload of record {record.pk}", "SHA-256", sha256(as_one(raw)), record.upload_sha256, Gravity.ROW


# --- Verdict and result ---


def _check_verdict(record: StoredRecord, game: GameRows, match: MatchRows) -> Iterator[Found]:
    row, then = f"verdict on record {record.pk}", record.verdict
    if then is None:
        if record.state == Record.State.VERIFIED:
            yield row, "row", "missing", "there", Gravity.ROW
        if record.result is not None:
            yield f"result {record.result.pk}", "verdict it rests on", "missing", "there", Gravity.ROW
        return
    if record.state != Record.State.VERIFIED:
        yield f"record {record.pk}", "state", record.state, Record.State.VERIFIED.value, Gravity.ROW
    now = judge_again(record, match)
    if now is None:
        yield row, "row", then["status"], "none: the sheet can't be read", Gravity.ROW
        return
    yield from _check_editions(row, then, now)
    judged = JudgedAgain(record, now)
    different = [name for name in VERDICT if name not in EDITIONS and not _same(then, now, name)]
    if judged.edition_differs:
        yield from _of_another_edition(judged, different)
    else:
        for name in different:
            yield row, name, then[name], getattr(now, name), Gravity.ROW
    yield from _check_result(record, then)


def _check_editions(row: str, then: Mapping[str, Any], now: StoredVerdict) -> Iterator[Found]:
    """Check that editions are between 1 and today's.

    An earlier engine may have found no ruleset.
    """
    earlier = then["engine_edition"] != now.engine_edition
    for name in EDITIONS:
        says, today = then[name], getattr(now, name)
        unknown = says is None and (today is None or earlier)
        if not unknown and not (says and today and 1 <= says <= today):
            yield row, name, says, f"1 to {today}" if today else "empty", Gravity.ROW


def judge_again(record: StoredRecord, match: MatchRows) -> StoredVerdict | None:
    """Return the verdict of today's edition without saving it.

    None for an unreadable sheet.
    """
    if record.kind == KnownBy.LOG:
        return judge_text(record.text or "")
    try:
        if record.kind == KnownBy.RULED or record.via == Record.Via.IMPORT:
            sheet = record.sheet
            judged = judge_ruling_of(len(match.sides), sheet["scores"], sheet["winner"], sheet.get("ended", ""))
        else:
            rules = rules_agreed(match.ruleset, match.options)
            if rules is None:
                return None
            judged = judge_sheet_of(rules, list(match.sides), record.sheet, record.kind)
    except (Refused, KeyError, TypeError, AttributeError, ValueError):
        return None
    return judged.verdict


def _same(then: Mapping[str, Any], now: StoredVerdict, name: str) -> bool:
    if name == "figures" and then[name] is None:  # still to be counted
        return True
    found = getattr(now, name)
    return bool(then[name] == found or then[name] == plain(found))


def _of_another_edition(judged: JudgedAgain, different: list[str]) -> Iterator[Found]:
    """Report the change by today's edition: of an official result, or the verdict."""
    record, now = judged.row, judged.now
    if not different or now is None or record.verdict is None:
        return
    result = record.result
    if result is not None and is_official(result):
        gives = record.kind != KnownBy.LOG or now.status in GIVES_RESULT
        should = outcome(record, _columns(now)) if gives else None
        stands = (dict(result.scores), result.winner)
        if should is None or should != stands:
            yield f"result {result.pk}", "score", stands, should or f"none ({now.status})", Gravity.OFFICIAL
            return
    names = ", ".join(different)
    yield f"verdict on record {record.pk}", names, record.verdict["status"], now.status, Gravity.EDITION


def _columns(verdict: StoredVerdict) -> dict[str, Any]:
    return {name: getattr(verdict, name) for name in VERDICT}


def outcome(record: StoredRecord, verdict: Mapping[str, Any]) -> tuple[dict[str, int], int | None] | None:
    """Return points by side and the side that won; None if the seats don't fit."""
    try:
        scores = {str(record.seats[seat]): points for seat, points in verdict["scores"].items()}
        return scores, record.seats[verdict["winner"]] if verdict["winner"] else None
    except KeyError:
        return None


def _check_result(record: StoredRecord, verdict: Mapping[str, Any]) -> Iterator[Found]:
    result, is_log = record.result, record.kind == KnownBy.LOG
    gives = not is_log or verdict["status"] in GIVES_RESULT
    if result is None:
        if gives and not record.too_late:
            yield f"result of record {record.pk}", "row", "missing", outcome(record, verdict), Gravity.ROW
        return
    row = f"result {result.pk}"
    if not gives:
        yield row, "row", "there", f"none ({verdict['status']})", Gravity.ROW
        return
    should = outcome(record, verdict)
    scores, winner = should or ({}, None)
    for what, says, follows in (
        ("game", result.game, record.game),
        ("scores", dict(result.scores), scores),
        ("winner", result.winner, winner),
        ("ended by", result.ended, verdict["ended"]),
        ("entered", result.entered_at, _entered(record, result)),
        ("known by", result.known_by, _known_by(record, verdict)),
    ):
        if says != follows:
            yield row, what, says, follows, Gravity.ROW
    if result.seal != _seal(record):
        yield row, "seal", result.seal, _seal(record), Gravity.ROW


def _entered(record: StoredRecord, result: StoredResult) -> datetime:
    """Return the expected time of entry: that of the record.

    A log may be submitted again; the time of its last submission is stored in no other row, so any later time is right.
    """
    again = record.kind == KnownBy.LOG and record.turn > 0 and result.entered_at > record.submitted_at
    return result.entered_at if again else record.submitted_at


def _known_by(record: StoredRecord, verdict: Mapping[str, Any]) -> str:
    if record.kind == KnownBy.LOG:
        return known_by_log(StoredVerdict(findings=verdict["findings"])).value
    return record.kind if verdict["status"] != StoredVerdict.Status.VIOLATION else KnownBy.SCORE.value


def _seal(record: StoredRecord) -> str:
    """Return the seal of a result that is official, or was before an amendment."""
    result = record.result
    if result is None or result.state == Result.State.PROVISIONAL:
        return ""
    return result_seal(
        ResultFacts(
            record.head,
            result.scores,
            result.winner,
            result.ended,
            result.known_by,
            result.confirmed_how,
            result.confirmed_by,
            result.confirmed_at,
            result.decided,
        )
    )
