"""Double elimination of any size: COMPETITIONS.md, formats."""

from collections import Counter
from itertools import product

import pytest

from league.competitions.formats.double_elimination import CROSSINGS, crossing, double_elimination
from league.competitions.formats.drawn import DrawnBerth, DrawnSlot, RoundKind, Section, Source
from league.competitions.formats.single_elimination import single_elimination
from tests.cases import for_each
from tests.league.competitions.drawn_play import chance, matches, numbered, play

SIZES = [*range(3, 65), 128, 256, 512, 1024]
# By the size of the bracket, the earliest losers' round of a rematch by winners' round: COMPETITIONS.md up to 128, then
# what the orders found for larger brackets give.
EARLIEST = {
    8: [3, 4],
    16: [4, 5, 6],
    32: [6, 5, 7, 8],
    64: [7, 7, 9, 8, 10],
    128: [8, 9, 11, 9, 10, 12],
    256: [9, 10, 11, 13, 11, 12, 14],
    512: [11, 11, 12, 13, 15, 13, 14, 16],
    1024: [13, 13, 13, 14, 15, 17, 15, 16, 18],
}
WILL = {
    "by chance": chance,
    "the better seed": lambda _n: min,
    "the worse seed": lambda _n: max,
    "the first berth": lambda _n: lambda first, _second: first,
    "the second berth": lambda _n: lambda _first, second: second,
    "who is nearer to the middle": lambda n: lambda *pair: min(pair, key=lambda seed: (abs(2 * seed - n), seed)),
}


def of(rounds, section):
    return [one for one in rounds if one.section == section]


def defeats(ends):
    return Counter(loser for _winner, loser in ends.values() if loser)


def rematches(rounds):
    """By winners' round, the earliest losers' round in which two who met there can meet again: the loser goes a way of
    losers' slots, the winner may drop onto it from any later winners' round.
    """
    numbers = [number for number, one in enumerate(rounds, start=1) if one.section == Section.LOSERS]
    goes_to = {berth.source: key for key, slot in numbered(rounds) for berth in slot.berths if berth.source}

    def way_down(key):
        way = []
        key = goes_to[Source(*key, loser=True)]
        while key[0] in numbers:
            way.append(key)
            key = goes_to[Source(*key)]
        return way

    earliest = {}
    for key, slot in numbered(rounds):
        if rounds[key[0] - 1].section == Section.WINNERS and not slot.is_bye:
            loser, later = set(way_down(key)), goes_to[Source(*key)]
            while rounds[later[0] - 1].section == Section.WINNERS:
                met = [numbers.index(one[0]) + 1 for one in way_down(later) if one in loser]
                earliest.setdefault(key[0], []).extend(met[:1])
                later = goes_to[Source(*later)]
    return [min(met) for _number, met in sorted(earliest.items()) if met]


def straight_down(monkeypatch):
    monkeypatch.setattr("league.competitions.formats.double_elimination.CROSSINGS", dict.fromkeys(CROSSINGS, ""))


@for_each("n", SIZES)
def test_n_entrants_play_2n_minus_2_matches_and_one_more_for_the_reset(n):
    rounds = double_elimination(n)
    assert len(matches(rounds)) == 2 * n - 2
    played = {section: len(matches(of(rounds, section))) for section in Section if section}
    assert played == {Section.WINNERS: n - 1, Section.LOSERS: n - 2, Section.FINAL: 1}
    assert double_elimination(n, reset=False) == rounds[:-1]


@for_each("n", SIZES)
def test_the_winners_bracket_is_the_one_of_a_knock_out(n):
    """With the same seeds, byes and slots; only the numbers of rounds are those of the whole list."""
    numbers = [number for number, one in enumerate(double_elimination(n), start=1) if one.section == Section.WINNERS]
    knock_out = single_elimination(n)

    def renumbered(berth):
        source = berth.source
        return DrawnBerth(berth.seed, source and Source(numbers[source.round_number - 1], source.slot_number))

    expected = [[DrawnSlot(tuple(map(renumbered, slot.berths))) for slot in one.slots] for one in knock_out]
    assert [list(one.slots) for one in of(double_elimination(n), Section.WINNERS)] == expected


