"""Turn a verdict into the result of its game and the state of its match.

The caller holds the lock of the match.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from league.matches.clock import services as timekeeping
from league.matches.knowledge_level import known_by_log, suffices
from league.matches.models import Game, Match, Record, Result, StoredVerdict, unchecked_logs
from league.matches.results import second_side
from league.matches.results.match_outcome import GameOutcome, official_standing, provisional_standing
from league.matches.results.standing import is_official, weigh_anew
from league.matches.seals import seal_of
from league.matches.signals import match_decided, table_left
from league.prepared_statements import FixedInsert, FixedSelect, FixedUpdate, Given

# Verdicts that give a result (DESIGN.md 4.8); the others only keep the log.
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
    """The columns of a record that verification needs, in the order of `DUE`.

    One narrow row replaces five wide ones: building rows costs more here than replaying the game.
    """

    record_id: int
    state: str
    seats: Mapping[str, int]
    submitted_at: datetime
    submitted_by: int | None
    for_side: int | None
    alone: bool
    head: str
    game_id: int
    match_id: int
    confirmation_required: bool
    level: str
    device: str
    text: str


DUE = (
    "pk",
    "state",
    "seats",
    "submitted_at",
    "submitted_by",
    "for_side",
    "alone",
    "head",
    "game_id",
    "game__match_id",
    "game__match__league__confirmation_required",
    "game__match__level",
    "device",
    "sealed__text",
)


@dataclass(frozen=True, slots=True)
class CurrentResult:
    """The columns of a current result that its match needs, in the order of `CURRENT`."""

    pk: int
    game_id: int
    state: str
    needs_decision: bool
    winner: int | None
    scores: dict[str, int]


CURRENT = ("pk", "game_id", "state", "needs_decision", "winner", "scores")
CURRENT_ROWS = FixedSelect(
    lambda: Result.objects.filter(game__match=Given("match"), current=True).order_by().values_list(*CURRENT)
)
NEW_RESULT = FixedInsert(Result)
MATCH_STATE = FixedUpdate(lambda: Match.objects.filter(pk=Given("match")), state=Given("state"))


def enter(due: Due, verdict: StoredVerdict, match: Match, *, at: datetime) -> None:
    """Weigh a log against the other entries of its game (`standing.weigh_anew`).

    An official result does not change, nor does anything in a decided match. A log that counted before gets its own row
    back.
    """
    if match.state == Match.State.DECIDED:
        _mark_too_late(due)
        return
    # A scheduled match has no result: `settle` changes its state together with the first.
    others = [] if match.state == Match.State.SCHEDULED else current(match)
    old = next((one for one in others if one.game_id == due.game_id), None)
    if old is not None and old.state == Result.State.OFFICIAL:
        _mark_too_late(due)
        return
    result = _result_of(due, verdict, at)
    if old is None and not (result.state == Result.State.OFFICIAL and _others_wait(due)):
        NEW_RESULT.run(result)
        settle(match, [*others, result])
    else:
        result.pk = Result.objects.filter(record=due.record_id).values_list("pk", flat=True).first()
        result.current, result.state, result.seal = False, Result.State.PROVISIONAL, ""
        result.save()
        weigh_anew(
            Game(pk=due.game_id, match=match),
            stays=is_official,
            confirmation_required=due.confirmation_required,
            at=at,
        )
        if due.device:
            second_side.mark_log(due.device, match.pk, due.game_id, due.for_side)
        settle(match, current(match))
    if match.state != Match.State.SCHEDULED:  # starting a clock sets the match to playing
        timekeeping.stop_at_result(due.game_id, timezone.now())


def _others_wait(due: Due) -> bool:
    """Return whether a log of another side waits for its verdict.

    Nothing becomes official before that verdict.
    """
    return unchecked_logs(due.game_id).exclude(for_side=due.for_side).exists()


def weigh_without(due: Due, match: Match, *, at: datetime) -> None:
    """Weigh the other entries after a log without a result; they may be official now."""
    open_result = Result.objects.filter(game=due.game_id, current=True, state=Result.State.PROVISIONAL)
    if match.state == Match.State.DECIDED or not open_result.exists():
        return
    game = Game(pk=due.game_id, match=match)
    weigh_anew(game, stays=is_official, confirmation_required=due.confirmation_required, at=at)
    settle(match, current(match))


def _mark_too_late(due: Due) -> None:
    """Mark the record, so that a result that never existed differs from a removed one."""
    Record.objects.filter(pk=due.record_id, result=None).update(too_late=True)


def _result_of(due: Due, verdict: StoredVerdict, at: datetime) -> Result:
    known_by = known_by_log(verdict)
    decided = verdict.status != StoredVerdict.Status.VIOLATION and suffices(known_by, due.level)
    alone = decided and due.alone and due.confirmation_required
    official = decided and (due.alone or not due.confirmation_required)
    result = Result(
        game_id=due.game_id,
        record_id=due.record_id,
        scores={str(due.seats[seat]): points for seat, points in verdict.scores.items()},
        winner=due.seats[verdict.winner] if verdict.winner else None,
        ended=verdict.ended,
        state=Result.State.OFFICIAL if official else Result.State.PROVISIONAL,
        known_by=known_by,
        needs_decision=not decided,
        entered_at=at,
        confirmed_how=Result.Confirmation.ALONE if alone else "",
        confirmed_by_id=due.submitted_by if alone else None,
        confirmed_at=at if alone else None,
    )
    result.seal = seal_of(result, due.head)
    return result


def current(match: Match) -> list[CurrentResult]:
    """Read the current result of every game of the match that has one."""
    return [CurrentResult(*row) for row in CURRENT_ROWS.rows(match=match.pk)]


def make_official(result: Result, *, how: str, by: int | None, at: datetime) -> None:
    """Make a result official, and end the review of differing ones.

    An empty `how`: no confirmation is needed in this league.
    """
    result.state, result.decided, result.needs_decision = (
        Result.State.OFFICIAL,
        result.needs_decision and bool(by),
        False,
    )
    result.confirmed_by_id, result.confirmed_how = by, how
    result.confirmed_at, result.contested = at if how else None, False
    result.seal = seal_of(result, result.record.head)
    result.save()
    NOT_CONTESTED.run(game=result.game_id)


NOT_CONTESTED = FixedUpdate(
    lambda: Result.objects.filter(game=Given("game"), current=False, contested=True), contested=False
)


def is_at_the_table(match: Match) -> bool:
    """Return whether a game of the match has a clock or a tally."""
    touched = Q(clock_events__isnull=False) | Q(taps__isnull=False)
    return Game.objects.filter(touched, match=match.pk).exists()


def settle(match: Match, results: Sequence[Result | CurrentResult]) -> None:
    """Update the state of the match from its current results, and signal a decision."""
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
        if match.state in {Match.State.SCHEDULED, Match.State.PLAYING}:
            transaction.on_commit(lambda: table_left.send_robust(Match, match_id=match.pk))
    elif games or is_at_the_table(match):
        state = Match.State.PLAYING
    else:
        state = Match.State.SCHEDULED
    if state != match.state:
        MATCH_STATE.run(match=match.pk, state=state)
