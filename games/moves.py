"""Game events: one frozen value for each event of NOTATION.md section 3.

Seats are numbers from 0, clockwise (seat A is 0). A tile is a :class:`~games.tile.Tile`; ``None`` in the place of a
tile means an unseen tile.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import NamedTuple

from games.tile import Mask, Tile

Seat = int
"""Number of a seat, clockwise from 0."""

SEATS = "ABCDEF"
"""Letters of the seats in a log."""


@dataclass(frozen=True, slots=True)
class Play:
    """A tile placed: as the lead, or joined to the tile ``on``.

    ``call`` are the points announced with it. Where tiles match by colour or kind, ``tile.high`` is the half that
    touches, and ``colour`` names a wild half. ``takes`` are the possible places of `games.places`, none where a colour
    is named. They follow from the other fields, and are kept because a reader remembers plays, and many games share a
    play.
    """

    seat: Seat
    tile: Tile
    on: Tile | None = None
    call: int | None = None
    colour: str | None = None
    takes: Mask = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        takes = self.tile.takes if self.colour is None else 0
        object.__setattr__(self, "takes", takes if self.on is None else takes & self.on.places)


@dataclass(frozen=True, slots=True)
class Draw:
    """Tiles drawn from the boneyard, in this order.

    ``count`` is their number; ``tiles`` is empty if none was seen. ``bit`` is the mask of the tile if it is a single
    tile that was seen, else 0.
    """

    seat: Seat
    count: int
    tiles: tuple[Tile | None, ...] = ()
    bit: Mask = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        only = self.tiles[0] if self.count == len(self.tiles) == 1 else None
        object.__setattr__(self, "bit", 0 if only is None else only.bit)


@dataclass(frozen=True, slots=True)
class Pass:
    """A pass of the seat."""

    seat: Seat


class Said(Enum):
    """Content of a :class:`Call`. The values are the words of the notation."""

    COUNT = "call"
    MUGGINS = "muggins"
    DOMINO = "domino"
    UNO = "uno"
    CATCH = "catches"
    CHALLENGE = "challenges"


@dataclass(frozen=True, slots=True)
class Call:
    """A call at the table. ``number`` are points; ``whom`` is the seat caught."""

    seat: Seat
    said: Said
    number: int | None = None
    whom: Seat | None = None


@dataclass(frozen=True, slots=True)
class RoundStart:
    """Start of round ``number``, from 1."""

    number: int


@dataclass(frozen=True, slots=True)
class Lot:
    """A tile drawn in the draw of lot for the lead."""

    seat: Seat
    tile: Tile


class Deal(NamedTuple):
    """Hand dealt to a seat: ``count`` tiles; ``tiles`` is empty if none was seen.

    A tuple, and not a frozen dataclass like the other events: no two hands are alike, so every deal line makes a new
    object, and a tuple costs a third. It equals no other tuple.
    """

    seat: Seat
    count: int  # type: ignore[assignment]  # replaces the method of tuples
    tiles: tuple[Tile | None, ...] = ()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Deal) and tuple.__eq__(self, other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash((Deal, self.seat, self.count, self.tiles))


@dataclass(frozen=True, slots=True)
class Blocked:
    """Declaration of a blocked round."""


@dataclass(frozen=True, slots=True)
class Show:
    """Tiles left in a hand at the end of the round."""

    seat: Seat
    tiles: tuple[Tile | None, ...]


@dataclass(frozen=True, slots=True)
class RoundPoints:
    """Round-end points of a seat, as recorded."""

    seat: Seat
    points: int


@dataclass(frozen=True, slots=True)
class Totals:
    """Running totals by seat, as recorded."""

    scores: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ChipsLeft:
    """Chips of their own colour left, by seat, as recorded."""

    chips: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Settled:
    """Confirmation of the round by the players."""


@dataclass(frozen=True, slots=True)
class Bell:
    """End of the game clock."""


@dataclass(frozen=True, slots=True)
class Penalty:
    """A penalty of the referee for a seat: ``points`` to every opponent."""

    seat: Seat
    points: int
    reason: str


@dataclass(frozen=True, slots=True)
class Concession:
    """A concession of the game by the seat."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Forfeit:
    """A forfeit of the game by the seat, ruled by the referee."""

    seat: Seat
    reason: str


@dataclass(frozen=True, slots=True)
class End:
    """End of the record."""


@dataclass(frozen=True, slots=True)
class Note:
    """A remark without effect."""

    text: str


@dataclass(frozen=True, slots=True)
class ChallengeOutcome:
    """Outcome of a challenge, as recorded."""

    upheld: bool


@dataclass(frozen=True, slots=True)
class Reopening:
    """A reopened dead end: ``tile`` beside the doublet ``on``, with the colour named."""

    seat: Seat
    tile: Tile
    on: Tile
    colour: str


Event = (
    Play
    | Draw
    | Pass
    | Call
    | RoundStart
    | Lot
    | Deal
    | Blocked
    | Show
    | RoundPoints
    | Totals
    | ChipsLeft
    | Settled
    | Bell
    | Penalty
    | Concession
    | Forfeit
    | End
    | Note
    | ChallengeOutcome
    | Reopening
)
