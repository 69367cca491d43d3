"""Letters are counted as people count them (Unicode Standard Annex 29), and cut nowhere else."""

import pytest

from league.accounts.graphemes import (
    POINTS,
    count_letters,
    cut_between_letters,
    first_letters,
    letters,
    longer_than,
    points,
    room,
)

FAMILY = "👩‍👩‍👧‍👦"
COLOURED = "👨🏻‍👩🏽‍👧🏾‍👦🏿"


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("", 0),
        ("Ana Ruiz", 8),
        ("e\u0301", 1),
        ("क्षि", 1),
        ("अनुष्का", 3),
        ("ക്ഷ", 1),
        ("र्त्स्न्या", 1),
        ("நி", 1),
        ("กำ", 1),
        ("각", 1),
        ("山田", 2),
        ("🇪🇸🇩🇪", 2),
        (FAMILY, 1),
        (COLOURED, 1),
        ("❤️", 1),
    ],
)
def test_a_letter_is_what_people_call_one(text, count) -> None:
    assert count_letters(text) == count
    assert "".join(letters(text)) == text


@pytest.mark.parametrize("piled", ["a" + "\u0301" * 500, "👩" + "\u200d👩" * 300, "क" + "्क" * 300])
def test_a_letter_without_end_counts_for_as_many_as_it_takes(piled) -> None:
    assert len([*letters(piled)]) == 1
    assert count_letters(piled) == -(-len(piled) // POINTS)


@pytest.mark.parametrize("letter", ["W", "क्षि", FAMILY, COLOURED, "a" + "\u0301" * 10])
def test_room_is_for_as_many_letters_as_are_allowed(letter) -> None:
    sixty = letter * 60
    assert not longer_than(sixty, 60)
    assert longer_than(letter * 61, 60)
    assert len(sixty) <= points(60)
    assert len(sixty.encode("utf-16-le")) / 2 <= room(60)


@pytest.mark.parametrize("letter", ["W", "क्षि", FAMILY])
def test_what_is_cut_is_cut_between_letters(letter) -> None:
    assert first_letters(letter * 9, 4) == letter * 4
    assert first_letters(letter * 4, 4) == letter * 4
    assert cut_between_letters(letter * 9, 4 * len(letter)) == letter * 4
    assert cut_between_letters(letter * 9, 5 * len(letter) - 1) == letter * 4


def test_a_letter_that_is_longer_than_all_there_is_room_for_is_cut_in_itself() -> None:
    assert cut_between_letters(FAMILY, 2) == FAMILY[:2]
    piled = "a" + "\u0301" * 500
    assert first_letters(piled, 4) == piled[: points(4)]
