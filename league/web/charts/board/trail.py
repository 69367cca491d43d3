"""How the tiles on a table hang together, seen from the one in the middle. Pure."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Joint:
    """A tile as it came to the table. `inner` is the half that touches tile number `on` of the trail, `outer` the
    other one; of the first tile, which touches none, they are the halves as written.
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
    """The tiles around a root, as a tree: `after[n]` are the tiles that go on from tile n, in the order in which they
    came. The root's `inner` and `outer` are its halves as written.
    """

    root: ArmTile
    links: dict[int, ArmTile]
    after: dict[int, list[int]]

    def branches(self) -> bool:
        """Whether an arm parts further out than at the root."""
        return any(len(more) > 1 for number, more in self.after.items() if number != self.root.number)

    def arm(self, first: int) -> Iterator[ArmTile]:
        """From tile `first` to the end of its arm, which does not part."""
        following: list[int] = [first]
        while following:
            (number,) = following
            yield self.links[number]
            following = self.after[number]


def grow(trail: Sequence[Joint], root: int = 0) -> Growth:
    """The tree of a trail, seen from tile number `root`: the spinner, or else the first tile."""
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
    """Tile `number` seen from its neighbour `inside`, which may have come later than it."""
    tile = trail[number]
    if tile.on == inside:
        return ArmTile(number, tile.inner, tile.outer)
    touched = trail[inside].inner
    return ArmTile(number, touched, tile.inner if touched == tile.outer else tile.outer)
