"""What is called in Uno Dominoes: a last tile but one and its catch, a challenge of a Wild Draw Four (RULES.md 4.3)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from games.moves import Seat
from games.tile import Mask


class Caught(Enum):
    """What became of a catch."""

    MISSED = "missed"
    """The call was missed: the catch is upheld."""
    CALLED = "called"
    ONESELF = "oneself"
    NOBODY = "nobody"
    """No seat, or another one, is open to a catch."""


@dataclass(slots=True)
class LastTile:
    """A seat has come down to one tile, in ``line`` of the record, and may be caught until the next tile is placed."""

    seat: Seat
    line: int
    called: bool


@dataclass(slots=True)
class WildFour:
    """An active Wild Draw Four that stands to be challenged.

    ``rack`` are the tiles known to be in the player's hand after it, ``banned`` the tiles that made it unlawful to
    play, ``known`` tells whether ``rack`` is the whole hand. ``challenged`` is the line of the challenge, 0 before
    one; ``guilty`` the outcome, ``None`` while it is open; ``inferred`` that nobody said it, but who drew shows it.
    ``paid`` tells that a penalty tile was drawn, ``shown`` and ``ruled`` that such a line was read.
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
        """Whether it is challenged and nothing has decided the challenge yet."""
        return self.challenged > 0 and self.guilty is None
