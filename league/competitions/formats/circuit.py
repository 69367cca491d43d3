"""Ranking of a circuit by the places of its evenings (COMPETITIONS.md, settings). Pure.

Points are whole or exact fractions.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from itertools import chain
from math import inf
from typing import NamedTuple


class PointsBy(StrEnum):
    """Source of the points of a place.

    LIST: a list by the organizer, 0 behind its end. ENTRANTS: the last place gets 1, each place before it 1 more.
    PERCENT: the same in hundredths of the evening's entrants, so that the first place always gets 100.
    """

    LIST = "list"
    ENTRANTS = "entrants"
    PERCENT = "percent"


@dataclass(frozen=True, slots=True)
class CircuitRule:
    """Points of places, and the number of evenings that count for each entrant; 0 is all."""

    points_by: PointsBy
    points: Sequence[int] = ()
    counted: int = 0

    def points_of(self, place: int, entrants: int) -> Fraction:
        """Give the points of one place, from 1, in an evening of so many entrants."""
        if self.points_by is PointsBy.LIST:
            return Fraction(self.points[place - 1] if place <= len(self.points) else 0)
        behind = Fraction(entrants + 1 - place)
        return behind if self.points_by is PointsBy.ENTRANTS else 100 * behind / entrants


class EveningPlace(NamedTuple):
    """Places `first` to `last` of an evening, shared by all entrants of the same place."""

    first: int
    last: int

    @property
    def mean(self) -> Fraction:
        return Fraction(self.first + self.last, 2)


class EveningScore(NamedTuple):
    """Place and points of an entrant in an evening. `counts`: it is among the best evenings of the entrant."""

    place: EveningPlace
    points: Fraction
    counts: bool


@dataclass(frozen=True, slots=True)
class CircuitRow:
    """Rank of an entrant, the sum of the points that count, the evenings won, and the score by evening, from 0.

    Entrants level in everything share the rank.
    """

    rank: int
    entrant: int
    points: Fraction
    won: int
    scores: Mapping[int, EveningScore]


def circuit_ranking(evenings: Sequence[Mapping[int, EveningPlace]], rule: CircuitRule) -> list[CircuitRow]:
    """Rank the entrants of the evenings, given as places by entrant.

    First by points, then by the places of all evenings, the best first: more evenings won, then the best single places.
    A shared place compares as its mean. Entrants of the same rank keep the order of their first appearance.
    """
    found = [_unranked(entrant, evenings, rule) for entrant in dict.fromkeys(chain.from_iterable(evenings))]
    ordered = sorted(found, key=_order)
    rows: list[CircuitRow] = []
    for at, one in enumerate(ordered, start=1):
        rank = rows[-1].rank if rows and _order(rows[-1]) == _order(one) else at
        rows.append(CircuitRow(rank, one.entrant, one.points, one.won, one.scores))
    return rows


def _unranked(entrant: int, evenings: Sequence[Mapping[int, EveningPlace]], rule: CircuitRule) -> CircuitRow:
    places = {at: places[entrant] for at, places in enumerate(evenings) if entrant in places}
    points = {at: shared_points(place, _size(evenings[at]), rule) for at, place in places.items()}
    best = sorted(points, key=lambda at: (-points[at], at))[: rule.counted or None]
    scores = {at: EveningScore(places[at], points[at], at in best) for at in places}
    won = sum(place == (1, 1) for place in places.values())
    return CircuitRow(0, entrant, sum((points[at] for at in best), Fraction()), won, scores)


def shared_points(place: EveningPlace, entrants: int, rule: CircuitRule) -> Fraction:
    """Give the mean of the points of all places that are shared."""
    shared = range(place.first, place.last + 1)
    return sum((rule.points_of(one, entrants) for one in shared), Fraction()) / len(shared)


def _size(places: Mapping[int, EveningPlace]) -> int:
    return max(place.last for place in places.values())


def _order(row: CircuitRow) -> tuple[Fraction, tuple[Fraction | float, ...]]:
    # Behind the last place, so that of two equal beginnings the longer one is better.
    places = sorted(score.place.mean for score in row.scores.values())
    return -row.points, (*places, inf)
