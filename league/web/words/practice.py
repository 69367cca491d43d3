"""Words of the practice table: levels, house rules, and what happened, told to the player."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext, pgettext_lazy

from games import moves
from games.moves import Event, Seat
from league.house.levels import Level
from league.play.queries import PracticeView
from league.play.table import PLAYER
from league.web.words.replay import said, tiles
from referee.frames import Frame, RoundFrames

LEVELS: Final[Mapping[str, tuple[Any, Any]]] = {
    Level.RANDOM.value: (
        pgettext_lazy("level of the computer", "Beginner"),
        pgettext_lazy("level of the computer", "plays any tile that fits"),
    ),
    Level.GREEDY.value: (
        pgettext_lazy("level of the computer", "Scorer"),
        pgettext_lazy("level of the computer", "takes the most points now"),
    ),
    Level.CAREFUL.value: (
        pgettext_lazy("level of the computer", "Careful"),
        pgettext_lazy("level of the computer", "also thinks of your reply and its own next tile"),
    ),
}
"""Name and meaning of each level."""

_YES_NO: Final = {"true": pgettext_lazy("choice", "yes"), "false": pgettext_lazy("choice", "no")}
_LEADS: Final = {
    "highest_double": pgettext_lazy("choice", "the highest double"),
    "lot": pgettext_lazy("choice", "drawn by lot"),
    "winner_any": pgettext_lazy("choice", "the winner of the hand before, any tile"),
    "dominoer_any": pgettext_lazy("choice", "the player who went out, any tile"),
}
OPTIONS: Final[Mapping[str, tuple[Any, Mapping[str, Any]]]] = {
    "target": (pgettext_lazy("form field", "Points to win"), {}),
    "spinner": (
        pgettext_lazy("form field", "Spinner"),
        {
            "none": pgettext_lazy("choice", "no double"),
            "first": pgettext_lazy("choice", "the first double"),
            "all": pgettext_lazy("choice", "every double"),
        },
    ),
    "hand": (pgettext_lazy("form field", "Tiles in a hand"), {}),
    "lead_first": (pgettext_lazy("form field", "First lead"), _LEADS),
    "lead_forced": (pgettext_lazy("form field", "The highest double must be led"), _YES_NO),
    "lead_later": (pgettext_lazy("form field", "Later leads"), _LEADS),
    "voluntary_draw": (pgettext_lazy("form field", "Draw though a tile fits"), _YES_NO),
    "must_play_drawn": (pgettext_lazy("form field", "A drawn tile that fits must be played"), _YES_NO),
    "boneyard_reserve": (pgettext_lazy("form field", "Tiles that stay in the boneyard"), {}),
    "announce": (
        pgettext_lazy("form field", "Points of a tile"),
        {
            "manual": pgettext_lazy("choice", "have to be announced"),
            "auto": pgettext_lazy("choice", "are booked by themselves"),
        },
    ),
    "muggins": (
        pgettext_lazy("form field", "Muggins call"),
        {
            "after_next": pgettext_lazy("choice", "after the next tile or pass"),
            "before_next": pgettext_lazy("choice", "before the next tile or pass"),
            "off": pgettext_lazy("choice", "never"),
        },
    ),
}
"""Name of each option, and its values in words; a number stands for itself."""


@dataclass(frozen=True, slots=True)
class PracticeEvent:
    """A line of the log, told to the player; `mine`: an act of the player."""

    line: int
    sentence: str
    mine: bool


def level_name(level: str) -> str:
    return str(LEVELS[level][0])


def options_in_words(options: Mapping[str, str]) -> str:
    """Write the house rules of a game: "Spinner: the first double · Tiles in a hand: 9"."""
    named = [
        (OPTIONS[key][0], OPTIONS[key][1].get(value, value))
        for key, value in options.items()
        if key in OPTIONS and key != "target"
    ]
    return " · ".join(f"{name}: {value}" for name, value in named)


def wins(view: PracticeView) -> str:
    """Return the result as a headline, also for readers of a shared link."""
    own, other = view.scores
    facts = {"own": own, "other": other}
    if view.winner == PLAYER:
        return pgettext("practice", "Won against the computer, %(own)s–%(other)s") % facts
    return pgettext("practice", "The computer wins %(other)s–%(own)s") % facts


def aloud() -> str:
    """Return the texts of the table's script, as JSON."""
    return json.dumps(
        {
            "turn": pgettext("practice", "Your turn."),
            "choose": pgettext("practice", "Choose one of your tiles first."),
            "nowhere": pgettext("practice", "%(tile)s fits nowhere."),
            "several": pgettext("practice", "%(tile)s fits on %(places)s: choose one."),
            "offline": pgettext("practice", "The site did not answer. Try again."),
        }
    )


