"""The direct encounter: by hand, and against every way in which the missing matches can end."""

from itertools import combinations, pairwise, product
from random import Random

import pytest

from league.competitions.standings.compute import HowPlayed, Meeting, Outcome, Played, Scoring, table

PEOPLE = [(1, "Ana", "A1"), (2, "Bo", "B2"), (3, "Cy", "C3"), (4, "Di", "D4"), (5, "Ed", "E5")]
DIRECT_ENCOUNTER = "direct_encounter"
FIRST = ("wins", DIRECT_ENCOUNTER, "difference", "points_for")


def beat(winner, loser, points=150, other=100):
    return Played({winner: points, loser: other}, winner)


def level(first, second):
    return Played({first: 100, second: 100}, None)


def ranks(rows):
    return [(row.rank, row.name) for row in rows]


def test_of_two_level_on_wins_the_one_who_won_their_match_is_first():
    # Ana +30, Bo +100, and Bo lost to Ana: the direct encounter comes before the difference.
    matches = [beat(1, 2, 150, 145), beat(2, 3, 150, 45), beat(3, 1, 150, 125), beat(3, 4), beat(1, 4), beat(2, 4)]
    assert ranks(table(PEOPLE[:4], matches, order=("wins", "difference", DIRECT_ENCOUNTER))) == [
        (1, "Bo"),
        (2, "Ana"),
        (3, "Cy"),
        (4, "Di"),
    ]
    # All three won one of their matches with each other: level there too, so the difference decides.
    rows = table(PEOPLE[:4], matches, order=FIRST)
    assert ranks(rows) == [(1, "Bo"), (2, "Ana"), (3, "Cy"), (4, "Di")]
    assert [[(one.points, one.missing, one.still_open) for one in row.direct] for row in rows] == [
        [(2, 0, False)],
        [(2, 0, False)],
        [(2, 0, False)],
        [],
    ]


def test_a_direct_encounter_places_two_against_the_difference():
    matches = [beat(1, 2, 150, 145), beat(2, 3, 150, 0), beat(3, 1, 150, 145), beat(2, 4), beat(4, 3), beat(1, 4)]
    rows = table(PEOPLE[:4], matches, order=FIRST)
    # Ana and Bo won twice; Bo has the better difference, Ana won their match. Cy and Di won once; Di beat Cy.
    assert ranks(rows) == [(1, "Ana"), (2, "Bo"), (3, "Di"), (4, "Cy")]
    assert rows[0].direct[0].tied == (1, 2)
    assert rows[0].direct[0].meetings == (Meeting(2, 150, 145, Outcome.WON),)
    assert rows[1].direct[0].meetings == (Meeting(1, 145, 150, Outcome.LOST),)
    assert [row.direct[0].points for row in rows] == [2, 0, 2, 0]


def test_those_still_level_are_compared_again_among_themselves():
    # Five won twice each. Among all five everybody has four points: nobody is parted.
    circle = [beat(1, 2), beat(2, 3), beat(3, 4), beat(4, 5), beat(5, 1)]
    others = [beat(1, 3), beat(3, 5), beat(5, 2), beat(2, 4), beat(4, 1)]
    rows = table(PEOPLE, circle + others, order=("wins", DIRECT_ENCOUNTER))
    assert {row.rank for row in rows} == {1}
    assert {len(row.direct) for row in rows} == {1}
    # Four level on wins: Ana beat all, Bo, Cy and Di have 2 points each of a circle: level again, compared again.
    rows = table(
        PEOPLE[:4],
        [beat(1, 2), beat(1, 3), beat(1, 4), beat(2, 3), beat(3, 4), beat(4, 2)],
        order=(DIRECT_ENCOUNTER,),
    )
    assert ranks(rows) == [(1, "Ana"), (2, "Bo"), (2, "Cy"), (2, "Di")]
    assert [[one.points for one in row.direct] for row in rows] == [[6], [2, 2], [2, 2], [2, 2]]
    # Ana 5, Bo 3, Cy and Di 2 points among the four; Cy won their match.
    rows = table(
        PEOPLE[:4],
        [level(1, 2), beat(1, 3), beat(1, 4), beat(2, 3), beat(4, 2), beat(3, 4)],
        order=(DIRECT_ENCOUNTER,),
    )
    assert ranks(rows) == [(1, "Ana"), (2, "Bo"), (3, "Cy"), (4, "Di")]
    assert [[one.points for one in row.direct] for row in rows] == [[5], [3], [2, 2], [2, 0]]


