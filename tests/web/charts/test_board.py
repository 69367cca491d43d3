"""Where tiles lie on the board (SCREENS.md B-1).

450,000 random layouts were measured when the snake was found.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from random import Random

import pytest

from games.layout import Layout
from games.ruleset import Spinner
from games.tiles import DOUBLE_SIX
from league.web.charts.board.snake import NARROWEST, Arm, Laid, Point, lay_snake
from league.web.charts.board.spread import lay_spread
from league.web.charts.board.trail import ArmTile, Growth, Joint, grow
from tests.volume import SEED, amount

WIDTHS = (18, 20, 24, 28, 32, 40, 44, 60)
LAYOUTS = 10_000

# The golden vector: root 6-6, width 18.
GOLDEN = {
    Arm.RIGHT: (
        "0-6 (.5,-.5,2.5,.5) 0-4 (2.5,-.5,4.5,.5) 1-4 (4.5,-.5,6.5,.5) 1-2 (6.5,-.5,8.5,.5) 2-5 (7.5,.5,8.5,2.5) "
        "5-5 (7,2.5,9,3.5) 4-5 (7.5,3.5,8.5,5.5) 4-4 (6.5,4,7.5,6) 3-4 (4.5,4.5,6.5,5.5) 3-3 (4,5.5,6,6.5) "
        "1-3 (4.5,6.5,5.5,8.5) 1-5 (5.5,7.5,7.5,8.5) 0-5 (6.5,8.5,7.5,10.5)"
    ),
    Arm.LEFT: "4-6 (-2.5,-.5,-.5,.5) 2-4 (-4.5,-.5,-2.5,.5)",
    Arm.TOP: "2-6 (-.5,-3,.5,-1) 2-2 (-1,-4,1,-3) 2-3 (-.5,-6,.5,-4) 3-5 (.5,-6,2.5,-5)",
}


def listed(text: str) -> list[tuple[str, tuple[float, ...]]]:
    words = text.split()
    return [
        (tile, tuple(float(one) for one in rect.strip("()").split(",")))
        for tile, rect in zip(words[::2], words[1::2], strict=True)
    ]


def trail_of_golden() -> list[Joint]:
    """Its arms one after the other, each tile written from the root outwards."""
    trail = [Joint("6", "6")]
    for text in GOLDEN.values():
        on, touches = 0, "6"
        for tile, _ in listed(text):
            first, second = tile.split("-")
            inner, outer = (first, second) if first == touches else (second, first)
            trail.append(Joint(inner, outer, on))
            on, touches = len(trail) - 1, outer
    return trail


def test_the_golden_vector() -> None:
    trail = trail_of_golden()
    laid = lay_snake(grow(trail), NARROWEST)
    assert laid[0].rect == (-0.5, -1, 0.5, 1)
    found: dict[Arm | None, list[tuple[str, tuple[float, ...]]]] = {}
    for one in laid[1:]:
        joint = trail[one.number]
        found.setdefault(one.arm, []).append(("-".join(sorted((joint.inner, joint.outer))), one.rect))
    assert found == {arm: listed(text) for arm, text in GOLDEN.items()}


def random_trail(random: Random, mode: Spinner, *, adversarial: bool = False) -> tuple[list[Joint], int]:
    """A table of double-six tiles, as long as it goes, and the number of its root. Adversarial: one arm grows as long
    as it can, and doubles come first.
    """
    layout = Layout(DOUBLE_SIX, mode)
    tiles = list(DOUBLE_SIX.tiles)
    random.shuffle(tiles)
    trail: list[Joint] = []
    numbers: dict[int, int] = {}
    while True:
        fitting = [tile for tile in tiles if tile.index not in numbers and layout.fitting() & tile.bit]
        if not fitting or (not adversarial and len(trail) > 3 and random.random() < 0.02):
            break
        if adversarial and trail:
            fitting.sort(key=lambda tile: not tile.double)
        tile = fitting[0]
        on = None
        if trail:
            places = [place for place in layout.open_places() if place.bit & tile.takes]
            place = places[-1] if adversarial else random.choice(places)
            on = place.tile.index
            inner = place.face.name
            high, low = tile.name.split("-")
            joint = Joint(inner, low if inner == high else high, numbers[on])
        else:
            joint = Joint(*tile.name.split("-"))
        layout.place(tile.index, on)
        numbers[tile.index] = len(trail)
        trail.append(joint)
    return trail, numbers[layout.spinner] if layout.spinner is not None else 0


def faults(trail: Sequence[Joint], growth: Growth, laid: Sequence[Laid], width: float | None) -> Iterator[str]:
    """What is wrong with the places of a board: an overlap, a tile outside, halves that touch and are not equal."""
    rects = {one.number: one.rect for one in laid}
    if sorted(rects) != list(range(len(trail))):
        yield f"tiles {sorted(rects)} of {len(trail)}"
    joined = {(inside, number) for inside, after in growth.after.items() for number in after}
    for one, other in combinations(sorted(rects), 2):
        gap = apart(rects[one], rects[other])
        if gap < 0:
            yield f"{one} and {other} overlap"
        if gap < 0.5 and not {(one, other), (other, one)} & joined and width is not None:
            yield f"{one} and {other} are {gap} apart"
    places = {one.number: one for one in laid}
    for inside, number in joined:
        near = trail[inside].double, places[inside]
        if not touches(near[1], places[number], across=near[0] or trail[number].double):
            yield f"{number} does not touch {inside}"
        if not equal_halves(growth, places, inside, number):
            yield f"{number} touches {inside} with another face"
    if width is not None and any(abs(x) > width / 2 + 1e-9 for rect in rects.values() for x in rect[::2]):
        yield "outside the width"


def apart(one: tuple[float, ...], other: tuple[float, ...]) -> float:
    """How far two rectangles are from each other; below 0 where they overlap."""
    wide = max(one[0], other[0]) - min(one[2], other[2])
    high = max(one[1], other[1]) - min(one[3], other[3])
    return max(wide, high)


def touches(inside: Laid, outside: Laid, *, across: bool) -> bool:
    """Whether the inner half of a tile lies beside a half of the tile it is joined to: a unit away, or half of one
    across where one of the two is a double.
    """
    pairs = [(near, far) for near in (inside.inner, inside.outer) for far in (outside.inner, outside.outer)]
    least = min(abs(x - a) + abs(y - b) for (x, y), (a, b) in pairs)
    return least == (1.5 if across else 1.0) or (across and least == 1.0)


def equal_halves(growth: Growth, places: Mapping[int, Laid], inside: int, number: int) -> bool:
    """Whether the halves of two joined tiles that lie nearest to each other show the same face. A double across the end
    of a tile is as near to both of its halves.
    """
    near = growth.root if inside == growth.root.number else growth.links[inside]
    one, other = halves(near, places[inside]), halves(growth.links[number], places[number])
    pairs = [(abs(x - a) + abs(y - b), face == back) for face, (x, y) in one for back, (a, b) in other]
    least = min(distance for distance, _ in pairs)
    return any(same for distance, same in pairs if distance == least)


def halves(tile: ArmTile, laid: Laid) -> list[tuple[str, Point]]:
    return [(tile.inner, laid.inner), (tile.outer, laid.outer)]


@pytest.mark.parametrize("mode", [Spinner.NONE, Spinner.FIRST])
@pytest.mark.parametrize("adversarial", [False, True])
def test_no_tile_overlaps_another_or_leaves_the_board(mode: Spinner, *, adversarial: bool) -> None:
    random = Random(f"{mode}{adversarial}{SEED or ''}")
    for _ in range(amount(LAYOUTS // 4)):
        trail, root = random_trail(random, mode, adversarial=adversarial)
        growth = grow(trail, root)
        width = random.choice(WIDTHS)
        laid = lay_snake(growth, width)
        assert list(faults(trail, growth, laid, width)) == [], (trail, root, width)


def test_a_tile_that_is_added_moves_no_other() -> None:
    random = Random(7)
    for _ in range(300):
        trail, root = random_trail(random, Spinner.FIRST)
        before: dict[int, Laid] = {}
        for length in range(root + 1, len(trail) + 1):
            now = {one.number: one for one in lay_snake(grow(trail[:length], root), 18)}
            assert {number: now[number] for number in before} == before
            before = now


def test_the_checks_find_a_board_that_is_too_narrow() -> None:
    """The control: at 8 units the arms do not keep to the board."""
    random = Random(3)
    found = 0
    for _ in range(200):
        trail, root = random_trail(random, Spinner.FIRST, adversarial=True)
        growth = grow(trail, root)
        found += bool(list(faults(trail, growth, lay_snake(growth, 8), 8)))
    assert found > 20


def test_the_checks_find_halves_that_are_not_equal() -> None:
    """The control: a tile that was turned round touches with the wrong half."""
    trail = [Joint("6", "6"), Joint("6", "3", 0), Joint("3", "1", 1)]
    growth = grow(trail)
    laid = lay_snake(growth, NARROWEST)
    assert list(faults(trail, growth, laid, NARROWEST)) == []
    growth.links[2] = ArmTile(2, "1", "3")
    assert list(faults(trail, growth, laid, NARROWEST)) == ["2 touches 1 with another face"]


def test_where_every_double_branches_no_tile_overlaps_another() -> None:
    random = Random(1)
    for _ in range(amount(LAYOUTS // 100)):
        trail, root = random_trail(random, Spinner.ALL)
        growth = grow(trail, root)
        assert list(faults(trail, growth, lay_spread(growth), None)) == [], (trail, root)
