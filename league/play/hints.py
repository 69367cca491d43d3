"""Hint at the practice table: the best move of the player, from what the player knows."""

from dataclasses import dataclass

from django.core.cache import cache
from django.utils.translation import gettext_lazy as _

from games.moves import Draw, Play
from league.errors import Refused
from league.house.evaluation import SAMPLES, Valued, valued
from league.house.knowledge import known_to
from league.house.uno_evaluation import UNO_SAMPLES, valued_at_uno
from league.house.uno_knowledge import known_at_uno
from league.play.acts import AnyTable
from league.play.models import PracticeGame
from league.play.table import PLAYER
from league.play.uno_table import UnoTable

KEPT_S = 3600
"""Seconds that a hint is kept, so that asking again costs nothing."""


@dataclass(frozen=True, slots=True)
class Hint:
    """A move, and the points that the player gets more than the computer in the rest of the hand, on average.

    `tile` is "" for a draw or a pass, `on` the tile to join it to, "" for the lead. `draw`: a tile is drawn. `colour`:
    of a wild half.
    """

    tile: str
    on: str
    draw: bool
    colour: str
    points: float


def hints(code: str, line: int) -> list[Hint]:
    """Return the moves of the player at a table with `line` lines, best first; the review names the hint.

    One statement, at the first hint of a line two.

    Raises PracticeGame.DoesNotExist, and Refused `stale-table`, `illegal-move`.
    """
    game = PracticeGame.objects.get(code=code)
    table = game.table()
    if line != len(table.lines):
        raise Refused("stale-table", _("This move was made already. The table below is as it is now."))
    if not _has_turn(table):
        raise Refused("illegal-move", _("That is not possible now."))
    if line not in game.hinted:
        # A table that has gone on since keeps its hints: its player did not see this one.
        PracticeGame.objects.filter(pk=game.pk, lines=game.lines).update(hinted=[*game.hinted, line])
    return cache.get_or_set(f"practice-hint:{code}:{line}", lambda: _found(table), KEPT_S) or []


def _has_turn(table: AnyTable) -> bool:
    """Return whether the player may move; the draw for a lead has no hint."""
    if table.live is None:
        return False
    if isinstance(table, UnoTable):
        asked = table.awaited == PLAYER and table.victim is None
        return asked and bool(table.colours.layout.table or table.plays)
    return table.live.to_act == PLAYER


def _found(table: AnyTable) -> list[Hint]:
    return [_hint(one) for one in _valued(table, f"hint {len(table.lines)}")]


def _valued(table: AnyTable, seed: str) -> list[Valued]:
    if isinstance(table, UnoTable):
        seen = known_at_uno(PLAYER, table.colours)
        return valued_at_uno(seen, seen.plays, UNO_SAMPLES, seed)
    return valued(known_to(PLAYER, table.game.need_round(), table.events), SAMPLES, seed)


def _hint(one: Valued) -> Hint:
    move = one.move
    if isinstance(move, Play):
        return Hint(
            move.tile.name, move.on.name if move.on else "", draw=False, colour=move.colour or "", points=one.points
        )
    return Hint("", "", draw=isinstance(move, Draw), colour="", points=one.points)
