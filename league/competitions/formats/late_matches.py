"""Matches of a late entry that meets everybody, beside a round robin that is already drawn. Pure."""

from collections.abc import Collection, Sequence


def rounds_for(opponents: Sequence[int], free: Sequence[Collection[int]]) -> list[int]:
    """Give the round of each match of a late entry, from 0; at most one of its matches is in a round.

    `opponents`: one for each match, the same one twice in a double round robin. `free`: the entrants who are free, by
    round. As many matches as possible are in these rounds; the others get rounds of their own after them.

    >>> rounds_for([7, 8, 9], [{8}, {7, 8}, set()])
    [1, 0, 3]
    """
    taken: dict[int, int] = {}
    for match in range(len(opponents)):
        _place(match, opponents, free, taken, set())
    placed = {match: number for number, match in taken.items()}
    own = iter(range(len(free), len(free) + len(opponents)))
    return [placed[match] if match in placed else next(own) for match in range(len(opponents))]


def _place(
    match: int, opponents: Sequence[int], free: Sequence[Collection[int]], taken: dict[int, int], tried: set[int]
) -> bool:
    """Put a match into a round, moving others where that makes room (an augmenting path)."""
    for number, there in enumerate(free):
        if opponents[match] not in there or number in tried:
            continue
        tried.add(number)
        if number not in taken or _place(taken[number], opponents, free, taken, tried):
            taken[number] = match
            return True
    return False
