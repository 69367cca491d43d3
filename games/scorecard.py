"""The arithmetic of a game: round-end points, totals, chips, and when the game is over (RULES.md 1.3, 2.1, 8)."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from functools import cache
from typing import Final, NamedTuple

from games.moves import Seat
from games.ruleset import BlockedBy, BlockTie, EndCheck, Ruleset, Scope, Settlement, Tie
from games.tiles import TileSet

CHIP_POINTS = 5
"""Worth of one chip (RULES.md 0.30)."""

# An enum looks its members up by a call in Python, so those that every round asks for have a name of their own.
_OPP_R5, _BY_TILES = Settlement.OPP_R5, BlockedBy.TILES


def r5(pips: int) -> int:
    """Pips to the nearest multiple of five; a tie is impossible (RULES.md 1.3).

    >>> [r5(n) for n in (2, 3, 7, 8, 27, 28)]
    [0, 5, 5, 10, 25, 30]
    """
    return 5 * ((pips + 2) // 5)


def play_points(count: int) -> int:
    """What a play with this open-end count is worth: the count if it is a multiple of five (RULES.md 1.2)."""
    return count if count % 5 == 0 else 0


@cache
def worths(tiles: TileSet, divisor: int) -> tuple[int, ...]:
    """What a play is worth, by its open-end count, which never passes the pips of the set (Q14: ``divisor``)."""
    return tuple(play_points(count) // divisor for count in range(sum(tiles.pips) + 1))


def chips_by_seat(chips: int, scores: Sequence[int]) -> list[int]:
    """Chips of their own colour left by seat with these totals, of ``chips`` each (RULES.md C3, C7).

    >>> chips_by_seat(30, [40, 155])
    [0, 22]
    """
    total = sum(scores)
    return [max(0, chips - (total - own) // CHIP_POINTS) for own in scores]


class GameEnd(Enum):
    """How a game ended."""

    TARGET = "target"
    BELL = "bell"
    OVERTIME = "overtime"
    CONCESSION = "concession"
    FORFEIT = "forfeit"

    def __init__(self, word: str) -> None:
        self.word = word  # the value, at the cost of an attribute


class RoundScore(NamedTuple):
    """How a round is settled: the winner if it has one, and the round-end points by seat."""

    winner: Seat | None
    points: tuple[int, ...]


def settle(rules: Ruleset, tiles: Sequence[int], pips: Sequence[int], went_out: Seat | None) -> RoundScore:
    """Round-end points from the number of tiles and the pips left in each hand; ``went_out`` is ``None`` for a block.

    >>> from games.rulesets import get
    >>> settle(get("udl"), [2, 2], [1, 19], None)
    RoundScore(winner=0, points=(20, 0))
    """
    winner, how = went_out, rules.domino_points
    if winner is None:
        how = rules.blocked_points
        measure = tiles if rules.blocked_by is _BY_TILES else pips
        fewest = min(measure)
        lowest = [seat for seat, n in enumerate(measure) if n == fewest]
        if len(lowest) > 1:
            return RoundScore(None, _split(rules, tiles, pips, lowest))
        winner = lowest[0]
    points = [0] * len(pips)
    points[winner] = _bonus(rules, how, tiles, pips, winner, blocked=went_out is None)
    return RoundScore(winner, tuple(points))


def _bonus(
    rules: Ruleset, how: Settlement, tiles: Sequence[int], pips: Sequence[int], winner: Seat, *, blocked: bool
) -> int:
    """What the winner of a round gets. The winner's own tiles never make it less than nothing."""
    if how is Settlement.TILES_X5:
        return 5 * sum(max(0, n - tiles[winner]) for n in tiles) // bonus_divisor(rules, how)
    if _counts_own(rules, how, blocked=blocked):
        return _rounded(rules, how, pips)
    others = [n for seat, n in enumerate(pips) if seat != winner]
    own = pips[winner] if how is Settlement.DIFF else 0
    return _rounded(rules, how, others, less=own)


def _counts_own(rules: Ruleset, how: Settlement, *, blocked: bool) -> bool:
    """Whether the pips left in the winner's own hand count too: by an option, else by the settlement's name (Q11)."""
    if how is Settlement.DIFF:
        return False
    scope = (blocked and rules.blocked_scope) or rules.bonus_scope
    if scope:
        return scope is Scope.ALL
    return how in (Settlement.ALL, Settlement.ALL_R5_DIV5)


_R5: Final = (Settlement.OPP_R5, Settlement.ALL_R5_DIV5)


