"""Words of online games: what happened, told to a seat or to spectators; greetings, limits, refusals."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext, pgettext_lazy

from games import moves
from games.moves import Event, Said, Seat
from games.scorecard import GameEnd
from league.play.online.absence import AWAY, TIME
from league.play.online.queries import OWN_TURN, OnlineHand, OnlineView
from league.web.words.games.practice import OPTIONS, asks_at_uno, ends_of
from league.web.words.games.practice_events import MINE, PracticeEvent, less
from league.web.words.games.practice_uno import UnoTale, tell
from league.web.words.games.replay import apart, said
from referee.frames import Frame, RoundFrames

GREETINGS: Final[Mapping[str, Any]] = {
    "hello": pgettext_lazy("greeting", "Hello!"),
    "luck": pgettext_lazy("greeting", "Good luck!"),
    "well-played": pgettext_lazy("greeting", "Well played!"),
    "thanks": pgettext_lazy("greeting", "Thanks for the game."),
    "moment": pgettext_lazy("greeting", "One moment, please."),
}
"""The fixed greetings, in the order of `league.play.online.services.GREETINGS`."""


@dataclass(frozen=True, slots=True)
class Told:
    """A game with the names of its seats, for one reader; `announced`: points have to be announced."""

    seat: Seat | None
    names: list[str]
    hand: OnlineHand

    @property
    def announced(self) -> bool:
        return bool(self.hand.announces)


def told(view: OnlineView, hand: OnlineHand) -> list[PracticeEvent]:
    """Tell the lines of the hand shown; first the points of the hand before, which its deal booked."""
    if hand.uno:
        return tell(UnoTale(view.seat, view.names, hand.shown, view.options, hand.uno.caught))
    game = Told(view.seat, view.names, hand)
    booked = [_told(game, one) for one in hand.seen.rounds[:-1]] if game.announced else []
    points = [one for shown in booked for one, event in shown if isinstance(event, moves.RoundPoints | moves.Totals)]
    return [one for one in [*points, *(one for one, _event in _told(game, hand.shown))] if one.sentence]


def _told(game: Told, shown: RoundFrames) -> Iterator[tuple[PracticeEvent, Event]]:
    before = shown.frames[0]
    for frame in shown.frames:
        event = frame.event
        sentences = [_sentence(game, event, shown.joined_to(frame))]
        if isinstance(event, moves.Play):
            sentences += _counted(game, frame, event)
        elif isinstance(event, moves.Call) and event.said is Said.MUGGINS:
            points = frame.scores[event.seat] - before.scores[event.seat]
            sentences.append(
                _points(game, event.seat, points) if points else pgettext("practice", "No points were open.")
            )
        mine = game.seat is not None and getattr(event, "seat", None) == game.seat
        yield PracticeEvent(frame.line, " ".join(filter(None, sentences)), mine), event
        before = frame


def _counted(game: Told, frame: Frame, event: moves.Play) -> Iterator[str]:
    """Tell count and points of a play; where they must be announced, only that too much was announced."""
    worth = game.hand.seen.plays[frame.line].worth
    if game.announced:
        if event.call is not None and event.call > worth:
            yield less(worth)
        return
    yield pgettext("practice", "Open ends %(count)s.") % {"count": frame.count}
    if worth:
        yield _points(game, event.seat, worth)


def _taken(game: Told, seat: Seat, points: int) -> str:
    return _points(game, seat, points) if points else pgettext("practice", "No points were open.")


def _points(game: Told, seat: Seat, points: int) -> str:
    if seat == game.seat:
        return ngettext("You score %(count)s point.", "You score %(count)s points.", points) % {"count": points}
    facts = {"name": apart(game.names[seat]), "count": points}
    return ngettext("%(name)s scores %(count)s point.", "%(name)s scores %(count)s points.", points) % facts


def _sentence(game: Told, event: Event, on: str) -> str:
    seat = getattr(event, "seat", None)
    if isinstance(event, moves.Settled):
        return ""
    if isinstance(event, moves.Forfeit):
        return _forfeit(game, event)
    if seat is not None and seat == game.seat and type(event) in MINE:
        if isinstance(event, moves.Call) and event.said is Said.COUNT:
            return _("You call %(points)s.") % {"points": event.number}
        return MINE[type(event)](event, on)
    if isinstance(event, moves.Show) and not event.tiles:
        return _("%(name)s went out.") % {"name": apart(game.names[event.seat])}
    return said(event, game.names, on)


def _forfeit(game: Told, event: moves.Forfeit) -> str:
    name = {"name": apart(game.names[event.seat])}
    if event.reason == TIME:
        return _("%(name)s is out of time and loses the game.") % name
    if event.reason == AWAY:
        return _("%(name)s was away for too long and loses the game.") % name
    return said(event, game.names)


def ends(hand: OnlineHand) -> str:
    """Name the open ends; with their sum where points are booked at once."""
    return ends_of(hand.shown, summed=not hand.announces, marked=hand.uno is not None)


def asks(view: OnlineView, hand: OnlineHand) -> str:
    """Say what the reader is asked at Uno Dominoes, "" for an ordinary turn."""
    return asks_at_uno(view.state, hand.uno, list(map(apart, view.names))) if hand.uno else ""


def wins(view: OnlineView) -> str:
    """Return the result as a headline: "Ana wins 150–85"."""
    scores = "–".join(map(str, _in_order(view)))
    facts = {"scores": scores, "other": "" if view.gave_up is None else apart(view.names[view.gave_up])}
    if view.winner is None:
        return _level(view) % facts
    facts["name"] = apart(view.names[view.winner])
    if view.ended is GameEnd.CONCESSION:
        return _("%(name)s wins, %(other)s gave up (%(scores)s)") % facts
    if view.ended is GameEnd.FORFEIT:
        return _("%(name)s wins by forfeit (%(scores)s)") % facts
    return _("%(name)s wins %(scores)s") % facts


def _level(view: OnlineView) -> str:
    """Say that nobody has won: of several players one gave up, and the best of the others are level."""
    if view.ended is GameEnd.CONCESSION:
        return _("%(other)s gave up, and the others are level (%(scores)s)")
    if view.ended is GameEnd.FORFEIT:
        return _("%(other)s forfeits, and the others are level (%(scores)s)")
    return _("Level at %(scores)s")


def _in_order(view: OnlineView) -> list[int]:
    """Return the final scores, the winner's first, then the others by their points."""
    scores = list(view.table.scores) if view.table else []
    first = [] if view.winner is None else [scores.pop(view.winner)]
    return first + sorted(scores, reverse=True)


