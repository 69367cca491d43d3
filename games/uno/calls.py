"""Calls in Uno Dominoes: uno, catch, Wild Draw Four challenge (RULES.md 4.3)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from games.moves import Seat
from games.tile import Mask


class Caught(Enum):
    """Outcome of a catch."""

    MISSED = "missed"
    """The uno call was missed: the catch is upheld."""
    CALLED = "called"
    ONESELF = "oneself"
    NOBODY = "nobody"
    """No seat, or another seat, is open to a catch."""


@dataclass(slots=True)
class LastTile:
    """A seat with one tile left, open to a catch until the next tile is placed.

    ``line`` is the line of the record that left it one tile.
    """

    seat: Seat
    line: int
    called: bool


@dataclass(slots=True)
class WildFour:
    """An active Wild Draw Four that may be challenged.

    ``rack`` are the tiles known to be in the player's hand after it, ``banned`` the tiles that made it unlawful to
    play, ``known`` whether ``rack`` is the whole hand. ``challenged`` is the line of the challenge, 0 before;
    ``guilty`` the outcome, ``None`` while it is open; ``inferred``: the outcome is not written, but follows from the
    drawer. ``paid``: a penalty tile was drawn. ``shown`` and ``ruled``: such a line was read.
    """

    player: Seat
    victim: Seat
    line: int
    rack: Mask
    banned: Mask
    known: bool
    challenged: int = 0
    guilty: bool | None = None
    inferred: bool = False
    paid: bool = False
    shown: bool = False
    ruled: bool = False

    @property
    def pending(self) -> bool:
        """Whether it is challenged, and the challenge still open."""
        return self.challenged > 0 and self.guilty is None
