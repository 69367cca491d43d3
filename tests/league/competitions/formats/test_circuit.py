"""Rankings of circuits, worked by hand, and a published one."""

from fractions import Fraction

import pytest

from league.competitions.formats.circuit import CircuitRule, EveningPlace, PointsBy, circuit_ranking, shared_points

FOUR = CircuitRule(PointsBy.LIST, (10, 8, 6, 5))


def evening(*places):
    """Entrants by place: one, or a tuple of those who share."""
    found, first = {}, 1
    for level in places:
        level = level if isinstance(level, tuple) else (level,)
        found |= dict.fromkeys(level, EveningPlace(first, first + len(level) - 1))
        first += len(level)
    return found


def table(evenings, rule):
    return [(row.rank, row.entrant, row.points) for row in circuit_ranking(evenings, rule)]


@pytest.mark.parametrize(
    ("rule", "entrants", "place", "points"),
    [
        (FOUR, 4, (1, 1), 10),
        (FOUR, 4, (3, 4), Fraction(11, 2)),
        (FOUR, 8, (4, 5), Fraction(5, 2)),
        (FOUR, 8, (5, 8), 0),
        (CircuitRule(PointsBy.ENTRANTS), 6, (1, 1), 6),
        (CircuitRule(PointsBy.ENTRANTS), 6, (6, 6), 1),
        (CircuitRule(PointsBy.ENTRANTS), 6, (3, 4), Fraction(7, 2)),
        (CircuitRule(PointsBy.PERCENT), 3, (1, 1), 100),
        (CircuitRule(PointsBy.PERCENT), 3, (2, 2), Fraction(200, 3)),
        (CircuitRule(PointsBy.PERCENT), 3, (2, 3), 50),
    ],
)
def test_the_points_of_a_place_and_the_mean_of_shared_ones(rule, entrants, place, points):
    assert shared_points(EveningPlace(*place), entrants, rule) == points


def test_the_best_two_of_three_evenings_count():
    evenings = [evening("Ana", "Bo", "Cy"), evening("Bo", "Cy"), evening("Bo", ("Cy", "Ana"))]
    # Bo drops 8; Cy drops 6 and keeps 8 and (8 + 6) / 2.
    assert table(evenings, CircuitRule(PointsBy.LIST, (10, 8, 6, 5), counted=2)) == [
        (1, "Bo", 20),
        (2, "Ana", 17),
        (3, "Cy", 15),
    ]
    assert table(evenings, FOUR) == [(1, "Bo", 28), (2, "Cy", 21), (3, "Ana", 17)]
    rows = circuit_ranking(evenings, CircuitRule(PointsBy.LIST, (10, 8, 6, 5), counted=2))
    assert [one.counts for one in rows[0].scores.values()] == [False, True, True]
    assert [row.won for row in rows] == [2, 1, 0]


def test_level_on_points_the_evenings_won_decide_then_the_best_places_then_they_share():
    rule = CircuitRule(PointsBy.LIST, (9, 6, 4, 3, 1))
    evenings = [
        evening("Ana", "Bo", "Cy", "Di", "Ed"),
        evening("Fe", "Ed", "Di", "Cy", "Bo"),
    ]
    # Bo 6 + 1, Cy 4 + 3, Di 3 + 4, Ed 1 + 6: all have 7. A second place is better than a third.
    assert table(evenings, rule) == [
        (1, "Ana", 9),
        (1, "Fe", 9),
        (3, "Bo", 7),
        (3, "Ed", 7),
        (5, "Cy", 7),
        (5, "Di", 7),
    ]
    # Ana and Cy have won one, Bo none: 9 against 6 + 3.
    one, two = evening("Ana", "Bo"), evening("Cy", "Di", "Ed", "Bo")
    assert table([one, two], rule)[:3] == [(1, "Ana", 9), (1, "Cy", 9), (3, "Bo", 9)]


def test_a_shared_first_place_is_no_win_and_a_further_place_is_better_than_none():
    rule = CircuitRule(PointsBy.LIST, (4, 4, 0))
    evenings = [evening(("Ana", "Bo"), "Cy"), evening("Cy"), evening("Di", "Ed", "Ana")]
    rows = circuit_ranking(evenings, rule)
    assert [(row.rank, row.entrant, row.won) for row in rows] == [
        (1, "Cy", 1),
        (2, "Di", 1),
        (3, "Ana", 0),
        (4, "Bo", 0),
        (5, "Ed", 0),
    ]


# Formula One 1988: places of the 16 races, the best 11 count (FIA Formula One World Championship 1988, results at
# formula1.com/en/results/1988 and statsf1.com/en/1988). None: not classified.
SENNA = (None, 1, None, 2, 1, 1, 2, 1, 1, 1, 1, 10, 6, 4, 1, 2)
PROST = (1, 2, 1, 1, 2, 2, 1, None, 2, 2, 2, None, 1, 1, 2, 1)
POINTS_1988 = (9, 6, 4, 3, 2, 1)


@pytest.mark.parametrize(
    ("counted", "senna", "prost", "champion"), [(11, 90, 87, "Senna"), (0, 94, 105, "Prost")], ids=["best 11", "all 16"]
)
def test_formula_one_1988(counted, senna, prost, champion):
    races = [
        {name: EveningPlace(place, place) for name, place in (("Senna", a), ("Prost", b)) if place}
        for a, b in zip(SENNA, PROST, strict=True)
    ]
    rows = circuit_ranking(races, CircuitRule(PointsBy.LIST, POINTS_1988, counted))
    assert {row.entrant: row.points for row in rows} == {"Senna": senna, "Prost": prost}
    assert rows[0].entrant == champion
    assert {row.entrant: row.won for row in rows} == {"Senna": 8, "Prost": 7}
