"""Layout by search for arms with several branching doubles (SCREENS.md B-1). Pure.

Each tile takes the roomiest place that touches its neighbour and nothing else. If a tile finds none, the search tries
other places for the tiles before it. The board grows as needed.
"""

from collections.abc import Callable, Iterator, Sequence
from random import Random

from league.web.charts.board.snake import Laid, Point, Rect, lay_root
from league.web.charts.board.trail import ArmTile, Growth

Exit = tuple[Point, Point]
"""Centre of an edge that can be touched, and the direction out of it."""

CLEARANCE = 0.5
_AHEAD = 7
"""Units in front of a tile that count as its room."""
_TRIES = 150
_STARTS = 60


class NoRoom(Exception):
    """No way was found within the tries allowed."""


def lay_spread(growth: Growth) -> list[Laid]:
    """Lay every tile of the tree, the root first, the others in the order of play.

    Raises NoRoom.
    """
    for start in range(_STARTS):
        # The last starts allow unjoined tiles side by side: better than no picture.
        clearance = CLEARANCE if start < _STARTS - 20 else 0.0
        if laid := _search(growth, Random(start), stray=0.25 * start, clearance=clearance):  # noqa: S311 (the same picture each time)
            return laid
    raise NoRoom


def _search(growth: Growth, random: Random, *, stray: float, clearance: float) -> list[Laid]:
    """Return the first layout found, or nothing once the tries are used up.

    The larger `stray`, the less the search prefers the roomiest place.
    """
    inside = {number: (near, nth) for near, after in growth.after.items() for nth, number in enumerate(after)}
    todo = sorted(inside, key=lambda number: _age(number, growth.root.number, inside))
    laid = {growth.root.number: lay_root(growth.root)}
    ways: list[Iterator[Laid]] = []
    tries = 0
    while len(laid) <= len(todo):
        depth = len(laid) - 1
        if len(ways) == depth:
            number = todo[depth]
            near, nth = inside[number]
            ways.append(_best_first(growth, laid, near, nth, lambda: random.uniform(0, stray), clearance))
        way = next(ways[-1], None)
        tries += 1
        if way is not None:
            laid[way.number] = way
        elif depth and tries < _TRIES:
            ways.pop()
            del laid[todo[depth - 1]]
        else:
            return []
    return list(laid.values())


def _age(number: int, root: int, inside: dict[int, tuple[int, int]]) -> tuple[int, int]:
    """Return a tile's sort key: after all tiles between it and the root, then by age."""
    latest, steps = number, 0
    while number != root:
        latest, steps = max(latest, number), steps + 1
        number = inside[number][0]
    return latest, steps


def _best_first(
    growth: Growth, laid: dict[int, Laid], near: int, nth: int, stray: Callable[[], float], clearance: float
) -> Iterator[Laid]:
    link = growth.links[growth.after[near][nth]]
    others = [one.rect for number, one in laid.items() if number != near]
    lanes = [_lane(*exit_) for one in laid.values() for exit_ in _open(growth, laid, one, near, nth)]
    sideways = _is_double(growth, near) and nth < (2 if near == growth.root.number else 1)
    found = []
    for bends, exit_ in _exits(growth, laid[near], nth, link):
        for more, way in _ways(link, *exit_, turns=not sideways):
            if all(_gap(way.rect, rect) >= clearance for rect in others):
                blocks = sum(_gap(way.rect, lane) < 0 for lane in lanes)
                found.append((2 * (bends + more) + 4 * blocks - _room(way, others) + stray(), len(found), way))
    return (way for _, _, way in sorted(found, key=lambda one: one[:2]))


def _open(growth: Growth, laid: dict[int, Laid], one: Laid, near: int, nth: int) -> Iterator[Exit]:
    """Yield the free exits of a laid tile, without the place being taken."""
    after = growth.after[one.number]
    taken = sum(number in laid for number in after)
    if not _is_double(growth, one.number):
        if not after or (after[0] not in laid and one.number != near):
            yield one.beyond, one.heading
        return
    root = one.number == growth.root.number
    for free in range(taken, 4 if root else 3):
        if (one.number, free) != (near, nth):
            yield _of_double(one, free, root=root)


