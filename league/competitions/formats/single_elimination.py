"""Single elimination for any number of entrants (COMPETITIONS.md, formats). Pure."""

from collections.abc import Collection, Sequence

from league.competitions.formats.drawn import DrawnBerth, DrawnRound, DrawnSlot, RoundKind, Source

FEWEST = 2
FEWEST_FOR_THIRD_PLACE = 4
# By the number of slots in a round.
KINDS = {
    1: RoundKind.FINAL,
    2: RoundKind.SEMI_FINALS,
    4: RoundKind.QUARTER_FINALS,
    8: RoundKind.ROUND_OF_16,
}


def places(n: int) -> list[int]:
    """Give the seeds from top to bottom of a bracket of the next power of two.

    Neighbours meet.

    >>> places(8)
    [1, 8, 4, 5, 2, 7, 3, 6]
    """
    seeds = [1]
    while len(seeds) < n:
        total = 2 * len(seeds) + 1
        seeds = [seed for one in seeds for seed in (one, total - one)]
    return seeds


def single_elimination(n: int, *, third_place: bool = False, late: Sequence[int] = ()) -> list[DrawnRound]:
    """Draw a knock-out of `n` entrants: n-1 matches, one more with `third_place`.

    The match for third place is the last slot of the last round. Seeds beyond `n` are byes for the first seeds.
    `late`: slots of the first round, from 1, whose byes late entries took; the first of them is seed n+1.

    Raises ValueError below two entrants, and for a third place below four: with three, one semi-final is a bye and has
    no loser.
    """
    if n < FEWEST:
        raise ValueError(f"a knock-out takes two entrants or more, not {n}")
    if third_place and n < FEWEST_FOR_THIRD_PLACE:
        raise ValueError(f"a match for third place takes four entrants or more, not {n}")
    seeds = places(n)
    pairs = list(zip(seeds[::2], seeds[1::2], strict=True))
    first = _first_round(pairs, n)
    rounds = [
        DrawnRound(first.kind, tuple(_taken(number, slot, n, late) for number, slot in enumerate(first.slots, 1)))
    ]
    while len(rounds[-1].slots) > 1:
        rounds.append(_next_round(len(rounds), rounds[-1].slots))
    return [*rounds[:-1], _with_third_place(rounds)] if third_place else rounds


def _kind(slots: int) -> RoundKind:
    return KINDS.get(slots, RoundKind.PLAIN)


def _first_round(pairs: Sequence[tuple[int, int]], n: int) -> DrawnRound:
    slots = (DrawnSlot(tuple(DrawnBerth(seed) for seed in pair if seed <= n)) for pair in pairs)
    return DrawnRound(_kind(len(pairs)), tuple(slots))


def _taken(number: int, slot: DrawnSlot, n: int, late: Sequence[int]) -> DrawnSlot:
    """Put a late entry into its bye."""
    if number not in late or not slot.is_bye:
        return slot
    return DrawnSlot((*slot.berths, DrawnBerth(n + 1 + late.index(number))))


def _next_round(before: int, slots: Sequence[DrawnSlot]) -> DrawnRound:
    berths = [_berth_after(slot, Source(before, number)) for number, slot in enumerate(slots, start=1)]
    pairs = zip(berths[::2], berths[1::2], strict=True)
    return DrawnRound(_kind(len(berths) // 2), tuple(DrawnSlot(pair) for pair in pairs))


def _berth_after(slot: DrawnSlot, source: Source) -> DrawnBerth:
    """Build the next berth; after a bye its entrant is already known."""
    return DrawnBerth(slot.berths[0].seed if slot.is_bye else None, source)


def _with_third_place(rounds: Sequence[DrawnRound]) -> DrawnRound:
    before, final = len(rounds) - 1, rounds[-1]
    losers = tuple(DrawnBerth(source=Source(before, number, loser=True)) for number in (1, 2))
    return DrawnRound(final.kind, (*final.slots, DrawnSlot(losers, third_place=True)))


def drawn_with(slots: int, filled: Collection[int]) -> tuple[int, tuple[int, ...]]:
    """Give the number of entrants that a bracket was drawn with, and the slots whose byes late entries took.

    `slots`: of the first round; `filled`: the numbers of those with two entrants, from 1. More than one number may be
    possible; the largest is given.
    """
    seeds = places(2 * slots)
    second = {number: max(pair) for number, pair in enumerate(zip(seeds[::2], seeds[1::2], strict=True), start=1)}
    there = slots + len(filled)
    for n in range(there, slots, -1):
        late = tuple(number for number in sorted(filled) if second[number] > n)
        if len(late) == there - n:
            return n, late
    return slots + 1, tuple(number for number in sorted(filled) if second[number] > slots + 1)
