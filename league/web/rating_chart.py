"""A rating over time as a chart: a line, and around it where the true strength lies with 95 %. Pure geometry."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from math import ceil, floor

from django.utils.formats import date_format

from league.web.round_chart import BOTTOM, HEIGHT, RIGHT, SHAPES, TOP, WIDTH, Tick

LEFT = 44
STEPS = (20, 50, 100, 200, 500, 1000, 2000)
MOST_TICKS = 6
MOST_MARKS = 40
MOST_DATES = 3


@dataclass(frozen=True, slots=True)
class RatingPoint:
    """A rating at the end of a period, and the last day of that."""

    day: date
    rating: float
    deviation: float


@dataclass(frozen=True, slots=True)
class RatingChart:
    """`band` is the outline of the interval; `marks` are left out where they would touch."""

    path: str
    band: str
    marks: list[str]
    ticks: list[Tick]
    columns: list[Tick]
    text: str
    width: int = WIDTH
    height: int = HEIGHT
    left: int = LEFT
    right: int = WIDTH - RIGHT
    bottom: int = HEIGHT - BOTTOM


def rating_chart(points: Sequence[RatingPoint]) -> RatingChart | None:
    """In the order of time; None for fewer than two, of which no line can be drawn."""
    if len(points) < 2:
        return None
    low = min(one.rating - 2 * one.deviation for one in points)
    high = max(one.rating + 2 * one.deviation for one in points)
    step = next((one for one in STEPS if high - low <= one * (MOST_TICKS - 1)), STEPS[-1])
    floor_at, ceiling = floor(low / step) * step, ceil(high / step) * step
    first, last = points[0].day, points[-1].day

    def across(day: date) -> float:
        return round(LEFT + (WIDTH - LEFT - RIGHT) * (day - first).days / (last - first).days, 1)

    def up(rating: float) -> float:
        return round(HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * (rating - floor_at) / (ceiling - floor_at), 1)

    line = [(across(one.day), up(one.rating)) for one in points]
    above = [(across(one.day), up(one.rating + 2 * one.deviation)) for one in points]
    below = [(across(one.day), up(one.rating - 2 * one.deviation)) for one in reversed(points)]
    return RatingChart(
        path=_path(line),
        band=f"{_path([*above, *below])}Z",
        marks=[SHAPES[0].format(x=x, y=y) for x, y in line] if len(line) <= MOST_MARKS else [],
        ticks=[Tick(up(rating), str(rating)) for rating in range(floor_at, ceiling + 1, step)],
        columns=[Tick(across(day), date_format(day, "j M Y")) for day in _dates(first, last)],
        text="; ".join(f"{date_format(one.day, 'j M Y')}: {one.rating:.0f}" for one in points),
    )


def _path(places: Sequence[tuple[float, float]]) -> str:
    return "M" + "L".join(f"{x} {y}" for x, y in places)


def _dates(first: date, last: date) -> list[date]:
    """The two ends, and the middle."""
    return [first + (last - first) * place / (MOST_DATES - 1) for place in range(MOST_DATES)]
