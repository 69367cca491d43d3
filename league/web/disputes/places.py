"""Places of a game that a protest may be about: its result, a hand, a step of its log."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from games.notation.gamelog import GameLog
from games.notation.lines import NotationError
from games.notation.reading import loads
from league.matches.queries.match import GameView
from league.web.charts.rounds import written_rounds
from league.web.matches.rounds import GameSheet
from league.web.words.games.replay import said
from referee.frames import reel

RESULT = "result"


@dataclass(frozen=True, slots=True)
class GamePlace:
    """A place: `value` is "result", "hand:2" or "line:37"; `anchor`: address of the step in the replay."""

    value: str
    words: str
    anchor: str = ""


@dataclass(frozen=True, slots=True)
class PlacesOfHand:
    """The places of one hand, the hand as a whole first."""

    number: int
    places: list[GamePlace]

    @property
    def title(self) -> str:
        return pgettext("protest: place", "Hand %(number)d") % {"number": self.number}


@dataclass(frozen=True, slots=True)
class ChosenPlace:
    """A place that was chosen: a line of the log, a hand, or neither: the result."""

    line: int | None = None
    hand: int | None = None


def places_of(sheet: GameSheet) -> list[PlacesOfHand]:
    """Return the places of a game by hand; the steps too if the record shown is a log."""
    view = sheet.view
    if view.sheet is not None:
        return [_hand(one.number, []) for one in written_rounds(view.sheet, [row.side for row in sheet.rows])]
    log = _log(view)
    return _steps(log, view, {row.seat: row.side.name for row in sheet.rows}) if log else []


def place_of_step(hands: Sequence[PlacesOfHand], anchor: str) -> str:
    """Return the value of a step by its address in the replay, "" if there is none."""
    return next((one.value for hand in hands for one in hand.places if anchor and one.anchor == anchor), "")


def anchor_of(hands: Sequence[PlacesOfHand], place: ChosenPlace) -> str:
    """Return the address of a step in the replay, "" for a place that has none."""
    return next((one.anchor for hand in hands for one in hand.places if one.value == f"line:{place.line}"), "")


def words_of(hands: Sequence[PlacesOfHand], place: ChosenPlace) -> str:
    """Return a place in words: "Hand 2: Bo played 6-3", or "the result"."""
    if place.line is None and place.hand is None:
        return pgettext("protest: place", "the result")
    for hand in hands:
        if place.line is None and hand.number == place.hand:
            return hand.title
        for one in hand.places:
            if place.line is not None and one.value == f"line:{place.line}":
                return f"{hand.title}: {one.words}"
    if place.hand is not None:
        return pgettext("protest: place", "Hand %(number)d") % {"number": place.hand}
    return pgettext("protest: place", "line %(line)d of the log") % {"line": place.line}


def chosen(value: str) -> ChosenPlace:
    """Return the place of a value; the result for anything else."""
    kind, _sign, number = value.partition(":")
    if not (number.isascii() and number.isdecimal()):
        return ChosenPlace()
    return ChosenPlace(line=int(number)) if kind == "line" else ChosenPlace(hand=int(number))


def _hand(number: int, steps: list[GamePlace]) -> PlacesOfHand:
    whole = GamePlace(f"hand:{number}", pgettext("protest: place", "Hand %(number)d: its points") % {"number": number})
    return PlacesOfHand(number, [whole, *steps])


def _log(view: GameView) -> GameLog | None:
    try:
        [log] = loads("\n".join(line.text for line in view.log))
    except (NotationError, ValueError):
        return None
    return log


def _steps(log: GameLog, view: GameView, names: dict[str, str]) -> list[PlacesOfHand]:
    prefix = "" if view.game.number == 1 else f"g{view.game.number}."
    film = reel(log)
    seated = [names.get(letter) or letter for letter in log.seats]
    return [
        _hand(
            one.number,
            [
                GamePlace(
                    f"line:{frame.line}",
                    _("%(number)d. %(step)s")
                    % {"number": number, "step": said(frame.event, seated, one.joined_to(frame))},
                    f"{prefix}r{one.number}.{number}",
                )
                for number, frame in enumerate(one.frames)
                if number
            ],
        )
        for one in film.rounds
        if one.frames
    ]
