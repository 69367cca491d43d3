"""Chart of a rating over time: a line with its 95 % interval. Pure geometry."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date
from math import ceil, floor

from django.utils.formats import date_format

from league.web.charts.rounds import BOTTOM, HEIGHT, RIGHT, SHAPES, TOP, WIDTH, Tick

LEFT = 44
STEPS = (20, 50, 100, 200, 500, 1000, 2000)
MOST_TICKS = 6
MOST_MARKS = 40
MOST_DATES = 3
# As wide as a thumb on the chart of a phone of 320 px.
STRIP = 44


@dataclass(frozen=True, slots=True)
class RatingPoint:
    """A rating at the end of a period; `day`: the period's last day; `href`: its link."""

    day: date
    rating: float
    deviation: float
    href: str = ""


@dataclass(frozen=True, slots=True)
class ChartLink:
    """A strip of the chart with a link: its left edge, its width, its `label`."""

    left: float
    width: float
    href: str
    label: str


@dataclass(frozen=True, slots=True)
class RatingChart:
    """Chart of a rating.

    `band`: the outline of the interval; `marks`: empty if they would touch; `links`: links far enough apart for a
    thumb, the latest first.
    """

    path: str
    band: str
    marks: list[str]
    ticks: list[Tick]
    columns: list[Tick]
    text: str
    links: list[ChartLink] = field(default_factory=list)
    width: int = WIDTH
    height: int = HEIGHT
    left: int = LEFT
    right: int = WIDTH - RIGHT
    bottom: int = HEIGHT - BOTTOM


def rating_chart(points: Sequence[RatingPoint]) -> RatingChart | None:
    """Return the chart of points in the order of time; None for fewer than two."""
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
        text="; ".join(_told(one) for one in points),
        links=_links([(x, one) for (x, _y), one in zip(line, points, strict=True)]),
    )


def _told(point: RatingPoint) -> str:
    return f"{date_format(point.day, 'j M Y')}: {point.rating:.0f}"


def _links(places: Sequence[tuple[float, RatingPoint]]) -> list[ChartLink]:
    """Return strips of `STRIP` around the points, without overlap, the latest first."""
    found: list[ChartLink] = []
    free = float(WIDTH)
    for x, point in reversed(places):
        left = min(x - STRIP / 2, WIDTH - STRIP)
        if point.href and left >= 0 and left + STRIP <= free:
            found.append(ChartLink(round(left, 1), STRIP, point.href, _told(point)))
            free = left
    return found


def _path(places: Sequence[tuple[float, float]]) -> str:
    return "M" + "L".join(f"{x} {y}" for x, y in places)


def _dates(first: date, last: date) -> list[date]:
    """Return both ends, and the middle."""
    return [first + (last - first) * place / (MOST_DATES - 1) for place in range(MOST_DATES)]
