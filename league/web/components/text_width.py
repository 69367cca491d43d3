"""Width of a drawn or printed name: an estimate on the wide side. Pure."""

import unicodedata
from collections.abc import Sequence
from itertools import accumulate, takewhile
from math import ceil

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


# A row of the pairings on a projector, in hundredths of the screen's height: its height, the width of its names on a
# screen of 4:3 and of 16:9, the mean width of a letter and the height of a line in ems, the sizes of night.css.
WALL_ROW = 11.2
WALL_WIDTHS = {"narrow": 33, "wide": 52}
WALL_LETTER, WALL_LINE = 0.56, 1.28
WALL_SIZES = {"": 3.2, "long": 2.15, "longer": 1.75, "longest": 1.2}
WALL_NOTE = 2.2


def sizes_on_wall(names: Sequence[str], notes: Sequence[str] = ()) -> str:
    """Return the classes of the largest letters in which these lines fit a row on a projector.

    One class for each shape of the screen, such as "narrow-long wide-long"; none if the usual letters fit.
    """
    found = ((shape, _largest(names, notes, width)) for shape, width in WALL_WIDTHS.items())
    return " ".join(f"{shape}-{size}" for shape, size in found if size)


def _largest(names: Sequence[str], notes: Sequence[str], width: float) -> str:
    for name, size in WALL_SIZES.items():
        if _height(names, size, width) + _height(notes, min(size, WALL_NOTE), width) <= WALL_ROW:
            return name
    return name


def _height(texts: Sequence[str], size: float, width: float) -> float:
    a_line = width / (size * WALL_LETTER)
    return sum(max(1, ceil(len(text) / a_line)) for text in texts) * size * WALL_LINE
