"""Places of the pips on a domino tile. Pure geometry, for drawing only."""

from typing import NamedTuple

# A half is a square of side 10; its pips stand on a three by three grid, as on every printed set.
_LOW, _MID, _HIGH = 2.5, 5.0, 7.5
_GRID: dict[int, tuple[tuple[float, float], ...]] = {
    0: (),
    1: ((_MID, _MID),),
    2: ((_LOW, _LOW), (_HIGH, _HIGH)),
    3: ((_LOW, _LOW), (_MID, _MID), (_HIGH, _HIGH)),
    4: ((_LOW, _LOW), (_LOW, _HIGH), (_HIGH, _LOW), (_HIGH, _HIGH)),
    5: ((_LOW, _LOW), (_LOW, _HIGH), (_MID, _MID), (_HIGH, _LOW), (_HIGH, _HIGH)),
    6: ((_LOW, _LOW), (_LOW, _MID), (_LOW, _HIGH), (_HIGH, _LOW), (_HIGH, _MID), (_HIGH, _HIGH)),
}


HALVES: dict[int, list[tuple[str, str]]] = {
    half: [(f"{(x - _MID) / 10:g}", f"{(y - _MID) / 10:g}") for x, y in places] for half, places in _GRID.items()
}
"""The pips of each half around its middle, in units of its side, for the drawing of a table."""


class Pip(NamedTuple):
    """Centre of one pip, in units of a tenth of a half's side."""

    x: float
    y: float


def pips(first: int, second: int, *, upright: bool = False) -> list[Pip]:
    """Return the pips of tile first-second on a box of 20 x 10, or 10 x 20 upright.

    The first half is on the left, or upright on top. On a lying tile the rows of a six run along the tile's length, as
    on a real tile.
    Raises KeyError for a half that a double-six set does not have.
    """
    halves = ((first, 0), (second, 10))
    if upright:
        return [Pip(x, y + shift) for half, shift in halves for x, y in _GRID[half]]
    return [Pip(y + shift, x) for half, shift in halves for x, y in _GRID[half]]