def test_no_place_is_given_that_a_missing_match_could_change():
    matches = [beat(1, 3), beat(2, 4)]
    rows = table(PEOPLE[:2], [], order=(DIRECT_ENCOUNTER,), missing=[(1, 2)])
    assert ranks(rows) == [(1, "Ana"), (1, "Bo")]
    assert [(one.points, one.missing, one.still_open) for row in rows for one in row.direct] == [(0, 1, True)] * 2
    # Ana beat Bo once, and they meet once more: Bo can still draw level.
    rows = table(PEOPLE[:2], [beat(1, 2)], order=(DIRECT_ENCOUNTER,), missing=[(1, 2)])
    assert ranks(rows) == [(1, "Ana"), (1, "Bo")]
    # Twice before, once more to come: Ana's place is safe.
    rows = table(PEOPLE[:2], [beat(1, 2), beat(1, 2)], order=(DIRECT_ENCOUNTER,), missing=[(1, 2)])
    assert ranks(rows) == [(1, "Ana"), (2, "Bo")]
    assert [one.still_open for row in rows for one in row.direct] == [False, False]
    # A match that is missing with somebody who is not level changes nothing.
    rows = table(PEOPLE[:4], [*matches, beat(1, 2), beat(2, 1)], order=FIRST, missing=[(1, 4), (3, 4)])
    assert not any(one.still_open for row in rows[:2] for one in row.direct)


def test_while_a_place_is_open_the_next_tie_break_orders_the_table():
    matches = [beat(1, 3, 150, 140), beat(2, 3, 150, 20)]
    rows = table(PEOPLE[:3], matches, order=FIRST, missing=[(1, 2)])
    assert ranks(rows) == [(1, "Bo"), (2, "Ana"), (3, "Cy")]
    assert [one.still_open for row in rows for one in row.direct] == [True, True]


def test_rows_level_in_all_stand_by_name_whatever_the_points_of_an_open_encounter():
    rows = table(PEOPLE[:2], [beat(2, 1)], order=(DIRECT_ENCOUNTER,), missing=[(1, 2)])
    assert ranks(rows) == [(1, "Ana"), (1, "Bo")]


# --- A Swiss, in which those who did not meet never will (FIDE C.07 6.3) ---

SWISS = Scoring(paired=True)


def parted(rows):
    found = {}
    for row in rows:
        found.setdefault(row.rank, set()).add(row.entrant_id)
    return [found[rank] for rank in sorted(found)]


def test_in_a_swiss_nobody_is_last_before_somebody_is_first():
    """Cy lost to both, who did not meet. Where they still will, Cy is third already."""
    matches = [beat(1, 3), beat(2, 3)]
    swiss = table(PEOPLE[:3], matches, order=(DIRECT_ENCOUNTER,), scoring=SWISS)
    assert (parted(swiss), [one.still_open for row in swiss for one in row.direct]) == ([{1, 2, 3}], [True] * 3)
    assert parted(table(PEOPLE[:3], matches, order=(DIRECT_ENCOUNTER,), missing=[(1, 2)])) == [{1, 2}, {3}]


def test_in_a_swiss_the_others_are_compared_without_who_is_first():
    """Ana is first though Cy, who lost to Di, did not meet her; among the other three all have met."""
    matches = [beat(1, 2), beat(1, 4), level(2, 3), beat(2, 4), beat(4, 3)]
    rows = table(PEOPLE[:4], matches, order=(DIRECT_ENCOUNTER,), scoring=SWISS)
    assert ranks(rows) == [(1, "Ana"), (2, "Bo"), (3, "Di"), (4, "Cy")]
    assert [[one.still_open for one in row.direct] for row in rows] == [[False], *[[False, False]] * 3]


