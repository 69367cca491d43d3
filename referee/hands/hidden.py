"""Record of a round with unseen tiles: dealt hands, plays, and other traces.

A round with an unknown hand is kept as a :class:`HiddenRound` until its settlement closes. `referee.hands.deals` judges
it.
"""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from operator import attrgetter

from games.moves import Blocked, Deal, Draw, Pass, Seat, Show
from games.ruleset import Lead, Ruleset
from games.tile import Mask, Tile

_BIT = attrgetter("bit")


Trace = tuple[int, Draw | Pass | Show | Blocked, Mask, Mask]
"""A draw, pass, show or block with an unknown hand: line, event, free, table.

``free`` are the tiles, not yet on the ``table``, that could have been placed then. A plain tuple, because every draw
and pass of a round with a hidden hand makes one.
"""


Placed = tuple[int, Seat, int]
"""A play: line, seat, index of the tile. Also a plain tuple."""


@dataclass(slots=True)
class HiddenRound:
    """A round with unseen tiles, as recorded.

    ``deals`` are the lines of dealt hands, with the seen tiles as a mask. ``hands`` are the tiles known to be in each
    hand at the first of ``traces``, in a round with all hands known until then; else zeros. ``found`` are the offences
    proved by known tiles: line and code.
    """

    rules: Ruleset
    seats: int
    lead_due: Lead
    deals: list[tuple[int, Deal, Mask]]
    plays: Sequence[Placed]
    traces: list[Trace]
    hands: list[Mask]
    found: AbstractSet[tuple[int, str]]

    def until(self, line: int) -> HiddenRound:
        """Return the beginning of this round, up to and with a line."""
        return replace(
            self,
            deals=[deal for deal in self.deals if deal[0] <= line],
            plays=[play for play in self.plays if play[0] <= line],
            traces=[trace for trace in self.traces if trace[0] <= line],
        )

    def lines(self) -> list[int]:
        """Return the lines about tiles, in order, from the first with an unknown hand."""
        lines = [play[0] for play in self.plays] + [trace[0] for trace in self.traces]
        if self.all_dealt_seen:
            return sorted(line for line in lines if line >= self.traces[0][0])
        return [deal[0] for deal in self.deals] + sorted(lines)

    @property
    def all_dealt_seen(self) -> bool:
        """Whether every dealt tile was seen."""
        return len(self.deals) == self.seats and all(
            deal.count == len(deal.tiles) and None not in deal.tiles for _, deal, _ in self.deals
        )


def seen(tiles: tuple[Tile | None, ...]) -> Mask:
    """Return the seen tiles as a mask."""
    if None not in tiles:
        return sum(map(_BIT, tiles))
    mask = 0
    for tile in tiles:
        if tile is not None:
            mask |= tile.bit
    return mask