@pytest.mark.parametrize("k", range(2, 11))
def test_a_full_bracket_has_k_winners_rounds_and_twice_k_minus_1_losers_rounds(k):
    rounds = double_elimination(2**k)
    assert [len(one.slots) for one in of(rounds, Section.WINNERS)] == [2 ** (k - r) for r in range(1, k + 1)]
    assert [len(one.slots) for one in of(rounds, Section.LOSERS)] == [
        2 ** (k - r) for r in range(2, k + 1) for _twice in range(2)
    ]
    assert [one.kind for one in rounds] == [RoundKind.PLAIN] * (3 * k - 2) + [RoundKind.FINAL] * 2


@pytest.mark.parametrize("k", range(2, 11))
def test_losers_of_round_r_drop_into_losers_round_twice_r_minus_1(k):
    rounds = double_elimination(2**k)
    losers = of(rounds, Section.LOSERS)
    winners = [number for number, one in enumerate(rounds, start=1) if one.section == Section.WINNERS]
    for r, number in enumerate(winners, start=1):
        into = losers[max(1, 2 * (r - 1)) - 1]
        dropped = [berth.source for slot in into.slots for berth in slot.berths if berth.source.loser]
        expected = {Source(number, place, loser=True) for place in range(1, 2 ** (k - r) + 1)}
        assert len(dropped) == len(expected)
        assert set(dropped) == expected


@for_each("n", SIZES)
def test_every_losers_slot_is_a_match_and_no_round_is_empty(n):
    rounds = double_elimination(n)
    assert all(one.slots for one in rounds)
    byes = [number for (number, _place), slot in numbered(rounds) if slot.is_bye]
    assert set(byes) <= {1}
    assert [one.section for one in rounds if one.section == Section.FINAL] == [one.section for one in rounds[-2:]]


@for_each("n", SIZES)
def test_everybody_who_leaves_a_match_goes_to_one_place_and_losers_of_losers_go_home(n):
    rounds = double_elimination(n, reset=False)
    used = Counter(berth.source for _key, slot in numbered(rounds) for berth in slot.berths if berth.source)
    expected = Counter()
    for key, slot in numbered(rounds[:-1]):
        expected[Source(*key)] = 1
        if rounds[key[0] - 1].section == Section.WINNERS and not slot.is_bye:
            expected[Source(*key, loser=True)] = 1
    assert used == expected


@for_each("will", WILL)
@for_each("n", SIZES)
def test_everybody_but_the_champion_loses_twice_and_the_champion_at_most_once(n, will):
    rounds = double_elimination(n)
    ends = play(rounds, WILL[will](n))
    final, reset = len(rounds) - 1, len(rounds)
    champion = ends[reset if (reset, 1) in ends else final, 1][0]
    lost = defeats(ends)
    assert lost.pop(champion, 0) == ((reset, 1) in ends)
    assert lost == dict.fromkeys(set(range(1, n + 1)) - {champion}, 2)


@for_each("n", SIZES)
def test_the_reset_is_played_if_the_losers_champion_wins_the_final_and_else_not(n):
    rounds = double_elimination(n)
    final, reset = len(rounds) - 1, len(rounds)
    finalists = [Source(number, 1) for number in last_of_both(rounds)]
    assert [berth.source for berth in rounds[-2].slots[0].berths] == finalists
    again = rounds[-1].slots[0]
    assert again.conditional
    assert again.berths == (
        DrawnBerth(source=Source(final, 1)),
        DrawnBerth(source=Source(final, 1, loser=True)),
    )
    first = play(rounds, WILL["the first berth"](n))
    second = play(rounds, WILL["the second berth"](n))
    assert (reset, 1) not in first
    assert set(second[reset, 1]) == set(second[final, 1])


def last_of_both(rounds):
    """The numbers of the winners' final and of the losers' final."""
    sections = [one.section for one in rounds]
    return [max(i for i, one in enumerate(sections, start=1) if one == which) for which in ("winners", "losers")]