def from_the_top(group, results):
    """Written apart from the code it tests: `results` by (one, other) as the points of one."""
    points = {one: sum(results.get((one, other), 0) for other in group) for one in group}
    unmet = {one: sum((one, other) not in results for other in group) - 1 for one in group}
    if not any(unmet.values()):
        parts = [{one for one in group if points[one] == value} for value in sorted({*points.values()}, reverse=True)]
        return parts if len(parts) == 1 else [deeper for part in parts for deeper in from_the_top(part, results)]
    first = max(group, key=lambda one: points[one])
    others = set(group) - {first}
    if all(points[first] > points[one] + 2 * unmet[one] for one in others):
        return [{first}, *from_the_top(others, results)]
    return [set(group)]


@pytest.mark.parametrize("seed", range(300))
def test_in_a_swiss_places_are_given_from_the_top(seed):
    rng = Random(seed)
    people = PEOPLE[: rng.choice([2, 3, 4, 5])]
    ids = [one for one, *_ in people]
    met = {pair: rng.choice([*pair, *pair, None]) for pair in combinations(ids, 2) if rng.random() < 0.75}
    results = {(one, other): 1 if end is None else 2 * (end == one) for (one, other), end in met.items()}
    results |= {(other, one): 2 - points for (one, other), points in results.items()}
    played = [Played(dict.fromkeys(pair, 100), winner) for pair, winner in met.items()]
    rows = table(people, played, order=(DIRECT_ENCOUNTER,), scoring=SWISS)
    assert parted(rows) == from_the_top(ids, results)


# --- Brute force ---


def placed_when_all_is_played(group, results):
    """Written apart from the code it tests: parts of the group, best first, every match known."""
    points = dict.fromkeys(group, 0)
    for (first, second), winner in results:
        if first in points and second in points:
            if winner is None:
                points[first] += 1
                points[second] += 1
            else:
                points[winner] += 2
    parts = [[one for one in group if points[one] == value] for value in sorted(set(points.values()), reverse=True)]
    if len(parts) == 1:
        return [set(group)]
    return [deeper for part in parts for deeper in placed_when_all_is_played(part, results)]


def place_of(parts, one):
    return next(number for number, part in enumerate(parts) if one in part)


def random_season(seed):
    rng = Random(seed)
    people = PEOPLE[: rng.choice([3, 4, 5])]
    pairs = list(combinations([one for one, *_ in people], 2)) * rng.choice([1, 1, 2])
    missing = set(rng.sample(range(len(pairs)), rng.randrange(min(len(pairs), 6) + 1)))
    results = [(pair, rng.choice([*pair, *pair, None])) for place, pair in enumerate(pairs) if place not in missing]
    return people, results, [pairs[place] for place in sorted(missing)]


@pytest.mark.parametrize("seed", range(150))
def test_every_place_given_holds_however_the_missing_matches_end(seed):
    people, results, missing = random_season(seed)
    ids = [one for one, *_ in people]
    played = [Played({a: 100, b: 100}, winner) for (a, b), winner in results]
    rows = table(people, played, order=(DIRECT_ENCOUNTER,), missing=missing)
    rank = {row.entrant_id: row.rank for row in rows}
    endings = [
        placed_when_all_is_played(ids, [*results, *zip(missing, winners, strict=True)])
        for winners in product(*[(a, b, None) for a, b in missing])
    ]
    surely = {
        (one, other)
        for one in ids
        for other in ids
        if all(place_of(parts, one) < place_of(parts, other) for parts in endings)
    }
    given = {(one, other) for one in ids for other in ids if rank[one] < rank[other]}
    assert given <= surely
    if not missing:
        assert given == surely
    assert sorted(rank.values()) == [rank[row.entrant_id] for row in rows]
    assert all(before.rank <= after.rank for before, after in pairwise(rows))
    for row in rows:
        alone = list(rank.values()).count(row.rank) == 1
        assert not (alone and row.direct[-1].still_open)


