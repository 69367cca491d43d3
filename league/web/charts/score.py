"""Score chart of a game's log: a stair per seat, flags of muggins and penalties.

Pure geometry, for drawing only. A tally or a card has totals after rounds only: `league.web.charts.rounds` draws those.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from games.moves import Call, Event, Penalty, Said
from games.notation.gamelog import Tenths
from games.notation.reading import write_time
from league.web.charts.rounds import SHAPES, Tick, scale
from league.web.words.games.replay import said
from referee.frames import Frame, Reel, RoundFrames

WIDTH, HEIGHT = 480, 250
LEFT, RIGHT, TOP, BOTTOM = 38, 14, 26, 28
MOST_POINTS = 150
"""Limit of steps drawn; above it one point a round, since closer points are indistinguishable."""
MOST_COLUMNS = 8
MOST_MINUTES = 6  # "10 min" is wider than a number, also on a phone of 320 px
MINUTES = (1, 2, 5, 10, 15, 20, 30, 60, 120)
MINUTE: Tenths = 600
FLAG = 15
"""Distance of a flag above its point."""
SIGNS = {"muggins": "M", "penalty": "P"}

Axis = Callable[[int], float]
"""Position of a value in the drawing."""


@dataclass(frozen=True, slots=True)
class Addresses:
    """Addresses of steps; `keys` by number of the round, "" for a round on this page."""

    prefix: str
    keys: Mapping[int, str]


@dataclass(frozen=True, slots=True)
class ScorePoint:
    """A step that changed the score, or has a flag.

    `key`: the value of `?rounds=` for it; `anchor`: its address; `sign`: "muggins", "penalty" or "".
    """

    key: str
    anchor: str
    round: int
    step: int
    time: str
    sentence: str
    scores: list[int]
    sign: str


@dataclass(frozen=True, slots=True)
class Dot:
    """A mark on a seat's line or a flag above it; `mark`: path, `letter`: flag's text."""

    point: ScorePoint
    line: int
    x: float
    y: float
    mark: str = ""
    letter: str = ""


@dataclass(frozen=True, slots=True)
class ScoreLine:
    name: str
    number: int
    path: str
    sign: str


@dataclass(frozen=True, slots=True)
class ScoreChart:
    """Score chart of a game.

    `timed`: the horizontal axis is the log's time, else its steps; `starts`: the beginnings of rounds; `thinned`: only
    the ends of rounds are points; `signs`: the kinds of flags in the chart.
    """

    lines: list[ScoreLine]
    dots: list[Dot]
    flags: list[Dot]
    points: list[ScorePoint]
    ticks: list[Tick]
    columns: list[Tick]
    starts: list[float]
    target: float | None
    timed: bool
    thinned: bool
    signs: set[str]
    text: str
    width: int = WIDTH
    height: int = HEIGHT
    left: int = LEFT
    right: int = WIDTH - RIGHT
    top: int = TOP
    bottom: int = HEIGHT - BOTTOM


@dataclass(frozen=True, slots=True)
class _Spot:
    """A frame on the axis; `at` in tenths of a second or in steps.

    `step`: its number in the replay; `event`: a play with its count, or another event; `on`: the tile that a played
    tile was joined to.
    """

    at: int
    round: int
    step: int
    frame: Frame
    event: Event
    on: str


def score_chart(
    film: Reel, rounds: Sequence[RoundFrames], names: Sequence[str], addresses: Addresses
) -> ScoreChart | None:
    """Return the chart, or None if nobody scored."""
    spots, timed = _spots(rounds)
    told = list(_told(spots))
    if not any(any(spot.frame.scores) for spot in told):
        return None
    thinned = len(told) > MOST_POINTS
    chosen = _thinned(told) if thinned else told
    first, last = min(spots[0].at, 0), max(spots[-1].at, 1)
    step, ceiling = scale(max(max(spot.frame.scores) for spot in told))

    def across(at: int) -> float:
        return round(LEFT + (WIDTH - LEFT - RIGHT) * (at - first) / (last - first), 1)

    def up(total: int) -> float:
        return round(HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * max(total, 0) / ceiling, 1)

    points = [_point(spot, names, addresses) for spot in chosen]
    starts = [across(next(spot.at for spot in spots if spot.round == one.number)) for one in rounds]
    return ScoreChart(
        lines=[
            ScoreLine(
                name,
                seat % 4 + 1,
                _stair(
                    [(across(one.at), up(one.frame.scores[seat])) for one in [*chosen, spots[-1]]], across(first), up(0)
                ),
                SHAPES[seat % 4].format(x=8, y=8),
            )
            for seat, name in enumerate(names)
        ],
        dots=list(_dots(chosen, points, across, up)),
        flags=list(_flags(chosen, points, across, up)),
        points=points,
        ticks=[Tick(up(total), str(total)) for total in range(0, ceiling + 1, step)],
        columns=_minutes(last, across) if timed else _numbers(rounds, starts),
        starts=starts[1:],
        target=up(film.target) if 0 < film.target <= ceiling else None,
        timed=timed,
        thinned=thinned,
        signs={one.sign for one in points} - {""},
        text="; ".join(f"{name}: {spots[-1].frame.scores[seat]}" for seat, name in enumerate(names)),
    )


def _spots(rounds: Sequence[RoundFrames]) -> tuple[list[_Spot], bool]:
    """Place every frame on the axis; return the spots, and whether the axis is time.

    Time if the log has times throughout, else the place in the log. A record with times running back is impossible
    there, and not shown further.
    """
    frames = [(one.number, *_owner_of(one, step, frame)) for one in rounds for step, frame in enumerate(one.frames)]
    times: list[Tenths] = []
    for _number, step, frame, _event, _on in frames:
        # A deal has no time, so it gets the time of the line before.
        if frame.at is None and step:
            break
        times.append(times[-1] if frame.at is None and times else frame.at or 0)
    timed = len(times) == len(frames) and times[-1] > 0
    axis = times if timed else range(len(frames))
    return [_Spot(at, *one) for at, one in zip(axis, frames, strict=True)], timed


def _owner_of(shown: RoundFrames, step: int, frame: Frame) -> tuple[int, Frame, Event, str]:
    """Return the step that tells a frame, the frame, its event and the tile that a played tile was joined to."""
    owner = shown.owning_step(step)
    return owner, frame, shown.announced(owner) or frame.event, shown.joined_to(shown.frames[owner])


def _told(spots: Sequence[_Spot]) -> Iterator[_Spot]:
    """Yield the steps that changed the score or have a flag."""
    before: tuple[int, ...] = tuple(0 for _ in spots[0].frame.scores)
    for spot in spots:
        if spot.frame.scores != before or _sign(spot.frame.event):
            yield spot
        before = spot.frame.scores


def _thinned(told: Sequence[_Spot]) -> list[_Spot]:
    """Keep each round's last step; of very many rounds every n-th, and the last one."""
    ends = list({spot.round: spot for spot in told}.values())
    every = -(-len(ends) // MOST_POINTS)
    return [spot for place, spot in enumerate(ends) if place % every == 0 or spot is ends[-1]]


def _sign(event: Event) -> str:
    if isinstance(event, Call) and event.said is Said.MUGGINS:
        return "muggins"
    return "penalty" if isinstance(event, Penalty) else ""


def _point(spot: _Spot, names: Sequence[str], addresses: Addresses) -> ScorePoint:
    at = spot.frame.at
    return ScorePoint(
        key=addresses.keys.get(spot.round, ""),
        anchor=f"{addresses.prefix}r{spot.round}.{spot.step}",
        round=spot.round,
        step=spot.step,
        time="" if at is None else write_time(at - at % 10),
        sentence=said(spot.event, names, spot.on),
        scores=list(spot.frame.scores),
        sign=_sign(spot.frame.event),
    )


def _stair(points: Sequence[tuple[float, float]], x: float, y: float) -> str:
    """Return the path of a seat's line: across at the same score, then up."""
    path = [f"M{x:g} {y:g}"]
    for nx, ny in points:
        if ny != y:
            path.append(f"H{nx:g}V{ny:g}")
            y = ny
    path.append(f"H{points[-1][0]:g}")
    return "".join(path)


def _dots(chosen: Sequence[_Spot], points: Sequence[ScorePoint], across: Axis, up: Axis) -> Iterator[Dot]:
    before: Sequence[int] = [0] * len(chosen[0].frame.scores)
    for spot, point in zip(chosen, points, strict=True):
        for seat, (old, new) in enumerate(zip(before, spot.frame.scores, strict=True)):
            if old != new:
                x, y = across(spot.at), up(new)
                yield Dot(point, seat % 4 + 1, x, y, SHAPES[seat % 4].format(x=x, y=y))
        before = spot.frame.scores


def _flags(chosen: Sequence[_Spot], points: Sequence[ScorePoint], across: Axis, up: Axis) -> Iterator[Dot]:
    for spot, point in zip(chosen, points, strict=True):
        event = spot.frame.event
        if point.sign and isinstance(event, Call | Penalty):
            y = max(up(spot.frame.scores[event.seat]) - FLAG, TOP - FLAG)
            yield Dot(point, event.seat % 4 + 1, across(spot.at), y, letter=SIGNS[point.sign])


def _minutes(last: Tenths, across: Axis) -> list[Tick]:
    whole = last // MINUTE
    every = next((one for one in MINUTES if whole <= one * MOST_MINUTES), MINUTES[-1])
    return [
        Tick(across(minute * MINUTE), _("%(count)s min") % {"count": minute}) for minute in range(0, whole + 1, every)
    ]


def _numbers(rounds: Sequence[RoundFrames], starts: Sequence[float]) -> list[Tick]:
    every = -(-len(rounds) // MOST_COLUMNS)
    named = enumerate(zip(rounds, starts, strict=True))
    return [Tick(x, str(one.number)) for place, (one, x) in named if place % every == 0]
