"""The lines of a game of Uno Dominoes, told to a player or a spectator as sentences."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from games import moves
from games.moves import Said, Seat
from league.play.queries import PracticeView
from league.play.table import PLAYER
from league.web.words.games.practice_events import MINE, PracticeEvent, company, is_out, totals
from league.web.words.games.replay import COLOURS, Names, apart, said, tiles
from referee.frames import Frame, RoundFrames


@dataclass(frozen=True, slots=True)
class UnoTale:
    """A hand for one reader. `reader`: its seat, None for a spectator; `names`: by seat, as sentences begin with them.

    `caught`: whether each catch was right, by its line. `practice`: against the computer.
    """

    reader: Seat | None
    names: Names
    shown: RoundFrames
    options: Mapping[str, str]
    caught: Mapping[int, bool]
    practice: bool = False

    @property
    def computer(self) -> bool:
        """Whether there is one other player, which is the computer."""
        return self.practice and len(self.names) == 2


def told(view: PracticeView) -> list[PracticeEvent]:
    """Tell the lines of the hand shown, in their order."""
    caught = view.uno.caught if view.uno else {}
    return tell(UnoTale(PLAYER, company(view), view.shown, view.options, caught, practice=True))


def tell(tale: UnoTale) -> list[PracticeEvent]:
    """Tell the lines of a hand, in their order."""
    found = []
    for frame in tale.shown.frames:
        sentence = " ".join(filter(None, _sentences(tale, frame)))
        if sentence:
            found.append(PracticeEvent(frame.line, sentence, _is_own(tale, frame.event)))
    return found


def _is_own(tale: UnoTale, event: moves.Event) -> bool:
    return tale.reader is not None and getattr(event, "seat", None) == tale.reader


def _sentences(tale: UnoTale, frame: Frame) -> Iterator[str]:
    event, on = frame.event, tale.shown.joined_to(frame)
    mine = _is_own(tale, event)
    if isinstance(event, moves.Call):
        yield _call(tale, frame, event)
    elif isinstance(event, moves.Show):
        yield _show(tale, frame, event)
    elif isinstance(event, moves.Totals) and tale.practice:
        yield totals(event, tale.names)
    elif mine and isinstance(event, moves.Play | moves.Reopening) and event.colour:
        facts = {"tile": event.tile.name, "on": on, "colour": COLOURS[event.colour]}
        yield _OWN_COLOUR[type(event)]() % facts
    elif mine and type(event) in MINE:
        yield MINE[type(event)](event, on)
    elif not isinstance(event, moves.Settled):
        yield said(event, tale.names, on)
    if isinstance(event, moves.Play) and on:
        yield _effect(tale, event.tile.name)


_OWN_COLOUR: Final[Mapping[type, Callable[[], str]]] = {
    moves.Play: lambda: _("You play %(tile)s on %(on)s and name %(colour)s."),
    moves.Reopening: lambda: _("You open the table again with %(tile)s on %(on)s and name %(colour)s."),
}


def _effect(tale: UnoTale, tile: str) -> str:
    """Tell what a tile did besides, by its active half and by a dead end that it leaves."""
    active, outer = tile.split("-")
    kind = active[1:]
    told = pgettext("practice", "That arm is closed.") if outer == "DE" else ""
    if kind == "S" or (kind == "R" and len(tale.names) == 2 and tale.options.get("reverse_2p") != "none"):
        told = f"{pgettext('practice', 'The next player loses the turn.')} {told}"
    elif kind == "R" and len(tale.names) > 2:
        told = f"{pgettext('practice', 'Play turns round.')} {told}"
    return told.strip()


def _call(tale: UnoTale, frame: Frame, event: moves.Call) -> str:
    if event.said is Said.CATCH and event.whom is not None:
        return _caught(tale, frame, event, event.whom)
    if not _is_own(tale, event):
        return said(event, tale.names)
    return pgettext("practice", "You say UNO.") if event.said is Said.UNO else _("You challenge the Wild Draw Four.")


def _caught(tale: UnoTale, frame: Frame, event: moves.Call, whom: Seat) -> str:
    facts: dict[str, Any] = {"name": apart(tale.names[event.seat])}
    if tale.reader == whom:
        return _("%(name)s catches you: you did not say UNO.") % facts
    if not _is_own(tale, event):
        return said(event, tale.names)
    right = tale.caught.get(frame.line, False)
    if tale.computer:
        return _("You catch the computer, which did not say UNO.") if right else _("There is nothing to catch.")
    facts = {"name": apart(tale.names[whom])}
    if right:
        return _("You catch %(name)s, who did not say UNO.") % facts
    return _("You try to catch %(name)s: there is nothing to catch.") % facts


def _show(tale: UnoTale, frame: Frame, event: moves.Show) -> str:
    facts = {"name": apart(tale.names[event.seat]), "tiles": tiles(event.tiles)}
    challenged = frame.to_act is not None
    if _is_own(tale, event):
        return _("You show %(tiles)s.") % facts if challenged else MINE[moves.Show](event, "")
    if not event.tiles:
        return is_out(event.seat, tale.names) if tale.practice else _("%(name)s went out.") % facts
    if None in event.tiles:
        return _("%(name)s shows the tiles to the challenger.") % facts
    return said(event, tale.names)
