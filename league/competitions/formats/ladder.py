"""Ladder: allowed challenges, and the order after each (COMPETITIONS.md). Pure."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class PlayedChallenge:
    """A decided challenge. `winner`: None for a draw."""

    challenger: int
    challenged: int
    winner: int | None


def may_challenge(order: Sequence[int], challenger: int, challenged: int, reach: int) -> bool:
    """Tell whether the challenged is above the challenger, by at most `reach` places.

    `order`: entrants from the top.

    Raises ValueError for an entrant who is not on the ladder.

    >>> [may_challenge([5, 6, 7, 8], 8, above, reach=2) for above in (5, 6, 7, 8)]
    [False, True, True, False]
    """
    return 1 <= _place(order, challenger) - _place(order, challenged) <= reach


def after(order: Sequence[int], challenger: int, challenged: int, winner: int) -> list[int]:
    """Give the ladder after a challenge.

    A challenger who wins takes the place of the challenged, and those in between move down by one.

    Raises ValueError for an entrant who is not on the ladder, a challenge downwards, and a winner who did not play.

    >>> after([5, 6, 7, 8], challenger=8, challenged=6, winner=8)
    [5, 8, 6, 7]
    """
    above, below = _place(order, challenged), _place(order, challenger)
    if above >= below:
        raise ValueError(f"{challenger} stands above {challenged} and cannot challenge them")
    if winner not in {challenger, challenged}:
        raise ValueError(f"{winner} did not play this challenge")
    if winner == challenged:
        return list(order)
    return [*order[:above], challenger, *order[above:below], *order[below + 1 :]]


def orders(seeds: Sequence[int], played: Iterable[PlayedChallenge]) -> list[list[int]]:
    """Give the ladder at the start and after each challenge, in order of decision.

    It stays the same after a draw, and if an amended earlier result has put the challenger above the challenged.

    >>> orders([5, 6, 7], [PlayedChallenge(7, 6, 7), PlayedChallenge(6, 7, None)])
    [[5, 6, 7], [5, 7, 6], [5, 7, 6]]
    """
    found = [list(seeds)]
    for one in played:
        order = found[-1]
        below = _place(order, one.challenger) > _place(order, one.challenged)
        if below and one.winner is not None:
            found.append(after(order, one.challenger, one.challenged, one.winner))
        else:
            found.append(list(order))
    return found


def _place(order: Sequence[int], entrant: int) -> int:
    if entrant not in order:
        raise ValueError(f"{entrant} is not on the ladder")
    return order.index(entrant)
