"""All criteria in one integer, for one maximum-weight matching. Pure."""

from collections.abc import Iterable, Iterator, Sequence

from league.competitions.formats.swiss.ranks import Costs, Ranks

SALT_BITS = 32
INTEGER_BITS = 127  # rustworkx computes in signed integers of 128 bits, and overflows silently


def packed(edges: Sequence[tuple[int, int, Costs]], nodes: int, drawn: Sequence[int]) -> Iterator[tuple[int, int, int]]:
    """Yield (i, j, weight): the heavier a round's sum of weights, the less it costs.

    Each criterion is multiplied by more than the total possible cost of all pairs by lower criteria, so no gain below
    can outweigh it. The lowest bits are from `drawn`, as many as fit: they choose between rounds of equal costs. Raises
    OverflowError if the integers of the matching are too small.
    """
    room = _room(nodes)
    most = [max(column, default=0) for column in zip(*(costs for _i, _j, costs in edges), strict=True)]
    steps = [nodes // 2 * cost + 1 for cost in most]
    taken = _largest(most, steps).bit_length()
    if taken > room:
        raise OverflowError(f"the criteria of {nodes} entrants need {taken} bits, and there are {room}")
    bits = max(0, min(SALT_BITS, room - taken - nodes.bit_length()))
    steps.append(nodes // 2 * ((1 << bits) - 1) + 1)
    sums = [
        _sum(steps, (*costs, salt >> (SALT_BITS - bits))) for (_i, _j, costs), salt in zip(edges, drawn, strict=True)
    ]
    top = max(sums, default=0)
    return ((i, j, top - cost) for (i, j, _costs), cost in zip(edges, sums, strict=True))


def _room(nodes: int) -> int:
    """Give the bits of a weight w with which no sum of the matching overflows.

    Dual variables stay within (n/2 + 2)·w of zero, slacks within (n + 6)·w, and a last search without a pair at most
    doubles both.
    """
    return INTEGER_BITS - (4 * nodes + 32).bit_length()


def _largest(most: Sequence[int], steps: Sequence[int]) -> int:
    """Give the highest possible cost of a pair.

    By the first criterion that varies, and by all below it together.
    """
    largest = 0
    for cost, step in zip(most, steps, strict=True):
        largest = largest * step + step - 1 if largest else cost
    return largest


def _sum(steps: Sequence[int], costs: Iterable[int]) -> int:
    total = 0
    for step, cost in zip(steps, costs, strict=True):
        total = total * step + cost
    return total


def salts(ranks: Ranks, edges: Iterable[tuple[int, int, Costs]]) -> list[int]:
    """Give a pseudo-random 32-bit number for each pair, from its pairing numbers only.

    Random weights make the best matching unique with a failure chance of 1 in 2^32 / pairs (isolation lemma: Mulmuley,
    Vazirani and Vazirani 1987); without them the result may depend on the order of a hash table.
    """
    numbers = [*(one.number for one in ranks.everybody), 0]
    return [_mixed(min(a, b) << 32 | max(a, b)) for a, b in ((numbers[i], numbers[j]) for i, j, _costs in edges)]


def _mixed(value: int) -> int:
    """Mix the bits of a number into 32 bits.

    The finalizer of SplitMix64 (Steele, Lea and Flood 2014), its upper 32 bits.
    """
    mask = (1 << 64) - 1
    value = (value + 0x9E3779B97F4A7C15) & mask
    value = ((value ^ value >> 30) * 0xBF58476D1CE4E5B9) & mask
    value = ((value ^ value >> 27) * 0x94D049BB133111EB) & mask
    return (value ^ value >> 31) >> 32


def matched(nodes: int, edges: Iterable[tuple[int, int, int]]) -> list[tuple[int, int]]:
    """Give the heaviest of the largest matchings, sorted, the smaller node first."""
    import rustworkx  # imports numpy, which is slow: only pairing should wait for it

    graph = rustworkx.PyGraph()
    graph.add_nodes_from(range(nodes))
    graph.add_edges_from(list(edges))
    found = rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=int)
    return sorted((min(pair), max(pair)) for pair in found)
