"""When a match is decided by its games. Pure."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class GameOutcome:
    """The winner's side (None where nobody won), whether it is official, and whether an official has still to
    decide.
    """

    winner: int | None
    official: bool
    needs_decision: bool = False


@dataclass(frozen=True, slots=True)
class Standing:
    """`over`: no further game can change who won, or who comes where. `winner`: the side that won the most games."""

    over: bool
    winner: int | None


def standing(best_of: int, games: Iterable[GameOutcome], *, sides: int = 2) -> Standing:
    """Of the games given: decided once a side has more than half of `best_of`, or all are played. Of more than two
    sides every game is played, for all of them count for the places at the table.
    """
    played = list(games)
    wins = Counter(game.winner for game in played if game.winner is not None)
    ahead = wins.most_common(1)
    if sides == 2 and ahead and ahead[0][1] * 2 > best_of:
        return Standing(True, ahead[0][0])
    if len(played) < best_of:
        return Standing(False, None)
    level = len(ahead) == 0 or list(wins.values()).count(ahead[0][1]) > 1
    return Standing(True, None if level else ahead[0][0])


def official_standing(best_of: int, games: Iterable[GameOutcome], *, sides: int = 2) -> Standing:
    return standing(best_of, (game for game in games if game.official), sides=sides)


def provisional_standing(best_of: int, games: Iterable[GameOutcome], *, sides: int = 2) -> Standing:
    """With the provisional results, but never with one that an official has still to decide."""
    return standing(best_of, (game for game in games if game.official or not game.needs_decision), sides=sides)


def places(won: Mapping[int, int], points: Mapping[int, int]) -> dict[int, int]:
    """At a table, by side: who won more games stands before who won fewer, then who made more points in all of them.
    Who is level in both has the better place with the others: 1, 2, 2, 4.

    >>> places({1: 1, 2: 0, 3: 0, 4: 0}, {1: 500, 2: 320, 3: 410, 4: 320})
    {1: 1, 2: 3, 3: 2, 4: 3}
    """
    made = {side: (won.get(side, 0), points[side]) for side in points}
    return {side: 1 + sum(other > own for other in made.values()) for side, own in made.items()}


def sole_first(at: Mapping[int, int]) -> int | None:
    """Who alone has the first of these places."""
    first = [side for side, place in at.items() if place == 1]
    return first[0] if len(first) == 1 else None
