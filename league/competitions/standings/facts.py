"""Plain values for computing tables, and their fingerprint.

Plain values, because in a draw of thousands the model rows would be most of the work. The fingerprint changes with any
of these values.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from hashlib import sha256
from itertools import groupby
from operator import itemgetter
from typing import Any

from django.db.models import BigIntegerField, F, IntegerField, OuterRef, QuerySet, Subquery, Sum, Value
from django.db.models import Model as Row
from django.db.models.expressions import Case, CombinedExpression, Expression, When
from django.db.models.functions import Cast, Coalesce

from league.accounts.naming import this_year
from league.competitions.models import Berth, Competition, Matchday, Slot
from league.matches.models import KnownBy, Result, Side
from league.matches.queries.lines import by_side
from league.matches.results.match_outcome import GameOutcome
from league.prepared_statements import FixedSelect, Given

# Each number of a row is multiplied by another prime; below 2^31 a product of two fits into 64 bits.
PRIMES = (2147483629, 104729, 15485863, 32452843, 49979687, 67867967, 86028121)
BELOW = 2147483647
BELOW_SQUARED = 35184372088777


@dataclass(frozen=True, slots=True)
class TableGame:
    """The current result of a game, with the fields of `GameScore`."""

    points: Mapping[int, int]
    outcome: GameOutcome
    forfeited: bool


@dataclass(frozen=True, slots=True)
class TableSide:
    number: int
    entrant_id: int


@dataclass(frozen=True, slots=True)
class TableEnd:
    """A match with the fields of `MatchLine`; no sides or games without results."""

    id: int
    best_of: int
    sides: Sequence[TableSide] = ()
    games: Sequence[TableGame] = ()


@dataclass(frozen=True, slots=True)
class TableSlot:
    """A slot with the fields of `SlotView` that tables need. `berths`: how many."""

    id: int
    round_number: int
    group: int
    not_needed: bool
    published: bool
    berths: range
    entrant_ids: tuple[int, ...]
    absent_ids: tuple[int, ...]
    match: TableEnd | None
    requested_bye: bool = False

    @property
    def bye(self) -> bool:
        return len(self.berths) == 1


@dataclass(frozen=True, slots=True)
class TableDay:
    """A round. `stage`: the stage's number."""

    stage: int
    number: int
    slots: list[TableSlot]


def table_days(days: Sequence[Matchday], *, everything: bool, only: Collection[int] | None = None) -> list[TableDay]:
    """Read these rounds in order; each must have its `stage` loaded. Three statements.

    `everything`: with unpublished matches. `only`: keys of the wanted slots.
    """
    which, keys = ("matchday__in", [day.pk for day in days]) if only is None else ("in", list(only))
    berths = Berth.objects.filter(**{f"slot__{which}": keys}).order_by("slot__matchday", "slot__number", "number")
    of_slot = ("slot__matchday", "slot", "slot__group", "slot__not_needed", "slot__match", "slot__requested_bye")
    rows = berths.values_list(*of_slot, "entrant", "absent_since")
    ends = _ends(which, keys, everything=everything)
    found: dict[int, list[TableSlot]] = {}
    by_key = {day.pk: day for day in days}
    for (day, slot, number, not_needed, match, requested), own in groupby(rows, key=itemgetter(*range(len(of_slot)))):
        listed = list(own)
        shown = everything or by_key[day].published_at is not None
        found.setdefault(day, []).append(
            TableSlot(
                id=slot,
                round_number=by_key[day].number,
                group=number,
                not_needed=not_needed,
                published=by_key[day].published_at is not None,
                berths=range(len(listed)),
                entrant_ids=tuple(row[-2] for row in listed if row[-2]),
                absent_ids=tuple(row[-2] for row in listed if row[-1]),
                match=ends.get(match) or TableEnd(match, 1) if match and shown else None,
                requested_bye=requested,
            )
        )
    return [TableDay(day.stage.number, day.number, found.get(day.pk, [])) for day in days]


