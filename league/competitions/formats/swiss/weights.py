"""One maximum-weight matching with all criteria in one integer. Pure."""

from collections.abc import Iterable, Iterator, Sequence

from league.competitions.formats.swiss.ranks import Costs, Ranks

SALT_BITS = 32
INTEGER_BITS = 127  # rustworkx computes in signed integers of 128 bits, and lets them overflow without a word


def packed(edges: Sequence[tuple[int, int, Costs]], nodes: int, drawn: Sequence[int]) -> Iterator[tuple[int, int, int]]:
    """(i, j, weight): the heavier the sum of a round's weights, the less it costs.

    Each criterion is multiplied by more than all pairs together can cost by those below it, so no gain below can
    outweigh it. The last places are `drawn`, as many of their bits as there is room for: they make one round the best
    where several are alike. Raises OverflowError where the integers of the matching would not hold it.
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
    """Bits of a weight w with which no sum of the matching overflows: dual variables stay within (n/2 + 2)·w of zero,
    slacks within (n + 6)·w, and a last search that ends without a pair at most doubles both.
    """
    return INTEGER_BITS - (4 * nodes + 32).bit_length()


def _largest(most: Sequence[int], steps: Sequence[int]) -> int:
    """What one pair can cost at most: by the first criterion that differs at all, and by all below it together."""
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
    """A number of 32 bits for each pair that only depends on the two pairing numbers, and looks drawn by lot.

    Drawn weights make the best matching unique but for one chance in 2^32 / pairs (isolation lemma: Mulmuley, Vazirani
    and Vazirani 1987); without them the answer may depend on the order of a hash table.
    """
    numbers = [*(one.number for one in ranks.everybody), 0]
    return [_mixed(min(a, b) << 32 | max(a, b)) for a, b in ((numbers[i], numbers[j]) for i, j, _costs in edges)]


def _mixed(value: int) -> int:
    """The finalizer of SplitMix64 (Steele, Lea and Flood 2014), its upper 32 bits."""
    mask = (1 << 64) - 1
    value = (value + 0x9E3779B97F4A7C15) & mask
    value = ((value ^ value >> 30) * 0xBF58476D1CE4E5B9) & mask
    value = ((value ^ value >> 27) * 0x94D049BB133111EB) & mask
    return (value ^ value >> 31) >> 32


def matched(nodes: int, edges: Iterable[tuple[int, int, int]]) -> list[tuple[int, int]]:
    """The heaviest of the largest matchings, each pair with its smaller node first, in order."""
    import rustworkx  # it brings numpy: only who pairs waits for that

    graph = rustworkx.PyGraph()
    graph.add_nodes_from(range(nodes))
    graph.add_edges_from(list(edges))
    found = rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=int)
    return sorted((min(pair), max(pair)) for pair in found)
