"""Submission of logs: schedule, submit, verify, confirm.

Each is one transaction that locks the match first. Acts on a game's clock are in clock/services.py.
"""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth.models import AnonymousUser
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from games.rulesets import RULESETS
from league.accounts.codes import new_code
from league.accounts.models import League
from league.accounts.permissions import Asker
from league.celery import send
from league.errors import Refused
from league.matches import permissions
from league.matches.clock import services as timekeeping
from league.matches.hash_chain import heads, sha256
from league.matches.locks import locked_match, refuse_reopened
from league.matches.log_text import as_one, decode, read_header
from league.matches.logs.fixture_check import accept
from league.matches.logs.statements import NEW_SEALED, NEW_UPLOAD, OFFICIAL, RECORDS, RESULT_NOW, SAME_TEXT
from league.matches.models import (
    IN_ORDER,
    Game,
    KnownBy,
    Match,
    Record,
    Result,
    SealedLog,
    Side,
    StoredVerdict,
    Table,
    Upload,
    log_unchecked,
)
from league.matches.results import second_side
from league.matches.results import services as results
from league.matches.results.reviews import being_checked
from league.matches.results.services import DUE, Due
from league.matches.seals import seal_record
from league.matches.visibility import matches_of
from league.players.models import Entrant
from league.prepared_statements import FixedInsert, FixedSelect, FixedUpdate, Given
from referee import EDITION
from referee.figures import as_plain, verify_and_count

log = logging.getLogger(__name__)

# Rows of one statement: SQLite limits the number of parameters.
BATCH = 500


@dataclass(frozen=True, slots=True)
class Submission:
    """Result of a submission.

    `created` is False if the same bytes were submitted for this game before. `restored`: it was an earlier log, which
    counts again, or will once it is checked. `no_result`: the status of a verdict without a result.
    """

    record: Record
    created: bool
    restored: bool = False
    no_result: str = ""


@dataclass(frozen=True, slots=True)
class Identity:
    """Key and codes of an earlier match, so that its printed card and its address stay valid."""

    match: int
    door: str
    codes: Sequence[str]

    def code(self, game: int) -> str:
        """Return the code of game `game`, from 1; a new one if the earlier match had fewer games."""
        return self.codes[game - 1] if game <= len(self.codes) else new_code()


@dataclass(frozen=True, slots=True, kw_only=True)
class Fixture:
    """The terms of a match before it is played."""

    league: League
    entrants: Sequence[Entrant]
    ruleset: str
    options: Mapping[str, object]
    best_of: int = 1
    table: Table | None = None
    starts_at: datetime | None = None
    published_at: datetime | None = None
    level: KnownBy = KnownBy.SCORE
    # Of a pair: which partner, 1 or 2, plays the first game.
    opener: int = 1
    identity: Identity | None = None


def schedule_match(fixture: Fixture) -> Match:
    """Create a match with its sides, in order, and all its possible games.

    The games exist from the start so that their codes can be printed.
    """
    return schedule_matches([fixture])[0]


@transaction.atomic
def schedule_matches(fixtures: Sequence[Fixture]) -> list[Match]:
    """Create the matches of a whole draw, in order, with as few statements as for one."""
    matches = Match.objects.bulk_create([_match(fixture) for fixture in fixtures], batch_size=BATCH)
    both = list(zip(matches, fixtures, strict=True))
    sides = [
        Side(match=match, number=number, entrant=entrant, opener=fixture.opener if entrant.is_pair else 1)
        for match, fixture in both
        for number, entrant in enumerate(fixture.entrants, start=1)
    ]
    games = [
        Game(match=match, number=number, code=one.identity.code(number) if one.identity else new_code())
        for match, one in both
        for number in range(1, one.best_of + 1)
    ]
    Side.objects.bulk_create(sides, batch_size=BATCH)
    Game.objects.bulk_create(games, batch_size=BATCH)
    return matches


def _match(fixture: Fixture) -> Match:
    return Match(
        league=fixture.league,
        ruleset=fixture.ruleset,
        options=dict(fixture.options),
        best_of=fixture.best_of,
        table=fixture.table,
        starts_at=fixture.starts_at,
        published_at=fixture.published_at,
        level=fixture.level,
        **({"pk": fixture.identity.match, "door": fixture.identity.door} if fixture.identity else {}),
    )


# --- Submission ---


def game_named_in(raw: bytes) -> str | None:
    """Return the code in the log's `[Game "…"]` tag in upper case.

    None if it has none. Raises Refused for a file that is not text.
    """
    return read_header(decode(raw)).tags.get("Game", "").strip().upper() or None


