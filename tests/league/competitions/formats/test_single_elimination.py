"""Knock-outs of any size: COMPETITIONS.md, formats."""

import pytest

from league.competitions.formats.drawn import RoundKind
from league.competitions.formats.single_elimination import places, single_elimination
from tests.cases import for_each
from tests.league.competitions.drawn_play import chance, matches, play

SIZES = [*range(2, 65), 128, 256, 512, 1024]


def test_eight_stand_in_the_order_of_the_paper():
    assert places(8) == [1, 8, 4, 5, 2, 7, 3, 6]


@for_each("n", SIZES)
def test_n_entrants_play_n_minus_1_matches_and_one_more_for_third_place(n):
    assert len(matches(single_elimination(n))) == n - 1
    if n >= 4:
        with_third = single_elimination(n, third_place=True)
        assert len(matches(with_third)) == n
        assert [slot.third_place for slot in with_third[-1].slots] == [False, True]


@for_each("n", SIZES)
def test_the_top_seeds_have_the_byes_and_the_others_sum_up_to_one_more_than_the_bracket(n):
    first = single_elimination(n)[0]
    size = 2 * len(first.slots)
    assert size // 2 < n <= size
    byes = sorted(slot.berths[0].seed for slot in first.slots if slot.is_bye)
    assert byes == list(range(1, size - n + 1))
    pairs = [[berth.seed for berth in slot.berths] for slot in first.slots if not slot.is_bye]
    assert all(sum(pair) == size + 1 and pair[0] < pair[1] for pair in pairs)
    assert sorted(byes + [seed for pair in pairs for seed in pair]) == list(range(1, n + 1))


@for_each("n", SIZES)
def test_nobody_is_twice_in_a_round_and_everybody_but_one_loses_once(n):
    rounds = single_elimination(n)
    ends = play(rounds, chance(n))
    losers = [loser for _winner, loser in ends.values() if loser]
    assert len(losers) == len(set(losers)) == n - 1
    assert {*losers, ends[len(rounds), 1][0]} == set(range(1, n + 1))
    for number, one in enumerate(rounds, start=1):
        here = [seed for place in range(1, len(one.slots) + 1) for seed in ends[number, place] if seed]
        assert len(here) == len(set(here))


@for_each("n", SIZES)
def test_when_the_better_seed_always_wins_the_best_meet_as_late_as_can_be(n):
    """Of the last 2^k none is worse than 2^k: seeds 1 and 2 meet in the final, 1 to 4 are in the semi-finals."""
    rounds = single_elimination(n)
    ends = play(rounds, min)
    for number, one in enumerate(rounds, start=1):
        playing = {seed for place in range(1, len(one.slots) + 1) for seed in ends[number, place] if seed}
        assert playing == set(range(1, min(n, 2 * len(one.slots)) + 1))


@for_each("n", [n for n in SIZES if n >= 4])
def test_the_losers_of_the_semi_finals_meet_for_third_place(n):
    rounds = single_elimination(n, third_place=True)
    ends = play(rounds, chance(n))
    semi_finals = len(rounds) - 1
    assert set(ends[len(rounds), 2]) == {ends[semi_finals, 1][1], ends[semi_finals, 2][1]}


@for_each("n", SIZES)
def test_who_has_a_bye_stands_in_the_next_round_already(n):
    rounds = single_elimination(n)
    byes = {slot.berths[0].seed for slot in rounds[0].slots if slot.is_bye}
    known = {berth.seed for one in rounds[1:] for slot in one.slots for berth in slot.berths if berth.seed}
    assert known == byes
    assert not any(slot.is_bye for one in rounds[1:] for slot in one.slots)


def test_rounds_are_known_by_how_many_matches_they_have():
    kinds = [one.kind for one in single_elimination(64)]
    assert kinds == [
        RoundKind.PLAIN,
        RoundKind.PLAIN,
        RoundKind.ROUND_OF_16,
        RoundKind.QUARTER_FINALS,
        RoundKind.SEMI_FINALS,
        RoundKind.FINAL,
    ]
    assert [one.kind for one in single_elimination(2)] == [RoundKind.FINAL]


@pytest.mark.parametrize(("n", "third_place"), [(0, False), (1, False), (2, True), (3, True)])
def test_too_few_are_refused(n, third_place):
    with pytest.raises(ValueError, match="or more, not"):
        single_elimination(n, third_place=third_place)
