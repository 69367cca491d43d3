"""Rounds at tables of three to six: COMPETITIONS.md, formats."""

from collections import Counter
from itertools import combinations, product
from math import comb

import pytest

from league.competitions.formats import table_rotation
from league.competitions.formats.table_rounds import table_rounds, table_sizes
from tests.cases import for_each
from tests.league.competitions.drawn_play import matches, numbered

SEATS = [3, 4, 5, 6]
NUMBERS = range(3, 65)
FILLED = [(n, seats) for n, seats in product(NUMBERS, SEATS) if n >= max(3, seats - 1)]


@pytest.fixture
def no_search(monkeypatch):
    """What is true of every draw does not depend on how long a better one is looked for."""
    monkeypatch.setattr(table_rotation, "TRIES", 0)


def seeds(slot):
    return [berth.seed for berth in slot.berths]


def meetings(rounds):
    return Counter(frozenset(pair) for slot in matches(rounds) for pair in combinations(seeds(slot), 2))


def squares(rounds):
    return sum(count * count for count in meetings(rounds).values())


def least_squares(n, sizes, rounds):
    """All pairs meet equally often, or once more."""
    pairs = comb(n, 2)
    each, more = divmod(rounds * sum(comb(size, 2) for size in sizes), pairs)
    return more * (each + 1) ** 2 + (pairs - more) * each**2


def test_tables_are_full_or_have_one_fewer_and_never_two():
    expected = {
        (16, 4): [4, 4, 4, 4],
        (14, 4): [4, 4, 3, 3],
        (6, 4): [3, 3],
        (5, 4): [4],
        (8, 3): [3, 3],
        (7, 3): [3, 3],
        (11, 6): [6, 5],
    }
    assert {(n, seats): table_sizes(n, seats) for n, seats in expected} == expected


