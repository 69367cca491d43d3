"""The one filter between the log of a game and a seat: hands, draws and racks shown to other seats. Pure."""

from dataclasses import replace

from games.moves import Call, Deal, Draw, Event, Said, Seat, Show
from referee.frames import Frame, Reel, RoundFrames


def seen_by(seat: Seat, film: Reel) -> Reel:
    """Return a replay as this seat sees it: tiles of other hands only where they were shown to it."""
    return replace(film, rounds=[_hand(seat, shown) for shown in film.rounds])


def _hand(seat: Seat, shown: RoundFrames) -> RoundFrames:
    before = [None, *(frame.event for frame in shown.frames)]
    frames = [_frame(seat, frame, earlier) for frame, earlier in zip(shown.frames, before, strict=False)]
    return replace(shown, frames=frames)


def _frame(seat: Seat, frame: Frame, earlier: Event | None) -> Frame:
    hands = tuple(hand if other == seat else None for other, hand in enumerate(frame.hands))
    return replace(frame, event=_event(seat, frame.event, earlier), hands=hands)


def _event(seat: Seat, event: Event, earlier: Event | None) -> Event:
    if isinstance(event, Draw) and event.seat != seat:
        return Draw(event.seat, event.count)
    if isinstance(event, Deal) and event.seat != seat:
        return Deal(event.seat, event.count)
    if isinstance(event, Show) and event.seat != seat and isinstance(earlier, Call):
        # The rack of a Wild Draw Four is shown to its challenger only (RULES.md 2.23).
        challenged_by_other = earlier.said is Said.CHALLENGE and earlier.seat != seat
        return Show(event.seat, (None,) * len(event.tiles)) if challenged_by_other else event
    return event
