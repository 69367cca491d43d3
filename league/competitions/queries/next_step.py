"""Steps of a competition for its organizer, their states and delays. Pure."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from league.players.shown import Person


class Part(StrEnum):
    """The steps, in their order."""

    NAMES = "names"
    FEES = "fees"
    CHECK_IN = "check-in"
    SEEDS = "seeds"
    DRAW = "draw"
    PUBLISH = "publish"
    PLAYED = "played"
    ROUND = "round"
    NEXT = "next"
    LATER = "later"
    CHALLENGES = "challenges"
    FINISH = "finish"


class StepState(StrEnum):
    """State of a step.

    At most one step is `now`, and it has the only button; a step that `waits` may be held up, or is due later.
    """

    DONE = "done"
    NOW = "now"
    WAITS = "waits"


class HeldBy(StrEnum):
    """Reason why a step is not done yet."""

    TOO_FEW = "too-few"
    FEES_OWED = "fees-owed"
    NOT_HERE = "not-here"
    DRAWING = "drawing"
    DRAW_REFUSED = "draw-refused"
    WISHES_UNMET = "wishes-unmet"
    AWAITED = "awaited"
    DIFFERS = "entries-differ"
    TO_DECIDE = "needs-decision"
    TO_MEND = "needs-mending"
    UNCONFIRMED = "unconfirmed"
    CHECKING = "checking"
    PLAYING = "playing"
    NO_RESULT = "no-result"
    UNKNOWN = "players-unknown"
    NO_WINNER = "no-winner"
    RESULTS_MISSING = "results-missing"
    IS_DRAFT = "is-draft"
    STALE = "results-changed"
    TO_DRAW = "to-draw"
    AMENDMENT = "amendment-waits"
    IMPORTED = "imported-waits"
    LOTS = "lots-not-drawn"


@dataclass(frozen=True, slots=True)
class DayPerson:
    """A name: public, `apart` from a namesake's, and `whole` for the staff.

    `people`: the player, or both partners of a pair.
    """

    code: str
    name: str
    whole: str
    apart: str = ""
    people: tuple[Person, ...] = ()


@dataclass(frozen=True, slots=True)
class People:
    """A number of people, and the first of them."""

    count: int = 0
    first: tuple[DayPerson, ...] = ()


@dataclass(frozen=True, slots=True)
class Missing:
    """A side that is not at the table; `over`: the time to wait is up."""

    person: DayPerson
    since: datetime
    minutes: int
    over: bool


@dataclass(frozen=True, slots=True)
class OpenMatch:
    """An open match of a published round.

    It has no official result, or no winner although a winner has to go on.
    """

    slot_id: int
    match_id: int | None
    round_number: int
    people: tuple[DayPerson, ...]
    table: str
    reason: HeldBy
    missing: tuple[Missing, ...] = ()


@dataclass(frozen=True, slots=True)
class OpenMatches:
    """Number of open matches with the same reason, and the first in draw order."""

    reason: HeldBy
    count: int
    first: tuple[OpenMatch, ...]


@dataclass(frozen=True, slots=True)
class DayRound:
    """A round. `open`: number of its matches without an official result."""

    number: int
    name: str
    stage: int
    matches: int
    open: int
    shown: bool


@dataclass(frozen=True, slots=True)
class DayStage:
    """A stage.

    `rounds`: number of rounds in all, as far as known before they are drawn. `paired`: each round is paired from
    results.
    """

    number: int
    format: str
    rounds: int
    paired: bool
    finished: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class DayFacts:
    """Facts of a competition for its steps.

    `checks_in`: the check-in is used. `open`: matches of published rounds up to the current round, the most urgent
    reason first; `no_winner`: decided matches of a knock-out without a winner. `stale`: the draft round was paired from
    other results. `lots`: the standings end with a lot that is not drawn. `pairs`: entrants are pairs. `endless`: a
    ladder, whose rounds are the months of its challenges, without a last round.
    """

    entrants: int
    fewest: int
    published: bool
    by_round: bool
    stages: Sequence[DayStage]
    rounds: Sequence[DayRound]
    fee: bool = False
    owing: People = People()
    checks_in: bool = False
    absent: People = People()
    drawing: bool = False
    refused: str = ""
    open: Sequence[OpenMatches] = ()
    no_winner: OpenMatches | None = None
    stale: bool = False
    amendments: int = 0
    imported: int = 0
    lots: bool = False
    unmet: int = 0
    pairs: bool = False
    endless: bool = False

    @property
    def current(self) -> DayRound | None:
        """The current round: the last if published one after the other, else the first.

        Only published rounds with an open match.
        """
        return playing(self.rounds, by_round=self.by_round)

    @property
    def hidden(self) -> DayRound | None:
        return next((one for one in self.rounds if not one.shown), None)


def playing(rounds: Iterable[DayRound], *, by_round: bool) -> DayRound | None:
    found = [one for one in rounds if one.shown and one.open]
    return found[-1 if by_round else 0] if found else None


@dataclass(frozen=True, slots=True)
class Hold:
    """Cause of a delay: number of people or matches, and the first of them."""

    reason: HeldBy
    count: int = 0
    people: tuple[DayPerson, ...] = ()
    matches: tuple[OpenMatch, ...] = ()
    text: str = ""


@dataclass(frozen=True, slots=True)
class DayStep:
    """A step.

    `round`: the round it is about; `number`, `of`: its number in its stage, and the number of rounds there; for played
    and later rounds and for open challenges `number` is their count. `stage`: the stage to draw, if it is drawn as a
    whole.
    """

    part: Part
    state: StepState
    holds: tuple[Hold, ...] = ()
    round: DayRound | None = None
    number: int = 0
    of: int = 0
    stage: DayStage | None = None


def steps(facts: DayFacts) -> list[DayStep]:
    """List the steps of this competition.

    Their number depends on neither entrants nor rounds.
    """
    if facts.endless:
        return [one for one in (*_before(facts), _challenges(facts)) if one is not None]
    found = [*_before(facts), *(_rounds(facts) if facts.published else ()), _finish(facts)]
    return [one for one in found if one is not None]


def _before(facts: DayFacts) -> list[DayStep | None]:
    enough, drawn = facts.entrants >= facts.fewest, bool(facts.rounds)
    away = facts.checks_in and facts.absent.count > 0
    checking_in = enough and away and not facts.published
    few = () if enough else (Hold(HeldBy.TOO_FEW, facts.entrants),)
    return [
        DayStep(Part.NAMES, _state(enough, now=True), few),
        _fees(facts),
        _check_in(facts, now=checking_in),
        DayStep(Part.SEEDS, _state(enough, now=False)),
        DayStep(Part.DRAW, _state(drawn and not facts.drawing, now=enough and not checking_in), _draw_holds(facts)),
        DayStep(
            Part.PUBLISH,
            _state(facts.published, now=enough and drawn and not (checking_in or facts.drawing)),
            () if facts.published or not drawn else _wishes(facts),
        ),
    ]


def _state(done: bool, *, now: bool) -> StepState:
    return StepState.DONE if done else StepState.NOW if now else StepState.WAITS


def _fees(facts: DayFacts) -> DayStep | None:
    """Step of the fees, never `now`.

    Fees are taken at the check-in and hold up nothing else.
    """
    if not facts.fee:
        return None
    owed = (Hold(HeldBy.FEES_OWED, facts.owing.count, facts.owing.first),) if facts.owing.count else ()
    return DayStep(Part.FEES, _state(not owed and facts.entrants > 0, now=False), owed)


def _check_in(facts: DayFacts, *, now: bool) -> DayStep | None:
    away = facts.absent.count > 0
    if facts.published and (not facts.checks_in or (away and _is_over(facts))):
        return None
    holds = (Hold(HeldBy.NOT_HERE, facts.absent.count, facts.absent.first),) if facts.checks_in and away else ()
    return DayStep(Part.CHECK_IN, _state(facts.checks_in and not away, now=now), holds)


def _draw_holds(facts: DayFacts) -> tuple[Hold, ...]:
    if facts.drawing:
        return (Hold(HeldBy.DRAWING),)
    return (Hold(HeldBy.DRAW_REFUSED, text=facts.refused),) if facts.refused and not facts.rounds else ()


def _wishes(facts: DayFacts) -> tuple[Hold, ...]:
    return (Hold(HeldBy.WISHES_UNMET, facts.unmet),) if facts.unmet else ()


# --- Rounds ---


def _rounds(facts: DayFacts) -> list[DayStep | None]:
    current = facts.current
    over = [one for one in facts.rounds if one.shown and not one.open]
    follows = _next(facts)
    later = _later(facts, follows)
    return [
        DayStep(Part.PLAYED, StepState.DONE, number=len(over)) if over else None,
        _current(facts, current) if current else None,
        follows,
        DayStep(Part.LATER, StepState.WAITS, number=later) if later > 0 else None,
    ]


def _later(facts: DayFacts, follows: DayStep | None) -> int:
    """Number of rounds after the next: drawn but not played, and still to be drawn."""
    now = facts.current.number if facts.current else 0
    after = follows.round.number if follows and follows.round else now
    drawn = sum(one.number > after and (one.open > 0 or not one.shown) for one in facts.rounds)
    planned = max(sum(stage.rounds for stage in facts.stages), len(facts.rounds))
    undrawn = planned - len(facts.rounds) - (follows is not None and follows.round is None)
    return drawn + undrawn


def _current(facts: DayFacts, one: DayRound) -> DayStep:
    holds = _open(facts) + _no_winner(facts) + _wishes(facts)
    return DayStep(Part.ROUND, StepState.NOW, holds, one, *_place(facts, one))


def _place(facts: DayFacts, one: DayRound) -> tuple[int, int]:
    of_stage = [other.number for other in facts.rounds if other.stage == one.stage]
    planned = next((stage.rounds for stage in facts.stages if stage.number == one.stage), 0)
    return of_stage.index(one.number) + 1, max(planned, len(of_stage))


def _held(matches: OpenMatches) -> Hold:
    return Hold(matches.reason, matches.count, matches=matches.first)


def _open(facts: DayFacts) -> tuple[Hold, ...]:
    return tuple(_held(one) for one in facts.open)


def _no_winner(facts: DayFacts) -> tuple[Hold, ...]:
    return (_held(facts.no_winner),) if facts.no_winner else ()


def _next(facts: DayFacts) -> DayStep | None:
    """The next round to publish, draw or play after the current round."""
    current, hidden = facts.current, facts.hidden
    if hidden:
        missing = sum(one.open for one in facts.rounds if one.number < hidden.number and one.stage == hidden.stage)
        ready = Hold(HeldBy.STALE if facts.stale else HeldBy.IS_DRAFT)
        holds = [Hold(HeldBy.RESULTS_MISSING, missing)] if missing else []
        holds += [ready] if facts.stale or not missing else []
        return DayStep(
            Part.NEXT, _state(False, now=not current), (*holds, *_wishes_of(facts)), hidden, *_place(facts, hidden)
        )
    due = _due(facts)
    after = next((one for one in facts.rounds if current and one.number > current.number), None)
    if due and not after:
        stage, number, missing = due
        hold = Hold(HeldBy.RESULTS_MISSING, missing) if missing else Hold(HeldBy.TO_DRAW)
        won = () if missing else _no_winner(facts)
        now = not current and not missing
        return DayStep(Part.NEXT, _state(False, now=now), (hold, *won), None, number, stage.rounds, stage)
    return DayStep(Part.NEXT, StepState.WAITS, (), after, *_place(facts, after)) if after else None


def _wishes_of(facts: DayFacts) -> tuple[Hold, ...]:
    return () if facts.current else _wishes(facts)


def _due(facts: DayFacts) -> tuple[DayStage, int, int] | None:
    """The next draw from results: (stage, round of the stage, missing results).

    The round is 0 if the whole stage is drawn at once.
    """
    before = 0
    for stage in facts.stages:
        drawn = [one for one in facts.rounds if one.stage == stage.number]
        missing = sum(one.open for one in drawn)
        if drawn and stage.paired and len(drawn) < stage.rounds:
            return stage, len(drawn) + 1, missing
        if not drawn:
            return stage, 1 if stage.paired else 0, before
        before = missing
    return None


def _challenges(facts: DayFacts) -> DayStep:
    """Step of a ladder: `now` from publication until closed, despite any delay."""
    if not facts.published:
        return DayStep(Part.CHALLENGES, StepState.WAITS)
    if all(stage.finished for stage in facts.stages):
        return DayStep(Part.CHALLENGES, StepState.DONE, tuple(_waiting(facts)))
    holds = (*_open(facts), *_wishes(facts), *_waiting(facts))
    return DayStep(Part.CHALLENGES, StepState.NOW, holds, number=sum(one.count for one in facts.open))


def _waiting(facts: DayFacts) -> list[Hold]:
    """Tasks for an official that depend on no round."""
    return [
        *([Hold(HeldBy.AMENDMENT, facts.amendments)] if facts.amendments else []),
        *([Hold(HeldBy.IMPORTED, facts.imported)] if facts.imported else []),
    ]


def _is_over(facts: DayFacts) -> bool:
    return facts.published and bool(facts.stages) and all(stage.finished for stage in facts.stages)


def _finish(facts: DayFacts) -> DayStep:
    over = _is_over(facts)
    waits = [*_waiting(facts), *([Hold(HeldBy.LOTS)] if facts.lots else [])]
    played = facts.published and not facts.current and not _next(facts)
    holds = tuple(waits) if over or played else ()
    if played and not over:
        holds = (*_no_winner(facts), *holds)
    return DayStep(Part.FINISH, _state(over and not holds, now=played), holds)
