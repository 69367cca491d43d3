"""Halves of coloured tiles in words. Pure."""

from django.utils.translation import pgettext, pgettext_lazy

from games.inventory import COLOURS as LETTERS
from league.web.words.games.replay import COLOURS

KINDS = {
    "D2": pgettext_lazy("half of a tile", "draw two"),
    "S": pgettext_lazy("half of a tile", "skip"),
    "R": pgettext_lazy("half of a tile", "reverse"),
    "DE": pgettext_lazy("half of a tile", "dead end"),
    "W": pgettext_lazy("half of a tile", "wild"),
    "WD4": pgettext_lazy("half of a tile", "wild draw four"),
}


def half_spoken(half: str) -> str:
    """Return a half without pips in words: "blue draw two"."""
    colour, kind = parts_of(half)
    word = str(KINDS.get(kind, kind))
    if not colour:
        return word
    return pgettext("half of a tile", "%(colour)s %(kind)s") % {"colour": COLOURS[colour], "kind": word}


def parts_of(half: str) -> tuple[str, str]:
    """Return colour and kind of a half without pips; colour "" if it has none."""
    colour = LETTERS.get(half[:1], "")
    return colour, half[1:] if colour else half
