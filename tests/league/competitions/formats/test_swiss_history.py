"""What the pairing remembers of the rounds before."""

import pytest

from league.competitions.formats.swiss import Contender, Past, SwissPoints, state_of

ANA, BO, CAI, DEE, EVE = 1, 2, 3, 4, 5
EVERYBODY = [(ANA, 1), (BO, 2), (CAI, 3), (DEE, 4), (EVE, 5)]


def one(who, rounds, points=None):
    return next(each for each in state_of(EVERYBODY, rounds, points) if each.id == who)


def test_before_the_first_round_nobody_has_done_anything():
    assert state_of([(ANA, 2), (BO, 1)], []) == [Contender(ANA, 2), Contender(BO, 1)]


def test_three_rounds_are_added_up_with_floats_against_the_score_before_each():
    rounds = [
        [Past(ANA, BO, ANA), Past(CAI, DEE), Past(EVE, kind="bye")],
        [Past(EVE, ANA, EVE), Past(DEE, BO, BO), Past(CAI, kind="bye")],
        [Past(CAI, EVE, EVE), Past(BO, ANA, BO), Past(DEE, kind="absent")],
    ]
    assert state_of(EVERYBODY, rounds) == [
        Contender(ANA, 1, 2, frozenset({BO, EVE}), 0, (0, 0, 0), -1, False),
        Contender(BO, 2, 4, frozenset({ANA, DEE}), 0, (0, -1, 0), -1, True),
        Contender(CAI, 3, 3, frozenset({DEE, EVE}), 1, (0, 1, -1), 2, True),
        Contender(DEE, 4, 1, frozenset({CAI, BO}), 0, (0, 1, 0), 0, True),
        Contender(EVE, 5, 6, frozenset({ANA, CAI}), 1, (1, 0, 1), 0, False),
    ]


def test_two_whose_match_was_forfeited_may_meet_again_and_the_win_stands_for_a_bye():
    """FIDE C.04.2, 3.5; C.04.1, 4; C.04.3, 1.4.3."""
    rounds = [[Past(ANA, BO, ANA, "forfeit")]]
    assert one(ANA, rounds) == Contender(ANA, 1, 2, frozenset(), 1, (1,), 0, None)
    assert one(BO, rounds) == Contender(BO, 2, 0, frozenset(), 0, (0,), 0, None)


def test_a_forfeit_of_both_gives_neither_anything():
    rounds = [[Past(ANA, BO, None, "forfeit")]]
    assert [one(ANA, rounds), one(BO, rounds)] == [Contender(ANA, 1, floats=(0,)), Contender(BO, 2, floats=(0,))]


def test_points_are_those_of_the_competition():
    points = SwissPoints(win=3, draw=1, loss=0, bye=1, absent=1)
    rounds = [[Past(ANA, BO, ANA), Past(CAI, DEE), Past(EVE, kind="bye")], [Past(ANA, kind="absent")]]
    assert {each.id: each.score for each in state_of(EVERYBODY, rounds, points)} == {1: 4, 2: 0, 3: 1, 4: 1, 5: 1}
    assert one(EVE, rounds, points).byes == 1
    assert one(ANA, rounds, points).byes == 0
    assert one(ANA, rounds, points).floats == (0, 1)


def test_an_absence_that_scores_like_a_win_is_a_bye():
    assert one(ANA, [[Past(ANA, kind="absent")]], SwissPoints(absent=2)).byes == 1


def test_who_has_withdrawn_is_no_contender_and_stays_among_those_met():
    (left,) = state_of([(ANA, 1)], [[Past(ANA, BO, ANA)]])
    assert left == Contender(ANA, 1, 2, frozenset({BO}), 0, (0,), 1, True)


def test_who_comes_late_has_floated_nowhere_before():
    late = one(EVE, [[Past(ANA, BO, ANA)], [Past(ANA, EVE, EVE)]])
    assert late == Contender(EVE, 5, 2, frozenset({ANA}), 0, (0, -1), -1, False)


def test_an_unknown_kind_is_no_round():
    with pytest.raises(ValueError, match="adjourned"):
        state_of(EVERYBODY, [[Past(ANA, BO, ANA, "adjourned")]])
