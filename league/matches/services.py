"""The verbs of matches: schedule, submit, verify, confirm. Each is one transaction that locks the match first."""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from games.rulesets import RULESETS
from league.accounts.models import League
from league.errors import Refused
from league.matches import permissions
from league.matches.chain import heads, sha256
from league.matches.deciding import GameOutcome, official_standing, provisional_standing
from league.matches.door import accept
from league.matches.envelope import decode, read_header
from league.matches.models import (
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
)
from league.matches.signals import match_decided
from league.players.models import Entrant
from referee import EDITION, verify_text

log = logging.getLogger(__name__)

# What each verdict makes of the game (DESIGN.md 4.8); the others keep the log and give no result.
GIVES_RESULT = frozenset(
    {StoredVerdict.Status.VERIFIED, StoredVerdict.Status.CORRECTED, StoredVerdict.Status.VIOLATION}
)


@dataclass(frozen=True, slots=True)
class Submission:
    """`created` is False where the same bytes had been handed in for this game before."""

    record: Record
    created: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Fixture:
    """What is agreed about a match before it is played."""

    league: League
    entrants: Sequence[Entrant]
    ruleset: str
    options: Mapping[str, object]
    best_of: int = 1
    table: Table | None = None
    starts_at: datetime | None = None
    published_at: datetime | None = None


@transaction.atomic
def schedule_match(fixture: Fixture) -> Match:
    """The match with its sides in the order given and all the games it may take, so that their codes can be printed."""
    match = Match.objects.create(
        league=fixture.league,
        ruleset=fixture.ruleset,
        options=dict(fixture.options),
        best_of=fixture.best_of,
        table=fixture.table,
        starts_at=fixture.starts_at,
        published_at=fixture.published_at,
    )
    Side.objects.bulk_create(
        Side(match=match, number=number, entrant=entrant) for number, entrant in enumerate(fixture.entrants, start=1)
    )
    Game.objects.bulk_create(Game(match=match, number=number) for number in range(1, fixture.best_of + 1))
    return match


# --- A log comes in ---


def game_named_in(raw: bytes) -> str | None:
    """The code in the log's `[Game "…"]` tag, upper case; None where it has none. Raises Refused for what is no
    text.
    """
    return read_header(decode(raw)).tags.get("Game", "").strip().upper() or None


def submit_log(
    *, game: Game, user: permissions.Asker, raw: bytes, filename: str = "", at: datetime | None = None
) -> Submission:
    """Keep a log of `game` and have it verified. The same bytes again give the same record and have no further
    effect.

    Raises Refused (nothing is stored): see `permissions.why_not_submit`, `envelope.decode`, `door.accept`;
    `already-official` and `match-decided`.
    """
    one = _submitter(user, game)
    digest = sha256(raw)
    same = Record.objects.filter(game=game, upload_sha256=digest)
    if known := same.first():
        return Submission(known, created=False)
    accepted = accept(game, raw, user)
    with transaction.atomic():
        match = _locked(game.match_id)
        if known := same.first():  # by somebody who held the lock before
            return Submission(known, created=False)
        _refuse_if_settled(game, match)
        record = Record.objects.create(
            game=game,
            submitted_by_id=one.user_id,
            for_side=one.side,
            submitted_at=at or timezone.now(),
            replaces=Record.objects.filter(game=game).order_by("-pk").first(),
            upload_sha256=digest,
            seats=dict(accepted.seats),
        )
        SealedLog.objects.create(
            record=record,
            text=accepted.sealed,
            sha256=sha256(accepted.sealed.encode()),
            heads=heads(accepted.sealed),
        )
        Upload.objects.create(record=record, filename=_plain(filename), raw=raw)
        transaction.on_commit(lambda: queue_verification(record.pk))
    return Submission(record, created=True)


def check_may_submit(user: permissions.Asker, game: Game) -> None:
    """Raise what `submit_log` would, whatever the log: for the page with the form."""
    _submitter(user, game)
    _refuse_if_settled(game, game.match)


def _submitter(user: permissions.Asker, game: Game) -> permissions.Actor:
    one = permissions.actor(user, game.match)
    if refusal := permissions.why_not_submit(one):
        raise refusal
    return one


def _refuse_if_settled(game: Game, match: Match) -> None:
    if Result.objects.filter(game=game, current=True, state=Result.State.OFFICIAL).exists():
        raise Refused(
            "already-official",
            _("The result of game %(code)s is official; its log is closed."),
            code=game.code,
        )
    if match.state == Match.State.DECIDED:
        raise Refused("match-decided", _("This match is decided; game %(code)s is not played."), code=game.code)


def _plain(filename: str) -> str:
    return "".join(letter for letter in filename if letter.isprintable())[:200]


def queue_verification(record_id: int) -> None:
    """A hint to the workers. A broker that is away costs nothing but time: the sweep finds the row (STACK.md 1)."""
    from league.matches.tasks import verify_record as task

    try:
        task.delay(record_id)
    except Exception as error:
        log.warning("record %d waits for the sweep, the broker did not take it: %s", record_id, error)


# --- Verification ---


@dataclass(frozen=True, slots=True)
class Due:
    """What verification needs of a record, in the order of `DUE`: one narrow row instead of five wide ones, for
    building rows costs more here than replaying the game.
    """

    record_id: int
    state: str
    seats: Mapping[str, int]
    submitted_at: datetime
    game_id: int
    match_id: int
    confirmation_required: bool
    text: str


DUE = (
    "pk",
    "state",
    "seats",
    "submitted_at",
    "game_id",
    "game__match_id",
    "game__match__league__confirmation_required",
    "sealed__text",
)


