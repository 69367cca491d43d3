"""Turning point of a game: the step from which the winner stayed ahead. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass

from league.web.charts.score import Addresses
from league.web.words.replay import said
from referee.frames import Frame, Reel, RoundFrames


@dataclass(frozen=True, slots=True)
class TurningPoint:
    """The step that gave the winner the lead for good.

    `seat` of the winner; `sentence` of the step; `scores` after it, winner's first; `key` and `anchor`: its address.
    `always`: nobody else led, and the scores were never level after it.
    """

    seat: int
    round: int
    sentence: str
    scores: list[int]
    key: str
    anchor: str
    always: bool


def turning_point(
    film: Reel, rounds: Sequence[RoundFrames], names: Sequence[str], addresses: Addresses
) -> TurningPoint | None:
    """Return the turning point; None without a sole highest score at the end."""
    places = [(one, step, frame) for one in rounds for step, frame in enumerate(one.frames)]
    final = places[-1][2].scores if places else ()
    if film.seats < 2 or not any(final) or final.count(max(final)) > 1:
        return None
    seat = final.index(max(final))
    behind = [place for place, (_round, _step, frame) in enumerate(places) if not _leads(frame, seat)]
    after = behind[-1] + 1 if behind else 0
    shown, step, frame = places[after]
    step = shown.owning_step(step)
    event = shown.announced(step) or shown.frames[step].event
    return TurningPoint(
        seat=seat,
        round=shown.number,
        sentence=said(event, names, shown.joined_to(shown.frames[step])),
        scores=sorted(frame.scores, reverse=True),
        key=addresses.keys.get(shown.number, ""),
        anchor=f"{addresses.prefix}r{shown.number}.{step}",
        always=all(_is_level(one) for _round, _step, one in places[:after]),
    )


def _leads(frame: Frame, seat: int) -> bool:
    return frame.scores[seat] > max(points for other, points in enumerate(frame.scores) if other != seat)


def _is_level(frame: Frame) -> bool:
    return len(set(frame.scores)) == 1