def submit_log(
    *, game: Game, user: permissions.Visitor, raw: bytes, filename: str = "", at: datetime | None = None
) -> Submission:
    """Store a log of `game` and queue its verification.

    The same bytes again from the same side, or from the league's staff, give the same record: the latest log has no
    further effect, an earlier one counts for them again. From another side they are an entry of that side. Of a guest
    it is the word of that side alone.

    Raises Refused (nothing is stored): see `permissions.why_not_submit`, `log_text.decode`, `fixture_check.accept`;
    `already-official`, `match-decided`; `needs-proof` (results/second_side.py).
    """
    one = _submitter(user, game)
    digest = sha256(as_one(raw))
    # A text that the other side has submitted is a log of this game, even if a name in it was erased since.
    known_text = next(iter(SAME_TEXT.models(game=game.pk, digest=digest)), None)
    accepted = (
        None if known_text else accept(game, raw, AnonymousUser() if isinstance(user, permissions.Guest) else user)
    )
    with transaction.atomic():
        match = locked_match(game.match_id)
        records = RECORDS.models(game=game.pk)
        same = (record for record in records if record.upload_sha256 == digest and record.for_side == one.side)
        if known := min(same, key=lambda record: record.pk, default=None):  # another request may have held the lock
            return _handed_in_again(game, known, match, at or timezone.now())
        refuse_reopened(game.match, match)
        _refuse_if_settled(game, match)
        second_side.check_log(user, game)
        before = records[-1] if records else None
        text = accepted.sealed if accepted else known_text.sealed.text
        record = Record(
            game=game,
            submitted_by_id=one.user_id,
            for_side=one.side,
            alone=one.decides_alone,
            via=Record.Via.TABLE if one.guest else Record.Via.ACCOUNT,
            device=one.device,
            submitted_at=at or timezone.now(),
            replaces=before,
            upload_sha256=digest,
            seats=dict((accepted or known_text).seats),
            partners=dict((accepted or known_text).partners),
            turn=before.turn if before else 0,
        )
        content = sha256(text.encode())
        seal_record(record, content, is_first=before is None)
        record.save(force_insert=True)
        NEW_SEALED.run(SealedLog(record_id=record.pk, text=text, sha256=content, heads=heads(text)))
        erased_at = known_text.upload.erased_at if known_text else None
        kept = {"raw": b"", "erased_at": erased_at} if erased_at else {"raw": raw, "filename": _plain(filename)}
        NEW_UPLOAD.run(Upload(record_id=record.pk, **kept))
        transaction.on_commit(lambda: queue_verification(record.pk))
    return Submission(record, created=True)


def _handed_in_again(game: Game, record: Record, match: Match, at: datetime) -> Submission:
    """Move an earlier log after the later ones of its side, while the game is open."""
    verdict = getattr(record, "verdict", None)
    if verdict and verdict.status not in results.GIVES_RESULT:
        return Submission(record, created=False, no_result=verdict.status)
    later = Record.objects.filter(game=game, for_side=record.for_side).order_by(*IN_ORDER).last()
    counts = Result.objects.filter(record=record, current=True).exclude(log_unchecked()).exists()
    if later.pk == record.pk or counts or _why_settled(game, match):
        return Submission(record, created=False)
    record.turn = _latest(game.pk).turn + 1
    Record.objects.filter(pk=record.pk).update(turn=record.turn)
    if verdict:
        results.enter(_due(record.pk), verdict, match, at=at)
    return Submission(record, created=False, restored=True)


def _latest(game_id: int) -> Record | None:
    return Record.objects.filter(game=game_id).order_by(*IN_ORDER).last()


def check_may_submit(user: Asker, game: Game) -> None:
    """Raise the refusals of `submit_log` that do not depend on the log, for the form."""
    _submitter(user, game)
    _refuse_if_settled(game, game.match)


def _submitter(user: permissions.Visitor, game: Game) -> permissions.Actor:
    one = permissions.actor(user, game.match)
    if refusal := permissions.why_not_submit(one):
        raise refusal
    return one


def _refuse_if_settled(game: Game, match: Match) -> None:
    if refusal := _why_settled(game, match):
        raise refusal


def _why_settled(game: Game, match: Match) -> Refused | None:
    if OFFICIAL.rows(game=game.pk):
        return Refused(
            "already-official",
            _("The result of game %(code)s is confirmed; its log is closed."),
            code=game.code,
        )
    if match.state == Match.State.DECIDED:
        return _decided(game)
    return None


def _decided(game: Game) -> Refused:
    return Refused("match-decided", _("This match is decided; game %(code)s is not played."), code=game.code)


