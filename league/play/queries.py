"""Practice game as its player may see it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, cast

from games.moves import Seat
from games.notation.reading import dumps
from games.ruleset import Muggins
from games.tile import Mask
from league.play.acts import AnyTable, points_to_announce
from league.play.hands import HeldTile, hand_of
from league.play.models import PracticeGame
from league.play.sight import seen_by
from league.play.table import PLAYER
from league.play.uno_dealer import UnoDealer
from league.play.uno_table import UnoTable
from referee.frames import Reel, RoundFrames, reel
from referee.uno.game import ColourGame

State = Literal["turn", "between", "over", "pause", "four", "reopen"]
"""Awaited act of the player: a move, a deal, none, a call or none, an answer to four tiles, or to a dead end."""


@dataclass(frozen=True, slots=True)
class UnoView:
    """Calls of Uno Dominoes, as a seat may know them; a spectator has none of its own.

    `wild`: a tile of the seat needs a colour. `one_left`: the seat with one tile, while the next computer waits.
    `four_by`: the player of the Wild Draw Four to answer. `doublets`: tiles beside which a dead end can be reopened.
    `after`: the seat that plays after this one. `caught`: whether each catch was right, by its line.
    """

    wild: bool
    one_left: Seat | None
    four_by: Seat | None
    doublets: list[str]
    after: Seat | None
    caught: Mapping[int, bool]


@dataclass(frozen=True, slots=True)
class PracticeView:
    """A practice game, without what the player may not know.

    `line`: number of lines of the log; `joins`: tiles on the table with an open end. `announces`: the points that can
    be announced, none where they are booked at once; `muggins`: it can be called. `seen`: the last two hands. `result`:
    the log of the finished game with its verdict's status. `uno`: None in games without coloured tiles.
    """

    code: str
    ruleset: str
    level: str
    options: dict[str, str]
    line: int
    seats: int
    state: State
    hand: list[HeldTile]
    joins: list[str]
    can_draw: bool
    boneyard: int
    announces: tuple[int, ...]
    muggins: bool
    scores: tuple[int, ...]
    target: int
    seen: Reel
    winner: int | None
    result: str
    status: str
    uno: UnoView | None

    @property
    def shown(self) -> RoundFrames:
        """The hand in play, or the last one."""
        return self.seen.rounds[-1]


def practice_view(code: str) -> PracticeView:
    """Return the game at an address. One statement.

    Raises PracticeGame.DoesNotExist.
    """
    game = PracticeGame.objects.get(code=code)
    table = game.table()
    seen = seen_by(PLAYER, reel(table.log, table.game.number - 1))
    last, trail = seen.rounds[-1].frames[-1], seen.rounds[-1].trail
    live, rules = table.live, table.game.rules
    return PracticeView(
        code=game.code,
        ruleset=game.ruleset,
        level=game.level,
        options=game.options,
        line=len(table.lines),
        seats=game.seats,
        state=_state(table),
        hand=hand_of(table, PLAYER),
        joins=[] if live is None else list(dict.fromkeys(trail[end.tile].tile for end in last.ends)),
        can_draw=live is not None and live.can_draw and not (isinstance(table, UnoTable) and table.colours.drew),
        boneyard=last.boneyard,
        announces=points_to_announce(rules),
        muggins=rules.muggins is not Muggins.OFF and not (live is None and table.game.settled),
        scores=last.scores,
        target=rules.target,
        seen=seen,
        winner=table.game.card.winner,
        result=dumps(table.log) if table.over else "",
        status=game.status,
        uno=uno_view(table, PLAYER, paused=table.paused) if isinstance(table, UnoTable) else None,
    )


def _state(table: AnyTable) -> State:
    if table.over:
        return "over"
    if isinstance(table, UnoTable):
        if table.reopener == PLAYER:
            return "reopen"
        if table.victim == PLAYER:
            return "four"
    if table.paused:
        return "pause"
    return "between" if table.live is None else "turn"


def uno_view(table: UnoDealer, seat: Seat, *, paused: bool = False) -> UnoView:
    """Return the calls as a seat may know them; a number that is no seat is a spectator."""
    live, tiles, seated = table.colours, table.colours.tiles, seat in table.seats
    last, wild = live.last_tile, live.wild_four
    wilds: Mask = 0
    for face in tiles.markings:
        wilds |= tiles.with_face[face.index] if tiles.wild >> face.index & 1 else 0
    return UnoView(
        wild=seated and bool(live.hands[seat] & wilds),
        one_left=last.seat if last is not None and paused else None,
        four_by=wild.player if wild is not None and table.victim == seat else None,
        doublets=[tile.name for tile in tiles.in_mask(live.layout.table & tiles.doubles)]
        if table.reopener == seat
        else [],
        after=(seat + live.direction) % live.seats if seated else None,
        caught={one.line: one.upheld for one in cast(ColourGame, table.game).ruled},
    )