@for_each("will", WILL)
@for_each("n", SIZES)
def test_nobody_is_twice_in_a_round_and_nobody_plays_after_two_defeats(n, will):
    rounds = double_elimination(n)
    ends = play(rounds, WILL[will](n))
    lost = Counter()
    for number, one in enumerate(rounds, start=1):
        here = [seed for place in range(1, len(one.slots) + 1) for seed in ends.get((number, place), ()) if seed]
        assert len(here) == len(set(here))
        allowed = {Section.WINNERS: {0}, Section.LOSERS: {1}, Section.FINAL: {0, 1}}[one.section]
        assert {lost[seed] for seed in here} <= allowed
        lost.update(ends[number, place][1] for place in range(1, len(one.slots) + 1) if (number, place) in ends)


@for_each("n", SIZES)
def test_where_the_better_seed_always_wins_the_best_four_end_in_their_order(n):
    """Fourth place loses in the last losers' round but one, third in the losers' final."""
    rounds = double_elimination(n)
    ends = play(rounds, min)
    losers = [number for number, one in enumerate(rounds, start=1) if one.section == Section.LOSERS]
    assert ends[len(rounds) - 1, 1] == (1, 2)
    assert ends[losers[-1], 1][1] == 3
    if n > 3:
        assert ends[losers[-2], 1][1] == 4


@pytest.mark.parametrize("size", EARLIEST)
def test_two_of_a_winners_pair_meet_again_no_earlier_than_the_table_says(size):
    assert rematches(double_elimination(size)) == EARLIEST[size]


@pytest.mark.parametrize("size", EARLIEST)
def test_without_the_crossings_they_would_meet_again_in_losers_round_2(size, monkeypatch):
    straight_down(monkeypatch)
    assert rematches(double_elimination(size))[0] == 2


@pytest.mark.parametrize("size", [8, 16, 32])
def test_no_other_crossings_are_later_in_every_round(size, monkeypatch):
    lengths = [len(order) for order in CROSSINGS[size].split()]
    for orders in product(*(map("".join, product("01", repeat=length)) for length in lengths)):
        monkeypatch.setitem(CROSSINGS, size, " ".join(orders))
        other = rematches(double_elimination(size))
        assert other == EARLIEST[size] or any(a < b for a, b in zip(other, EARLIEST[size], strict=True))


@pytest.mark.parametrize("size", CROSSINGS)
def test_crossings_name_every_winners_round_but_the_first_and_the_last(size):
    k = size.bit_length() - 1
    assert [len(order) for order in CROSSINGS[size].split()] == [k - r for r in range(2, k)]
    assert [crossing(size, r) < 2 ** (k - r) for r in range(1, k + 1)] == [True] * k
    assert (crossing(size, 1), crossing(size, k)) == (0, 0)


def test_the_largest_bracket_that_organizers_have_is_drawn():
    """start.gg's largest event had 7,061 entrants (COMPETITIONS.md, scale)."""
    rounds = double_elimination(7061)
    assert len(matches(rounds)) == 2 * 7061 - 2


@for_each("n", range(5, 65))
def test_byes_bring_a_rematch_nearer_by_no_more_than_the_losers_round_that_falls_away(n):
    """Up to three quarters of a bracket losers' round 1 has one arrival a place, so the others come one earlier."""
    size = 2 ** (n - 1).bit_length()
    earlier = 4 * n <= 3 * size
    rounds = double_elimination(n)
    assert rematches(rounds) == [number - earlier for number in EARLIEST[size]]
    assert len(of(rounds, Section.LOSERS)) == 2 * (size.bit_length() - 2) - earlier


@pytest.mark.parametrize("n", [-1, 0, 1, 2, 8193])
def test_too_few_for_two_lives_are_refused_and_more_than_there_are_orders_for(n):
    with pytest.raises(ValueError, match=f"takes 3 to 8192 entrants, not {n}"):
        double_elimination(n)
