"""Ways for a lead to be right: by the highest double, or the first drawn.

Source: RULES.md 0.4, 3.3, 3.4.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from games.moves import Draw, Seat
from games.ruleset import Lead, NoDouble, Ruleset, TileOrder
from games.tile import Mask, Tile
from referee.hands.hidden import HiddenRound, seen

# Enum member access runs Python code, so members needed in every round have names of their own.
_HIGHEST_DOUBLE, _DRAW_UNTIL, _BY_PIPS = Lead.HIGHEST_DOUBLE, NoDouble.DRAW_UNTIL, TileOrder.PIPS


class Edit(NamedTuple):
    """One legal way among several.

    Tile ``pin`` lay in a place that ``seat`` got in these lines. Or (``pin`` 0) no place that any seat, or ``seat``,
    got in these lines held a tile of ``ban``.
    """

    seat: Seat | None
    first: int
    last: int
    pin: Mask = 0
    ban: Mask = 0


def is_drawn_for(facts: HiddenRound) -> bool:
    """Return whether a double must be led, and is drawn for if nobody holds one."""
    return facts.lead_due is _HIGHEST_DOUBLE and facts.rules.no_double is _DRAW_UNTIL


def higher(rules: Ruleset, tile: int) -> Mask | None:
    """Return the tiles that must be led before this tile; ``None`` if it can't lead."""
    tiles = rules.tiles
    doubles = tiles.doubles
    if doubles >> tile & 1:
        return doubles >> (tile + 1) << (tile + 1)
    if rules.no_double is _DRAW_UNTIL:
        return None
    rank = _rank(rules, tiles.tiles[tile])
    return doubles | tiles.mask(other for other in tiles.tiles if _rank(rules, other) > rank)


def _rank(rules: Ruleset, tile: Tile) -> tuple[int, int]:
    return (tile.pips, tile.high) if rules.highest_tile is _BY_PIPS else (tile.high, tile.low)


class LeadWays:
    """Ways in which the lead of a round was right, if single places don't decide.

    ``early[s]`` are the tiles that seat ``s`` is known to have got before the lead, ``open_to[s]`` those that it may
    have got unseen.
    """

    __slots__ = ("_dealt", "_draws", "_early", "_facts", "_line", "_open_to", "_rules", "_seat", "_tile")

    def __init__(self, facts: HiddenRound, early: Sequence[Mask], open_to: Sequence[Mask]) -> None:
        self._facts = facts
        self._rules = facts.rules
        self._early = early
        self._open_to = open_to
        self._line, self._seat, self._tile = facts.plays[0]
        self._draws = draws_for_lead(facts)
        self._dealt = 0
        for _, _, hand in facts.deals:
            self._dealt |= hand

    def __iter__(self) -> Iterator[tuple[Edit, ...]]:
        """Yield the ways; the edits of a way must hold together.

        For the tile that was led, or for any tile that allows the lead.
        """
        tiles = self._rules.tiles
        for tile in (tiles.tiles[self._tile],) if self._rules.lead_forced else tiles.tiles:
            above = higher(self._rules, tile.index)
            if above is None:
                continue
            if self._draws and not self._dealt & tiles.doubles:
                yield from self._ways_with_a_double_dealt(tile.bit, above)
                yield from self._ways_with_a_double_drawn(tile.bit)
            else:
                yield from self._ways_of_the_highest(tile.bit, above)

    def _ways_of_the_highest(self, bit: Mask, above: Mask, *more: Edit) -> Iterator[tuple[Edit, ...]]:
        """Yield the ways in which the leader had this tile, and nobody a higher tile."""
        if any(above & early for early in self._early):
            return
        none_higher = Edit(None, 0, self._line, ban=above)
        if self._early[self._seat] & bit:
            yield none_higher, *more
        elif self._open_to[self._seat] & bit:
            yield none_higher, Edit(self._seat, 0, self._line, pin=bit), *more

    def _ways_with_a_double_dealt(self, bit: Mask, above: Mask) -> Iterator[tuple[Edit, ...]]:
        """Yield the same ways, with a double dealt to a seat, so that none is drawn for."""
        last = self._draws[0][0] - 1
        for tile in self._rules.tiles.in_mask(self._rules.tiles.doubles & ~above):
            for seat, possible in enumerate(self._open_to):
                if possible & tile.bit and (tile.bit != bit or seat == self._seat):
                    yield from self._ways_of_the_highest(bit, above, Edit(seat, 0, last, pin=tile.bit))

    def _ways_with_a_double_drawn(self, bit: Mask) -> Iterator[tuple[Edit, ...]]:
        """Yield the ways with no double dealt, in which the leader drew the first double."""
        doubles = self._rules.tiles.doubles
        for line, draw in self._draws:
            if draw.seat == self._seat and (way := self._first_drawn(line, draw, bit)):
                yield way
            if seen(draw.tiles) & doubles:
                return

    def _first_drawn(self, line: int, draw: Draw, bit: Mask) -> tuple[Edit, ...]:
        """Return the way in which this draw took the tile, and none before it a double.

        Empty if it can't have.
        """
        order = draw.tiles or (None,) * draw.count
        none_before = Edit(None, 0, line - 1, ban=self._rules.tiles.doubles)
        first = next((tile for tile in order if tile is not None and tile.double), None)
        if first is not None and first.bit == bit:
            # Unseen tiles of the same line came before it, unless they may have come after it.
            return (none_before._replace(last=line) if order[-1] is first else none_before,)
        blind = order if first is None else order[: order.index(first)]
        if None not in blind or not self._open_to[self._seat] & bit:
            return ()
        return none_before, Edit(self._seat, line, line, pin=bit)


def draws_for_lead(facts: HiddenRound) -> list[tuple[int, Draw]]:
    """Return the draws before the lead that may have been for it, with their lines."""
    if not is_drawn_for(facts) or not facts.plays:
        return []
    lead = facts.plays[0][0]
    return [(line, event) for line, event, _, _ in facts.traces if line < lead and isinstance(event, Draw)]
