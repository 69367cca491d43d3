"""Swiss tournaments with byes, forfeits, withdrawals, absences and late entries, round by round against their promises.

Half as many small ones are held against every round there is.
"""

from unittest import mock

import pytest

from league.competitions.formats.swiss import Lift, NoPairing, matching, pair
from tests.league.competitions.swiss_world import costs, least, met_again, pairs_of, rounds, seated
from tests.volume import seeds

TOURNAMENTS = 200
BATCHES = 10


def lifted(contenders, none):
    return pair(contenders, allow_rematch=Lift.REMATCHES in none.lifts, allow_second_bye=Lift.BYES in none.lifts)


@pytest.mark.parametrize("batch", range(BATCHES))
def test_nobody_meets_again_nor_rests_twice_while_another_can_and_all_are_seated_once(batch):
    for seed in seeds(TOURNAMENTS)[batch::BATCHES]:
        for event, contenders, drawn in rounds(seed, 5, 60):
            if isinstance(drawn, NoPairing):
                assert drawn.lifts
                drawn = lifted(contenders, drawn)
            else:
                assert met_again(event.played, drawn) == []
                assert drawn.bye not in event.rested or event.rested >= {one.id for one in contenders}
            assert seated(drawn) == sorted(one.id for one in contenders)


@pytest.mark.parametrize("batch", range(BATCHES))
def test_up_to_ten_no_legal_round_costs_less_by_any_criterion_in_its_order(batch):
    for seed in seeds(TOURNAMENTS // 2)[batch::BATCHES]:
        for _event, contenders, drawn in rounds(10_000 + seed, 3, 10):
            best = least(contenders)
            if isinstance(drawn, NoPairing):
                assert best is None
            else:
                assert costs(contenders, *pairs_of(contenders, drawn)) == best


def squares_in_the_narrowest_window(numbers):
    """(sum of squared differences, the least possible) where as few pairs as can be are looked at first."""
    narrow = {"WHOLE": 0, "WIDTH": 1, "REACH": 1}
    with mock.patch.multiple(matching, **narrow):
        for seed in numbers:
            for _event, contenders, drawn in rounds(20_000 + seed, 3, 10):
                if not isinstance(drawn, NoPairing):
                    yield costs(contenders, *pairs_of(contenders, drawn))[:3], least(contenders)[:3]


def test_a_window_of_pairs_is_widened_until_the_score_differences_are_the_least():
    for mine, best in squares_in_the_narrowest_window(range(TOURNAMENTS // 4)):
        assert mine == best


def test_without_the_proof_a_narrow_window_is_not_enough():
    """The control of the test above."""
    with mock.patch.object(matching, "_is_proved", return_value=True):
        assert any(mine != best for mine, best in squares_in_the_narrowest_window(range(TOURNAMENTS // 4)))
