"""Which partner of a pair played a game."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from league.players.queries import kept_player


@dataclass(frozen=True, slots=True)
class SeatHolders:
    """Who may sit for side `number` of a match, by their codes: one player, or the partners of a pair in their order.
    `opener`: whose the first game is, 1 or 2.
    """

    number: int
    codes: Sequence[str]
    opener: int = 1

    def of_game(self, game: int, named: Mapping[str, str]) -> str:
        """The code of whoever played game `game` of the match: the one whom its log names (`Record.partners`), else the
        one whose turn it was.
        """
        code = named.get(str(self.number), "")
        if code and code not in self.codes and (kept := kept_player(code)):
            code = kept.code  # the log names somebody who was merged since
        return code if code in self.codes else self.codes[(game + self.opener) % len(self.codes)]


def seat_holders(number: int, opener: int, *codes: str | None) -> SeatHolders:
    return SeatHolders(number, [code for code in codes if code], opener)
