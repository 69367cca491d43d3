"""Tree of the tiles on a table, seen from the tile in the middle. Pure."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Joint:
    """A tile in the order of play.

    `inner` is the half that touches tile number `on` of the trail, `outer` the other half; for the first tile, which
    touches none, they are the halves as written.
    """

    inner: str
    outer: str
    on: int | None = None

    @property
    def double(self) -> bool:
        return self.inner == self.outer


@dataclass(frozen=True, slots=True)
class ArmTile:
    """A tile of an arm: `number` in the trail, `inner` the half nearer to the root."""

    number: int
    inner: str
    outer: str

    @property
    def double(self) -> bool:
        return self.inner == self.outer


@dataclass(frozen=True, slots=True)
class Growth:
    """The tiles around a root, as a tree.

    `after[n]`: the tiles joined to tile n away from the root, in the order of play. The root's `inner` and `outer` are
    its halves as written.
    """

    root: ArmTile
    links: dict[int, ArmTile]
    after: dict[int, list[int]]

    def branches(self) -> bool:
        """Whether an arm branches beyond the root."""
        return any(len(more) > 1 for number, more in self.after.items() if number != self.root.number)

    def arm(self, first: int) -> Iterator[ArmTile]:
        """Yield the tiles from `first` to the end of its arm, which does not branch."""
        following: list[int] = [first]
        while following:
            (number,) = following
            yield self.links[number]
            following = self.after[number]


def grow(trail: Sequence[Joint], root: int = 0) -> Growth:
    """Return the tree of a trail around tile `root`: the spinner, else the first tile."""
    neighbours: dict[int, list[int]] = {number: [] for number in range(len(trail))}
    for number, joint in enumerate(trail):
        if joint.on is not None:
            neighbours[number].append(joint.on)
            neighbours[joint.on].append(number)
    middle = trail[root]
    growth = Growth(ArmTile(root, middle.inner, middle.outer), {}, {root: sorted(neighbours[root])})
    todo = [(root, number) for number in growth.after[root]]
    while todo:
        inside, number = todo.pop()
        growth.links[number] = _link(trail, inside, number)
        growth.after[number] = sorted(one for one in neighbours[number] if one != inside)
        todo += [(number, one) for one in growth.after[number]]
    return growth


def _link(trail: Sequence[Joint], inside: int, number: int) -> ArmTile:
    """Return tile `number` seen from its neighbour `inside`, possibly the later tile."""
    tile = trail[number]
    if tile.on == inside:
        return ArmTile(number, tile.inner, tile.outer)
    touched = trail[inside].inner
    return ArmTile(number, touched, tile.inner if touched == tile.outer else tile.outer)
