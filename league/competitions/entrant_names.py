"""Registered entrants of a competition, as named on its pages."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import OuterRef, Q, QuerySet, Subquery

from league.competitions.models import Competition, Registration, Withdrawal
from league.players.models import PEOPLE
from league.players.naming import fold
from league.players.shown import Person, Who, who, who_values


@dataclass(frozen=True, slots=True)
class Placed:
    """An entrant with its seed.

    `apart` distinguishes the name from a namesake's. `lot`: drawn for the table; `rating`: of the league's list when
    the competition was published; `bonus`: match points given by an organizer, negative if taken; `left_at`: withdrawn
    since.
    """

    entrant_id: int
    name: str
    code: str
    seed: int
    apart: str = ""
    minor: bool = False
    lot: int | None = None
    rating: int | None = None
    bonus: int = 0
    people: tuple[Person, ...] = ()
    left_at: datetime | None = None

    @property
    def is_pair(self) -> bool:
        return len(self.people) > 1

    def answers_to(self, code: str) -> bool:
        """Tell whether the code is the entrant's, or that of a partner."""
        return code in (self.code, *(one.code for one in self.people))


_LEFT_AT = Subquery(
    Withdrawal.objects.filter(competition=OuterRef("competition"), entrant=OuterRef("entrant"), undone_at=None).values(
        "made_at"
    )[:1]
)
_VALUES: tuple[Any, ...] = ("entrant", "seed", "lot", "rating", "bonus", _LEFT_AT, *who_values())


def everybody(competition: Competition) -> list[list[Any]]:
    """Registered entrants as plain values, in seed order, for `placed_in`.

    One statement.
    """
    rows = Registration.objects.filter(competition=competition).order_by("seed", "pk")
    return [list(row) for row in rows.values_list(*_VALUES)]


def placed_in(rows: Iterable[Sequence[Any]], only: Collection[int] | None = None) -> list[Placed]:
    """All of these, or `only` these entrants. No statement."""
    return [
        _placed(entrant, seed, lot, rating, bonus, who(values), left_at)
        for entrant, seed, lot, rating, bonus, left_at, *values in rows
        if only is None or entrant in only
    ]


def placed(competition: Competition, *, only: Iterable[int] | None = None, first: int | None = None) -> list[Placed]:
    """Registered entrants in seed order; `only` these, or the `first` so many.

    One statement.
    """
    rows = Registration.objects.filter(competition=competition).order_by("seed")
    if only is not None:
        rows = rows.filter(entrant__in=list(only))
    return placed_in(rows.values_list(*_VALUES)[:first])


def placed_of(one: Registration, left_at: datetime | None = None) -> Placed:
    return _placed(one.entrant_id, one.seed, one.lot, one.rating, one.bonus, Who(one.entrant.players), left_at)


def _placed(
    entrant_id: int, seed: int, lot: int | None, rating: int | None, bonus: int, one: Who, left_at: datetime | None
) -> Placed:
    return Placed(
        entrant_id=entrant_id,
        name=one.name,
        code=one.code,
        seed=seed,
        apart=one.apart,
        minor=one.is_minor,
        lot=lot,
        rating=rating,
        bonus=bonus,
        people=one.people,
        left_at=left_at,
    )


def entrant_by_code(competition: Competition, code: str) -> int | None:
    """Find the registered entrant with a code; of several the better seed.

    Returns its key. One statement, none without a code.
    """
    if not code:
        return None
    codes = code.upper().split("-")
    named = Q(entrant__player__code__in=codes) | Q(entrant__partner__code__in=codes)
    rows = Registration.objects.filter(named, competition=competition).select_related(*PEOPLE).order_by("seed")
    return next((one.entrant_id for one in rows if placed_of(one).answers_to(code.upper())), None)


def called(competition: Competition, typed: str) -> QuerySet[Registration]:
    """Registered entrants with this code or name, the better seed first.

    Of a pair also those of a partner.
    """
    codes, name = typed.upper().split("-"), fold(typed)
    named = Q(entrant__player__code__in=codes) | Q(entrant__player__folded=name)
    named |= Q(entrant__partner__code__in=codes) | Q(entrant__partner__folded=name)
    return Registration.objects.filter(named, competition=competition).order_by("seed")
