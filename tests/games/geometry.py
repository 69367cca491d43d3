"""A second layout, slow and plain: pieces with places where another can lie (RULES.md 1.2). No masks or tables."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(eq=False)
class Place:
    """Somewhere on a piece where another one can lie: a half of a plain tile, a side or an end of a double."""

    kind: str
    pips: int
    neighbour: Piece | None = None


@dataclass(eq=False)
class Piece:
    """A tile on the table."""

    a: int
    b: int
    spinner: bool = False
    places: list[Place] = field(default_factory=list)

    def __post_init__(self) -> None:
        kinds = ("side", "side", "end", "end") if self.double else ("half", "half")
        pips = (self.a,) * 4 if self.double else (self.a, self.b)
        self.places = [Place(kind, n) for kind, n in zip(kinds, pips, strict=True)]

    @property
    def double(self) -> bool:
        return self.a == self.b

    def free(self, kind: str) -> list[Place]:
        return [place for place in self.places if place.kind == kind and place.neighbour is None]

    def open_places(self) -> list[Place]:
        """A free half and a free side always; an end only of a spinner with both sides covered."""
        ends = self.free("end") if self.spinner and not self.free("side") else []
        return self.free("half") + self.free("side") + ends

    def counts(self) -> int:
        """Pips of the free halves; of a double both halves, once, while one of its sides is free."""
        if self.double:
            return 2 * self.a if self.free("side") else 0
        return sum(place.pips for place in self.free("half"))


class Table:
    """Pieces in the order in which they came; ``mode`` is none, first or all."""

    def __init__(self, mode: str) -> None:
        self.mode = mode
        self.pieces: list[Piece] = []

    def takers(self, a: int, b: int) -> list[Piece]:
        """The pieces that the tile can be joined to."""
        return [piece for piece in self.pieces if any(place.pips in (a, b) for place in piece.open_places())]

    def put(self, a: int, b: int, on: Piece | None) -> Piece:
        """Lay a tile as the lead, or beside ``on``."""
        piece = Piece(a, b)
        if on is not None:
            there = next(place for place in on.open_places() if place.pips in (a, b))
            kind = "side" if piece.double else "half"
            here = next(place for place in piece.free(kind) if place.pips == there.pips)
            there.neighbour, here.neighbour = piece, on
        if piece.double and (self.mode == "all" or (self.mode == "first" and not self.spinner())):
            piece.spinner = True
        self.pieces.append(piece)
        return piece

    def spinner(self) -> Piece | None:
        """The first double that became one."""
        return next((piece for piece in self.pieces if piece.spinner), None)

    def count(self) -> int:
        """The open-end count."""
        return sum(piece.counts() for piece in self.pieces)