def _ends(which: str, keys: Sequence[int], *, everything: bool) -> dict[int, TableEnd]:
    """Read matches with results, by match. `which`: lookup of slots by `keys`."""
    results = Result.objects.filter(current=True, **{f"game__match__slot__{which}": keys})
    if not everything:
        results = results.filter(game__match__published_at__isnull=False)
    rows = results.order_by("game__match", "game__number").values_list(
        "game__match", "game__match__best_of", "winner", "scores", "state", "needs_decision", "known_by", "ended"
    )
    sides: dict[int, list[TableSide]] = {}
    numbered = Side.objects.filter(**{f"match__slot__{which}": keys}).order_by("number")
    for match, number, entrant in numbered.values_list("match", "number", "entrant"):
        sides.setdefault(match, []).append(TableSide(number, entrant))
    return {
        match: TableEnd(match, best_of, sides.get(match, ()), [_game(*row[2:]) for row in own])
        for (match, best_of), own in groupby(rows, key=itemgetter(0, 1))
    }


def _game(
    winner: int | None, scores: dict[str, int], state: str, undecided: bool, known_by: str, ended: str
) -> TableGame:
    outcome = GameOutcome(winner, official=state == Result.State.OFFICIAL, needs_decision=undecided)
    return TableGame(by_side(scores), outcome, known_by == KnownBy.RULED and ended == "forfeit")


# --- The fingerprint ---


def fingerprint(competition: Competition, days: Sequence[Matchday], everybody: Sequence[Sequence[object]]) -> str:
    """Hash everything that a competition's tables and rounds depend on. One statement.

    `days`: all its rounds; `everybody`: the registrations. Scores and claims are left out, because a different result
    is another row with another record.
    """
    told = (
        _values(competition),
        [_values(stage) for stage in competition.stages.all()],
        [(day.pk, day.number, day.stage_id, day.published_at) for day in days],
        # Initials of minors are shown until they come of age.
        this_year(),
        everybody,
        _DRAWN_AND_ENDED.rows(competition=competition.pk),
    )
    return sha256(repr(told).encode()).hexdigest()


def _values(row: Row) -> list[object]:
    return [getattr(row, field.attname) for field in row._meta.concrete_fields]


def _drawn_and_ended() -> QuerySet[Slot, Any]:
    """Checksum of changeable fields in permanent rows; new rows differ by key.

    The sides of a match equal the entrants of its slot (draw/rebuilding.py), so they are not read. One row, or none
    without a draw.
    """
    drawn = _mixed(
        Berth.objects.filter(slot=OuterRef("pk")).values("slot"),
        [F("slot"), Coalesce(OuterRef("match"), 0), _flag(slot__not_needed=True)],
        [Coalesce("entrant", 0), _flag(absent_since__isnull=False)],
    )
    ended = _mixed(
        Result.objects.filter(current=True, game__match=OuterRef("match")).values("game__match"),
        [F("pk")],
        [
            Coalesce("winner", 0),
            F("game__match__best_of"),
            _flag(state=Result.State.OFFICIAL),
            _flag(needs_decision=True),
            _flag(game__match__published_at__isnull=False),
        ],
    )
    # Slot by slot: with a join, a planner that assumes a slow disk reads the berths and games of all competitions.
    slots = Slot.objects.filter(matchday__stage__competition=Given("competition")).order_by()
    told = slots.values("matchday__stage__competition").annotate(drawn=Sum(drawn), ended=Sum(ended))
    return told.values_list("drawn", "ended")


def _flag(**fact: object) -> Case:
    return Case(When(**fact, then=Value(1)), default=Value(0), output_field=IntegerField())


def _mixed(rows: QuerySet[Any, Any], which: Sequence[Expression | F], what: Sequence[Expression | F]) -> Subquery:
    """Sum a product for each row of a slot, 1 or more.

    One factor is made of the row's keys `which`, the other of its values `what`, so that the sum changes even if two
    rows exchange their values.
    """
    product = _number(which) * _number(what) % Value(BELOW_SQUARED)
    return Subquery(rows.order_by().annotate(told=Sum(product)).values("told"), output_field=BigIntegerField())


def _number(parts: Sequence[Expression | F]) -> CombinedExpression:
    terms = (Cast(one, BigIntegerField()) * Value(prime) for one, prime in zip(parts, PRIMES, strict=False))
    return reduce(lambda one, other: one + other, terms) % Value(BELOW) + Value(1)


# Used on every page view; building this query takes longer than running it.
_DRAWN_AND_ENDED = FixedSelect(_drawn_and_ended)
