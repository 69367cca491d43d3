"""What a verdict makes of its game and its match. The caller holds the lock of the match."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.db.models import Exists
from django.utils import timezone

from league.matches import timekeeping
from league.matches.deciding import GameOutcome, official_standing, provisional_standing
from league.matches.fixed import FixedInsert, FixedSelect, FixedUpdate, Given
from league.matches.known import known_by_log
from league.matches.models import KnownBy, Match, Record, Result, StoredVerdict
from league.matches.signals import match_decided

# What each verdict makes of the game (DESIGN.md 4.8); the others keep the log and give no result.
GIVES_RESULT = frozenset(
    {
        StoredVerdict.Status.VERIFIED,
        StoredVerdict.Status.CONSISTENT,
        StoredVerdict.Status.CORRECTED,
        StoredVerdict.Status.VIOLATION,
    }
)


@dataclass(frozen=True, slots=True)
class Due:
    """What verification needs of a record, in the order of `DUE`: one narrow row instead of five wide ones, for
    building rows costs more here than replaying the game.
    """

    record_id: int
    state: str
    seats: Mapping[str, int]
    submitted_at: datetime
    for_side: int | None
    game_id: int
    match_id: int
    confirmation_required: bool
    level: str
    text: str


DUE = (
    "pk",
    "state",
    "seats",
    "submitted_at",
    "for_side",
    "game_id",
    "game__match_id",
    "game__match__league__confirmation_required",
    "game__match__level",
    "sealed__text",
)


@dataclass(frozen=True, slots=True)
class CurrentResult:
    """What its match needs of a result that counts, in the order of `CURRENT`; `turn` is that of its log."""

    pk: int
    game_id: int
    record_id: int
    turn: int
    state: str
    needs_decision: bool
    winner: int | None
    kind: str
    scores: dict[str, int]


CURRENT = ("pk", "game_id", "record_id", "record__turn", "state", "needs_decision", "winner", "record__kind", "scores")
CURRENT_ROWS = FixedSelect(
    lambda: Result.objects.filter(game__match=Given("match"), current=True).order_by().values_list(*CURRENT)
)
STANDING_ROW = FixedSelect(
    lambda: (
        Record.objects.filter(pk=Given("record"))
        .order_by()
        .values_list("turn", "result", Exists(Result.objects.filter(game=Given("game"), record__for_side__isnull=True)))
    )
)
NEW_RESULT = FixedInsert(Result)
NOT_CURRENT = FixedUpdate(lambda: Result.objects.filter(pk=Given("result")), current=False)
MATCH_STATE = FixedUpdate(lambda: Match.objects.filter(pk=Given("match")), state=Given("state"))


def enter(due: Due, verdict: StoredVerdict, match: Match, *, at: datetime) -> None:
    """A later log's result takes the place of a provisional one; an official one, or one of a later log, stays. In a
    match that is decided nothing moves any more.

    A log that counted before gets its own row back. A player's log does not take the place of an official's by itself:
    its result needs a decision.
    """
    if match.state == Match.State.DECIDED:
        return
    # A match that is still to come has no result: `settle` moves its state together with the first.
    others = [] if match.state == Match.State.SCHEDULED else current(match)
    old = next((one for one in others if one.game_id == due.game_id), None)
    result = _result_of(due, verdict, at)
    if old:
        turn, result.pk, after_official = _standing_of(due)
        # A log outranks what came without one, whichever came first.
        later = old.kind == KnownBy.LOG and (old.turn, old.record_id) > (turn, due.record_id)
        if old.state == Result.State.OFFICIAL or later:
            return
        if due.for_side is not None and after_official:
            result.state, result.needs_decision = Result.State.PROVISIONAL, True
        NOT_CURRENT.run(result=old.pk)
        if old.kind != KnownBy.LOG:  # what people said beside each other does not matter any more
            Result.objects.filter(game=due.game_id, contested=True).update(contested=False)
        others.remove(old)
    if result.pk:
        result.save()
    else:
        NEW_RESULT.run(result)
    settle(match, [*others, result])
    if match.state != Match.State.SCHEDULED:  # starting a clock makes it a match that is being played
        timekeeping.stop_at_result(due.game_id, timezone.now())


def _standing_of(due: Due) -> tuple[int, int | None, bool]:
    """The record's turn as it is now, for the lock came after `due`; its result, if it once had one; whether an
    official's log ever gave the game a result.
    """
    turn, own, by_official = STANDING_ROW.get(record=due.record_id, game=due.game_id)
    return turn, own, by_official


def _result_of(due: Due, verdict: StoredVerdict, at: datetime) -> Result:
    known_by = known_by_log(verdict)
    decided = verdict.status != StoredVerdict.Status.VIOLATION and (known_by == KnownBy.LOG or due.level != KnownBy.LOG)
    official = decided and not due.confirmation_required
    return Result(
        game_id=due.game_id,
        record_id=due.record_id,
        scores={str(due.seats[seat]): points for seat, points in verdict.scores.items()},
        winner=due.seats[verdict.winner] if verdict.winner else None,
        ended=verdict.ended,
        state=Result.State.OFFICIAL if official else Result.State.PROVISIONAL,
        known_by=known_by,
        needs_decision=not decided,
        entered_at=at,
    )


def current(match: Match) -> list[CurrentResult]:
    """Of every game of the match that has one."""
    return [CurrentResult(*row) for row in CURRENT_ROWS.rows(match=match.pk)]


def make_official(result: Result, *, how: str, by: int | None, at: datetime) -> None:
    """What was contested beside it is laid aside. An empty `how`: nobody has to confirm in this league."""
    result.state, result.decided, result.needs_decision = (
        Result.State.OFFICIAL,
        result.needs_decision and bool(by),
        False,
    )
    result.confirmed_by_id, result.confirmed_how = by, how
    result.confirmed_at, result.contested = at if how else None, False
    result.save()
    Result.objects.filter(game=result.game_id, current=False, contested=True).update(contested=False)


def settle(match: Match, results: Sequence[Result | CurrentResult]) -> None:
    """Bring the match's state up to its current results, and tell others when it is decided."""
    games = [
        GameOutcome(
            winner=result.winner,
            official=result.state == Result.State.OFFICIAL,
            needs_decision=result.needs_decision,
        )
        for result in results
    ]
    sides = len(results[0].scores) if results else 2  # every result has the points of every side
    official = official_standing(match.best_of, games, sides=sides)
    if official.over:
        state = Match.State.DECIDED
        if match.state != Match.State.DECIDED:
            transaction.on_commit(lambda: match_decided.send_robust(Match, match_id=match.pk, winner=official.winner))
    elif provisional_standing(match.best_of, games, sides=sides).over or len(games) == match.best_of:
        state = Match.State.PROVISIONAL
    else:
        state = Match.State.PLAYING
    if state != match.state:
        MATCH_STATE.run(match=match.pk, state=state)
