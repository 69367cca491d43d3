import pytest

from league.matches.results.match_outcome import (
    GameOutcome,
    Standing,
    official_standing,
    places,
    provisional_standing,
    sole_first,
)


def games(text):
    """`1` a provisional win of side 1, `1!` an official one, `1?` one to be decided, `0` a game nobody won."""
    return [GameOutcome(int(one[0]) or None, official="!" in one, needs_decision="?" in one) for one in text.split()]


@pytest.mark.parametrize(
    ("best_of", "played", "official", "provisional"),
    [
        (1, "", Standing(False, None), Standing(False, None)),
        (1, "2!", Standing(True, 2), Standing(True, 2)),
        (1, "2", Standing(False, None), Standing(True, 2)),
        (1, "2?", Standing(False, None), Standing(False, None)),
        (1, "0!", Standing(True, None), Standing(True, None)),
        (3, "1!", Standing(False, None), Standing(False, None)),
        (3, "1! 1!", Standing(True, 1), Standing(True, 1)),
        (3, "1! 2!", Standing(False, None), Standing(False, None)),
        (3, "1! 2! 2", Standing(False, None), Standing(True, 2)),
        (3, "1! 2! 0!", Standing(True, None), Standing(True, None)),
        (3, "1! 0! 0!", Standing(True, 1), Standing(True, 1)),
        (5, "1! 2! 1! 1!", Standing(True, 1), Standing(True, 1)),
    ],
)
def test_a_match_is_over_with_more_than_half_of_its_games_or_when_all_are_played(
    best_of, played, official, provisional
):
    assert official_standing(best_of, games(played)) == official
    assert provisional_standing(best_of, games(played)) == provisional


@pytest.mark.parametrize(
    ("played", "official", "provisional"),
    [
        ("1! 1!", Standing(False, None), Standing(False, None)),
        ("1! 1! 3", Standing(False, None), Standing(True, 1)),
        ("1! 1! 3?", Standing(False, None), Standing(False, None)),
        ("1! 2! 3!", Standing(True, None), Standing(True, None)),
        ("4! 2! 4!", Standing(True, 4), Standing(True, 4)),
    ],
)
def test_at_a_table_of_more_than_two_every_game_is_played(played, official, provisional):
    assert official_standing(3, games(played), sides=4) == official
    assert provisional_standing(3, games(played), sides=4) == provisional


def test_places_at_a_table_are_by_games_won_then_by_points_and_who_is_level_shares_the_better_one():
    assert places({1: 1, 2: 0, 3: 2, 4: 0}, {1: 300, 2: 410, 3: 120, 4: 410}) == {3: 1, 1: 2, 2: 3, 4: 3}
    assert places({}, {1: 0, 2: 0, 3: 0}) == {1: 1, 2: 1, 3: 1}


def test_only_who_stands_there_alone_is_the_first_of_a_table():
    assert sole_first({1: 2, 2: 1, 3: 2}) == 2
    assert sole_first({1: 1, 2: 1, 3: 3}) is None
    assert sole_first({}) is None
