"""Public history of a hand: acts that everybody saw, and the tiles that they prove absent. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from games.layout import Layout
from games.moves import Draw, Event, Pass, Play, Seat
from games.round import Round
from games.ruleset import Ruleset, TileOrder
from games.tile import Mask, Tile


@dataclass(frozen=True, slots=True)
class PublicAct:
    """An act of a seat as the table saw it; no field depends on a tile that was not shown.

    ``lacks``: tiles that its hand did not hold before it. ``played``: the mask of the tile placed, 0 for none.
    ``drew``: the number of tiles taken.
    """

    seat: Seat
    lacks: Mask = 0
    played: Mask = 0
    drew: int = 0


def public_history(live: Round, events: Iterable[Event]) -> tuple[PublicAct, ...]:
    """Return the acts of a hand, oldest first, from its events so far.

    A forced draw and a pass prove that no tile of the hand fitted. A draw for the lead proves that nobody held a
    double, a forced lead that nobody held a higher tile.
    """
    return tuple(_acts(live, events))


def _acts(live: Round, events: Iterable[Event]) -> Iterator[PublicAct]:
    rules = live.rules
    layout, drawn_for = Layout(rules.tiles, rules.spinner), False
    for event in events:
        if isinstance(event, Play):
            if not layout.table and live.lead_is_forced:
                yield from (PublicAct(seat, _above(rules, event.tile)) for seat in range(live.seats))
            layout.join(event.tile, event.takes)
            yield PublicAct(event.seat, played=event.tile.bit)
        elif isinstance(event, Draw) and not layout.table:
            if not rules.voluntary_draw and not drawn_for:
                yield from (PublicAct(seat, rules.tiles.doubles) for seat in range(live.seats))
                drawn_for = True
            yield PublicAct(event.seat, drew=event.count)
        elif isinstance(event, Draw):
            lacks = 0 if rules.voluntary_draw else layout.fitting() & ~layout.table
            yield from (PublicAct(event.seat, lacks, drew=1) for _tile in range(event.count))
        elif isinstance(event, Pass):
            yield PublicAct(event.seat, layout.fitting() & ~layout.table if layout.table else 0)


def _above(rules: Ruleset, lead: Tile) -> Mask:
    """Return the tiles that had to be led before this one."""
    if lead.double:
        return rules.tiles.doubles & ~(2 * lead.bit - 1)
    higher = (tile for tile in rules.tiles.tiles if _rank(rules, tile) > _rank(rules, lead))
    return rules.tiles.doubles | rules.tiles.mask(higher)


def _rank(rules: Ruleset, tile: Tile) -> tuple[int, int]:
    return (tile.pips, tile.high) if rules.highest_tile is TileOrder.PIPS else (tile.high, tile.low)


def absent(history: Sequence[PublicAct], seat: Seat) -> Mask:
    """Return the tiles that are certainly not in the hand of a seat now, by its draws and passes.

    A tile drawn later may be one that the hand lacked before, unless the drawn tile was played at once.
    """
    dealt: Mask = 0
    drawn: list[Mask] = []
    for act in history:
        if act.seat != seat:
            continue
        dealt |= act.lacks
        drawn = [lacks | act.lacks for lacks in drawn]
        if dealt & act.played:
            able = [place for place, lacks in enumerate(drawn) if not lacks & act.played]
            if len(able) == 1:
                del drawn[able[0]]
        drawn += [0] * act.drew
    for lacks in drawn:
        dealt &= lacks
    return dealt
