"""A ladder: whom one may challenge, and where everybody stands afterwards (COMPETITIONS.md, formats). Pure."""

from collections.abc import Sequence


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


def _place(order: Sequence[int], entrant: int) -> int:
    if entrant not in order:
        raise ValueError(f"{entrant} is not on the ladder")
    return order.index(entrant)