def _plain(filename: str) -> str:
    return "".join(letter for letter in filename if letter.isprintable())[:200]


def queue_verification(record_id: int) -> None:
    send("matches.verify_record", record_id)


# --- Verification ---

DUE_ROW = FixedSelect(lambda: Record.objects.filter(pk=Given("record")).order_by().values_list(*DUE))
NOW_VERIFIED = FixedUpdate(
    lambda: Record.objects.filter(pk=Given("record"), state=Record.State.RECEIVED), state=Record.State.VERIFIED
)
NEW_VERDICT = FixedInsert(StoredVerdict)


def verify_record(record_id: int) -> None:
    """Verify a record: replay its sealed log, and store verdict and result.

    The state of the match is stored as well. One transaction, safe to run twice and by two workers at once. At most 12
    statements. Raises Record.DoesNotExist.
    """
    due = _due(record_id)
    if due.state == Record.State.VERIFIED:
        return
    verdict = judge(due)  # outside the transaction: a replay must not hold the lock
    with transaction.atomic():
        match = locked_match(due.match_id)
        if not NOW_VERIFIED.run(record=record_id):
            return
        NEW_VERDICT.run(verdict)
        if verdict.status in results.GIVES_RESULT:
            results.enter(due, verdict, match, at=due.submitted_at)
        else:
            results.weigh_without(due, match, at=due.submitted_at)


def _due(record_id: int) -> Due:
    return Due(*DUE_ROW.get(record=record_id))


def judge(due: Due) -> StoredVerdict:
    """Return the verdict on a sealed log, not saved. Pure except for `verified_at`."""
    verdict = judge_text(due.text)
    verdict.record_id = due.record_id
    return verdict


def judge_text(text: str) -> StoredVerdict:
    """Return the verdict on a log without a record, not saved."""
    verdict, figures = verify_and_count(text)
    found = verdict.as_json(plays=False, stored=True)
    rules = RULESETS.get(found.get("ruleset", ""))
    return StoredVerdict(
        status=found["status"],
        evidence=found.get("evidence", ""),
        scores=found.get("scores", {}),
        winner=found.get("winner") or "",
        ended=found.get("ended") or "",
        rounds=found.get("rounds", []),
        findings=found["findings"],
        rulings=found.get("rulings", []),
        chips=found.get("chips"),
        points_on_word=found.get("points_on_word", 0),
        figures=as_plain(figures) if found["status"] in results.GIVES_RESULT else {},
        engine_edition=EDITION,
        ruleset_edition=rules.edition if rules else None,
        verified_at=timezone.now(),
    )


# --- Official results ---


def confirm_result(*, result: Result, user: permissions.Visitor, at: datetime | None = None) -> Result:
    """Make a provisional result official.

    An official result is refused, so that of two people only one believes to have confirmed it.

    Raises Refused: `no-result` (it was replaced meanwhile), `already-official`, `being-checked` (a log may contradict
    it), `needs-proof` (results/second_side.py), and those of `permissions.why_not_confirm`.
    """
    one = permissions.actor(user, result.game.match)
    with transaction.atomic():
        match = locked_match(result.game.match_id)
        now, waits = _result_now(result.pk)
        if refusal := permissions.why_not_confirm(one, now):
            raise refusal
        if not now.current:
            raise Refused("no-result", _("A newer log has replaced this result. Look at the new one first."))
        if now.state == Result.State.OFFICIAL:
            raise Refused(
                "already-official",
                _("The result of game %(code)s is confirmed already."),
                code=result.game.code,
            )
        if match.state == Match.State.DECIDED:
            raise _decided(result.game)
        second_side.check_proof(user, match.pk)
        second_side.check_word(one, now)
        now.one_device = second_side.one_device(user, now)
        if waits:
            raise being_checked()
        results.make_official(now, how=permissions.how(user, now.record), by=one.user_id, at=at or timezone.now())
        results.settle(match, results.current(match))
        timekeeping.stop_at_result(result.game_id, timezone.now())
    return now


def _result_now(result_id: int) -> tuple[Result, bool]:
    """Return a result, and whether a log of its game waits for its verdict."""
    now = RESULT_NOW.model(result=result_id)
    return now, now.waits


# --- Privacy ---


def erase_uploads_of(player_id: int) -> int:
    """Erase the raw uploads of a player's games, which may contain names. How many.

    The sealed logs and their hashes are kept.
    """
    uploads = Upload.objects.filter(record__game__match__in=matches_of(player_id), erased_at__isnull=True)
    return Upload.objects.filter(pk__in=uploads.values("pk")).update(raw=b"", filename="", erased_at=timezone.now())