@pytest.mark.parametrize("seed", range(40))
def test_the_order_never_depends_on_the_order_in_which_rows_come(seed):
    people, results, missing = random_season(seed)
    rng = Random(-seed - 1)
    played = [Played({a: 100, b: 90 + place}, winner) for place, ((a, b), winner) in enumerate(results)]
    expected = table(people, played, order=FIRST, missing=missing)
    again = table(rng.sample(people, len(people)), played, order=FIRST, missing=rng.sample(missing, len(missing)))
    assert ranks(again) == ranks(expected)


# --- By points among those level ---

BY_POINTS = Scoring(direct_by_points=True)


def test_euro_2004_group_c_is_decided_by_points_for_among_three() -> None:
    """UEFA Euro 2004, group C: three with 5 points, level among them (1-1, 0-0, 2-2), so goals among them decide.

    Sweden 3, Denmark 2, Italy 1 (UEFA regulations 2004, article 7.07; final table of the group).
    """
    people = [(1, "Bulgaria", "BUL"), (2, "Denmark", "DEN"), (3, "Italy", "ITA"), (4, "Sweden", "SWE")]
    scores = [(2, 0, 3, 0), (4, 5, 1, 0), (1, 0, 2, 2), (3, 1, 4, 1), (3, 2, 1, 1), (2, 2, 4, 2)]
    matches = [
        Played({a: own, b: other}, a if own > other else b if other > own else None) for a, own, b, other in scores
    ]
    scoring = Scoring(win=3, draw=1, loss=0, direct_by_points=True)
    order = ("match_points", DIRECT_ENCOUNTER)
    rows = table(people, matches, order=order, scoring=scoring)
    assert ranks(rows) == [(1, "Sweden"), (2, "Denmark"), (3, "Italy"), (4, "Bulgaria")]
    by_wins = table(people, matches, order=order, scoring=Scoring(win=3, draw=1, loss=0))
    assert ranks(by_wins)[:3] == [(1, "Denmark"), (1, "Italy"), (1, "Sweden")]


def test_each_step_starts_again_for_those_still_level() -> None:
    # A circle: Ana +50 -30 = +20, Bo -50 +10 = -40, Cy -10 +30 = +20. Bo is third; Cy has beaten Ana.
    circle = [beat(1, 2), beat(2, 3, 150, 140), beat(3, 1, 150, 120)]
    rows = table(PEOPLE[:3], circle, order=("wins", DIRECT_ENCOUNTER), scoring=BY_POINTS)
    assert ranks(rows) == [(1, "Cy"), (2, "Ana"), (3, "Bo")]
    assert [one.points for one in rows[0].direct] == [2, 2]


def test_points_among_them_wait_for_the_missing_match() -> None:
    met = [level(1, 2), Played({1: 150, 3: 100}, 1), Played({2: 150, 3: 0}, 2)]
    rows = table(PEOPLE[:3], met, order=("wins", DIRECT_ENCOUNTER), scoring=BY_POINTS, missing=[(1, 2)])
    assert ranks(rows)[:2] == [(1, "Ana"), (1, "Bo")]


def test_a_forfeit_counts_in_the_points_only_where_the_competition_says_so() -> None:
    matches = [Played({1: 150, 2: 0}, 1, kind=HowPlayed.FORFEIT), beat(2, 1, 150, 140)]
    # One game of two was forfeited: only the played one counts.
    matches.append(Played({1: 250, 3: 120}, 1, games={1: 2, 3: 0}, at_the_table={1: 100, 3: 120}))
    counted, not_counted = (
        table(PEOPLE[:3], matches, scoring=Scoring(forfeit_points=wanted)) for wanted in (True, False)
    )
    own = [{row.name: (row.points_for, row.points_against, row.won) for row in rows} for rows in (counted, not_counted)]
    assert own[0] == {"Ana": (540, 270, 2), "Bo": (150, 290, 1), "Cy": (120, 250, 0)}
    assert own[1] == {"Ana": (240, 270, 2), "Bo": (150, 140, 1), "Cy": (120, 100, 0)}
