"""Acts of the player at a practice table, as a page sends them. Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, cast

from games.errors import IllegalMove, Reason
from games.moves import Play, Seat
from games.ruleset import Announce, Matching, Ruleset, Spinner
from games.rulesets import RULESETS
from games.scorecard import awards_of_a_play
from games.tile import Tile
from games.uno.markings import COLOUR_NAMES, MarkedSet
from league.play.dealer import WrongMoment
from league.play.table import PLAYER, PracticeTable, Terms
from league.play.uno_table import UnoTable

AnyTable = PracticeTable | UnoTable
MOST_ON_SPINNERS: Final = 80
"""No count is higher where every double is a spinner: sixteen ends, six of 6, five of 5, four of 4, and a 3."""


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


def tile_of(rules: Ruleset, name: str) -> Tile:
    """Return a tile by its name. Raises :class:`~games.errors.IllegalMove` for one that the set does not have."""
    try:
        return rules.tiles.tile(name)
    except KeyError:
        raise IllegalMove(Reason.UNKNOWN_TILE) from None


def points_to_announce(rules: Ruleset) -> tuple[int, ...]:
    """Return the points that can be announced; where every double branches, more than the keys of a pad."""
    if rules.announce is not Announce.MANUAL:
        return ()
    if rules.spinner is not Spinner.ALL:
        return awards_of_a_play(rules)
    return tuple(sorted({count // rules.play_divisor for count in range(5, MOST_ON_SPINNERS + 1, 5)} - {0}))


def _play(table: PracticeTable, asked: PracticeAct) -> None:
    rules = table.game.rules
    announced = asked.points if rules.announce is Announce.MANUAL else None
    if announced is not None and announced not in points_to_announce(rules):
        raise WrongMoment
    on = tile_of(rules, asked.on) if asked.on else None
    table.move(Play(PLAYER, tile_of(rules, asked.tile), on, announced), muggins=asked.muggins)


def marked_play(rules: Ruleset, seat: Seat, tile_name: str, on_name: str, colour: str) -> Play:
    """Return a play of coloured tiles; the colour is named where a wild half stays open.

    Raises :class:`~games.errors.IllegalMove` for a tile that the set does not have.
    """
    tile, on = tile_of(rules, tile_name), tile_of(rules, on_name) if on_name else None
    wild = cast(MarkedSet, rules.tiles).wild >> tile.low & 1
    return Play(seat, tile, on, None, colour if wild and colour in COLOUR_NAMES else None)


def reopening(rules: Ruleset, on_name: str, colour: str) -> tuple[Tile, str]:
    """Return the doublet beside which a dead end is reopened, and the colour.

    Raises :class:`~games.errors.IllegalMove` without a colour, and for a tile that the set does not have.
    """
    if colour not in COLOUR_NAMES:
        raise IllegalMove(Reason.BAD_EVENT)
    return tile_of(rules, on_name), colour


AT_PIPS: Final[Mapping[str, Callable[[PracticeTable, PracticeAct], None]]] = {
    "play": _play,
    "draw": lambda table, asked: table.draw_or_pass(muggins=asked.muggins),
    "deal": lambda table, _asked: table.deal(),
    "muggins": lambda table, _asked: table.call_muggins(),
    "wait": lambda table, _asked: table.wait(),
}
AT_UNO: Final[Mapping[str, Callable[[UnoTable, PracticeAct], None]]] = {
    "play": lambda table, asked: table.move(marked_play(table.game.rules, PLAYER, asked.tile, asked.on, asked.colour)),
    "draw": lambda table, _asked: table.draw_or_pass(),
    "deal": lambda table, _asked: table.deal(),
    "uno": lambda table, _asked: table.say_uno(PLAYER),
    "catch": lambda table, asked: table.catch(PLAYER, asked.whom),
    "four": lambda table, _asked: table.take_four(),
    "challenge": lambda table, _asked: table.doubt_four(),
    "wait": lambda table, _asked: table.wait(),
    "reopen": lambda table, asked: table.open_again(*reopening(table.game.rules, asked.on, asked.colour)),
    "leave": lambda table, _asked: table.leave(),
}
