"""Points for places at a table. Pure."""

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction

from league.competitions.standings.tiebreaks.figures import Number, plain


def by_place(at: Mapping[int, int], points: Sequence[int]) -> dict[int, Number]:
    """Give the points of each entrant by place from 1, such as 1, 2, 2, 4.

    `points` for each place of a full table, first place first. Entrants who share a place share the points of all
    places they occupy, exactly. At a table that is not full the last places stay empty.

    >>> by_place({7: 1, 5: 2, 9: 2, 2: 4}, [3, 2, 1, 0])
    {7: 3, 5: Fraction(3, 2), 9: Fraction(3, 2), 2: 0}
    """
    level = Counter(at.values())
    worth = {place: Fraction(sum(points[place - 1 : place - 1 + count]), count) for place, count in level.items()}
    return {one: plain(worth[place]) for one, place in at.items()}