def is_rounded(rules: Ruleset, how: Settlement) -> bool:
    """Whether points go to the nearest five: by an option, else by the settlement's name (Q13).

    A difference is rounded where the system rounds: a difference of 7 gives 5 in UDL (RULES.md R08).
    """
    if rules.round_bonus is not None:
        return rules.round_bonus
    return _named(rules, how) in _R5


def _named(rules: Ruleset, how: Settlement) -> Settlement:
    """The settlement whose name tells rounding and divisor: for a difference the one that the system has."""
    return rules.domino_points if how is Settlement.DIFF else how


def bonus_divisor(rules: Ruleset, how: Settlement) -> int:
    """What round-end points are divided by, fractions dropped (Q14); a difference where the system divides."""
    if rules.bonus_divisor is not None:
        return rules.bonus_divisor
    return 5 if _named(rules, how) is Settlement.ALL_R5_DIV5 else 1


def _rounded(rules: Ruleset, how: Settlement, pips: Sequence[int], *, less: int = 0) -> int:
    """The pips of these hands, less some, rounded on the sum or hand by hand, and divided."""
    if not is_rounded(rules, how):
        points = sum(pips) - less
    elif rules.round_per_hand:
        points = sum(map(r5, pips)) - r5(less)
    else:
        points = r5(sum(pips) - less)
    return max(0, points) // bonus_divisor(rules, how)


def _split(rules: Ruleset, tiles: Sequence[int], pips: Sequence[int], lowest: Sequence[Seat]) -> tuple[int, ...]:
    """A blocked tie: nobody scores, or what the others have left is shared by the lowest (Q12, NOTATION.md 7.10)."""
    if rules.block_tie is BlockTie.NONE or len(pips) == 2 or len(lowest) == len(pips):
        return (0,) * len(pips)
    how = rules.blocked_points
    if how is Settlement.TILES_X5:
        whole = _bonus(rules, how, tiles, pips, lowest[0], blocked=True)
    else:
        whole = _rounded(rules, how, [n for seat, n in enumerate(pips) if seat not in lowest])
    return tuple(whole // len(lowest) if seat in lowest else 0 for seat in range(len(pips)))


class Scorecard:
    """Totals of a game and how it ends.

    ``scores`` are points by seat. ``ended`` is set as soon as the rules say that the game is over; ``winner`` is
    ``None`` then if nobody leads. ``overtime`` tells that the bell found the scores level.
    """

    __slots__ = ("ended", "overtime", "rules", "scores", "winner")

    def __init__(self, rules: Ruleset, seats: int) -> None:
        self.rules = rules
        self.scores = [0] * seats
        self.ended: GameEnd | None = None
        self.winner: Seat | None = None
        self.overtime = False

    def award(self, seat: Seat, points: int) -> None:
        """Book points; the game is over at once where the target or the first points of an overtime end it."""
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
        """Book round-end points and look whether the game is over."""
        scores = self.scores
        for seat, gained in enumerate(points):
            scores[seat] += gained
        if self.overtime or max(scores) >= self.rules.target:
            self._check(within_round=False)

    def foresee(self, points: Sequence[int], call: tuple[Seat, int] | None = None) -> list[int]:
        """The totals that would hold if the round were settled with these points, after a muggins ``call``."""
        card = Scorecard(self.rules, len(self.scores))
        card.scores, card.ended, card.overtime = self.scores[:], self.ended, self.overtime
        if call is not None:
            card.award(*call)
        if card.ended is None:
            card.settle(points)
        return card.scores

    def ring(self) -> None:
        """The bell decides: the leader has won, or there is overtime (RULES.md 0.24, 0.25)."""
        leader = self.leader
        if leader is None:
            self.overtime = True
        else:
            self._end(GameEnd.BELL, leader)

    def give_up(self, seat: Seat, how: GameEnd) -> None:
        """A seat concedes or forfeits: the best of the others has won, nobody if they are level (NOTATION.md 3)."""
        others = [n for n in range(len(self.scores)) if n != seat]
        best = max(self.scores[n] for n in others)
        first = [n for n in others if self.scores[n] == best]
        self._end(how, first[0] if len(first) == 1 else None)

    @property
    def leader(self) -> Seat | None:
        """The seat with the most points, ``None`` if two have them."""
        best = max(self.scores)
        return self.scores.index(best) if self.scores.count(best) == 1 else None

    @property
    def chips(self) -> list[int] | None:
        """Chips of their own colour left by seat, ``None`` in a game without chips (RULES.md C3, C7).

        A player pays the opponents' points with own chips; what the chips can't cover stays on the card alone.
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
