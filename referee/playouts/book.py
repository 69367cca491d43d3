"""Score book of a simulated table, kept apart from the engine.

It counts the open ends from the definition in RULES.md 1.2, tile by tile, pays chips singly and settles a round hand by
hand. So a log and its book are two witnesses to test the referee against.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from games.moves import Seat
from games.ruleset import BlockedBy, BlockTie, EndCheck, Ruleset, Scope, Settlement
from games.tile import Tile


@dataclass(slots=True)
class Book:
    """Points and chips by seat, and the end of the game.

    ``owing``: points below five not yet paid by a chip.
    """

    rules: Ruleset
    scores: list[int]
    chips: list[int]
    owing: list[int]
    overtime: bool = False
    ended: str | None = None
    winner: Seat | None = None
    missed: int = 0
    claimed: int = 0

    def pay(self, seat: Seat, points: int) -> None:
        """Pay points in chips; the target or the first points of an overtime may end it."""
        if self.ended or not points:
            return
        self._book(seat, points)
        if self.overtime:
            self._look_for_leader()
        elif self.rules.end_check is EndCheck.IMMEDIATE:
            self._look()

    def pay_round(self, points: Sequence[int]) -> None:
        """Pay round-end points, to several seats for a split tie, and check for the end.

        Every system checks it then.
        """
        if self.ended:
            return
        for seat, gained in enumerate(points):
            self._book(seat, gained)
        if self.overtime:
            self._look_for_leader()
        else:
            self._look()

    def ring(self) -> None:
        """Ring the bell: the target decides, then the lead; level scores go to overtime."""
        self._look()
        best = max(self.scores)
        if self.ended:
            return
        if self.scores.count(best) == 1:
            self._end("bell", self.scores.index(best))
        else:
            self.overtime = True

    def _look_for_leader(self) -> None:
        """End an overtime with a sole leader.

        The first points win; of several seats, the first that make one seat lead.
        """
        best = max(self.scores)
        if self.scores.count(best) == 1:
            self._end("overtime", self.scores.index(best))

    def _book(self, seat: Seat, points: int) -> None:
        self.scores[seat] += points
        for other in range(len(self.scores)):
            if other != seat:
                whole, self.owing[other] = divmod(self.owing[other] + points, 5)
                self.chips[other] -= min(whole, self.chips[other])

    def _look(self) -> None:
        best, enough = max(self.scores), self.rules.target + (1 if self.rules.target_strict else 0)
        if best >= enough and self.scores.count(best) == 1:
            self._end("target", self.scores.index(best))

    def _end(self, how: str, winner: Seat) -> None:
        self.ended, self.winner = how, winner
        if self.rules.cap_at_target:
            self.scores = [min(self.rules.target, points) for points in self.scores]


def round_end(rules: Ruleset, hands: Sequence[Sequence[Tile]], went_out: Seat | None) -> tuple[Seat | None, list[int]]:
    """Return the winner of a round, if any, and the round-end points by seat."""
    pips = [sum(tile.pips for tile in hand) for hand in hands]
    points = [0] * len(hands)
    if went_out is not None:
        points[went_out] = _worth(rules, rules.domino_points, hands, went_out, blocked=False)
        return went_out, points
    size = [len(hand) for hand in hands] if rules.blocked_by is BlockedBy.TILES else pips
    lowest = [seat for seat in range(len(hands)) if size[seat] == min(size)]
    if len(lowest) == 1:
        points[lowest[0]] = _worth(rules, rules.blocked_points, hands, lowest[0], blocked=True)
        return lowest[0], points
    if rules.block_tie is BlockTie.SPLIT and len(hands) > len(lowest):
        others: list[Sequence[Tile]] = [hand for seat, hand in enumerate(hands) if seat not in lowest]
        whole = _worth(rules, rules.blocked_points, [hands[lowest[0]], *others], 0, blocked=True, shared=True)
        for seat in lowest:
            points[seat] = whole // len(lowest)
    return None, points


def _worth(
    rules: Ruleset,
    how: Settlement,
    hands: Sequence[Sequence[Tile]],
    winner: Seat,
    *,
    blocked: bool,
    shared: bool = False,
) -> int:
    """Return the worth of the tiles left to the winner.

    ``shared``: to several winners, whose own tiles do not count.
    """
    named = rules.domino_points if how is Settlement.DIFF else how
    divide = rules.bonus_divisor or (5 if named is Settlement.ALL_R5_DIV5 else 1)
    if how is Settlement.TILES_X5:
        more = [len(hand) - len(hands[winner]) for hand in hands]
        return 5 * sum(n for n in more if n > 0) // divide
    own = 0
    if not shared:
        own = {Settlement.ALL: 1, Settlement.ALL_R5_DIV5: 1, Settlement.DIFF: -1}.get(how, 0)
        scope = rules.blocked_scope if blocked and rules.blocked_scope else rules.bonus_scope
        if scope and how is not Settlement.DIFF:
            own = 1 if scope is Scope.ALL else 0
    rounds = named in (Settlement.OPP_R5, Settlement.ALL_R5_DIV5) if rules.round_bonus is None else rules.round_bonus
    each = [sum(tile.pips for tile in hand) for hand in hands]
    if rounds and rules.round_per_hand:
        each = [_nearest_five(n) for n in each]
    total = sum(n * (own if seat == winner else 1) for seat, n in enumerate(each))
    return max(0, _nearest_five(total) if rounds else total) // divide


def _nearest_five(pips: int) -> int:
    return 5 * round(pips / 5)


@dataclass(slots=True)
class Board:
    """Joins on the table: for every tile the halves with a tile attached."""

    joined: dict[Tile, list[int]] = field(default_factory=dict)

    def place(self, tile: Tile, on: Tile | None) -> None:
        """Attach a tile."""
        self.joined[tile] = []
        if on is not None:
            face = tile.high if tile.high in self._free(on) else tile.low
            self.joined[tile].append(face)
            self.joined[on].append(face)

    def _free(self, tile: Tile) -> list[int]:
        if tile.double:
            return [tile.high]
        return [face for face in (tile.high, tile.low) if face not in self.joined[tile]]

    def count(self) -> int:
        """Return the open-end count, summed by the definition (RULES.md 1.2)."""
        total = 0
        for tile, joined in self.joined.items():
            if tile.double:
                total += 2 * tile.high if len(joined) < 2 else 0
            else:
                total += sum(self._free(tile))
        return total
