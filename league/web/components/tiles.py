"""Tile drawings: alone with a name for screen readers, or small before the name.

A tile alone contains all its parts. In a sentence tiles are drawn by reference, since a game has hundreds of them: the
page has `components/tile_symbols.html`, which the picture of the table uses too.
"""

import re
from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext

from league.web.components.pips import pips
from league.web.words.games.halves import half_spoken, parts_of

SHAPES: Mapping[str, SafeString] = {
    "red": mark_safe('<circle r=".4"/>'),
    "green": mark_safe('<path d="M0-.42.42 0 0 .42-.42 0z"/>'),
    "yellow": mark_safe('<path d="M-.4.36 0-.42.4.36z"/>'),
    "blue": mark_safe('<rect x="-.38" y="-.38" width=".76" height=".76" rx=".06"/>'),
    "none": mark_safe('<rect x="-.4" y="-.4" width=".8" height=".8" rx=".2"/>'),
}
"""Drawings of halves without pips, around their middle, in units of the half's side: a shape for each colour."""
PRINTED = {"D2": "+2", "WD4": "+4"}
"""Text printed on a half, if it differs from the half's kind."""
_PIP = r"[0-6]"
_MARK = r"(?:[rgyb](?:[1-9]|D2|S|R)|DE|WD4|W)"
_TILE = rf"(?:{_PIP}-{_PIP}|{_MARK}-{_MARK})"
_ONE = re.compile(_TILE)
# Text by people is put between isolates (`apart` of words.games.replay) and never drawn: a remark says "I lost 3-2".
_TOLD = re.compile(rf"\u2068[^\u2069]*\u2069?|(?<![\w-])({_TILE})(?![\w-])")


def tile(text: str | None, upright: bool = False, label: str = "") -> SafeString:
    """Draw the tile `text` ("6-4", "b7-gS"), with `label` or else its name as title.

    Any other text is shown unchanged, and None as a dash.
    """
    if text and _ONE.fullmatch(text):
        return _alone(text, upright, label)
    if text:
        return _safe(f'<span class="no-tile">{escape(text)}</span>')
    return _safe('<span class="no-tile" aria-hidden="true">–</span>')


def with_tiles(sentence: str | Promise) -> SafeString:
    """Escape a sentence and draw every tile it names before the name.

    The text itself is unchanged: it can be found, copied and read aloud.
    """
    told = str(sentence)
    parts, at = [], 0
    for found in _TOLD.finditer(told):
        if found[1]:
            parts += (escape(told[at : found.start()]), _beside(found[1]))
            at = found.end()
    return _safe("".join((*parts, escape(told[at:]))))


def opened_with_tile(sentence: str) -> bool:
    """Whether the first word is a tile: such a sentence starts without a capital."""
    found = _TOLD.match(sentence)
    return bool(found and found[1])


def spoken(name: str) -> str:
    """Return a tile's name for screen readers; without pips also its halves in words."""
    told = gettext("tile %(tile)s") % {"tile": name}
    halves = name.split("-")
    return told if halves[0].isdigit() else f"{told}: {', '.join(map(half_spoken, halves))}"


def mark(half: str, place: str, shape: str = "") -> str:
    """Draw a half without pips at `place`; `shape`: drawing, else the page's symbol."""
    colour, kind = parts_of(half)
    return (
        f'<g class="face {colour}" transform="{place}">{shape or _symbol(colour)}'
        f'<text y=".17">{escape(PRINTED.get(kind, kind))}</text></g>'
    )


def _symbol(colour: str) -> str:
    return f'<use href="#c{colour or "none"}"/>'


def _alone(name: str, upright: bool, label: str) -> SafeString:
    first, second = name.split("-")
    wide, high = (10, 20) if upright else (20, 10)
    line, pin = ("M1.4 10h7.2", (5, 10)) if upright else ("M10 1.4v7.2", (10, 5))
    if first.isdigit():
        dots = pips(int(first), int(second), upright=upright)
        inside = "".join(f'<circle class="tile-pip" cx="{dot.x:g}" cy="{dot.y:g}" r="1.05"/>' for dot in dots)
    else:
        places = ((5, 5), (5, 15) if upright else (15, 5))
        inside = "".join(
            mark(half, f"translate({x} {y})scale(10)", SHAPES[parts_of(half)[0] or "none"])
            for half, (x, y) in zip((first, second), places, strict=True)
        )
    return _safe(
        f'<svg class="tile{" tile-upright" if upright else ""}" viewBox="-0.6 -0.6 {wide + 1.2} {high + 1.2}"'
        f' role="img"><title>{escape(label or spoken(name))}</title>'
        f'<rect class="tile-face" x="0" y="0" width="{wide}" height="{high}" rx="1.8"/>'
        f'<path class="tile-line" d="{line}"/>'
        f'<circle class="tile-pin" cx="{pin[0]}" cy="{pin[1]}" r="0.8"/>{inside}</svg>'
    )


def _beside(name: str) -> str:
    """Draw a small tile before its name.

    A half without pips shows its colour only: its print would be too small to read, and is in the name.
    """
    first, second = name.split("-")
    if first.isdigit():
        drawn = f'<use href="#t{max(first, second)}-{min(first, second)}"/>'
    else:
        halves = "".join(
            f'<g class="face {colour}"><use href="#c{colour or "none"}" y="{y}"/></g>'
            for (colour, _kind), y in ((parts_of(first), "-.5"), (parts_of(second), ".5"))
        )
        drawn = f'<g transform="rotate(-90)"><use href="#tile"/>{halves}</g>'
    # No further attributes: a page has a thousand of these.
    return f'<span class="named-tile"><svg viewBox="-1.05 -.55 2.1 1.1" aria-hidden="true">{drawn}</svg>{name}</span>'


def _safe(html: str) -> SafeString:
    return mark_safe(html)  # noqa: S308 (built here from escaped text)
