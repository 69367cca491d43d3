"""Memory of a line reader: most lines of a game repeat an earlier line.

Every memory is a dictionary, so that C can look up a column of texts; ``__missing__`` works out a missing text. No
memory holds more than ``MEMORY`` texts, so that no input makes a reader grow without limit.
"""

from __future__ import annotations

import re
from typing import TypeVar

from games import moves
from games.moves import SEATS, Event
from games.notation.gamelog import Tenths
from games.tiles import TileSet

MEMORY = 50_000
"""Most parsed texts in a memory: a two-seat game has some ten thousand plays."""
MEMORABLE = 36
"""Longest event text to remember: a play with call, or an Uno play with colour."""
_SHORT = 24
"""Longest time, and longest shown tiles, to remember: four tiles seldom repeat."""
UNTIMED: Tenths = -1
"""In the place of a time: the text is no time."""
SEAT_NUMBERS = {letter: seat for seat, letter in enumerate(SEATS)}
KNOWN_TAGS: dict[str, tuple[str, str]] = {}
"""Name and value by the text of a plain tag line; games of a league share most."""

_TIME = re.compile(r"([0-9]+):([0-5][0-9])(?:\.([0-9]))?")
_Value = TypeVar("_Value")


def remember(memory: dict[str, _Value], text: str, value: _Value) -> None:
    """Add a text to a memory; a full memory is cleared first."""
    if len(memory) >= MEMORY:
        memory.clear()
    memory[text] = value


class KnownTimes(dict[str, Tenths]):
    """Tenths of a second by the text of a time; :data:`UNTIMED` for every other text."""

    def __missing__(self, text: str) -> Tenths:
        match = _TIME.fullmatch(text)
        if match is None:
            return UNTIMED
        minutes, seconds, tenths = match.groups()
        at = int(minutes) * 600 + int(seconds) * 10 + int(tenths or 0)
        if len(text) <= _SHORT:
            remember(self, text, at)
        return at


class KnownEvents(dict[str, Event | None]):
    """Events by their text; ``None`` for a text to be read word by word."""

    def __init__(self, tiles: TileSet) -> None:
        super().__init__()
        self._tiles = tiles

    def __missing__(self, text: str) -> Event | None:
        # No two hands are alike, so a memory of these lines is useless, and they are one line in twelve.
        letter, word, names = text.partition(" hand ")
        if not word:
            return self._show(text)
        try:
            tiles = self._tiles.named(names.split(" "))
            # The constructor of a named tuple is a function in Python; this call is not.
            return tuple.__new__(moves.Deal, (SEAT_NUMBERS[letter], len(tiles), tiles))
        except KeyError:
            return None

    def _show(self, text: str) -> Event | None:
        letter, word, names = text.partition(" shows ")
        if not word:
            return None
        try:
            show = moves.Show(SEAT_NUMBERS[letter], self._tiles.named(names.split(" ")))
        except KeyError:
            return None
        if len(text) <= _SHORT:
            remember(self, text, show)
        return show
