import pytest

from league.matches.deciding import GameOutcome, Standing, official_standing, provisional_standing


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
