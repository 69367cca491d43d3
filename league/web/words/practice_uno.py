"""The lines of a practice game of Uno Dominoes, told to the player as sentences."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from games import moves
from games.moves import Said
from league.play.queries import PracticeView
from league.play.table import PLAYER
from league.web.words.practice_events import MINE, PracticeEvent, company, is_out, totals
from league.web.words.replay import COLOURS, Names, apart, said, tiles
from referee.frames import Frame


def told(view: PracticeView) -> list[PracticeEvent]:
    """Tell the lines of the hand shown, in their order."""
    names = company(view)
    found = []
    for frame in view.shown.frames:
        sentence = " ".join(filter(None, _sentences(view, frame, names)))
        if sentence:
            found.append(PracticeEvent(frame.line, sentence, getattr(frame.event, "seat", None) == PLAYER))
    return found


def _sentences(view: PracticeView, frame: Frame, names: Names) -> Iterator[str]:
    event, on = frame.event, view.shown.joined_to(frame)
    mine = getattr(event, "seat", None) == PLAYER
    if isinstance(event, moves.Call):
        yield _call(view, frame, event, names)
    elif isinstance(event, moves.Show):
        yield _show(frame, event, names)
    elif isinstance(event, moves.Totals):
        yield totals(event, names)
    elif mine and isinstance(event, moves.Play | moves.Reopening) and event.colour:
        facts = {"tile": event.tile.name, "on": on, "colour": COLOURS[event.colour]}
        yield _OWN_COLOUR[type(event)]() % facts
    elif mine and type(event) in MINE:
        yield MINE[type(event)](event, on)
    elif not isinstance(event, moves.Settled):
        yield said(event, names, on)
    if isinstance(event, moves.Play) and on:
        yield _effect(view, event.tile.name)


_OWN_COLOUR: Final[Mapping[type, Callable[[], str]]] = {
    moves.Play: lambda: _("You play %(tile)s on %(on)s and name %(colour)s."),
    moves.Reopening: lambda: _("You open the table again with %(tile)s on %(on)s and name %(colour)s."),
}


def _effect(view: PracticeView, tile: str) -> str:
    """Tell what a tile did besides, by its active half and by a dead end that it leaves."""
    active, outer = tile.split("-")
    kind = active[1:]
    told = pgettext("practice", "That arm is closed.") if outer == "DE" else ""
    if kind == "S" or (kind == "R" and view.seats == 2 and view.options.get("reverse_2p") != "none"):
        told = f"{pgettext('practice', 'The next player loses the turn.')} {told}"
    elif kind == "R" and view.seats > 2:
        told = f"{pgettext('practice', 'Play turns round.')} {told}"
    return told.strip()


def _call(view: PracticeView, frame: Frame, event: moves.Call, names: Names) -> str:
    if event.said is Said.CATCH and event.whom is not None:
        return _caught(view, frame, event, names)
    if event.seat != PLAYER:
        return said(event, names)
    return pgettext("practice", "You say UNO.") if event.said is Said.UNO else _("You challenge the Wild Draw Four.")


def _caught(view: PracticeView, frame: Frame, event: moves.Call, names: Names) -> str:
    facts: dict[str, Any] = {"name": apart(names[event.seat])}
    if event.whom == PLAYER:
        return _("%(name)s catches you: you did not say UNO.") % facts
    if event.seat != PLAYER:
        return said(event, names)
    right = view.uno is not None and view.uno.caught.get(frame.line, False)
    if view.seats == 2:
        return _("You catch the computer, which did not say UNO.") if right else _("There is nothing to catch.")
    facts = {"name": apart(names[event.whom or 0])}
    if right:
        return _("You catch %(name)s, who did not say UNO.") % facts
    return _("You try to catch %(name)s: there is nothing to catch.") % facts


def _show(frame: Frame, event: moves.Show, names: Names) -> str:
    facts = {"name": apart(names[event.seat]), "tiles": tiles(event.tiles)}
    challenged = frame.to_act is not None
    if event.seat == PLAYER:
        return _("You show %(tiles)s.") % facts if challenged else MINE[moves.Show](event, "")
    if not event.tiles:
        return is_out(event.seat, names)
    if None in event.tiles:
        return _("%(name)s shows the tiles to the challenger.") % facts
    return said(event, names)
