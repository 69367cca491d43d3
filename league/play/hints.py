"""Hint at the practice table: the best move of the player, from what the player knows."""

from dataclasses import dataclass

from django.core.cache import cache
from django.utils.translation import gettext_lazy as _

from games.moves import Draw, Play
from games.round import Move, Round
from league.errors import Refused
from league.house.evaluation import SAMPLES, Valued, valued
from league.house.knowledge import known_to
from league.play.models import PracticeGame
from league.play.table import PLAYER, PracticeTable

KEPT_S = 3600
"""Seconds that a hint is kept, so that asking again costs nothing."""


@dataclass(frozen=True, slots=True)
class Hint:
    """A move, and the points that the player gets more than the computer in the rest of the hand, on average.

    `tile` is "" for a draw or a pass, `on` the tile to join it to, "" for the lead. `draw`: a tile is drawn.
    """

    tile: str
    on: str
    draw: bool
    points: float


def hints(code: str, line: int) -> list[Hint]:
    """Return the moves of the player at a table with `line` lines, best first; the review names the hint.

    One statement, at the first hint of a line two.

    Raises PracticeGame.DoesNotExist, and Refused `stale-table`, `illegal-move`.
    """
    game = PracticeGame.objects.get(code=code)
    table = game.table()
    if not isinstance(table, PracticeTable):
        raise Refused("illegal-move", _("This game has no hints."))
    if line != len(table.lines):
        raise Refused("stale-table", _("This move was made already. The table below is as it is now."))
    live = table.live
    if live is None or live.to_act != PLAYER:
        raise Refused("illegal-move", _("That is not possible now."))
    if line not in game.hinted:
        # A table that has gone on since keeps its hints: its player did not see this one.
        PracticeGame.objects.filter(pk=game.pk, lines=game.lines).update(hinted=[*game.hinted, line])
    return cache.get_or_set(f"practice-hint:{code}:{line}", lambda: _found(table, live), KEPT_S) or []


def _found(table: PracticeTable, live: Round) -> list[Hint]:
    known = known_to(PLAYER, live, table.events)
    return [_hint(one) for one in valued(known, SAMPLES, f"hint {len(table.lines)}")]


def _hint(one: Valued) -> Hint:
    return Hint(*_of(one.move), one.points)


def _of(move: Move) -> tuple[str, str, bool]:
    if isinstance(move, Play):
        return move.tile.name, move.on.name if move.on else "", False
    return "", "", isinstance(move, Draw)
