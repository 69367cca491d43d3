"""The one filter between the log of a practice game and the player: hands and draws of the computer. Pure."""

from dataclasses import replace

from games.moves import Deal, Draw, Event, Seat
from referee.frames import Frame, Reel, RoundFrames


def seen_by(seat: Seat, film: Reel) -> Reel:
    """Return a replay as this seat sees it: tiles of other hands only where they were shown."""
    return replace(film, rounds=[_hand(seat, shown) for shown in film.rounds])


def _hand(seat: Seat, shown: RoundFrames) -> RoundFrames:
    return replace(shown, frames=[_frame(seat, frame) for frame in shown.frames])


def _frame(seat: Seat, frame: Frame) -> Frame:
    hands = tuple(hand if other == seat else None for other, hand in enumerate(frame.hands))
    return replace(frame, event=_event(seat, frame.event), hands=hands)


def _event(seat: Seat, event: Event) -> Event:
    if isinstance(event, Draw) and event.seat != seat:
        return Draw(event.seat, event.count)
    if isinstance(event, Deal) and event.seat != seat:
        return Deal(event.seat, event.count)
    return event
