"""Names of any script in a picture, or a code if the font lacks a letter.

The font is DejaVu Sans (fonts/LICENSE): Latin, Greek, Cyrillic, Armenian, Georgian, Arabic and more, without
Devanagari, Chinese, Japanese, Korean and most emoji. A name with boxes for letters would be unreadable.
"""

import unicodedata
from functools import cache, lru_cache
from pathlib import Path

from PIL import ImageFont, features

from league.accounts.graphemes import letters as whole_letters
from league.web.shared.plain_text import plain

FONTS = Path(__file__).parent / "fonts"
TALLEST = 96
RIGHT_TO_LEFT = {"R", "AL", "AN"}
# A code point without a glyph in any font: its replacement is drawn for every missing letter.
NOBODYS = "\U0010fffe"


@cache
def font(size: int, *, bold: bool = True) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(str(FONTS / f"DejaVuSans{'-Bold' if bold else ''}.ttf"), size)


def named(text: str, otherwise: str) -> str:
    """Return the name if the font can write it, else its substitute: a code or a slug."""
    shown = plain(text)
    return shown if shown and _can_be_written(shown) else plain(otherwise)


def fitted(text: str, width: float, size: int, *, bold: bool = True, least: int = 20) -> tuple[str, int]:
    """Fit the text into the width: shrink to `least`, then cut with an ellipsis.

    Returns the text and its size.
    """
    while size > least and font(size, bold=bold).getlength(text) > width:
        size -= 2
    letters = font(size, bold=bold)
    if letters.getlength(text) <= width:
        return text, size
    kept = [*whole_letters(text)]
    while kept and letters.getlength(f"{''.join(kept)}…") > width:
        kept.pop()
    return f"{''.join(kept).rstrip()}…", size


def _can_be_written(text: str) -> bool:
    if not features.check("raqm") and any(unicodedata.bidirectional(one) in RIGHT_TO_LEFT for one in text):
        return False  # without raqm, right-to-left letters are neither reordered nor joined
    return all(map(_has_letter, text))


@lru_cache(maxsize=4096)
def _has_letter(one: str) -> bool:
    return one.isspace() or _drawn(one) != _drawn(NOBODYS)


def _drawn(one: str) -> tuple[tuple[int, int], bytes]:
    mask = font(32).getmask(one)
    return mask.size, bytes(mask)
