"""Separation of group-mates in a knock-out, within seeds of equal merit. Pure.

Source: COMPETITIONS.md.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from math import exp
from random import Random

from league.competitions.formats.single_elimination import places

# Attempted swaps of two seeds for each entrant. With these four numbers, and any of three random starts, every stage of
# 2 to 16 groups with 2 to 4 qualifiers each gets the latest possible meetings, and 115 small ones with the best of the
# rest the same as the best of all orders; with 3.0 instead of 12.0 two of these failed (test_groups.py).
TRIES_EACH = 300
# A meeting one round earlier weighs as much as this many later ones.
A_ROUND_EARLIER = 4
# How much worse an accepted swap may be, roughly: at the start, and at the end.
WARM, COLD = 12.0, 0.05


def kept_apart(groups: Sequence[int], tiers: Iterable[range]) -> list[int]:
    """Give the index into `groups` for each seed; `groups` is in the order of merit.

    `tiers`: ranges within which seeds may be exchanged; the others keep the seed of their merit. First the number of
    group-mates who can meet in round 1 is minimized, then in round 2, and so on; then the distance to merit.
    Deterministic: the random generator starts from a fixed number.
    """
    changeable = [tier for tier in tiers if len(tier) > 1]
    bracket = _Bracket(groups)
    if changeable:
        bracket = _Bracket(groups, _latest(bracket, changeable))
        _back_to_merit(bracket, changeable)
    return bracket.order


class _Bracket:
    """Seeds of the entrants, both from 0, and possible meetings of group-mates."""

    def __init__(self, groups: Sequence[int], order: Sequence[int] | None = None) -> None:
        top_down = places(len(groups))
        self.place = {seed - 1: place for place, seed in enumerate(top_down)}
        self.rounds = (len(top_down) - 1).bit_length()
        self.groups = groups
        self.order = list(range(len(groups)) if order is None else order)
        self.seeds: dict[int, list[int]] = {}
        for seed, one in enumerate(self.order):
            self.seeds.setdefault(groups[one], []).append(seed)

    def group_at(self, seed: int) -> int:
        return self.groups[self.order[seed]]

    def swap(self, one: int, other: int) -> None:
        for seed, new in ((one, other), (other, one)):
            mates = self.seeds[self.group_at(seed)]
            mates[mates.index(seed)] = new
        self.order[one], self.order[other] = self.order[other], self.order[one]

    def meetings(self, groups: Iterable[int]) -> list[int]:
        """Count by round the pairs of mates of these groups who can first meet there."""
        counts = [0] * self.rounds
        for group in groups:
            for one, other in combinations(self.seeds[group], 2):
                counts[(self.place[one] ^ self.place[other]).bit_length() - 1] += 1
        return counts

    def meetings_of(self, *seeds: int) -> list[int]:
        """Count the same for the entrants at these seeds, each with its mates: what a swap of them changes."""
        counts = [0] * self.rounds
        for seed in seeds:
            own = self.place[seed]
            for mate in self.seeds[self.group_at(seed)]:
                if mate != seed:
                    counts[(own ^ self.place[mate]).bit_length() - 1] += 1
        return counts

    def fewest_meetings(self) -> list[int]:
        """Give the counts with every group halved in each part of the bracket.

        No order has fewer in its first rounds.
        """
        return [
            sum(column) for column in zip(*(_halved(len(one), self.rounds) for one in self.seeds.values()), strict=True)
        ]


def _halved(mates: int, rounds: int) -> list[int]:
    if rounds == 0:
        return []
    half = mates // 2
    parts = zip(_halved(half, rounds - 1), _halved(mates - half, rounds - 1), strict=True)
    return [*(one + other for one, other in parts), half * (mates - half)]


def _latest(bracket: _Bracket, tiers: Sequence[range]) -> list[int]:
    """Give the best order found by simulated annealing: worse swaps become ever rarer."""
    everyone = list(bracket.seeds)
    aim, best, order = bracket.fewest_meetings(), bracket.meetings(everyone), list(bracket.order)
    for rng, warmth in _tries(len(order)):
        if best == aim:
            break
        one, other = rng.sample(rng.choice(tiers), 2)
        before = bracket.meetings_of(one, other)
        bracket.swap(one, other)
        after = bracket.meetings_of(one, other)
        worse = _weight(after) - _weight(before)
        if worse > 0 and rng.random() >= exp(-worse / warmth):
            bracket.swap(one, other)
        elif worse and (found := bracket.meetings(everyone)) < best:
            best, order = found, list(bracket.order)
    return order


def _tries(entrants: int) -> Iterator[tuple[Random, float]]:
    total = TRIES_EACH * entrants
    rng = Random(total)  # noqa: S311 - nothing secret: the same draw every time
    return ((rng, COLD + (WARM - COLD) * (1 - number / total)) for number in range(total))


def _weight(meetings: Sequence[int]) -> int:
    return sum(count * A_ROUND_EARLIER**rounds for rounds, count in enumerate(reversed(meetings)))


def _back_to_merit(bracket: _Bracket, tiers: Sequence[range]) -> None:
    """Swap back to merit wherever group-mates stay as far apart."""
    changed = True
    while changed:
        changed = False
        for tier in tiers:
            for one, other in combinations(tier, 2):
                changed |= bracket.order[one] > bracket.order[other] and _swapped_unless_worse(bracket, one, other)


def _swapped_unless_worse(bracket: _Bracket, one: int, other: int) -> bool:
    before = bracket.meetings_of(one, other)
    bracket.swap(one, other)
    if bracket.meetings_of(one, other) <= before:
        return True
    bracket.swap(one, other)
    return False
