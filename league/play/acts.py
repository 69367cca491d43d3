"""Acts of the player at a practice table, as a page sends them. Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, cast

from games.errors import IllegalMove, Reason
from games.moves import Play, Seat
from games.ruleset import Announce, Matching, Ruleset
from games.rulesets import RULESETS
from games.scorecard import awards_of_a_play
from games.tile import Tile
from games.uno.markings import COLOUR_NAMES, MarkedSet
from league.play.dealer import WrongMoment
from league.play.table import PLAYER, PracticeTable, Terms
from league.play.uno_table import UnoTable

AnyTable = PracticeTable | UnoTable


@dataclass(frozen=True, slots=True)
class PracticeAct:
    """An act of the player; `do` is a key of `AT_PIPS` or `AT_UNO`.

    A tile is joined to `on` ("": the only place), with the points announced or the colour named. Uno Dominoes: the half
    that touches is written first. `muggins`: called with this act. `whom`: the seat that is caught.
    """

    do: str
    tile: str = ""
    on: str = ""
    points: int | None = None
    muggins: bool = False
    colour: str = ""
    whom: Seat = -1


def table_of(terms: Terms, lines: Sequence[str] = ()) -> AnyTable:
    """Return the table of a game, at the last of its lines."""
    marked = RULESETS[terms.ruleset].matching is Matching.MARKINGS
    return UnoTable(terms, lines) if marked else PracticeTable(terms, lines)


def carry_out(table: AnyTable, asked: PracticeAct) -> None:
    """Carry out an act of the player, and the moves of the computer that follow.

    Raises WrongMoment and IllegalMove; the table is then as before.
    """
    if asked.do not in (AT_UNO if isinstance(table, UnoTable) else AT_PIPS):
        raise WrongMoment
    if isinstance(table, UnoTable):
        AT_UNO[asked.do](table, asked)
    else:
        AT_PIPS[asked.do](table, asked)


def _tile(rules: Ruleset, name: str) -> Tile:
    try:
        return rules.tiles.tile(name)
    except KeyError:
        raise IllegalMove(Reason.UNKNOWN_TILE) from None


def _play(table: PracticeTable, asked: PracticeAct) -> None:
    rules = table.game.rules
    announced = asked.points if rules.announce is Announce.MANUAL else None
    if announced is not None and announced not in awards_of_a_play(rules):
        raise WrongMoment
    on = _tile(rules, asked.on) if asked.on else None
    table.move(Play(PLAYER, _tile(rules, asked.tile), on, announced), muggins=asked.muggins)


def _play_marked(table: UnoTable, asked: PracticeAct) -> None:
    rules = table.game.rules
    tile, on = _tile(rules, asked.tile), _tile(rules, asked.on) if asked.on else None
    wild = cast(MarkedSet, rules.tiles).wild >> tile.low & 1
    colour = asked.colour if wild and asked.colour in COLOUR_NAMES else None
    table.move(Play(PLAYER, tile, on, None, colour))


def _reopen(table: UnoTable, asked: PracticeAct) -> None:
    if asked.colour not in COLOUR_NAMES:
        raise IllegalMove(Reason.BAD_EVENT)
    table.open_again(_tile(table.game.rules, asked.on), asked.colour)


AT_PIPS: Final[Mapping[str, Callable[[PracticeTable, PracticeAct], None]]] = {
    "play": _play,
    "draw": lambda table, asked: table.draw_or_pass(muggins=asked.muggins),
    "deal": lambda table, _asked: table.deal(),
    "muggins": lambda table, _asked: table.call_muggins(),
    "wait": lambda table, _asked: table.wait(),
}
AT_UNO: Final[Mapping[str, Callable[[UnoTable, PracticeAct], None]]] = {
    "play": _play_marked,
    "draw": lambda table, _asked: table.draw_or_pass(),
    "deal": lambda table, _asked: table.deal(),
    "uno": lambda table, _asked: table.say_uno(PLAYER),
    "catch": lambda table, asked: table.catch(PLAYER, asked.whom),
    "four": lambda table, _asked: table.take_four(),
    "challenge": lambda table, _asked: table.doubt_four(),
    "wait": lambda table, _asked: table.wait(),
    "reopen": _reopen,
    "leave": lambda table, _asked: table.leave(),
}