def told(view: PracticeView) -> list[PracticeEvent]:
    """Tell the lines of the hand shown, in their order; first the points of the hand before, which its deal booked."""
    booked = [_told(view, one) for one in view.seen.rounds[:-1]] if view.announces else []
    points = [one for hand in booked for one, event in hand if isinstance(event, moves.RoundPoints | moves.Totals)]
    return [one for one in [*points, *(one for one, _event in _told(view, view.shown))] if one.sentence]


def _told(view: PracticeView, shown: RoundFrames) -> Iterator[tuple[PracticeEvent, Event]]:
    before = shown.frames[0]
    for frame in shown.frames:
        event = frame.event
        sentences = [_sentence(event, shown.joined_to(frame))]
        if isinstance(event, moves.Play):
            sentences += _counted(view, frame, event)
        elif isinstance(event, moves.Call):
            sentences.append(_taken(before, frame, event.seat))
        mine = getattr(event, "seat", None) == PLAYER
        yield PracticeEvent(frame.line, " ".join(filter(None, sentences)), mine), event
        before = frame


def _counted(view: PracticeView, frame: Frame, event: moves.Play) -> Iterator[str]:
    """Tell count and points of a play; where they must be announced, only that too much was announced."""
    worth = view.seen.plays[frame.line].worth
    if view.announces:
        if event.call is not None and event.call > worth:
            yield _less(worth)
        return
    yield pgettext("practice", "Open ends %(count)s.") % {"count": frame.count}
    if worth:
        yield _points(event.seat, worth)


def _less(worth: int) -> str:
    if not worth:
        return pgettext("practice", "It counts nothing.")
    return pgettext("practice", "It counts %(count)s only.") % {"count": worth}


def _taken(before: Frame, frame: Frame, seat: Seat) -> str:
    """Tell the outcome of a muggins call."""
    points = frame.scores[seat] - before.scores[seat]
    return _points(seat, points) if points else pgettext("practice", "No points were open.")


def _points(seat: Seat, points: int) -> str:
    if seat == PLAYER:
        return ngettext("You score %(count)s point.", "You score %(count)s points.", points) % {"count": points}
    return ngettext("It scores %(count)s point.", "It scores %(count)s points.", points) % {"count": points}


def _sentence(event: Event, on: str) -> str:
    mine = _MINE.get(type(event))
    if mine and getattr(event, "seat", None) == PLAYER:
        return mine(event, on)
    if isinstance(event, moves.Totals):
        own, other = event.scores
        return _("Score: you %(own)s, the computer %(other)s.") % {"own": own, "other": other}
    if isinstance(event, moves.Show) and not event.tiles:
        return _("The computer is out.")
    return "" if isinstance(event, moves.Settled) else said(event, ("", _("The computer")), on)


def _play(event: moves.Play, on: str) -> str:
    facts = {"tile": event.tile.name, "on": on, "points": event.call}
    if event.call is not None:
        called = _("You play %(tile)s on %(on)s and call %(points)s."), _("You lead %(tile)s and call %(points)s.")
        return called[not on] % facts
    return (_("You play %(tile)s on %(on)s.") if on else _("You lead %(tile)s.")) % facts


def _show(event: moves.Show, _on: str) -> str:
    return _("You have left: %(tiles)s.") % {"tiles": tiles(event.tiles)} if event.tiles else _("You are out.")


def _round_points(event: moves.RoundPoints, _on: str) -> str:
    template = ngettext(
        "You score %(count)s point for the tiles that were left.",
        "You score %(count)s points for the tiles that were left.",
        event.points,
    )
    return template % {"count": event.points}


_MINE: Final[Mapping[type, Callable[[Any, str], str]]] = {
    moves.Play: _play,
    moves.Draw: lambda event, _on: _("You draw %(tiles)s.") % {"tiles": tiles(event.tiles)},
    moves.Pass: lambda _event, _on: _("You pass."),
    moves.Call: lambda _event, _on: _("You call muggins."),
    moves.Show: _show,
    moves.RoundPoints: _round_points,
}
"""Sentences about an act of the player; those about the computer are the replay's."""


def ends(view: PracticeView) -> str:
    """Name the open ends with their sum: "6-6 counts 12, 3 on 6-3: 15"."""
    frame, trail = view.shown.frames[-1], view.shown.trail
    told = [_end(trail[end.tile].tile, end.face, end.terms) for end in frame.ends]
    if not told:
        return _("No tile lies on the table.")
    facts = {"ends": ", ".join(told), "count": frame.count}
    if view.announces:
        return pgettext("replay", "Open: %(ends)s.") % facts
    return _("Open ends: %(ends)s. Sum %(count)s.") % facts


def _end(tile: str, face: str, terms: Sequence[int]) -> str:
    if len(terms) == 1:
        return _("%(face)s on %(tile)s") % {"face": face, "tile": tile}
    if terms:
        return _("double %(tile)s, counts %(count)s") % {"tile": tile, "count": sum(terms)}
    return _("an end of %(tile)s, counts nothing") % {"tile": tile}
