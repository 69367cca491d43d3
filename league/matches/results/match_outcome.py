"""Outcome of a match from its games. Pure."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class GameOutcome:
    """Winner of a game by side, None for a draw, and its state.

    `needs_decision`: an official must still decide.
    """

    winner: int | None
    official: bool
    needs_decision: bool = False


@dataclass(frozen=True, slots=True)
class Standing:
    """Outcome of a match so far.

    `over`: no further game can change the winner or the places. `winner`: the side that won the most games.
    """

    over: bool
    winner: int | None


def standing(best_of: int, games: Iterable[GameOutcome], *, sides: int = 2) -> Standing:
    """Return the outcome by the games given.

    Over once a side has won more than half of `best_of`, or all are played. With more than two sides every game is
    played, because all count for the places at the table.
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
    """Return the outcome with provisional results, but without undecided ones."""
    return standing(best_of, (game for game in games if game.official or not game.needs_decision), sides=sides)


def places(won: Mapping[int, int], points: Mapping[int, int]) -> dict[int, int]:
    """Return the places at a table by side: by games won, then by points in all games.

    Sides level in both share the better place: 1, 2, 2, 4.

    >>> places({1: 1, 2: 0, 3: 0, 4: 0}, {1: 500, 2: 320, 3: 410, 4: 320})
    {1: 1, 2: 3, 3: 2, 4: 3}
    """
    made = {side: (won.get(side, 0), points[side]) for side in points}
    return {side: 1 + sum(other > own for other in made.values()) for side, own in made.items()}


def sole_first(at: Mapping[int, int]) -> int | None:
    """Return the only side on the first place, None if it is shared."""
    first = [side for side, place in at.items() if place == 1]
    return first[0] if len(first) == 1 else None
