"""Berger tables: FIDE Handbook C.05, Annex 1."""

from collections import Counter
from pathlib import Path

import pytest

from league.competitions.formats.round_robin import berger, round_robin
from tests.cases import for_each

# The Handbook's tables, by their even number of players; the file names its source.
TEXT = (Path(__file__).parents[1] / "tables" / "berger.txt").read_text(encoding="utf-8")
TABLES = {int(heading.split()[2]): lines for heading, *lines in (part.splitlines() for part in TEXT.split("\n\n")[1:])}
SIZES = [*range(2, 65), 128, 256, 512, 1024]


def pairs_of(one):
    return [(pair.first, pair.second) for pair in one.pairings]


def as_pairs(line):
    return [tuple(map(int, pair.split("-"))) for pair in line.split()]


def test_the_handbook_has_a_table_for_every_number_from_3_to_16():
    assert {n: len(lines) for n, lines in TABLES.items()} == {n: n - 1 for n in range(4, 17, 2)}


@pytest.mark.parametrize("n", range(3, 17))
def test_the_draw_is_the_printed_table_in_which_the_highest_number_is_a_bye_where_n_is_odd(n):
    places = n + n % 2
    table = [as_pairs(line) for line in TABLES[places]]
    drawn = berger(n)
    assert [pairs_of(one) for one in drawn] == [[pair for pair in pairs if max(pair) <= n] for pairs in table]
    assert [one.bye for one in drawn] == [next((min(pair) for pair in pairs if max(pair) > n), None) for pairs in table]


@for_each("n", SIZES)
def test_everybody_meets_everybody_once_and_plays_or_rests_every_round(n):
    rounds = berger(n)
    met = Counter((max(pair), min(pair)) for one in rounds for pair in pairs_of(one))
    assert met == Counter((a, b) for a in range(1, n + 1) for b in range(1, a))
    assert len(rounds) == n - 1 + n % 2
    for one in rounds:
        busy = [seed for pair in one.pairings for seed in (pair.first, pair.second)]
        assert sorted(busy + ([one.bye] if one.bye else [])) == list(range(1, n + 1))


@for_each("n", [n for n in SIZES if 2 < n < 512])
def test_sides_differ_by_at_most_one_and_byes_are_one_each_for_odd_numbers(n):
    rounds = berger(n)
    first = Counter(pair.first for one in rounds for pair in one.pairings)
    second = Counter(pair.second for one in rounds for pair in one.pairings)
    assert all(abs(first[seed] - second[seed]) <= 1 for seed in range(1, n + 1))
    byes = Counter(one.bye for one in rounds)
    assert byes == (Counter(range(1, n + 1)) if n % 2 else Counter({None: n - 1}))


@for_each("n", range(3, 65))
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


@for_each("double", [False, True])
@for_each("n", range(2, 65))
def test_the_draw_is_the_table_with_whoever_sits_out_last(n, double):
    for drawn, one in zip(round_robin(n, double=double), berger(n, double=double), strict=True):
        seats = [tuple(berth.seed for berth in slot.berths) for slot in drawn.slots]
        assert seats == pairs_of(one) + ([(one.bye,)] if one.bye else [])
