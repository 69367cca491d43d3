"""Names of any script in a picture: as they are written, or their code where there is no letter for them here.

The letters are DejaVu Sans (fonts/LICENSE): Latin, Greek, Cyrillic, Armenian, Georgian, Arabic and more, without
Devanagari, Chinese, Japanese, Korean and most emoji. A box in the place of a letter is nobody's name.
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
# The byte that no font has a letter for: what is drawn in its place is drawn for every letter that is missing.
NOBODYS = "\U0010fffe"


@cache
def font(size: int, *, bold: bool = True) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(str(FONTS / f"DejaVuSans{'-Bold' if bold else ''}.ttf"), size)


def named(text: str, otherwise: str) -> str:
    """The name as it can be written here, else what stands for it: a code or an address."""
    shown = plain(text)
    return shown if shown and _can_be_written(shown) else plain(otherwise)


def fitted(text: str, width: float, size: int, *, bold: bool = True, least: int = 20) -> tuple[str, int]:
    """The text and the size in which it fits the width: smaller down to `least`, then cut with an ellipsis."""
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
        return False  # nothing here would turn and join its letters
    return all(map(_has_letter, text))


@lru_cache(maxsize=4096)
def _has_letter(one: str) -> bool:
    return one.isspace() or _drawn(one) != _drawn(NOBODYS)


def _drawn(one: str) -> tuple[tuple[int, int], bytes]:
    mask = font(32).getmask(one)
    return mask.size, bytes(mask)
