"""Alignment of two sequences of events: the fewest changes that lead from one to the other."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from heapq import heappop, heappush
from typing import NamedTuple, TypeVar

Item = TypeVar("Item")
Price = Callable[[Item, Item], int]
"""Price of a pair of items, 0 for equal ones."""

SINGLE = 20
"""Price of an item without a counterpart."""
_MOST_STEPS = 50_000
"""Past this the texts are not two logs of one game: the rest is paired line by line."""


class AlignedPlace(NamedTuple):
    """One place that differs: item ``i`` of the left and item ``j`` of the right.

    ``in_left``, ``in_right``: the side has an item here; else its place is before its item with that number.
    """

    i: int
    j: int
    in_left: bool
    in_right: bool


def align(left: Sequence[Item], right: Sequence[Item], price: Price[Item]) -> list[AlignedPlace]:
    """Return the places that differ by the cheapest alignment, in order.

    Equal items cost nothing and are always paired, so the search goes along equal stretches without a choice.

    >>> align("ABCD", "ABXCD", lambda one, other: 0 if one == other else 30)
    [AlignedPlace(i=2, j=2, in_left=False, in_right=True)]
    """
    first = _equal(left, right, 0, 0, price)
    best = {(first, first): 0}
    came: dict[tuple[int, int], AlignedPlace] = {}
    heap = [(0, -2 * first, first, first)]
    for _ in range(_MOST_STEPS):
        spent, _far, i, j = heappop(heap)
        if i == len(left) and j == len(right):
            return _steps(left, right, came)
        if spent > best[i, j]:
            continue
        for cost, step in _moves(left, right, i, j, price):
            to_i, to_j = i + step.in_left, j + step.in_right
            run = _equal(left, right, to_i, to_j, price)
            to = (to_i + run, to_j + run)
            if spent + cost < best.get(to, spent + cost + 1):
                best[to], came[to] = spent + cost, step
                heappush(heap, (spent + cost, -sum(to), *to))
    return [*_line_by_line(left, right, first, price)]


def _equal(left: Sequence[Item], right: Sequence[Item], i: int, j: int, price: Price[Item]) -> int:
    """Return the length of the equal stretch from here."""
    run = 0
    while i + run < len(left) and j + run < len(right) and not price(left[i + run], right[j + run]):
        run += 1
    return run


def _moves(
    left: Sequence[Item], right: Sequence[Item], i: int, j: int, price: Price[Item]
) -> Iterator[tuple[int, AlignedPlace]]:
    if i < len(left) and j < len(right):
        yield price(left[i], right[j]), AlignedPlace(i, j, True, True)
    if i < len(left):
        yield SINGLE, AlignedPlace(i, j, True, False)
    if j < len(right):
        yield SINGLE, AlignedPlace(i, j, False, True)


def _steps(
    left: Sequence[Item], right: Sequence[Item], came: dict[tuple[int, int], AlignedPlace]
) -> list[AlignedPlace]:
    """Return the steps to the end, first to last; a step begins where the one before it ended."""
    steps = []
    at = (len(left), len(right))
    while at in came:
        steps.append(came[at])
        at = steps[-1].i, steps[-1].j
    return steps[::-1]


def _line_by_line(
    left: Sequence[Item], right: Sequence[Item], first: int, price: Price[Item]
) -> Iterator[AlignedPlace]:
    for place in range(first, max(len(left), len(right))):
        in_left, in_right = place < len(left), place < len(right)
        if not (in_left and in_right) or price(left[place], right[place]):
            yield AlignedPlace(min(place, len(left)), min(place, len(right)), in_left, in_right)
