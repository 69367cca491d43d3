"""Best pairs of a round, from as few candidate pairs as needed. Pure."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from league.competitions.formats.swiss.bounds import fewest_squares
from league.competitions.formats.swiss.ranks import Costs, Ranks
from league.competitions.formats.swiss.weights import matched, packed, salts

WHOLE = 300  # most entrants with every legal pair as a candidate: 45,000
WIDTH = 24  # beyond that, first width of the window: places on each side of the fold
REACH = 3  # first reach of the window: score groups below the own one


@dataclass(frozen=True, slots=True)
class Window:
    """Candidate pairs of a round.

    Within a score group: up to `width` places off the fold. Between groups: the last `width` of the upper with the
    first `width` of the lower, up to `reach` groups down.
    """

    width: int
    reach: int

    def covers(self, ranks: Ranks) -> bool:
        return self.width >= len(ranks) and self.reach >= len(ranks.groups)

    def wider(self) -> "Window":
        return Window(2 * self.width, 2 * self.reach)

    def pairs(self, ranks: Ranks) -> Iterator[tuple[int, int]]:
        for number, group in enumerate(ranks.groups):
            yield from self._within(group)
            for lower in ranks.groups[number + 1 : number + 1 + self.reach]:
                for i in group[-self.width :]:
                    for j in lower[: self.width]:
                        yield i, j

    def _within(self, group: range) -> Iterator[tuple[int, int]]:
        half = len(group) // 2
        for i in group:
            for j in range(max(i + 1, i + half - self.width), min(group.stop, i + half + self.width + 1)):
                yield i, j


def best_pairs(
    ranks: Ranks, takers: Collection[int] = (), *, rematch: bool = False, whole: int | None = None
) -> list[tuple[int, int]] | None:
    """Give the round with the least costs, as pairs of positions; None if impossible.

    With an odd number, `takers` are the positions that may have the bye, which is paired as position `len(ranks)`. Up
    to `whole` entrants (default WHOLE) every legal pair is a candidate. Beyond, a window is widened until there is a
    round and its sum of squared score differences is proved to be the least; the lower criteria are then the best
    within the window.
    """
    everything = Window(len(ranks), len(ranks))
    window = everything if len(ranks) <= (WHOLE if whole is None else whole) else Window(WIDTH, REACH)
    while True:
        pairs = _least(ranks, takers, window, rematch=rematch)
        if window.covers(ranks) or (pairs is not None and _is_proved(ranks, takers, pairs)):
            return pairs
        if pairs is None and left_over(ranks, takers, rematch=rematch):
            return None
        window = window.wider()


def _is_proved(ranks: Ranks, takers: Collection[int], pairs: Sequence[tuple[int, int]]) -> bool:
    costs = [ranks.costs(i, j) for i, j in pairs if j < len(ranks)]
    if any(one.rematch for one in costs):
        return False
    found = sum(one.squares for one in costs)
    return fewest_squares(ranks, takers, at_most=found) >= found


def _least(ranks: Ranks, takers: Collection[int], window: Window, *, rematch: bool) -> list[tuple[int, int]] | None:
    barred = ranks.barred(rematch=rematch)
    edges = [(i, j, ranks.costs(i, j)) for i, j in window.pairs(ranks) if j not in barred[i]]
    edges += [(i, len(ranks), ranks.bye_costs(i)) for i in takers]
    nodes = len(ranks) + bool(takers)
    pairs = matched(nodes, packed(edges, nodes, salts(ranks, edges)))
    return pairs if 2 * len(pairs) == nodes else None


def left_over(ranks: Ranks, takers: Collection[int] = (), *, rematch: bool = False) -> list[int]:
    """List positions unpaired in a largest matching, with any of `takers` on the bye."""
    barred = ranks.barred(rematch=rematch)
    count = len(ranks)
    nodes = count + bool(takers)
    # Dirac 1952: if each can meet at least half of all, all can be paired; one fewer remains after a bye.
    if all(2 * (count - 1 - len(one)) >= count + 1 for one in barred) and (takers or count % 2 == 0):
        return []
    edges = [(i, j, Costs()) for i in range(count) for j in range(i + 1, count) if j not in barred[i]]
    edges += [(i, count, Costs()) for i in takers]
    alone = set(range(nodes)).difference(*matched(nodes, packed(edges, nodes, salts(ranks, edges))))
    return sorted(alone)