def verify_record(record_id: int) -> None:
    """Replay the sealed log; store the verdict, the result that follows from it and the state of the match in one
    transaction.

    Safe to run twice and by two workers at once. At most 12 statements. Raises Record.DoesNotExist.
    """
    due = Due(*Record.objects.order_by().values_list(*DUE).get(pk=record_id))
    if due.state == Record.State.VERIFIED:
        return
    verdict = judge(due)  # outside the transaction: nobody waits for a replay
    with transaction.atomic():
        match = _locked(due.match_id)
        if not Record.objects.filter(pk=record_id, state=Record.State.RECEIVED).update(state=Record.State.VERIFIED):
            return
        verdict.save(force_insert=True)
        if verdict.status in GIVES_RESULT:
            _enter_result(due, verdict, match)


def judge(due: Due) -> StoredVerdict:
    """The verdict on a sealed log, not saved. Pure but for the hour of `verified_at`."""
    found = verify_text(due.text)[0].as_json(plays=False, stored=True)
    rules = RULESETS.get(found.get("ruleset", ""))
    return StoredVerdict(
        record_id=due.record_id,
        status=found["status"],
        evidence=found.get("evidence", ""),
        scores=found.get("scores", {}),
        winner=found.get("winner") or "",
        ended=found.get("ended") or "",
        rounds=found.get("rounds", []),
        findings=found["findings"],
        rulings=found.get("rulings", []),
        chips=found.get("chips"),
        engine_edition=EDITION,
        ruleset_edition=rules.edition if rules else None,
        verified_at=timezone.now(),
    )


def _enter_result(due: Due, verdict: StoredVerdict, match: Match) -> None:
    """A newer log's result takes the place of a provisional one; an official one, or one of a newer log, stays."""
    # A match that is still to come has no result: `_settle` moves its state together with the first.
    results = [] if match.state == Match.State.SCHEDULED else _current_results(match)
    old = next((one for one in results if one.game_id == due.game_id), None)
    if old and (old.state == Result.State.OFFICIAL or old.record_id > due.record_id):
        return
    if old:
        Result.objects.filter(pk=old.pk).update(current=False)
        results.remove(old)
    result = _result_of(due, verdict)
    result.save(force_insert=True)
    _settle(match, [*results, result])


def _result_of(due: Due, verdict: StoredVerdict) -> Result:
    decided = verdict.status != StoredVerdict.Status.VIOLATION
    official = decided and not due.confirmation_required
    return Result(
        game_id=due.game_id,
        record_id=due.record_id,
        scores={str(due.seats[seat]): points for seat, points in verdict.scores.items()},
        winner=due.seats[verdict.winner] if verdict.winner else None,
        ended=verdict.ended,
        state=Result.State.OFFICIAL if official else Result.State.PROVISIONAL,
        known_by=KnownBy.LOG,
        needs_decision=not decided,
        entered_at=due.submitted_at,
    )


def _current_results(match: Match) -> list[Result]:
    """Without what is only for people."""
    current = Result.objects.filter(game__match=match.pk, current=True).order_by()
    return list(current.only("game_id", "record_id", "state", "needs_decision", "winner"))


# --- Results become official ---


def confirm_result(*, result: Result, user: permissions.Asker, at: datetime | None = None) -> Result:
    """Make a provisional result official. Confirming what is official already is refused, so that two people never
    both believe they did.

    Raises Refused: `no-result` (it was replaced meanwhile), `already-official`, and those of
    `permissions.why_not_confirm`.
    """
    one = permissions.actor(user, result.game.match)
    with transaction.atomic():
        match = _locked(result.game.match_id)
        now = Result.objects.select_related("record").get(pk=result.pk)
        if refusal := permissions.why_not_confirm(one, now):
            raise refusal
        if not now.current:
            raise Refused("no-result", _("A newer log has replaced this result. Look at the new one first."))
        if now.state == Result.State.OFFICIAL:
            raise Refused(
                "already-official",
                _("The result of game %(code)s is official already."),
                code=result.game.code,
            )
        now.state, now.needs_decision = Result.State.OFFICIAL, False
        now.confirmed_by_id, now.confirmed_at = one.user_id, at or timezone.now()
        now.save(update_fields=["state", "needs_decision", "confirmed_by", "confirmed_at"])
        _settle(match, _current_results(match))
    return now


def _locked(match_id: int) -> Match:
    """The match, until the end of the transaction. Whoever changes what belongs to a match comes through here first
    (order of locks: season → competition → match).
    """
    return Match.objects.select_for_update().only("best_of", "state").get(pk=match_id)


def _settle(match: Match, results: Sequence[Result]) -> None:
    """Bring the match's state up to its current results, and tell others when it is decided."""
    games = [
        GameOutcome(
            winner=result.winner,
            official=result.state == Result.State.OFFICIAL,
            needs_decision=result.needs_decision,
        )
        for result in results
    ]
    official = official_standing(match.best_of, games)
    if official.over:
        state = Match.State.DECIDED
        transaction.on_commit(lambda: match_decided.send_robust(Match, match_id=match.pk, winner=official.winner))
    elif provisional_standing(match.best_of, games).over or len(games) == match.best_of:
        state = Match.State.PROVISIONAL
    else:
        state = Match.State.PLAYING
    if state != match.state:
        Match.objects.filter(pk=match.pk).update(state=state)


# --- Privacy ---


def erase_uploads_of(player_id: int) -> int:
    """Forget the raw bytes, in which names stand, of every game a player was in; the sealed logs and their hashes
    stay. How many.
    """
    uploads = Upload.objects.filter(record__game__match__sides__entrant__player=player_id, erased_at__isnull=True)
    return Upload.objects.filter(pk__in=uploads.values("pk")).update(raw=b"", filename="", erased_at=timezone.now())
