"""How much room a name takes where it is drawn or printed: an estimate on the wide side. Pure."""

import unicodedata
from itertools import accumulate, takewhile

from league.accounts.graphemes import JOINERS, letters

LETTER = 14.5
"""Units of a drawing in one em of its names."""
EMS_ON_A_CARD = 38
"""In the two lines of a score card, less what breaking them leaves empty."""

EMS_OF_A_PARTNER = 19
"""In one line of a score card, beside the mark of who plays."""


def fitting(name: str, width: float) -> str:
    """The name, cut with an ellipsis where it would be wider than so many units."""
    if width_of_all(name) <= width:
        return name
    whole = [*letters(name)]
    used = accumulate(sum(map(width_of, letter)) for letter in whole)
    kept = sum(1 for _ in takewhile(lambda so_far: so_far <= width - LETTER, used))
    return f"{''.join(whole[: max(kept, 1)]).rstrip()}…"


def width_of(letter: str) -> float:
    """How wide a letter is at most in the usual sans-serif fonts, bold."""
    if unicodedata.combining(letter) or letter in JOINERS:
        return 0
    if unicodedata.east_asian_width(letter) in "WF" or letter in "WM@%œŒæÆ…":
        return 1.02 * LETTER
    if letter in "iljtfrI.,:;'’!|()[] ":
        return 0.4 * LETTER
    return (0.76 if letter.isupper() else 0.64) * LETTER


def width_of_all(name: str) -> float:
    return sum(map(width_of, name))


def long_on_a_card(name: str) -> bool:
    """Whether it needs smaller letters to stand there whole."""
    return width_of_all(name) > EMS_ON_A_CARD * LETTER


def long_of_a_partner(name: str) -> bool:
    """Whether it needs smaller letters: a card has a line for each partner, not two."""
    return width_of_all(name) > EMS_OF_A_PARTNER * LETTER
