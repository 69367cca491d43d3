"""Seating for rounds at tables with as few repeated meetings as possible. Pure."""

from collections.abc import Callable, Iterable, Sequence
from itertools import combinations
from math import exp
from random import Random

# Tables of a round, each with its entrants, numbered from 0.
Seating = list[list[int]]
# Fields of non-prime size: the prime, and x^k by lower powers of x, from the constant up.
FIELDS = {4: (2, (1, 1)), 8: (2, (1, 1, 0)), 9: (3, (2, 0)), 16: (2, (1, 1, 0, 0))}
# Attempted swaps in each of two searches: 64 entrants in 10 rounds take less than 2 s (docs/decisions/formats.md).
TRIES = 80_000
# How much worse an accepted swap may be, roughly: at the start, and at the end.
WARM, COLD = 1.2, 0.3


def fewest_repeats(present: Sequence[Sequence[int]], sizes: Sequence[int], n: int) -> list[Seating]:
    """Seat the `present` of each round, entrants 0 to `n` - 1, at tables of `sizes`.

    Two searches: one keeps the rounds without repeated meetings by construction, the other may change all but the
    first. The result is that with the smaller maximum of meetings of a pair, then with the smaller sum of squares.
    Deterministic: the random generator starts from a fixed number.
    """
    start = [_constructed(number, one, sizes) for number, one in enumerate(present)]
    repeated = _Meetings(start, n)
    if repeated.is_least():
        return start
    fixed = _without_repeats(start, n)
    found = [_searched(start, n, range(first, len(start))) for first in sorted({fixed, 1}) if first < len(start)]
    return min(found or [start], key=lambda one: _Meetings(one, n).badness())


class _Meetings:
    """Meetings of each pair, and the effect of a swap on them."""

    def __init__(self, rounds: Iterable[Seating], n: int) -> None:
        self.counts = [[0] * n for _entrant in range(n)]
        for tables in rounds:
            for table in tables:
                for one, other in combinations(table, 2):
                    self.add(one, other, 1)

    def add(self, one: int, other: int, times: int) -> None:
        self.counts[one][other] += times
        self.counts[other][one] += times

    def of_pairs(self) -> list[int]:
        return [count for entrant, row in enumerate(self.counts) for count in row[:entrant]]

    def badness(self) -> tuple[int, int]:
        pairs = self.of_pairs()
        return max(pairs, default=0), sum(count * count for count in pairs)

    def is_least(self) -> bool:
        """Tell whether numbers of meetings differ by at most one."""
        pairs = self.of_pairs()
        return max(pairs, default=0) - min(pairs, default=0) <= 1

    def worse_by(self, one: int, his: Sequence[int], other: int, hers: Sequence[int]) -> int:
        """Give the cost of swapping `one` at table `his` with `other` at `hers`.

        A first meeting costs 0, further ones 2, 6, 12, …, so that one third meeting is worse than two second ones.
        """
        ones, others = self.counts[one], self.counts[other]
        cost = 0
        for mate in his:
            if mate != one:
                cost += others[mate] * (others[mate] + 1) - ones[mate] * (ones[mate] - 1)
        for mate in hers:
            if mate != other:
                cost += ones[mate] * (ones[mate] + 1) - others[mate] * (others[mate] - 1)
        return cost

    def change(self, one: int, his: list[int], other: int, hers: list[int]) -> None:
        for entrant, table, newcomer in ((one, his, other), (other, hers, one)):
            for mate in table:
                if mate != entrant:
                    self.add(entrant, mate, -1)
                    self.add(newcomer, mate, 1)
        his[his.index(one)], hers[hers.index(other)] = other, one


def _constructed(number: int, present: Sequence[int], sizes: Sequence[int]) -> Seating:
    """Construct a round without repeated meetings, if the field exists.

    Entrants form rows as long as there are tables. In round r row a moves by r times a in the field of that size, so
    two of different rows meet once in as many rounds as there are tables; after that each row sits together. Without
    such a field the numbers are taken modulo the tables, and some pairs meet more often.
    """
    tables = len(sizes)
    if number % (tables + 1) == tables:
        return _cut(present, sizes)
    add, times = _arithmetic(tables)
    seating: Seating = [[] for _table in sizes]
    for place, entrant in enumerate(present):
        row, column = divmod(place, tables)
        seating[add(column, times(row % tables, number % (tables + 1)))].append(entrant)
    return _resized(seating, sizes)


def _cut(present: Sequence[int], sizes: Sequence[int]) -> Seating:
    everybody = iter(present)
    return [[next(everybody) for _seat in range(size)] for size in sizes]


def _resized(seating: Seating, sizes: Sequence[int]) -> Seating:
    """Cut to `sizes`, larger tables first."""
    seating = sorted(seating, key=len, reverse=True)
    if [len(table) for table in seating] == list(sizes):
        return seating
    return _cut([entrant for table in seating for entrant in table], sizes)


def _arithmetic(size: int) -> tuple[Callable[[int, int], int], Callable[[int, int], int]]:
    """Give sum and product of the field of this size.

    Modulo `size` if FIELDS has none (a field if it is a prime).
    """
    prime, lower = FIELDS.get(size, (size, ()))
    if not lower:
        return (lambda a, b: (a + b) % size), (lambda a, b: a * b % size)

    def digits(a: int) -> list[int]:
        return [a // prime**power % prime for power in range(len(lower))]

    def number(coefficients: Sequence[int]) -> int:
        return sum(one % prime * prime**power for power, one in enumerate(coefficients))

    def add(a: int, b: int) -> int:
        return number([one + other for one, other in zip(digits(a), digits(b), strict=True)])

    def times(a: int, b: int) -> int:
        product = 0
        for one in reversed(digits(a)):
            shifted = digits(product)
            carried = [0, *shifted[:-1]]
            product = number([low + shifted[-1] * down for low, down in zip(carried, lower, strict=True)])
            product = add(product, number([one * other for other in digits(b)]))
        return product

    return add, times


def _without_repeats(rounds: Sequence[Seating], n: int) -> int:
    """Count the leading rounds without repeated meetings."""
    number = 1
    while number < len(rounds) and _Meetings(rounds[: number + 1], n).badness()[0] <= 1:
        number += 1
    return number


def _searched(start: Sequence[Seating], n: int, free: range) -> list[Seating]:
    """Give the best seating found by simulated annealing in the `free` rounds.

    Worse swaps become ever rarer.
    """
    rounds = [[list(table) for table in one] for one in start]
    meetings = _Meetings(rounds, n)
    now = best = 0
    found = [[list(table) for table in one] for one in rounds]
    rng = Random(n)  # noqa: S311 - nothing secret: the same draw every time
    movable = [rounds[number] for number in free if len(rounds[number]) > 1]
    for left in range(TRIES if movable else 0, 0, -1):
        his, hers = rng.sample(rng.choice(movable), 2)
        one, other = rng.choice(his), rng.choice(hers)
        worse = meetings.worse_by(one, his, other, hers)
        if worse > 0 and rng.random() >= exp(-worse / (COLD + (WARM - COLD) * left / TRIES)):
            continue
        meetings.change(one, his, other, hers)
        now += worse
        if now < best:
            best, found = now, [[list(table) for table in one_round] for one_round in rounds]
            if meetings.is_least():
                break
    return found
