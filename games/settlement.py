"""Round-end points, by the tiles left in the hands (RULES.md 1.3, 1.6, options)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final, NamedTuple

from games.moves import Seat
from games.once import once
from games.ruleset import BlockedBy, BlockTie, Ruleset, Scope, Settlement


def r5(pips: int) -> int:
    """Round pips to the nearest multiple of five; a tie is impossible (RULES.md 1.3).

    >>> [r5(n) for n in (2, 3, 7, 8, 27, 28)]
    [0, 5, 5, 10, 25, 30]
    """
    return 5 * ((pips + 2) // 5)


class RoundScore(NamedTuple):
    """Settlement of a round: the winner if any, and the round-end points by seat."""

    winner: Seat | None
    points: tuple[int, ...]


Hands = Callable[[Sequence[int]], tuple[int, int]]
"""Bounds for a sum of hands: the least and the most, with a factor for each seat."""


@dataclass(frozen=True, slots=True)
class Bonus:
    """Points of a round's winner, with every option applied; the rules alone decide.

    From the pips of all hands the winner's own are subtracted ``own`` times: 0 where they count too, 1 where only the
    others count, 2 for a difference. ``tiles``: tiles are counted, not pips.
    """

    tiles: bool
    own: int
    rounded: bool
    per_hand: bool
    """Rounded hand by hand, and not on the sum."""
    divisor: int

    def points(self, tiles: Sequence[int], pips: Sequence[int], winner: Seat) -> int:
        """Return the points of the winner, never below 0."""
        if self.tiles:
            return 5 * sum(max(0, n - tiles[winner]) for n in tiles) // self.divisor
        return self.of_pips(pips, self.own * pips[winner], self.own * r5(pips[winner]) if self.per_hand else 0)

    def between(self, tiles: Sequence[int], winner: Seat, hands: Hands) -> tuple[int, int]:
        """Return the least and the most of :meth:`points` for unknown pips.

        ``hands`` gives the bounds of their sum. With ``per_hand`` each hand is bounded alone.
        """
        return self._between([1 - self.own * (seat == winner) for seat in range(len(tiles))], hands, tiles, winner)

    def between_shared(self, tiles: Sequence[int], lowest: Sequence[Seat], hands: Hands) -> tuple[int, int]:
        """Return the least and the most points shared by the lowest of a blocked round."""
        return self._between([int(seat not in lowest) for seat in range(len(tiles))], hands, tiles, lowest[0])

    def _between(self, signs: Sequence[int], hands: Hands, tiles: Sequence[int], winner: Seat) -> tuple[int, int]:
        if self.tiles:
            points = self.points(tiles, (), winner)
            return points, points
        if not self.per_hand:
            least, most = hands(signs)
            return self.of_pips([least]), self.of_pips([most])
        least = most = 0
        for seat, sign in enumerate(signs):
            if sign:
                low, high = map(r5, hands([int(at == seat) for at in range(len(signs))]))
                least, most = (least + low, most + high) if sign > 0 else (least - high, most - low)
        return max(0, least) // self.divisor, max(0, most) // self.divisor

    def nearest(self, points: int, least: int, most: int, shares: int = 1) -> int:
        """Return the possible number nearest to ``points``, from ``least`` to ``most``.

        The lower of two at equal distance. ``shares`` is the number of winners that share the points of a block.

        >>> from games.rulesets import get
        >>> [bonus_of(get("udl"), blocked=False).nearest(n, 10, 40) for n in (0, 22, 23, 97)]
        [10, 20, 25, 40]
        """
        if points <= least or points >= most:
            return least if points <= least else most
        below = next(n for n in range(points, least - 1, -1) if self._gives(n, shares))
        above = next(n for n in range(points, most + 1) if self._gives(n, shares))
        return below if points - below <= above - points else above

    def _gives(self, points: int, shares: int) -> bool:
        parts, step = self.divisor * shares, 5 if self.tiles or self.rounded else 1
        whole = -(-points * parts // step) * step
        return whole // parts == points

    def of_pips(self, pips: Sequence[int], less: int = 0, less_rounded: int = 0) -> int:
        """Return the pips of these hands less some, rounded and divided.

        Rounded on the sum or hand by hand.
        """
        points = sum(pips) - less
        if self.per_hand:
            points = sum(map(r5, pips)) - less_rounded
        elif self.rounded:
            points = 5 * ((points + 2) // 5)
        return points // self.divisor if points > 0 else 0


@dataclass(frozen=True, slots=True)
class _Plan:
    """Points of a domino and of a block, and whether fewest tiles decide a block."""

    domino: Bonus
    blocked: Bonus
    fewest_tiles: bool


@once
def _plan(rules: Ruleset) -> _Plan:
    domino = _bonus(rules, rules.domino_points, rules.bonus_scope)
    blocked = _bonus(rules, rules.blocked_points, rules.blocked_scope or rules.bonus_scope)
    return _Plan(domino, blocked, rules.blocked_by is BlockedBy.TILES)


def _bonus(rules: Ruleset, how: Settlement, scope: Scope | None) -> Bonus:
    if how is Settlement.DIFF:
        own = 2
    elif scope is not None:
        own = 0 if scope is Scope.ALL else 1
    else:  # By the settlement's name (Q11)
        own = 0 if how in (Settlement.ALL, Settlement.ALL_R5_DIV5) else 1
    by_tiles = how is Settlement.TILES_X5
    rounded = is_rounded(rules, how)
    return Bonus(by_tiles, own, rounded, rounded and rules.round_per_hand, bonus_divisor(rules, how))


def bonus_of(rules: Ruleset, *, blocked: bool) -> Bonus:
    """Return the points rule of a domino or of a block."""
    return _plan(rules).blocked if blocked else _plan(rules).domino


def decided_by_tiles(rules: Ruleset) -> bool:
    """Return whether fewest tiles win a blocked round, and not fewest pips."""
    return _plan(rules).fewest_tiles


def is_split(rules: Ruleset, seats: int) -> bool:
    """Return whether a tie for the lowest hand of a block is shared (Q12).

    See NOTATION.md 7.10.
    """
    return rules.block_tie is not BlockTie.NONE and seats > 2


def terms(rules: Ruleset) -> dict[str, Any]:
    """Return the computation of round-end points as plain values.

    For a device without an engine: ``domino`` and ``blocked`` with ``tiles``, ``own`` (0 all hands, 1 the others', 2
    the difference), ``rounded``, ``per_hand``, ``divisor``; and ``fewest_tiles``, which decides a block.
    """
    plan = _plan(rules)
    return {"domino": asdict(plan.domino), "blocked": asdict(plan.blocked), "fewest_tiles": plan.fewest_tiles}


_R5: Final = (Settlement.OPP_R5, Settlement.ALL_R5_DIV5)


def is_rounded(rules: Ruleset, how: Settlement) -> bool:
    """Return whether points are rounded to five: by option, else by settlement (Q13).

    The settlement's name decides. A difference is rounded where the system rounds: a difference of 7 gives 5 in UDL
    (RULES.md R08).
    """
    if rules.round_bonus is not None:
        return rules.round_bonus
    return _named(rules, how) in _R5


def _named(rules: Ruleset, how: Settlement) -> Settlement:
    """Return the settlement that sets rounding and divisor.

    For a difference it is the domino settlement of the system.
    """
    return rules.domino_points if how is Settlement.DIFF else how


def bonus_divisor(rules: Ruleset, how: Settlement) -> int:
    """Return the divisor of round-end points; fractions are dropped (Q14).

    A difference is divided where the system divides.
    """
    if rules.bonus_divisor is not None:
        return rules.bonus_divisor
    return 5 if _named(rules, how) is Settlement.ALL_R5_DIV5 else 1


def settle(rules: Ruleset, tiles: Sequence[int], pips: Sequence[int], went_out: Seat | None) -> RoundScore:
    """Return the round-end points from tiles and pips left in each hand.

    ``went_out`` is ``None`` for a block.

    >>> from games.rulesets import get
    >>> settle(get("udl"), [2, 2], [1, 19], None)
    RoundScore(winner=0, points=(20, 0))
    """
    plan = _plan(rules)
    bonus, winner = plan.domino, went_out
    if winner is None:
        bonus = plan.blocked
        measure = tiles if plan.fewest_tiles else pips
        fewest = min(measure)
        lowest = [seat for seat, n in enumerate(measure) if n == fewest]
        if len(lowest) > 1:
            return RoundScore(None, _split(rules, bonus, tiles, pips, lowest))
        winner = lowest[0]
    points = [0] * len(pips)
    points[winner] = bonus.points(tiles, pips, winner)
    return RoundScore(winner, tuple(points))


def _split(
    rules: Ruleset, bonus: Bonus, tiles: Sequence[int], pips: Sequence[int], lowest: Sequence[Seat]
) -> tuple[int, ...]:
    """Return the points of a tie in a block (Q12, NOTATION.md 7.10).

    Nobody scores, or the lowest hands share the others' points.
    """
    if not is_split(rules, len(pips)) or len(lowest) == len(pips):
        return (0,) * len(pips)
    if bonus.tiles:
        whole = bonus.points(tiles, pips, lowest[0])
    else:
        whole = bonus.of_pips([n for seat, n in enumerate(pips) if seat not in lowest])
    return tuple(whole // len(lowest) if seat in lowest else 0 for seat in range(len(pips)))
