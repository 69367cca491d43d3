"""When a match is decided by its games. Pure."""

from collections import Counter
from collections.abc import Iterable
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
    """`over`: no further game can change who won. `winner`: the side with more than half of the games."""

    over: bool
    winner: int | None


def standing(best_of: int, games: Iterable[GameOutcome]) -> Standing:
    """Of the games given: decided once a side has more than half of `best_of`, or all are played."""
    played = list(games)
    wins = Counter(game.winner for game in played if game.winner is not None)
    ahead = wins.most_common(1)
    if ahead and ahead[0][1] * 2 > best_of:
        return Standing(True, ahead[0][0])
    if len(played) < best_of:
        return Standing(False, None)
    level = len(ahead) == 0 or list(wins.values()).count(ahead[0][1]) > 1
    return Standing(True, None if level else ahead[0][0])


def official_standing(best_of: int, games: Iterable[GameOutcome]) -> Standing:
    return standing(best_of, (game for game in games if game.official))


def provisional_standing(best_of: int, games: Iterable[GameOutcome]) -> Standing:
    """With the provisional results, but never with one that an official has still to decide."""
    return standing(best_of, (game for game in games if game.official or not game.needs_decision))
