"""Picture of a round's tiles and flags (SCREENS.md B-1). Pure.

Coordinates are in units of half a tile, as in `league.web.charts.board.snake`, rounded to a hundredth.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import atan2, degrees

from league.web.charts.board.snake import NARROWEST, Arm, Laid, Point, Rect, lay_snake
from league.web.charts.board.spread import NoRoom, lay_spread
from league.web.charts.board.trail import Growth, Joint, grow

WIDEST = 48
MARGIN = 1.0
"""Room around the tiles: half a unit, and the flag of an end at the edge."""
FLAG = 0.55
"""Distance of a flag from its open edge."""
FRAME = (360.0, 380.0)
"""Box for the choice of the width, in CSS pixels: a phone's, with the smallest tiles."""


@dataclass(frozen=True, slots=True)
class DrawnTile:
    """Tile `number` of the trail.

    `x`, `y`: its middle; `turn`: in degrees, from an upright tile with its `first` half on top; `halves`: the middles
    of both halves.
    """

    number: int
    x: float
    y: float
    turn: int
    first: str
    second: str
    halves: tuple[Point, Point]
    spinner: bool = False


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture; `box`: the rectangle drawn, as left, top, width, height."""

    box: Rect
    tiles: list[DrawnTile]
    laid: Mapping[int, Laid]
    growth: Growth

    def flag(self, tile: int, face: str, placed: int) -> Point:
        """Return the place of the flag of an open end.

        The end of `tile` shows `face`; the first `placed` tiles lie on the table.
        """
        laid, root = self.laid[tile], self.growth.root
        link = root if tile == root.number else self.growth.links[tile]
        if link.double:
            # The tiles joined to a double take its exits in the order of play.
            taken = sum(number < placed for number in self.growth.after[tile])
            exits = self._exits(laid)
            return exits[min(taken, len(exits) - 1)]
        (ax, ay), (bx, by) = laid.inner, laid.outer
        if link.inner == face and (link is root or self._inside(tile) >= placed):
            # The tile nearer to the root comes later, so the side next to it is still open.
            return _point(ax + (0.5 + FLAG) * (ax - bx), ay + (0.5 + FLAG) * (ay - by))
        (x, y), (dx, dy) = laid.beyond, laid.heading
        return _point(x + FLAG * dx, y + FLAG * dy)

    def _exits(self, double: Laid) -> list[Point]:
        """Return a double's exits: the root's two sides or another's far side, then ends."""
        (left, top, right, bottom), (dx, dy) = double.rect, double.heading
        x, y = (left + right) / 2, (top + bottom) / 2
        ahead = _point(double.beyond[0] + FLAG * dx, double.beyond[1] + FLAG * dy)
        back = [_point(left - FLAG, y)] if double.number == self.growth.root.number else []
        reach = 1 + FLAG
        ends = [_point(x + reach * abs(dy), y + reach * abs(dx)), _point(x - reach * abs(dy), y - reach * abs(dx))]
        # A snake goes up before it goes down (`Arm`), a search the other way round.
        return [ahead, *back, *(ends if self.growth.branches() else reversed(ends))]

    def _inside(self, tile: int) -> int:
        return next(near for near, after in self.growth.after.items() if tile in after)


def picture(
    trail: tuple[Joint, ...], root: int = 0, *, spinner: bool = False, frame: tuple[float, float] = FRAME
) -> Picture | None:
    """Return the picture of the whole trail around tile `root`.

    The root is ringed if it is a `spinner`. `frame`: the box to fit, in CSS pixels. None for an empty table, and if no
    layout was found.
    """
    if not trail:
        return None
    growth = grow(trail, root)
    try:
        laid = lay_spread(growth) if growth.branches() else _largest(growth, frame)
    except NoRoom:
        return None
    if len(laid) < len(trail):
        return None  # W-W reopened the table beside a root whose four sides are taken
    tiles = [_drawn(one, growth, spinner=spinner) for one in laid]
    tiles.sort(key=lambda one: one.number)
    return Picture(_box(laid), tiles, {one.number: one for one in laid}, growth)


def _largest(growth: Growth, frame: tuple[float, float]) -> list[Laid]:
    """Lay the tiles at the width that shows them largest; of several the narrowest."""
    best, unit = lay_snake(growth, NARROWEST), 0.0
    for width in range(NARROWEST, WIDEST + 1, 2):
        laid = lay_snake(growth, width)
        if (shown := _unit(laid, frame)) > unit:
            best, unit = laid, shown
        if all(one.heading[1] == 0 for one in laid if one.arm in (Arm.RIGHT, Arm.LEFT)):
            break  # no further folds, except of arms that start upright
    return best


def _unit(laid: Sequence[Laid], frame: tuple[float, float]) -> float:
    """Return the pixels of a unit, in a box of that size."""
    _left, _top, width, height = _box(laid)
    return round(min(frame[0] / width, frame[1] / height), 6)


def _box(laid: Iterable[Laid]) -> Rect:
    rects = [one.rect for one in laid]
    left, top = min(one[0] for one in rects) - MARGIN, min(one[1] for one in rects) - MARGIN
    right, bottom = max(one[2] for one in rects) + MARGIN, max(one[3] for one in rects) + MARGIN
    return left, top, right - left, bottom - top


def _drawn(laid: Laid, growth: Growth, *, spinner: bool) -> DrawnTile:
    root = laid.number == growth.root.number
    tile = growth.root if root else growth.links[laid.number]
    (ax, ay), (bx, by) = laid.inner, laid.outer
    return DrawnTile(
        number=laid.number,
        x=round((ax + bx) / 2, 2),
        y=round((ay + by) / 2, 2),
        turn=(round(degrees(atan2(by - ay, bx - ax))) - 90) % 360,
        first=tile.inner,
        second=tile.outer,
        halves=(laid.inner, laid.outer),
        spinner=root and spinner,
    )


def _point(x: float, y: float) -> Point:
    return round(x, 2), round(y, 2)
