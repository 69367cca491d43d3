"""A ladder: whom one may challenge, and where everybody stands afterwards (COMPETITIONS.md, formats). Pure."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class PlayedChallenge:
    """A challenge that is decided. `winner`: None where nobody won."""

    challenger: int
    challenged: int
    winner: int | None


def may_challenge(order: Sequence[int], challenger: int, challenged: int, reach: int) -> bool:
    """Whether the challenged stands above the challenger, by at most `reach` places. `order`: entrants from the top.

    Raises ValueError for somebody who is not on the ladder.

    >>> [may_challenge([5, 6, 7, 8], 8, above, reach=2) for above in (5, 6, 7, 8)]
    [False, True, True, False]
    """
    return 1 <= _place(order, challenger) - _place(order, challenged) <= reach


def after(order: Sequence[int], challenger: int, challenged: int, winner: int) -> list[int]:
    """The ladder after a challenge: a challenger who wins takes the place, and those between move down one.

    Raises ValueError for somebody who is not on the ladder, a challenge downwards, and a winner who did not play.

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
    """The ladder at the start and after each challenge, in the order in which they were decided. Nothing moves where
    nobody won, and where an amended result before it has put the challenger above the challenged.

    >>> orders([5, 6, 7], [PlayedChallenge(7, 6, 7), PlayedChallenge(6, 7, None)])
    [[5, 6, 7], [5, 7, 6], [5, 7, 6]]
    """
    found = [list(seeds)]
    for one in played:
        order = found[-1]
        below = _place(order, one.challenger) > _place(order, one.challenged)
        moves = below and one.winner is not None
        found.append(after(order, one.challenger, one.challenged, one.winner) if moves else list(order))
    return found


def _place(order: Sequence[int], entrant: int) -> int:
    if entrant not in order:
        raise ValueError(f"{entrant} is not on the ladder")
    return order.index(entrant)
