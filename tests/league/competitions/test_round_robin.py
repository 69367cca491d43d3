"""Berger tables: FIDE Handbook C.05, Annex 1."""

from collections import Counter

import pytest

from league.competitions.formats.round_robin import berger

# As printed in the annex.
PRINTED = {
    4: ["1-4 2-3", "4-3 1-2", "2-4 3-1"],
    6: ["1-6 2-5 3-4", "6-4 5-3 1-2", "2-6 3-1 4-5", "6-5 1-4 2-3", "3-6 4-2 5-1"],
    8: [
        "1-8 2-7 3-6 4-5",
        "8-5 6-4 7-3 1-2",
        "2-8 3-1 4-7 5-6",
        "8-6 7-5 1-4 2-3",
        "3-8 4-2 5-1 6-7",
        "8-7 1-6 2-5 3-4",
        "4-8 5-3 6-2 7-1",
    ],
}


def printed(rounds):
    return [" ".join(f"{pair.first}-{pair.second}" for pair in one.pairings) for one in rounds]


@pytest.mark.parametrize("n", PRINTED)
def test_the_draw_is_the_printed_table(n):
    assert printed(berger(n)) == PRINTED[n]


@pytest.mark.parametrize("n", range(2, 17))
def test_everybody_meets_everybody_once_and_plays_or_rests_every_round(n):
    rounds = berger(n)
    met = Counter(frozenset((pair.first, pair.second)) for one in rounds for pair in one.pairings)
    everybody = {frozenset((a, b)) for a in range(1, n + 1) for b in range(1, a)}
    assert met == Counter(everybody)
    assert len(rounds) == n - 1 + n % 2
    for one in rounds:
        busy = [seed for pair in one.pairings for seed in (pair.first, pair.second)]
        assert sorted(busy + ([one.bye] if one.bye else [])) == list(range(1, n + 1))


@pytest.mark.parametrize("n", range(3, 17))
def test_sides_differ_by_at_most_one_and_byes_are_one_each_for_odd_numbers(n):
    rounds = berger(n)
    first = Counter(pair.first for one in rounds for pair in one.pairings)
    second = Counter(pair.second for one in rounds for pair in one.pairings)
    assert all(abs(first[seed] - second[seed]) <= 1 for seed in range(1, n + 1))
    byes = Counter(one.bye for one in rounds)
    assert byes == (Counter(range(1, n + 1)) if n % 2 else Counter({None: n - 1}))


@pytest.mark.parametrize("n", range(3, 17))
def test_a_double_round_robin_has_every_pair_on_both_sides_and_nobody_thrice_running_on_one(n):
    rounds = berger(n, double=True)
    met = Counter((pair.first, pair.second) for one in rounds for pair in one.pairings)
    assert met == Counter((a, b) for a in range(1, n + 1) for b in range(1, n + 1) if a != b)
    for seed in range(1, n + 1):
        sides = [pair.first == seed for one in rounds for pair in one.pairings if seed in (pair.first, pair.second)]
        turn = len(sides) // 2
        around = sides[turn - 2 : turn + 2]
        assert not any(len(set(around[i : i + 3])) == 1 for i in range(2))


def test_one_entrant_cannot_play_a_round_robin():
    with pytest.raises(ValueError, match="two entrants or more"):
        berger(1)
