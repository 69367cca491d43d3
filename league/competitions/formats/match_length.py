"""Games of a match, by its round. Pure."""

from collections.abc import Callable, Mapping
from enum import StrEnum

GAMES = (1, 3, 5, 7, 9, 11)


class OwnLength(StrEnum):
    """Matches of a knock-out that may have a length of their own, in the order in which they are played.

    `WINNERS`, `LOSERS`: all matches of a bracket of a double elimination, but for its last one where that has a length
    of its own (`WINNERS_FINAL`, `LOSERS_FINAL`).
    """

    WINNERS = "winners"
    LOSERS = "losers"
    WINNERS_FINAL = "winners_final"
    LOSERS_FINAL = "losers_final"
    ROUND_OF_16 = "round_of_16"
    QUARTER_FINALS = "quarter_finals"
    SEMI_FINALS = "semi_finals"
    THIRD_PLACE = "third_place"
    FINAL = "final"


FINALS = {"winners": OwnLength.WINNERS_FINAL, "losers": OwnLength.LOSERS_FINAL}
"""Last match of a bracket, by its section."""
BRACKETS = frozenset({OwnLength.WINNERS, OwnLength.LOSERS, *FINALS.values()})
OF_TWO_LIVES = BRACKETS | {OwnLength.FINAL}
OF_ONE_LIFE = frozenset(OwnLength) - BRACKETS
# The deciding match of a double elimination is played as its final.
AS = {"decider": OwnLength.FINAL.value}


def length_of(
    usual: int,
    own: Mapping[str, int],
    kind: str,
    *,
    section: str = "",
    third_place: bool = False,
    last: Callable[[], bool] = lambda: False,
) -> int:
    """Return the most games of a match in a round of this kind and section.

    `own`: by `OwnLength`, as far as it differs from the `usual` one. `last`: whether the round is the last one of its
    section; asked only where the answer matters.

    >>> length_of(1, {"final": 5}, "final"), length_of(1, {"final": 5}, "final", third_place=True)
    (5, 1)
    >>> length_of(1, {"winners": 3}, "round", section="winners")
    3
    >>> length_of(1, {"winners": 3, "winners_final": 5}, "round", section="winners", last=lambda: True)
    5
    """
    if third_place:
        return own.get(OwnLength.THIRD_PLACE.value, usual)
    final = own.get(FINALS.get(section, ""))
    if final is not None and last():
        return final
    return own.get(AS.get(kind, kind), own.get(section, usual))
