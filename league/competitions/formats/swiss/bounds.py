"""Lower bound for the sum of squared score differences of a round. Pure.

It does not look at every pair.
"""

from collections.abc import Collection, Sequence
from itertools import combinations, pairwise

from league.competitions.formats.swiss.ranks import Ranks
from league.competitions.formats.swiss.weights import matched


def fewest_squares(ranks: Ranks, takers: Collection[int], *, at_most: int) -> int:
    """Give a lower bound for the sum of squares of rounds with `at_most` or less.

    For rounds without a rematch. First without past meetings. If that does not prove a round with `at_most` to be the
    best, then with all past meetings in small score groups, and none in large ones. A large group is reduced to as many
    entrants as can leave it: a pair of two groups costs at least the square of the smallest difference between groups.
    """
    simple = _neighbours(ranks, takers)
    return simple if simple >= at_most else _reduced(ranks, takers, at_most)


def _neighbours(ranks: Ranks, takers: Collection[int]) -> int:
    """Sum the squares of score differences of neighbours.

    Of all ways to pair numbers, neighbours in order have the least sum.
    """
    scores = [one.score for one in ranks.everybody]
    if takers:
        scores.remove(ranks.everybody[next(iter(takers))].score)
    return sum((a - b) ** 2 for a, b in zip(scores[::2], scores[1::2], strict=True))


def _reduced(ranks: Ranks, takers: Collection[int], at_most: int) -> int:
    kept, free = _kept(ranks, at_most, bye=bool(takers))
    barred = ranks.barred()
    edges = [
        (i, j, squares)
        for i, j in combinations(kept, 2)
        for squares in [(ranks.everybody[i].score - ranks.everybody[j].score) ** 2]
        if squares <= at_most and (i in free or j in free or j not in barred[i])
    ]
    edges += [(i, len(ranks), 0) for i in kept if _may_rest(ranks, takers, free, i)]
    at = {position: node for node, position in enumerate([*kept, len(ranks)])}
    costs = {(at[i], at[j]): squares for i, j, squares in edges}
    nodes = len(kept) + bool(takers)
    pairs = matched(nodes, [(i, j, at_most - squares) for (i, j), squares in costs.items()])
    # Without any round here, no round has `at_most` or less.
    return sum(costs[pair] for pair in pairs) if 2 * len(pairs) == nodes else at_most


def _may_rest(ranks: Ranks, takers: Collection[int], free: Collection[int], i: int) -> bool:
    """Tell whether a position may have the bye; in a large group for any taker of it."""
    return i in takers or (i in free and any(ranks.group[i] == ranks.group[taker] for taker in takers))


def _kept(ranks: Ranks, at_most: int, *, bye: bool) -> tuple[list[int], set[int]]:
    """Give the reduced positions, and those of large groups, which may meet anybody."""
    kept: list[int] = []
    free: set[int] = set()
    leaving = at_most // _smallest_gap(ranks) ** 2 + bye
    for group in ranks.groups:
        standing = leaving + (len(group) - leaving) % 2
        kept += group[:standing]
        if standing < len(group):
            free.update(group[:standing])
    return kept, free


def _smallest_gap(ranks: Ranks) -> int:
    scores: Sequence[int] = [ranks.everybody[group.start].score for group in ranks.groups]
    return min((upper - lower for upper, lower in pairwise(scores)), default=1)
