"""What somebody can still come to: by hand, and against every end of the open matches with every small score."""

from itertools import combinations, product
from random import Random

import pytest

from league.competitions.standings import reachable_places
from league.competitions.standings.compute import Outcome, Played, Scoring, table
from league.competitions.standings.reachable_places import AfterNext, Prospect, what_if

PEOPLE = [(1, "Ana", "A1"), (2, "Bo", "B2"), (3, "Cy", "C3"), (4, "Di", "D4")]
ORDER = ("match_points", "difference")


def beat(winner, loser):
    return Played({winner: 150, loser: 100}, winner)


def test_win_the_next_and_be_at_least_second():
    """Ana 4, Bo 2, Cy 2, Di 0; Bo meets Cy, and Ana meets Di. Who wins between Bo and Cy has four points."""
    matches = [beat(1, 2), beat(1, 3), beat(2, 4), beat(3, 4)]
    missing = [(1, 4), (2, 3)]
    assert what_if(PEOPLE, matches, 1, order=ORDER, missing=missing) == Prospect(
        1,
        2,
        exact=True,
        next_opponent=4,
        after_next=(AfterNext(Outcome.WON, 1, 1), AfterNext(Outcome.DRAWN, 1, 1), AfterNext(Outcome.LOST, 1, 2)),
    )
    assert what_if(PEOPLE, matches, 2, order=ORDER, missing=missing) == Prospect(
        1,
        4,
        exact=True,
        next_opponent=3,
        after_next=(AfterNext(Outcome.WON, 1, 2), AfterNext(Outcome.DRAWN, 2, 3), AfterNext(Outcome.LOST, 3, 4)),
    )


def test_nothing_to_come_is_no_prospect_and_neither_is_an_order_that_the_score_decides():
    assert what_if(PEOPLE, [beat(1, 2)], 1, order=ORDER, missing=[]) is None
    many = list(combinations([1, 2, 3, 4], 2)) * 2
    assert what_if(PEOPLE, [], 1, order=("difference", "match_points"), missing=many) is None


def test_rounds_that_are_not_paired_yet_are_counted_in_the_bounds():
    matches = [beat(1, 2), beat(3, 4)]
    assert what_if(PEOPLE, matches, 1, order=ORDER, missing=[], scoring=Scoring(paired=True), unpaired_rounds=1) == (
        Prospect(1, 4, exact=False)
    )
    # Two points ahead of Bo and Di with nothing but a bye left for each: they can draw level.
    assert what_if(PEOPLE, matches, 2, order=ORDER, missing=[], unpaired_rounds=1) == Prospect(1, 4, exact=False)


# --- Brute force ---


def random_season(seed, left):
    rng = Random(seed)
    people = PEOPLE[: rng.choice([3, 4])]
    pairs = list(combinations([one for one, *_ in people], 2))
    rng.shuffle(pairs)
    played = [Played({a: 100, b: 100 + d}, w) for a, b, d, w in (_end(rng, *pair) for pair in pairs[left:])]
    return people, played, pairs[:left]


def _end(rng, first, second):
    winner = rng.choice([first, second, None])
    return first, second, rng.choice([-9, 3]) * (winner is not None) * (1 if winner == second else -1), winner


def final_places(people, played, missing, order, one):
    """By the end of the next match of `one`, every place that the missing matches can bring."""
    following = next((place for place, pair in enumerate(missing) if one in pair), None)
    ends = [
        [Played({a: 0, b: 0}, None)]
        + [Played({a: gap, b: 0}, a) for gap in (1, 60)]
        + [Played({a: 0, b: gap}, b) for gap in (1, 60)]
        for a, b in missing
    ]
    found = {}
    for chosen in product(*ends):
        rows = table(people, [*played, *chosen], order=order)
        place = next(row.rank for row in rows if row.entrant_id == one)
        how = None
        if following is not None:
            winner = chosen[following].winner
            how = Outcome.DRAWN if winner is None else Outcome.WON if winner == one else Outcome.LOST
        found.setdefault(how, set()).add(place)
    return found


@pytest.mark.parametrize("seed", range(25))
@pytest.mark.parametrize("order", [("match_points", "difference"), ("wins", "direct_encounter", "lot")])
def test_no_end_of_the_open_matches_brings_another_place(seed, order, monkeypatch):
    people, played, missing = random_season(seed, left=2)
    for bounds_only in (False, True):
        monkeypatch.setattr(reachable_places, "MOST_ROWS", 0 if bounds_only else 500)
        for one, *_ in people:
            told = what_if(people, played, one, order=order, missing=missing)
            places = final_places(people, played, missing, order, one)
            everything = set().union(*places.values())
            assert told.exact is not bounds_only
            assert told.best <= min(everything)
            assert told.worst >= max(everything)
            for after in told.after_next:
                assert after.best <= min(places[after.outcome])
                assert after.worst >= max(places[after.outcome])
            if told.exact and order[-1] == "lot":
                assert (told.best, told.worst) == (min(everything), max(everything))
                assert {a.outcome: (a.best, a.worst) for a in told.after_next} == {
                    end: (min(found), max(found)) for end, found in places.items() if end
                }


def test_points_of_a_direct_encounter_are_open_until_it_is_played() -> None:
    # Ana beat Bo by 1, Bo meets Cy, who lost to nobody yet: a circle would be placed by points that nobody knows.
    matches = [Played({1: 150, 2: 149}, 1), Played({3: 150, 1: 100}, 3)]
    order, scoring = ("wins", "direct_encounter"), Scoring(direct_by_points=True)
    found = what_if(PEOPLE[:3], matches, 1, order=order, missing=[(2, 3)], scoring=scoring)
    assert found is not None
    assert [(one.outcome, one.best, one.worst) for one in found.after_next] == []
    assert (found.best, found.worst) == (1, 3)
    by_wins = what_if(PEOPLE[:3], matches, 1, order=order, missing=[(2, 3)])
    assert by_wins is not None
    assert (by_wins.best, by_wins.worst) == (1, 2)