def _lane(at: Point, way: Point) -> Rect:
    """Return the space in front of an end that it needs to continue."""
    (x, y), (dx, dy) = at, way
    ex, ey = x + 3 * dx, y + 3 * dy
    across, along = abs(dy), abs(dx)
    return min(x, ex) - across, min(y, ey) - along, max(x, ex) + across, max(y, ey) + along


def _is_double(growth: Growth, number: int) -> bool:
    return (growth.root if number == growth.root.number else growth.links[number]).double


def _exits(growth: Growth, near: Laid, nth: int, link: ArmTile) -> Iterator[tuple[int, Exit]]:
    """Yield the exits of `near` for its `nth` tile, each with its number of bends."""
    root = near.number == growth.root.number
    if _is_double(growth, near.number):
        yield 0, _of_double(near, nth, root=root)
        return
    half, (dx, dy) = near.outer, near.heading
    if root and link.inner != growth.root.outer:
        half, dx = near.inner, -dx
    for bends, (ex, ey) in ((0, (dx, dy)), (1, (dy, dx)), (1, (-dy, -dx))):
        yield bends, ((half[0] + 0.5 * ex, half[1] + 0.5 * ey), (ex, ey))


def _of_double(double: Laid, nth: int, *, root: bool) -> Exit:
    """Return a double's `nth` exit, in order: sides (off the root the far side), ends."""
    (dx, dy), x, y = double.heading, *_centre(double.rect)
    sides = ((dx, dy), (-dx, -dy)) if root else ((dx, dy),)
    if nth < len(sides):
        ex, ey = sides[nth]
        return (x + 0.5 * ex, y + 0.5 * ey), (ex, ey)
    turn = 1 if nth == len(sides) else -1
    ex, ey = turn * abs(dy), turn * abs(dx)
    return (x + ex, y + ey), (ex, ey)


def _ways(link: ArmTile, at: Point, way: Point, *, turns: bool) -> Iterator[tuple[int, Laid]]:
    """Yield a tile's places at an edge: straight; for a single also bent after a half."""
    (x, y), (dx, dy) = at, way
    near = (x + 0.5 * dx, y + 0.5 * dy)
    if link.double:
        wide, high = 0.5 * abs(dy), 0.5 * abs(dx)
        halves = (near[0] - wide, near[1] - high), (near[0] + wide, near[1] + high)
        yield 0, _laid(link, halves, (x + dx, y + dy), way)
        return
    yield 0, _laid(link, (near, (near[0] + dx, near[1] + dy)), (x + 2 * dx, y + 2 * dy), way)
    if turns:
        for ex, ey in ((dy, dx), (-dy, -dx)):
            outer = (near[0] + ex, near[1] + ey)
            yield 1, _laid(link, (near, outer), (outer[0] + 0.5 * ex, outer[1] + 0.5 * ey), (ex, ey))


def _laid(link: ArmTile, halves: tuple[Point, Point], beyond: Point, heading: Point) -> Laid:
    xs, ys = [x for x, _ in halves], [y for _, y in halves]
    rect = (min(xs) - 0.5, min(ys) - 0.5, max(xs) + 0.5, max(ys) + 0.5)
    return Laid(link.number, rect, *halves, beyond, heading)


def _room(way: Laid, others: Sequence[Rect]) -> float:
    """Return the length free for a straight arm three units wide."""
    (x, y), (dx, dy) = way.beyond, way.heading
    across, along = 1.5 * abs(dy), 1.5 * abs(dx)
    for step in range(1, _AHEAD + 1):
        ex, ey = x + step * dx, y + step * dy
        lane = (min(x, ex) - across, min(y, ey) - along, max(x, ex) + across, max(y, ey) + along)
        if any(_gap(lane, rect) < 0 for rect in others):
            return step - 1
    return _AHEAD


def _centre(rect: Rect) -> Point:
    return (rect[0] + rect[2]) / 2, (rect[1] + rect[3]) / 2


def _gap(one: Rect, other: Rect) -> float:
    """Return the distance of two rectangles; below 0 if they overlap."""
    return max(
        max(one[0], other[0]) - min(one[2], other[2]),
        max(one[1], other[1]) - min(one[3], other[3]),
    )
