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
from referee.frames import Frame, PlayPoints, RoundFrames

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
    named = [(OPTIONS[key][0], OPTIONS[key][1].get(value, value)) for key, value in options.items() if key != "target"]
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
    """Tell the lines of the hand shown, in their order."""
    return [one for one in _told(view.shown, view.seen.plays) if one.sentence]


def _told(shown: RoundFrames, plays: Mapping[int, PlayPoints]) -> Iterator[PracticeEvent]:
    for frame in shown.frames:
        event = frame.event
        sentence = _sentence(event, shown.joined_to(frame))
        if isinstance(event, moves.Play):
            sentence = " ".join(_counted(frame, sentence, plays[frame.line].worth, event.seat))
        yield PracticeEvent(frame.line, sentence, getattr(event, "seat", None) == PLAYER)


def _counted(frame: Frame, sentence: str, worth: int, seat: Seat) -> Iterator[str]:
    yield sentence
    yield pgettext("practice", "Open ends %(count)s.") % {"count": frame.count}
    if worth:
        yield _points(seat, worth)


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
    facts = {"tile": event.tile.name, "on": on}
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
    moves.Show: _show,
    moves.RoundPoints: _round_points,
}
"""Sentences about an act of the player; those about the computer are the replay's."""


def ends(view: PracticeView) -> str:
    """Name the open ends with their sum: "6-6 counts 12, 3 on 6-3: 15"."""
    frame, trail = view.shown.frames[-1], view.shown.trail
    said = [_end(trail[end.tile].tile, end.face, end.terms) for end in frame.ends]
    if not said:
        return _("No tile lies on the table.")
    return _("Open ends: %(ends)s. Sum %(count)s.") % {"ends": ", ".join(said), "count": frame.count}


def _end(tile: str, face: str, terms: Sequence[int]) -> str:
    if len(terms) == 1:
        return _("%(face)s on %(tile)s") % {"face": face, "tile": tile}
    if terms:
        return _("double %(tile)s, counts %(count)s") % {"tile": tile, "count": sum(terms)}
    return _("an end of %(tile)s, counts nothing") % {"tile": tile}
