"""Partner of a pair in one game."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from league.players.queries import kept_player


@dataclass(frozen=True, slots=True)
class SeatHolders:
    """Possible players of side `number` of a match, by code.

    One player, or the partners of a pair in their order. `opener`: the partner, 1 or 2, of the first game.
    """

    number: int
    codes: Sequence[str]
    opener: int = 1

    def of_game(self, game: int, named: Mapping[str, str]) -> str:
        """Return the code of the player of game `game` of the match.

        The partner named by its log (`Record.partners`), else the partner with the turn.
        """
        code = named.get(str(self.number), "")
        if code and code not in self.codes and (kept := kept_player(code)):
            code = kept.code  # the player in the log was merged since
        return code if code in self.codes else self.codes[(game + self.opener) % len(self.codes)]


def seat_holders(number: int, opener: int, *codes: str | None) -> SeatHolders:
    return SeatHolders(number, [code for code in codes if code], opener)
