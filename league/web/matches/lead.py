"""Lead of a game: the step from which the winner stayed ahead, and the points that gave it. Pure."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum, auto

from games.moves import Blocked, Call, Penalty, Play, RoundPoints, Said, Settled, Show, Totals
from league.web.charts.score import Addresses
from referee.frames import Frame, Reel, RoundFrames

AT_THE_END = (Blocked, RoundPoints, Settled, Show, Totals)


class LeadBy(Enum):
    """Origin of the points; `OTHER`: of several origins, or not known."""

    PLAY = auto()
    MUGGINS = auto()
    HAND_END = auto()
    OTHER = auto()


@dataclass(frozen=True, slots=True)
class LastingLead:
    """The step that gave the winner the lead for good.

    `seat` of the winner; `points`: that the step gave the winner; `tile`: of a play, else ""; `key` and `anchor`: its
    address. `first`: nobody had a point before. `behind`: the most points that the winner was behind.
    """

    seat: int
    round: int
    by: LeadBy
    points: int
    tile: str
    behind: int
    first: bool
    key: str
    anchor: str


def lead_of(film: Reel, rounds: Sequence[RoundFrames], addresses: Addresses) -> LastingLead | None:
    """Return the lead; None without a sole highest score at the end."""
    places = [(one, step, frame) for one in rounds for step, frame in enumerate(one.frames)]
    final = places[-1][2].scores if places else ()
    if film.seats < 2 or not any(final) or final.count(max(final)) > 1:
        return None
    seat = final.index(max(final))
    margins = [_margin(frame, seat) for _round, _step, frame in places]
    after = max((place + 1 for place, margin in enumerate(margins) if margin <= 0), default=0)
    shown, step, frame = places[after]
    before = places[after - 1][2].scores if after else (0,) * film.seats
    by, tile = _origin(film, shown, step, seat, frame.scores[seat] - before[seat])
    return LastingLead(
        seat=seat,
        round=shown.number,
        by=by,
        points=frame.scores[seat] - before[seat],
        tile=tile,
        behind=max(0, -min(margins)),
        first=not any(before),
        key=addresses.keys.get(shown.number, ""),
        anchor=f"{addresses.prefix}r{shown.number}.{shown.owning_step(step)}",
    )


def _margin(frame: Frame, seat: int) -> int:
    return frame.scores[seat] - max(points for other, points in enumerate(frame.scores) if other != seat)


def _origin(film: Reel, shown: RoundFrames, step: int, seat: int, gain: int) -> tuple[LeadBy, str]:
    """Return the origin of a gain, and the tile of a play; a gain of two origins is OTHER."""
    frame, owner = shown.frames[step], shown.frames[shown.owning_step(step)]
    scored = film.plays.get(owner.line)
    if isinstance(owner.event, Play) and owner.event.seat == seat and scored and scored.awarded.get(seat) == gain:
        return LeadBy.PLAY, owner.event.tile.name
    is_last = frame is shown.frames[-1]
    if isinstance(frame.event, Call) and frame.event.said is Said.MUGGINS and frame.event.seat == seat and not is_last:
        return LeadBy.MUGGINS, ""
    if isinstance(frame.event, AT_THE_END) and gain == _settled(film, shown, seat):
        return LeadBy.HAND_END, ""
    return LeadBy.OTHER, ""


def _settled(film: Reel, shown: RoundFrames, seat: int) -> int | None:
    """Return the points at the end of a round: those that no play or call gave. None beside a penalty."""
    if any(isinstance(frame.event, Penalty) for frame in shown.frames):
        return None
    gained = shown.frames[-1].scores[seat] - shown.frames[0].scores[seat]
    return gained - sum(_given(film, shown, seat))


def _given(film: Reel, shown: RoundFrames, seat: int) -> Iterator[int]:
    for frame in shown.frames:
        if isinstance(frame.event, Play) and frame.line in film.plays:
            yield film.plays[frame.line].awarded.get(seat, 0)
