"""Score of a game: points, totals, chips and end (RULES.md 1.2, 2.1, 8)."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from functools import cache

from games.moves import Seat
from games.ruleset import EndCheck, Matching, Ruleset, Spinner, Tie
from games.tiles import TileSet

CHIP_POINTS = 5
"""Points of one chip (RULES.md 0.30)."""


def play_points(count: int) -> int:
    """Return the worth of a play with this open-end count (RULES.md 1.2).

    The count if it is a multiple of five, else 0.
    """
    return count if count % 5 == 0 else 0


@cache
def worths(tiles: TileSet, divisor: int) -> tuple[int, ...]:
    """Return the worth of a play by its open-end count (Q14: ``divisor``).

    The count never passes the pips of the set.
    """
    return tuple(play_points(count) // divisor for count in range(sum(tiles.pips) + 1))


def chips_by_seat(chips: int, scores: Sequence[int]) -> list[int]:
    """Return the chips of their own colour left by seat (RULES.md C3, C7).

    ``scores`` are the totals, ``chips`` the chips of each seat at the start.

    >>> chips_by_seat(30, [40, 155])
    [0, 22]
    """
    total = sum(scores)
    return [max(0, chips - (total - own) // CHIP_POINTS) for own in scores]


_MOST_OF_A_PLAY = {Spinner.NONE: 20, Spinner.FIRST: 35, Spinner.ALL: 35}


def awards_of_a_play(rules: Ruleset) -> tuple[int, ...]:
    """Return the possible points of one play, smallest first (RULES.md 1.2).

    Empty where plays score nothing. Where every double branches, a rare play gives more.

    >>> from games.rulesets import get
    >>> awards_of_a_play(get("muggins"))
    (5, 10, 15, 20)
    """
    if rules.matching is Matching.MARKINGS:
        return ()
    counts = range(CHIP_POINTS, _MOST_OF_A_PLAY[rules.spinner] + 1, CHIP_POINTS)
    return tuple(sorted({count // rules.play_divisor for count in counts} - {0}))


class GameEnd(Enum):
    """Way in which a game ended."""

    TARGET = "target"
    BELL = "bell"
    OVERTIME = "overtime"
    CONCESSION = "concession"
    FORFEIT = "forfeit"

    def __init__(self, word: str) -> None:
        self.word = word  # the value, at the cost of an attribute


class Scorecard:
    """Totals of a game, and its end.

    ``scores`` are points by seat. ``ended`` is set as soon as the rules end the game; ``winner`` is ``None`` then if
    the top scores are level. ``overtime``: the bell found the scores level.
    """

    __slots__ = ("ended", "overtime", "rules", "scores", "winner")

    def __init__(self, rules: Ruleset, seats: int) -> None:
        self.rules = rules
        self.scores = [0] * seats
        self.ended: GameEnd | None = None
        self.winner: Seat | None = None
        self.overtime = False

    def award(self, seat: Seat, points: int) -> None:
        """Book points, and end the game if they reach the target or decide overtime."""
        total = self.scores[seat] + points
        self.scores[seat] = total
        if total >= self.rules.target or self.overtime:
            self._check(within_round=True)

    def penalize(self, seat: Seat, points: int, *, between_rounds: bool = False) -> None:
        """Book a penalty: an award to every opponent, never a deduction (RULES.md C8).

        Where only the end of a round ends a game, a penalty ends it ``between_rounds`` and not in a round.
        """
        for other in range(len(self.scores)):
            if other != seat:
                self.scores[other] += points
        if points > 0:
            self._check(within_round=True)
            if between_rounds:
                self._check_target()

    def settle(self, points: Sequence[int]) -> None:
        """Book round-end points, and end the game if they decide it."""
        scores = self.scores
        for seat, gained in enumerate(points):
            scores[seat] += gained
        if self.overtime or max(scores) >= self.rules.target:
            self._check(within_round=False)

    def foresee(self, points: Sequence[int], call: tuple[Seat, int] | None = None) -> list[int]:
        """Return the totals after a settlement with these points and a muggins ``call``.

        The scorecard itself does not change.
        """
        card = Scorecard(self.rules, len(self.scores))
        card.scores, card.ended, card.overtime = self.scores[:], self.ended, self.overtime
        if call is not None:
            card.award(*call)
        if card.ended is None:
            card.settle(points)
        return card.scores

    def ring(self) -> None:
        """Let the bell end the game for the leader, or begin overtime.

        Source: RULES.md 0.24, 0.25.
        """
        leader = self.leader
        if leader is None:
            self.overtime = True
        else:
            self._end(GameEnd.BELL, leader)

    def give_up(self, seat: Seat, how: GameEnd) -> None:
        """End the game by concession or forfeit of a seat (NOTATION.md 3).

        The best of the others wins, nobody if they are level.
        """
        others = [n for n in range(len(self.scores)) if n != seat]
        best = max(self.scores[n] for n in others)
        first = [n for n in others if self.scores[n] == best]
        self._end(how, first[0] if len(first) == 1 else None)

    @property
    def leader(self) -> Seat | None:
        """Seat with the most points, ``None`` for a tie."""
        best = max(self.scores)
        return self.scores.index(best) if self.scores.count(best) == 1 else None

    @property
    def chips(self) -> list[int] | None:
        """Chips of their own colour left by seat (RULES.md C3, C7).

        ``None`` in a game without chips. A player pays the opponents' points with own chips; points beyond the chips
        are on the card alone.
        """
        if not self.rules.chips:
            return None
        return chips_by_seat(self.rules.chips, self.scores)

    def _check(self, *, within_round: bool) -> None:
        if self.overtime and self._overtime_decides(within_round=within_round):
            return
        if not within_round or self.rules.end_check is EndCheck.IMMEDIATE:
            self._check_target()

    def _check_target(self) -> None:
        best = max(self.scores)
        if best > self.rules.target or (best == self.rules.target and not self.rules.target_strict):
            leader = self.leader
            if leader is not None:
                self._end(GameEnd.TARGET, leader)

    def _overtime_decides(self, *, within_round: bool) -> bool:
        leader = self.leader
        if leader is None:
            return False
        settled = not within_round and max(self.scores) < self.rules.target
        if self.rules.tie is Tie.OVERTIME or settled:
            self._end(GameEnd.OVERTIME, leader)
        return self.ended is not None

    def _end(self, how: GameEnd, winner: Seat | None) -> None:
        if self.ended is None:
            self.ended, self.winner = how, winner
            if self.rules.cap_at_target:
                self.scores[:] = [min(total, self.rules.target) for total in self.scores]
