"""Practice games: start one, act in it, forget old ones. Each is one transaction."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Final

from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from games.errors import IllegalMove, Reason
from league.errors import Refused
from league.play.acts import AnyTable, PracticeAct, carry_out, table_of
from league.play.dealer import WrongMoment
from league.play.models import PracticeGame
from league.play.terms import agree
from league.play.uno_table import UnoTable
from referee import verify

UNFINISHED_KEPT = timedelta(days=7)
"""Time after the last move until an unfinished game is removed."""
FINISHED_KEPT = timedelta(days=365)
"""Time until a finished game is removed, and the links to its replay with it."""
SENTENCES: Final[Mapping[Reason, object]] = {
    Reason.WRONG_LEAD: _("%(tile)s can’t be led: the highest double is led, without a double the highest tile."),
    Reason.TILE_NOT_IN_HAND: _("%(tile)s is not in your hand."),
    Reason.UNKNOWN_TILE: _("Choose one of your tiles first."),
    Reason.TILE_ALREADY_PLAYED: _("%(tile)s lies on the table already."),
    Reason.NO_OPEN_END: _("%(on)s has no open end."),
    Reason.DOES_NOT_MATCH: _("%(tile)s does not match there."),
    Reason.AMBIGUOUS_PLAY: _("%(tile)s fits in several places: choose the tile to join it to."),
    Reason.MUST_PLAY_DRAWN: _("The tile that you drew fits, so it must be played."),
    Reason.DRAW_WHEN_ABLE: _("You can play, so you can’t draw."),
    Reason.PASS_WHEN_ABLE: _("You can play, so you can’t pass."),
    Reason.OUT_OF_TURN: _("It is not your turn."),
    Reason.BAD_EVENT: _("Choose the colour that you name with this wild."),
}
UNO_LEAD: Final = _("%(tile)s can’t be led: the highest doublet of numbers is led.")
MOMENTS: Final[Mapping[str, object]] = {
    "uno": _("UNO is said once: with two tiles at your turn, before you play one, or with one left."),
    "four": _("There are no four tiles to draw now."),
    "challenge": _("There is no Wild Draw Four to challenge now."),
    "catch": _("There is nothing to catch."),
}
"""Sentences of acts at the wrong time, by the act."""


def start(ruleset: str, level: str, options: Mapping[str, str], seats: int = 2) -> PracticeGame:
    """Start a game, and deal its first hand.

    Raises Refused `bad-terms`.
    """
    terms, now = agree(ruleset, level, options, seats), timezone.now()
    table = table_of(terms)
    table.deal()
    return PracticeGame.objects.create(
        ruleset=ruleset,
        level=level,
        options=dict(terms.options),
        seats=seats,
        seed=terms.seed,
        lines="\n".join(table.lines),
        started_at=now,
        moved_at=now,
    )


@transaction.atomic
def act(code: str, line: int, asked: PracticeAct) -> PracticeGame:
    """Make a move of the player at a table with `line` lines, and the moves of the computer that follow.

    Raises PracticeGame.DoesNotExist, and Refused `stale-table`, `illegal-move`.
    """
    game = PracticeGame.objects.select_for_update().get(code=code)
    table = game.table()
    if line != len(table.lines):
        raise Refused("stale-table", _("This move was made already. The table below is as it is now."))
    try:
        carry_out(table, asked)
    except (IllegalMove, WrongMoment) as error:
        raise refusal(error, asked.do, asked.tile, asked.on, marked=isinstance(table, UnoTable)) from None
    _keep(game, table)
    return game


def refusal(error: IllegalMove | WrongMoment, do: str, tile: str, on: str, *, marked: bool) -> Refused:
    """Return the refusal of an act at a table. `marked`: of coloured tiles."""
    reason = error.reason if isinstance(error, IllegalMove) else None
    sentence = MOMENTS.get(do) if reason is None else SENTENCES.get(reason)
    if marked and reason is Reason.WRONG_LEAD:
        sentence = UNO_LEAD
    return Refused("illegal-move", str(sentence or _("That is not possible now.")), tile=tile, on=on)


def _keep(game: PracticeGame, table: AnyTable) -> None:
    game.lines, game.moved_at = "\n".join(table.lines), timezone.now()
    if table.over:
        game.ended_at, game.status = game.moved_at, str(verify(table.log).status)
    game.save(update_fields=["lines", "moved_at", "ended_at", "status"])


def forget_old(now: datetime) -> int:
    """Remove old games, and return their number."""
    unfinished = Q(ended_at=None, moved_at__lt=now - UNFINISHED_KEPT)
    return PracticeGame.objects.filter(unfinished | Q(ended_at__lt=now - FINISHED_KEPT)).delete()[0]