@for_each(("n", "seats"), FILLED)
def test_as_few_as_can_be_have_a_bye(n, seats):
    sizes = table_sizes(n, seats)
    assert sizes == sorted(sizes, reverse=True)
    allowed = {seats, seats - 1} - {2}
    assert set(sizes) <= allowed
    seatable = {0}
    for _table in range(n // min(allowed)):
        seatable |= {total + size for total in seatable for size in allowed if total + size <= n}
    assert sum(sizes) == max(seatable)


@pytest.mark.usefixtures("no_search")
@for_each(("n", "seats"), [*FILLED, *product([128, 256, 512, 1024], SEATS)])
def test_everybody_sits_at_one_table_or_has_a_bye_in_every_round(n, seats):
    drawn = table_rounds(n, seats, 9)
    sizes = table_sizes(n, seats)
    assert len(drawn) == 9
    for one in drawn:
        assert [len(slot.berths) for slot in one.slots] == sizes + [1] * (n - sum(sizes))
        assert sorted(seed for slot in one.slots for seed in seeds(slot)) == list(range(1, n + 1))
    assert not any(berth.source for _key, slot in numbered(drawn) for berth in slot.berths)


@pytest.mark.usefixtures("no_search")
@for_each(("n", "seats"), FILLED)
def test_byes_are_shared_out_from_the_last_seed_upwards_after_every_round(n, seats):
    byes = Counter()
    for one in table_rounds(n, seats, 9):
        byes.update(seeds(slot)[0] for slot in one.slots if slot.is_bye)
        numbers = [byes[seed] for seed in range(1, n + 1)]
        assert numbers == sorted(numbers)
        assert max(numbers) - min(numbers) <= 1


@pytest.mark.usefixtures("no_search")
@for_each(("n", "seats"), FILLED)
def test_two_numbers_of_leads_differ_by_at_most_one_however_many_rounds(n, seats):
    for rounds in (1, 3, 6, 12):
        leads = Counter(seeds(slot)[0] for slot in matches(table_rounds(n, seats, rounds)))
        numbers = [leads[seed] for seed in range(1, n + 1)]
        assert max(numbers) - min(numbers) <= 1


@pytest.mark.usefixtures("no_search")
@for_each(("n", "seats"), FILLED)
def test_in_round_1_the_first_seeds_sit_at_different_tables(n, seats):
    first = table_rounds(n, seats, 1)[0]
    tables = len(table_sizes(n, seats))
    top = [[seed for seed in seeds(slot) if seed <= tables] for slot in first.slots if not slot.is_bye]
    assert all(len(table) == 1 for table in top)


@pytest.mark.parametrize(
    ("n", "seats", "rounds"),
    [
        (9, 3, 4),
        (16, 4, 5),
        (25, 5, 6),
        (4, 4, 1),
        (49, 6, 7),
        (64, 4, 16),
        (36, 4, 9),
        (28, 4, 7),
        (63, 6, 11),
        (44, 4, 8),
    ],
)
def test_where_a_construction_is_known_nobody_meets_anybody_twice(n, seats, rounds):
    assert set(meetings(table_rounds(n, seats, rounds)).values()) == {1}


@pytest.mark.parametrize("n", [9, 16, 25])
def test_everybody_meets_everybody_once_where_the_seats_squared_are_the_entrants(n):
    """An affine plane: seats + 1 rounds."""
    seats = round(n**0.5)
    assert meetings(table_rounds(n, seats, seats + 1)) == Counter(map(frozenset, combinations(range(1, n + 1), 2)))


def test_seven_at_tables_of_three_meet_everybody_twice_in_seven_rounds():
    assert set(meetings(table_rounds(7, 3, 7)).values()) == {2}
    assert len(meetings(table_rounds(7, 3, 7))) == 21


def splits(left, sizes):
    """Every way to seat these at tables of these sizes; tables of one size are told apart, which harms nothing."""
    if not sizes:
        yield []
        return
    for table in combinations(left, sizes[0]):
        for others in splits([one for one in left if one not in table], sizes[1:]):
            yield [table, *others]


@pytest.mark.parametrize(
    ("n", "seats", "rounds"), [(6, 3, 2), (6, 3, 3), (7, 4, 2), (7, 4, 3), (8, 4, 2), (8, 4, 3), (6, 4, 4), (9, 3, 2)]
)
def test_no_other_draw_has_fewer_meetings_again(n, seats, rounds):
    """Every draw of so few is tried; the first round is the same in all, for only names would differ."""
    every = {frozenset(map(frozenset, one)) for one in splits(range(1, n + 1), table_sizes(n, seats))}
    pairs = [[pair for table in one for pair in combinations(sorted(table), 2)] for one in every]
    least = min(
        sum(count * count for count in Counter(pair for one in (pairs[0], *others) for pair in one).values())
        for others in product(pairs, repeat=rounds - 1)
    )
    assert squares(table_rounds(n, seats, rounds)) == least


# (entrants, seats, rounds): the most meetings of a pair, and the sum of squares, that were found. The sum cannot be
# below `least_squares`, which itself cannot always be reached: six at a table who come from five tables meet again.
# Fifteen at tables of three for seven rounds are Kirkman's schoolgirls (1850).
FOUND = {
    (20, 4, 6): (2, 192),
    (24, 4, 7): (2, 284),
    (40, 4, 8): (1, 480),
    (15, 3, 7): (1, 105),
    (13, 4, 6): (2, 116),
    (30, 6, 6): (2, 612),
}


@pytest.mark.slow("published figures of a long search")
@pytest.mark.parametrize("case", FOUND)
def test_a_search_makes_the_others_meet_seldom_again(case, monkeypatch):
    most, total = FOUND[case]
    n, seats, rounds = case
    drawn = table_rounds(n, seats, rounds)
    assert max(meetings(drawn).values()) <= most
    assert least_squares(n, table_sizes(n, seats), rounds) <= squares(drawn) <= total
    assert drawn == table_rounds(n, seats, rounds)
    monkeypatch.setattr(table_rotation, "TRIES", 0)
    assert squares(table_rounds(n, seats, rounds)) > total


@pytest.mark.parametrize("size", [2, 3, 4, 5, 7, 8, 9, 11, 13, 16])
def test_the_arithmetic_of_a_field_has_no_product_twice(size):
    add, times = table_rotation._arithmetic(size)
    everything = set(range(size))
    for one in everything:
        assert {add(one, other) for other in everything} == everything
        assert one == 0 or {times(one, other) for other in everything} == everything
    for a, b, c in product(range(size), repeat=3):
        assert times(a, add(b, c)) == add(times(a, b), times(a, c))


@pytest.mark.parametrize(("n", "seats", "rounds"), [(2, 3, 1), (3, 5, 1), (4, 6, 1), (8, 2, 1), (8, 7, 1), (8, 4, 0)])
def test_what_makes_no_table_is_refused(n, seats, rounds):
    with pytest.raises(ValueError, match=r"do not fill|seats, not|one or more"):
        table_rounds(n, seats, rounds)
