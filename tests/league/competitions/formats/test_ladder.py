"""A ladder: COMPETITIONS.md, formats."""

import pytest

from league.competitions.formats.ladder import PlayedChallenge, after, may_challenge, orders

LADDER = [11, 12, 13, 14, 15]


@pytest.mark.parametrize("reach", range(1, 6))
def test_one_may_challenge_up_to_k_places_above_and_nobody_below(reach):
    for below, challenger in enumerate(LADDER):
        allowed = {one for one in LADDER if may_challenge(LADDER, challenger, one, reach)}
        assert allowed == set(LADDER[max(0, below - reach) : below])


@pytest.mark.parametrize(
    ("challenger", "challenged", "expected"),
    [
        (12, 11, [12, 11, 13, 14, 15]),
        (15, 12, [11, 15, 12, 13, 14]),
        (14, 11, [14, 11, 12, 13, 15]),
    ],
)
def test_a_challenger_who_wins_takes_the_place_and_those_between_move_down_one(challenger, challenged, expected):
    assert after(LADDER, challenger, challenged, winner=challenger) == expected


def test_a_challenged_who_wins_keeps_the_place_and_nobody_moves():
    assert after(LADDER, 15, 12, winner=12) == LADDER


def test_what_is_no_challenge_is_an_error():
    with pytest.raises(ValueError, match="11 stands above 12"):
        after(LADDER, challenger=11, challenged=12, winner=11)
    with pytest.raises(ValueError, match="11 stands above 11"):
        after(LADDER, challenger=11, challenged=11, winner=11)
    with pytest.raises(ValueError, match="13 did not play"):
        after(LADDER, challenger=12, challenged=11, winner=13)
    with pytest.raises(ValueError, match="16 is not on the ladder"):
        may_challenge(LADDER, challenger=16, challenged=11, reach=2)


def test_the_orders_are_gone_through_from_the_seeds():
    played = [PlayedChallenge(13, 11, 13), PlayedChallenge(12, 11, 11), PlayedChallenge(15, 12, 15)]
    assert orders(LADDER, played) == [
        [11, 12, 13, 14, 15],
        [13, 11, 12, 14, 15],
        [13, 11, 12, 14, 15],
        [13, 11, 15, 12, 14],
    ]


def test_a_challenge_that_an_amendment_has_turned_upside_down_moves_nobody():
    assert orders(LADDER, [PlayedChallenge(11, 12, 11), PlayedChallenge(11, 12, None)]) == [LADDER] * 3
