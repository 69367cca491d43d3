"""Points of unseen hands, checked against every deal that fits (NOTATION.md 4)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from games.moves import Seat
from games.ruleset import Ruleset
from games.settlement import RoundScore, bonus_of, decided_by_tiles, is_split
from referee.hands.bounds import Leftovers, least_and_most

Range = tuple[int, int]
"""The least and the most that a fitting deal yields."""
Hands = Callable[[Sequence[int]], Range]
"""Range of a sum of hands, each with the factor of its sign."""


class RoundBooking(NamedTuple):
    """Booking of a round.

    ``proved``: every deal that fits yields these points. ``range``: the bounds of a seat's points, where computed.
    """

    score: RoundScore
    proved: bool
    range: Mapping[Seat, Range]


def settle_unseen(
    rules: Ruleset, held: Sequence[int], went_out: Seat | None, recorded: Mapping[Seat, int], ways: Sequence[Leftovers]
) -> RoundBooking:
    """Book a round with unseen tiles left, from tile numbers and recorded points.

    ``ways`` are the readings of the record that bound the tiles left; empty if no deal fits. ``went_out`` is ``None``
    for a block.
    """
    seats, pips = range(len(held)), rules.tiles.pips
    said = [recorded.get(seat, 0) for seat in seats]
    if not ways:
        return _as_recorded(went_out, said)
    asked: dict[tuple[int, ...], Range] = {}

    def hands(signs: Sequence[int]) -> Range:
        if tuple(signs) not in asked:
            asked[tuple(signs)] = least_and_most(ways, signs, pips)
        return asked[tuple(signs)]

    bonus = bonus_of(rules, blocked=went_out is None)
    split = went_out is None and is_split(rules, len(held))
    sure, may_win = ([went_out], [went_out]) if went_out is not None else _winners(rules, held, hands, split=split)
    claimed = sure or [seat for seat in may_win if said[seat] > 0]
    if len(claimed) > 1 and split:
        least, most = (n // len(claimed) for n in bonus.between_shared(held, claimed, hands))
        ranges = dict.fromkeys(claimed, (least, most))
    elif len(claimed) == 1:
        ranges = {claimed[0]: bonus.between(held, claimed[0], hands)}
    else:
        ranges = {}
    none = not may_win or all(bonus.between(held, seat, hands)[1] == 0 for seat in may_win)
    proved = none or (bool(sure) and all(least == most for least, most in ranges.values()))
    points = [0] * len(held)
    for seat, (least, most) in ranges.items():
        if proved:
            points[seat] = least
        elif seat in recorded:
            points[seat] = bonus.nearest(said[seat], least, most, len(claimed))
    winner = claimed[0] if len(claimed) == 1 else None
    return RoundBooking(RoundScore(winner, tuple(points)), proved, ranges)


def _as_recorded(went_out: Seat | None, said: Sequence[int]) -> RoundBooking:
    """Book the recorded points of the winner only; no deal fits to bound them."""
    gained = [seat for seat, points in enumerate(said) if points > 0]
    winner = went_out if went_out is not None else gained[0] if len(gained) == 1 else None
    points = tuple(n if seat == winner else 0 for seat, n in enumerate(said))
    return RoundBooking(RoundScore(winner, points), proved=False, range={})


def _winners(
    rules: Ruleset, held: Sequence[int], hands: Hands, *, split: bool
) -> tuple[Sequence[Seat], Sequence[Seat]]:
    """Find the winners of a blocked round: in every deal, and in some deal.

    One winner, the lowest hand, or several if a tie is shared.
    """
    seats = range(len(held))
    if decided_by_tiles(rules):
        lowest = [seat for seat in seats if held[seat] == min(held)]
        sure = lowest if len(lowest) == 1 or (split and len(lowest) < len(held)) else []
        return sure, sure
    more: dict[tuple[Seat, Seat], int] = {}
    for seat in seats:
        for other in seats:
            if seat != other:
                signs = [(at == seat) - (at == other) for at in seats]
                more[seat, other] = hands(signs)[1]
    # A seat is not the lowest if another holds less in every deal, or as little where a tie gives nothing.
    may_win = [s for s in seats if all(more[o, s] > 0 or (split and more[o, s] == 0) for o in seats if o != s)]
    return [s for s in may_win if all(more[s, o] < 0 for o in seats if o != s)], may_win
