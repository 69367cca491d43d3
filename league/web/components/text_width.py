"""Width of a drawn or printed name: an estimate on the wide side. Pure."""

import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, takewhile
from textwrap import wrap

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


@dataclass(frozen=True, kw_only=True)
class WallRow:
    """Room for text on a projector, in hundredths of the screen's height.

    `widths` by shape of the screen: "narrow" as 4:3, "wide" as 16:9. `sizes` of letters, the largest first, by their
    class in the style sheet; `line`: height of a line in ems.
    """

    height: float
    line: float
    widths: Mapping[str, float]
    sizes: Mapping[str, float]


PAIRING = WallRow(
    height=11.2,
    line=1.28,
    widths={"narrow": 33, "wide": 52},
    sizes={"": 3.2, "long": 2.15, "longer": 1.75, "longest": 1.2},
)
"""A row of the pairings: the sizes of night.css."""
# Mean width of a letter in ems; size of a note.
WALL_LETTER = 0.56
WALL_NOTE = 2.2


def sizes_on_wall(texts: Sequence[str], notes: Sequence[str] = (), row: WallRow = PAIRING) -> str:
    """Return the classes of the largest letters in which these lines fit a row on a projector.

    One class for each shape of the screen, such as "narrow-long wide-long"; none if the usual letters fit.
    """
    found = ((shape, _largest(texts, notes, width, row)) for shape, width in row.widths.items())
    return " ".join(f"{shape}-{size}" for shape, size in found if size)


def _largest(texts: Sequence[str], notes: Sequence[str], width: float, row: WallRow) -> str:
    for name, size in row.sizes.items():
        noted = _height(notes, min(size, WALL_NOTE), width, row.line)
        if _height(texts, size, width, row.line) + noted <= row.height:
            return name
    return name


def _height(texts: Sequence[str], size: float, width: float, line: float) -> float:
    letters_a_line = max(int(width / (size * WALL_LETTER)), 1)
    return sum(max(1, len(wrap(text, letters_a_line))) for text in texts) * size * line
