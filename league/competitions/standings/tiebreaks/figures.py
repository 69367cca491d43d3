"""Figures: numbers of the table with their terms, for players to check. Pure."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction

Number = int | Fraction


class TermNote(StrEnum):
    """Reasons why a term differs from the plain table, or does not count."""

    CUT_LOWEST = "cut-lowest"
    CUT_HIGHEST = "cut-highest"
    CUT_VOLUNTARY = "cut-voluntary"
    ADJUSTED = "adjusted"
    DUMMY = "dummy"
    CAPPED_BY_DRAWS = "capped-by-draws"
    CAPPED_BY_OPPONENT = "capped-by-opponent"
    LAST_AS_DRAWN = "last-as-drawn"
    TOO_FEW_POINTS = "too-few-points"
    NOT_RATED = "not-rated"
    BYE = "bye"
    FULL_BYE = "full-bye"
    HALF_BYE = "half-bye"
    ZERO_BYE = "zero-bye"
    FORFEIT = "forfeit"
    SHARED_PLACE = "shared-place"
    BONUS = "bonus"


@dataclass(frozen=True, slots=True)
class Term:
    """Contribution of one round to a figure; of a bonus or deduction, which belongs to no round, with `round` 0.

    `theirs`: the opponent's number, or that of the dummy in an unplayed round. `own`: its factor, or the entrant's own
    score in it. A term that is not `counted` is shown and adds nothing. `others`: the other entrants at the table, and
    `place` the entrant's place there, both for tables of more than two only.
    """

    adds: Number
    round: int = 0
    opponent_id: int | None = None
    theirs: Number | None = None
    own: Number | None = None
    counted: bool = True
    voluntary: bool = False
    notes: tuple[TermNote, ...] = ()
    others: tuple[int, ...] = ()
    place: int = 0


@dataclass(frozen=True, slots=True)
class Figure:
    """A number of the table, with its terms.

    `value`: the sum of the counted terms, divided by `divisor`, rounded half up if `rounded`, plus `plus`; None without
    data. `share`: the part of the possible score for which `plus` was looked up.
    """

    value: Number | None
    terms: tuple[Term, ...] = ()
    divisor: int = 1
    rounded: bool = False
    plus: int = 0
    share: Fraction | None = None


def total(terms: Iterable[Term]) -> Figure:
    listed = tuple(terms)
    return Figure(_sum(listed), listed)


def mean(terms: Iterable[Term], divisor: int | None = None) -> Figure:
    """Average the counted terms, or divide their sum by `divisor`; exact."""
    listed = tuple(terms)
    count = sum(term.counted for term in listed) if divisor is None else divisor
    return Figure(plain(Fraction(_sum(listed), count)) if count else None, listed, max(count, 1))


def rounded_mean(terms: Iterable[Term]) -> Figure:
    """Average to the nearest whole number, a half rounded up (C.07 10.1)."""
    exact = mean(terms)
    return replace(exact, value=None if exact.value is None else half_up(Fraction(exact.value)), rounded=True)


def half_up(number: Fraction) -> int:
    return (number + Fraction(1, 2)).__floor__()


def without(terms: Sequence[Term], place: int, note: TermNote) -> list[Term]:
    """Exclude one term from counting, with a note."""
    cut = replace(terms[place], counted=False, notes=(*terms[place].notes, note))
    return [*terms[:place], cut, *terms[place + 1 :]]


def plain(number: Number) -> Number:
    """Convert a whole fraction to an int."""
    if isinstance(number, int):
        return number
    return int(number) if Fraction(number).denominator == 1 else number


def _sum(terms: Iterable[Term]) -> Number:
    return plain(sum(term.adds for term in terms if term.counted))
