"""Width of a drawn or printed name: an estimate on the wide side. Pure."""

import unicodedata
from itertools import accumulate, takewhile

from league.accounts.graphemes import JOINERS, letters

LETTER = 14.5
"""Units of a drawing in one em of its names."""
EMS_ON_A_CARD = 38
"""Width of the two lines of a score card, less the space lost at line breaks."""

EMS_OF_A_PARTNER = 19
"""Width of one line of a score card, beside the player's mark."""


def fitting(name: str, width: float) -> str:
    """Cut a name with an ellipsis if it is wider than `width` units."""
    if width_of_all(name) <= width:
        return name
    whole = [*letters(name)]
    used = accumulate(sum(map(width_of, letter)) for letter in whole)
    kept = sum(1 for _ in takewhile(lambda so_far: so_far <= width - LETTER, used))
    return f"{''.join(whole[: max(kept, 1)]).rstrip()}…"


def width_of(letter: str) -> float:
    """Return the greatest width of a letter in the usual sans-serif fonts, bold."""
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
    """Whether a name needs smaller letters to fit on a card."""
    return width_of_all(name) > EMS_ON_A_CARD * LETTER


def long_of_a_partner(name: str) -> bool:
    """Whether a partner's name needs smaller letters for its one line of a card."""
    return width_of_all(name) > EMS_OF_A_PARTNER * LETTER
