"""Ranking before the round, barred pairs, and costs of a pair by criterion. Pure."""

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import NamedTuple

from league.competitions.formats.swiss.values import Contender

FLOAT_MEMORY = 2  # rounds within which a second float in the same direction counts


class Costs(NamedTuple):
    """Costs of a pair, most important criterion first; a round's costs are their sum.

    `rematch`: 1 for a rematch (only if allowed). `squares`: the square of their score difference. `mates`: 1 for two of
    a club. `floats`: how many of
    the two float a second time in the same direction within two rounds. Then for the fold: `leavers`: places from the
    bottom of the upper group and from the top of the lower one, for a pair of two groups; `halves`: 1 if both are in
    the same half of their group; `fold`: square of the distance to the fold. `sides`: lower if the two can bring their
    leads nearer to 0.
    """

    rematch: int = 0
    squares: int = 0
    mates: int = 0
    floats: int = 0
    leavers: int = 0
    halves: int = 0
    fold: int = 0
    sides: int = 0


class Ranks:
    """Contenders sorted by score and pairing number.

    A position is an index into the order, a score group a range of positions. `apart` and `met` hold positions by
    position. With an odd number the bye is one further position.
    """

    __slots__ = ("apart", "everybody", "group", "groups", "met", "place", "span")

    def __init__(self, contenders: Iterable[Contender], apart: Iterable[tuple[int, int]] = ()) -> None:
        self.everybody = sorted(contenders, key=lambda one: (-one.score, one.number, one.id))
        self.groups = _groups(self.everybody)
        self.group = [number for number, positions in enumerate(self.groups) for _ in positions]
        self.place = [place for positions in self.groups for place in range(len(positions))]
        leads = [one.leads for one in self.everybody] or [0]
        self.span = max(leads) - min(leads)
        at = {one.id: position for position, one in enumerate(self.everybody)}
        self.met = [{at[id_] for id_ in one.met if id_ in at} for one in self.everybody]
        self.apart: list[set[int]] = [set() for _ in self.everybody]
        for first, second in apart:
            if first in at and second in at:
                self.apart[at[first]].add(at[second])
                self.apart[at[second]].add(at[first])

    def __len__(self) -> int:
        return len(self.everybody)

    def barred(self, *, rematch: bool = False) -> list[set[int]]:
        """Give the barred opponents of each position; past opponents unless `rematch`."""
        return self.apart if rematch else [met | apart for met, apart in zip(self.met, self.apart, strict=True)]

    def costs(self, i: int, j: int) -> Costs:
        """Give the costs of a pair of positions, `i` before `j`."""
        rematch, sides = int(j in self.met[i]), self._sides(i, j)
        mates = int(self.mates(i, j))
        difference = self.everybody[i].score - self.everybody[j].score
        if difference:
            floats = again(self.everybody[i], 1) + again(self.everybody[j], -1)
            leavers = self._to_the_bottom(i) + self.place[j]
            # Of several who leave a group the better one meets the better opponent, as in FIDE C.04.3.
            return Costs(rematch, difference * difference, mates, floats, leavers, 0, leavers * leavers, sides)
        size, higher, lower = len(self.groups[self.group[i]]), self.place[i], self.place[j]
        # In an odd group the middle one is in both halves: the one who leaves may be above or below.
        halves = int(lower < size // 2 or higher >= (size + 1) // 2)
        return Costs(rematch, 0, mates, 0, 0, halves, (lower - higher - size // 2) ** 2, sides)

    def mates(self, i: int, j: int) -> bool:
        """Tell whether two positions have a club in common."""
        return not self.everybody[i].clubs.isdisjoint(self.everybody[j].clubs)

    def bye_costs(self, i: int) -> Costs:
        """Give the costs of a bye for `i`, as if paired down.

        The last of a score group goes first.
        """
        return Costs(floats=int(again(self.everybody[i], 1)), leavers=self._to_the_bottom(i))

    def _to_the_bottom(self, i: int) -> int:
        return len(self.groups[self.group[i]]) - 1 - self.place[i]

    def _sides(self, i: int, j: int) -> int:
        """Give the cost of sides.

        With the best sides, the squares of both leads sum up to a constant minus twice their difference.
        """
        one, other = self.everybody[i], self.everybody[j]
        twice_running = one.led_last is not None and one.led_last == other.led_last
        return 2 * (self.span - abs(one.leads - other.leads)) + twice_running


def again(one: Contender, direction: int) -> bool:
    """Tell whether a float (+1 down, -1 up) would be the second within two rounds."""
    return direction in one.floats[-FLOAT_MEMORY:]


def bye_classes(everybody: Sequence[Contender], *, second: bool = False) -> list[list[int]]:
    """Group positions by claim to the bye: fewest byes first, then the lowest score.

    A second bye is possible only if everybody has had one, or if `second` allows it.
    """
    order = sorted(range(len(everybody)), key=lambda i: (_bye_key(everybody[i]), i))
    classes = [list(same) for _key, same in groupby(order, key=lambda i: _bye_key(everybody[i]))]
    without = [one for one in classes if not everybody[one[0]].byes]
    return classes if second or not without else without


def _bye_key(one: Contender) -> tuple[int, int]:
    return one.byes, one.score


def _groups(everybody: Sequence[Contender]) -> list[range]:
    starts = [i for i, one in enumerate(everybody) if not i or everybody[i - 1].score != one.score]
    return [range(start, end) for start, end in zip(starts, [*starts[1:], len(everybody)], strict=True)]
