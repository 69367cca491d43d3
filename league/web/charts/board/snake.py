"""Pinwheel snake: places of the tiles of up to four arms (SCREENS.md B-1). Pure.

The unit is the side of half a tile; the root is at (0, 0), x grows to the right and y downwards. Each arm owns a
quarter of the board, so arms cannot meet, and a place depends on earlier tiles of its own arm only: no tile moves when
another is added.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import Enum

from league.web.charts.board.trail import ArmTile, Growth

Point = tuple[float, float]
Rect = tuple[float, float, float, float]
"""Left, top, right, bottom."""

NARROWEST = 18
"""Below this width about one long arm in a hundred would leave its quarter (measured, SCREENS.md B-1)."""
INNER = 2.0
PITCH = 3.0
COLUMN = 5.0


class Arm(Enum):
    """The quarter of the board that an arm folds into."""

    RIGHT = "right"
    LEFT = "left"
    TOP = "top"
    BOTTOM = "bottom"


@dataclass(frozen=True, slots=True)
class Laid:
    """Tile `number` of the trail in its place.

    `inner` and `outer`: the centres of its halves, equally near to the root in a double, which lies across; `beyond`:
    the centre of the edge where its arm continues; `heading`: the direction there.
    """

    number: int
    rect: Rect
    inner: Point
    outer: Point
    beyond: Point
    heading: Point
    arm: Arm | None = None


def lay_snake(growth: Growth, width: float) -> list[Laid]:
    """Lay every tile of a tree that branches at its root only, the root first.

    `width` of the board in units.
    """
    root = growth.root
    laid = [lay_root(root)]
    for arm, first in _arms(growth):
        snake = _Snake(arm, width, start=_start(arm, double=root.double))
        laid += [snake.lay(link) for link in growth.arm(first)]
    return laid


def lay_root(root: ArmTile) -> Laid:
    """Lay the root: a double upright, another tile with its first half on the left."""
    if root.double:
        return Laid(root.number, (-0.5, -1, 0.5, 1), (0, -0.5), (0, 0.5), (0.5, 0), (1, 0))
    return Laid(root.number, (-1, -0.5, 1, 0.5), (-0.5, 0), (0.5, 0), (1, 0), (1, 0))


def _arms(growth: Growth) -> Iterable[tuple[Arm, int]]:
    """Return the arms with their first tiles.

    Of a double in the order of their beginning: sides, then ends. Of another tile by the half they join.
    """
    first = growth.after[growth.root.number]
    if growth.root.double:
        return list(zip(Arm, first, strict=False))
    return [(Arm.RIGHT if growth.links[one].inner == growth.root.outer else Arm.LEFT, one) for one in first]


def _start(arm: Arm, *, double: bool) -> Point:
    side = 0.5 if double else 1.0
    return {Arm.RIGHT: (side, 0.0), Arm.LEFT: (-side, 0.0), Arm.TOP: (0.0, -1.0), Arm.BOTTOM: (0.0, 1.0)}[arm]


@dataclass(slots=True)
class _Snake:
    """End of an arm.

    `at`: the centre of its open edge; `heading`: its direction; `row`: the height of its last row; `row_heading`: the
    direction of that row.
    """

    arm: Arm
    width: float
    start: Point
    at: Point = field(init=False)
    heading: Point = field(init=False)
    fold: float = field(init=False)
    limits: tuple[float, float] = field(init=False)
    last: Laid | None = None
    last_double: bool = False
    row: float = 0.0
    row_heading: float = 0.0

    def __post_init__(self) -> None:
        far = self.width / 2 - 0.5  # a double on a riser sticks out by half a unit
        self.at = self.start
        self.heading, self.fold, self.limits = {
            Arm.RIGHT: ((1.0, 0.0), 1.0, (INNER, far)),
            Arm.LEFT: ((-1.0, 0.0), -1.0, (-far, -INNER)),
            Arm.BOTTOM: ((0.0, 1.0), 1.0, (-far, 1.0)),
            Arm.TOP: ((0.0, -1.0), -1.0, (-1.0, far)),
        }[self.arm]

    def lay(self, link: ArmTile) -> Laid:
        self._turn(link)
        laid = self._end_turn(link) if self._ends_riser(link) else self._straight(link)
        self.last, self.last_double = laid, link.double
        self.at, self.heading = laid.beyond, laid.heading
        return laid

    @property
    def _on_row(self) -> bool:
        return self.heading[1] == 0

    @property
    def _may_turn(self) -> bool:
        return self.last is not None and not self.last_double

    def _turn(self, link: ArmTile) -> None:
        """Turn at the side of the last tile's outer half if necessary."""
        if self.last is None or not self._may_turn:
            return
        corner = self.last.outer
        if self._on_row:
            # A double needs room for the single after it too, since two doubles are never neighbours.
            if self._room(self.at[0], self.heading[0]) >= _cost(link):
                return
            self.row, self.row_heading = corner[1], self.heading[0]
            self.heading = (0.0, self.fold)
        elif self._leaves_column(link) and abs(corner[1] - self.row) >= PITCH:
            self.heading = (self._row_way(corner[0]), 0.0)
        else:
            return
        self.at = (corner[0] + 0.5 * self.heading[0], corner[1] + 0.5 * self.heading[1])

    def _ends_riser(self, link: ArmTile) -> bool:
        """Whether the tile turns with its first half still in line with the riser."""
        if self._on_row or self.last is None or not self._may_turn or link.double or not self._leaves_column(link):
            return False
        # At the start of a riser the corner is the half on the row it left.
        return abs(self.last.outer[1] + self.fold - self.row) >= PITCH

    def _leaves_column(self, link: ArmTile) -> bool:
        """Whether the arm must leave its column.

        The first riser of an arm that starts up or down is as long as its column allows.
        """
        if self.row_heading or self.arm in (Arm.RIGHT, Arm.LEFT):
            return True
        return abs(self.at[1]) + _cost(link) > COLUMN

    def _row_way(self, x: float) -> float:
        """Return the direction of a row: the side with more room.

        The first row of an arm from an end of the spinner leads away from the others.
        """
        if not self.row_heading:
            return -1.0 if self.arm is Arm.BOTTOM else 1.0
        right, left = self._room(x, 1.0), self._room(x, -1.0)
        if right == left:
            return -self.row_heading
        return 1.0 if right > left else -1.0

    def _room(self, x: float, way: float) -> float:
        return self.limits[1] - x if way > 0 else x - self.limits[0]

    def _straight(self, link: ArmTile) -> Laid:
        (x, y), (dx, dy) = self.at, self.heading
        near = (x + 0.5 * dx, y + 0.5 * dy)
        if link.double:
            halves = (
                (near[0] - 0.5 * abs(dy), near[1] - 0.5 * abs(dx)),
                (near[0] + 0.5 * abs(dy), near[1] + 0.5 * abs(dx)),
            )
            return self._laid(link, halves, (x + dx, y + dy), self.heading)
        return self._laid(link, (near, (x + 1.5 * dx, y + 1.5 * dy)), (x + 2 * dx, y + 2 * dy), self.heading)

    def _end_turn(self, link: ArmTile) -> Laid:
        first = (self.at[0], self.at[1] + 0.5 * self.fold)
        way = self._row_way(first[0])
        return self._laid(link, (first, (first[0] + way, first[1])), (first[0] + 1.5 * way, first[1]), (way, 0.0))

    def _laid(self, link: ArmTile, halves: tuple[Point, Point], beyond: Point, heading: Point) -> Laid:
        xs, ys = [x for x, _ in halves], [y for _, y in halves]
        rect = (min(xs) - 0.5, min(ys) - 0.5, max(xs) + 0.5, max(ys) + 0.5)
        return Laid(link.number, rect, *halves, beyond, heading, self.arm)


def _cost(link: ArmTile) -> float:
    """Return the free length for a tile; a double's includes the single after it."""
    return 3.0 if link.double else 2.0
