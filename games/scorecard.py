"""The arithmetic of a game: round-end points, totals, chips, and when the game is over (RULES.md 1.3, 2.1, 8)."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from functools import cache
from typing import NamedTuple

from games.moves import Seat
from games.ruleset import BlockedBy, BlockTie, EndCheck, Ruleset, Settlement, Tie
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
def worths(tiles: TileSet) -> tuple[int, ...]:
    """What a play is worth, by its open-end count, which never passes the pips of the set."""
    return tuple(map(play_points, range(sum(tiles.pips) + 1)))


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
            return RoundScore(None, _split(rules, pips, lowest))
        winner = lowest[0]
    points = [0] * len(pips)
    if how is _OPP_R5 and not rules.round_per_hand:
        points[winner] = r5(sum(pips) - pips[winner])
    else:
        points[winner] = _winner_points(rules, how, tiles, pips, winner)
    return RoundScore(winner, tuple(points))


def _winner_points(rules: Ruleset, how: Settlement, tiles: Sequence[int], pips: Sequence[int], winner: Seat) -> int:
    if how is Settlement.TILES_X5:
        return 5 * (sum(tiles) - len(tiles) * tiles[winner])
    if how is Settlement.DIFF:
        return r5(sum(pips) - 2 * pips[winner])
    if how in (Settlement.ALL, Settlement.ALL_R5_DIV5):
        return _rounded(rules, how, pips)
    return _rounded(rules, how, [n for seat, n in enumerate(pips) if seat != winner])


def _rounded(rules: Ruleset, how: Settlement, pips: Sequence[int]) -> int:
    if how in (Settlement.ALL, Settlement.OPP):
        return sum(pips)
    points = sum(map(r5, pips)) if rules.round_per_hand else r5(sum(pips))
    return points // 5 if how is Settlement.ALL_R5_DIV5 else points


def _split(rules: Ruleset, pips: Sequence[int], lowest: Sequence[Seat]) -> tuple[int, ...]:
    """A blocked tie: nobody scores, or the others' pips are shared by the lowest (Q12, NOTATION.md 7.10)."""
    if rules.block_tie is BlockTie.NONE or len(pips) == 2 or len(lowest) == len(pips):
        return (0,) * len(pips)
    losers = [n for seat, n in enumerate(pips) if seat not in lowest]
    share = _rounded(rules, rules.blocked_points, losers) // len(lowest)
    return tuple(share if seat in lowest else 0 for seat in range(len(pips)))


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

    def penalize(self, seat: Seat, points: int) -> None:
        """Book a penalty: an award to every opponent, never a deduction (RULES.md C8)."""
        for other in range(len(self.scores)):
            if other != seat:
                self.scores[other] += points
        if points > 0:
            self._check(within_round=True)

    def settle(self, points: Sequence[int]) -> None:
        """Book round-end points and look whether the game is over."""
        scores = self.scores
        for seat, gained in enumerate(points):
            scores[seat] += gained
        if self.overtime or max(scores) >= self.rules.target:
            self._check(within_round=False)

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
        if within_round and self.rules.end_check is EndCheck.ROUND:
            return
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