def status(view: OnlineView) -> str:
    """Say what the table waits for."""
    waited = [seat for seat in view.seats if seat.waited and not seat.mine]
    names = {"name": ", ".join(apart(seat.name) for seat in waited)}
    if view.state in OWN_TURN:
        return _("Your turn.")
    if view.state == "bell":
        return _("The bell has rung. Muggins can be called for some seconds.")
    if view.state == "between":
        if view.table and view.table.ready:
            return (
                ngettext(
                    "%(name)s has not asked for the next hand yet.",
                    "%(name)s have not asked for the next hand yet.",
                    len(waited),
                )
                % names
            )
        return _("The hand is over.")
    away = view.seat is not None and not all(seat.there for seat in waited)
    return (_("%(name)s’s turn (away).") if away else _("%(name)s’s turn.")) % names


def limits_in_words(view: OnlineView, clock_s: int) -> list[str]:
    """Name clock, time a move and absence of a game."""
    found = []
    if clock_s:
        found.append(_("Game clock: %(minutes)s min") % {"minutes": clock_s // 60})
    if view.move_s:
        found.append(_("Time per move: %(seconds)s s") % {"seconds": view.move_s})
    found.append(_("Allowed absence: %(minutes)s min") % {"minutes": view.absence_s // 60})
    return found


def house_rules_in_words(options: Mapping[str, str]) -> list[str]:
    """Write the options of a game that are not the usual ones, with the points to win."""
    return [
        f"{OPTIONS[key][0]}: {OPTIONS[key][1].get(value, value)}" for key, value in options.items() if key in OPTIONS
    ]
