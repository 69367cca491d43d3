"""The lines of a practice game, told to the player as sentences."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from games import moves
from games.moves import Event, Seat
from league.play.queries import PracticeView
from league.play.table import COMPANY, PLAYER
from league.web.words.games.replay import Names, apart, said, tiles
from referee.frames import Frame, RoundFrames


@dataclass(frozen=True, slots=True)
class PracticeEvent:
    """A line of the log, told to the player; `mine`: an act of the player."""

    line: int
    sentence: str
    mine: bool


def told(view: PracticeView) -> list[PracticeEvent]:
    """Tell the lines of the hand shown, in their order; first the points of the hand before, which its deal booked."""
    booked = [_told(view, one) for one in view.seen.rounds[:-1]] if view.announces else []
    points = [one for hand in booked for one, event in hand if isinstance(event, moves.RoundPoints | moves.Totals)]
    return [one for one in [*points, *(one for one, _event in _told(view, view.shown))] if one.sentence]


def _told(view: PracticeView, shown: RoundFrames) -> Iterator[tuple[PracticeEvent, Event]]:
    before = shown.frames[0]
    names = company(view)
    for frame in shown.frames:
        event = frame.event
        sentences = [_sentence(event, shown.joined_to(frame), names)]
        if isinstance(event, moves.Play):
            sentences += _counted(view, frame, event, names)
        elif isinstance(event, moves.Call):
            sentences.append(_taken(before, frame, event.seat, names))
        mine = getattr(event, "seat", None) == PLAYER
        yield PracticeEvent(frame.line, " ".join(filter(None, sentences)), mine), event
        before = frame


def _counted(view: PracticeView, frame: Frame, event: moves.Play, names: Names) -> Iterator[str]:
    """Tell count and points of a play; where they must be announced, only that too much was announced."""
    worth = view.seen.plays[frame.line].worth
    if view.announces:
        if event.call is not None and event.call > worth:
            yield less(worth)
        return
    yield pgettext("practice", "Open ends %(count)s.") % {"count": frame.count}
    if worth:
        yield _points(event.seat, worth, names)


def less(worth: int) -> str:
    """Say that a tile counts less than was announced."""
    if not worth:
        return pgettext("practice", "It counts nothing.")
    return pgettext("practice", "It counts %(count)s only.") % {"count": worth}


def _taken(before: Frame, frame: Frame, seat: Seat, names: Names) -> str:
    """Tell the outcome of a muggins call."""
    points = frame.scores[seat] - before.scores[seat]
    return _points(seat, points, names) if points else pgettext("practice", "No points were open.")


def _points(seat: Seat, points: int, names: Names) -> str:
    if len(names) > 2 and seat != PLAYER:
        template = ngettext("%(name)s scores %(count)s point.", "%(name)s scores %(count)s points.", points)
        return template % {"name": apart(names[seat]), "count": points}
    if seat == PLAYER:
        return ngettext("You score %(count)s point.", "You score %(count)s points.", points) % {"count": points}
    return ngettext("It scores %(count)s point.", "It scores %(count)s points.", points) % {"count": points}


def _sentence(event: Event, on: str, names: Names) -> str:
    mine = MINE.get(type(event))
    if mine and getattr(event, "seat", None) == PLAYER:
        return mine(event, on)
    if isinstance(event, moves.Totals):
        return totals(event, names)
    if isinstance(event, moves.Show) and not event.tiles:
        return is_out(event.seat, names)
    return "" if isinstance(event, moves.Settled) else said(event, names, on)


def company(view: PracticeView) -> Names:
    """Return the names at the table as sentences begin with them; the player has none."""
    return ("", _("The computer")) if view.seats == 2 else ("", *COMPANY[1 : view.seats])


def totals(event: moves.Totals, names: Names) -> str:
    """Tell the scores after a hand."""
    if len(names) == 2:
        own, other = event.scores
        return _("Score: you %(own)s, the computer %(other)s.") % {"own": own, "other": other}
    named = (pgettext("practice", "you"), *map(apart, names[1:]))
    scores = ", ".join(f"{name} {points}" for name, points in zip(named, event.scores, strict=True))
    return pgettext("replay", "Score: %(scores)s.") % {"scores": scores}


def is_out(seat: Seat, names: Names) -> str:
    """Tell that a computer has no tile left."""
    return _("The computer went out.") if len(names) == 2 else _("%(name)s went out.") % {"name": apart(names[seat])}


def _play(event: moves.Play, on: str) -> str:
    facts = {"tile": event.tile.name, "on": on, "points": event.call}
    if event.call is not None:
        called = _("You play %(tile)s on %(on)s and call %(points)s."), _("You lead %(tile)s and call %(points)s.")
        return called[not on] % facts
    return (_("You play %(tile)s on %(on)s.") if on else _("You lead %(tile)s.")) % facts


def _show(event: moves.Show, _on: str) -> str:
    return (
        _("You have left: %(tiles)s.") % {"tiles": tiles(event.tiles)}
        if event.tiles
        else _("You went out: no tiles left.")
    )


def _round_points(event: moves.RoundPoints, _on: str) -> str:
    template = ngettext(
        "You score %(count)s point for the tiles that were left.",
        "You score %(count)s points for the tiles that were left.",
        event.points,
    )
    return template % {"count": event.points}


MINE: Final[Mapping[type, Callable[[Any, str], str]]] = {
    moves.Play: _play,
    moves.Draw: lambda event, _on: _("You draw %(tiles)s.") % {"tiles": tiles(event.tiles)},
    moves.Pass: lambda _event, _on: _("You pass."),
    moves.Call: lambda _event, _on: _("You call muggins."),
    moves.Show: _show,
    moves.RoundPoints: _round_points,
}
"""Sentences about an act of the player; those about the computer are the replay's."""
