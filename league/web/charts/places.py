"""Chart of places by round: a line per entrant, first place on top. Pure geometry.

Lines never meet: entrants with a shared rank keep the order of the table, and a part of a large table keeps the order
among the entrants drawn. The ranks are in the texts of the marks and in the table beside the chart.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from league.competitions.queries.places_by_round import Journey

# A row is as high as the name beside it; both are in rem, so that larger letters keep them level.
ROW, COLUMN, UNITS_A_REM = 32, 52, 16
HEAD = 32
MOST_LINES, MOST_COLUMNS = 24, 40
# Six marks by four dashes: no two of 24 lines are alike, whatever the colours. Times a mark's place, from the middle.
MARKS = (
    "M{x} {y}m-5 0a5 5 0 1 0 10 0a5 5 0 1 0-10 0z",
    "M{x} {y}m-4.5-4.5h9v9h-9z",
    "M{x} {y}m0-6l6 10.5h-12z",
    "M{x} {y}m0-6.5l6.5 6.5-6.5 6.5-6.5-6.5z",
    "M{x} {y}m0 6l6-10.5h-12z",
    "M{x} {y}m-2-6h4v4h4v4h-4v4h-4v-4h-4v-4h4z",
)
DASHES = ("", "9 4", "3 3", "12 3 3 3")


@dataclass(frozen=True, slots=True)
class PlaceColumn:
    """A round, or a decided challenge: short `label` on the chart, spoken text, link."""

    label: Any
    told: Any
    href: str


@dataclass(frozen=True, slots=True)
class PlacePoint:
    """The `rank` after the `column`'s round; its link fills a cell from `left`, `top`."""

    mark: str
    rank: int
    column: PlaceColumn
    left: int
    top: int


@dataclass(frozen=True, slots=True)
class PlaceLine:
    """An entrant's line with its own tone, mark and dash; `followed`: drawn on top."""

    way: Journey
    tone: int
    sign: str
    dash: str
    path: str
    points: list[PlacePoint]
    followed: bool


@dataclass(frozen=True, slots=True)
class PlaceHead:
    x: int
    column: PlaceColumn


@dataclass(frozen=True, slots=True)
class PlaceChart:
    """Chart of places.

    `lines` in the order of the last round; `drawn`: the followed entrant last, above the others. `width` and `height`
    in units, sixteen to a rem.
    """

    lines: list[PlaceLine]
    drawn: list[PlaceLine]
    heads: list[PlaceHead]
    width: int
    height: int
    row: int = ROW
    column: int = COLUMN
    head: int = HEAD

    @property
    def rem_wide(self) -> float:
        return self.width / UNITS_A_REM

    @property
    def rem_high(self) -> float:
        return self.height / UNITS_A_REM


def place_chart(ways: Sequence[Journey], columns: Sequence[PlaceColumn], followed: str) -> PlaceChart:
    """Return the chart of places.

    `ways`: at most `MOST_LINES`, in the current order, each with a number for every column; `followed`: the code of an
    entrant, or empty.
    """
    rows = [_among(ways, number) for number in range(len(columns))]
    lines = [
        _line(way, place, [row[place] for row in rows], columns, followed=bool(followed) and way.code == followed)
        for place, way in enumerate(ways)
    ]
    ordered = sorted(lines, key=lambda line: rows[-1][lines.index(line)]) if rows else lines
    return PlaceChart(
        lines=ordered,
        drawn=sorted(ordered, key=lambda line: line.followed),
        heads=[PlaceHead(_across(number), column) for number, column in enumerate(columns)],
        width=COLUMN * len(columns),
        height=HEAD + ROW * len(ways),
    )


def _among(ways: Sequence[Journey], number: int) -> list[int]:
    """Return for each way the number of drawn ways above it in this column."""
    order = sorted(range(len(ways)), key=lambda one: ways[one].lines[number])
    return [order.index(one) for one in range(len(ways))]


def _line(
    way: Journey, place: int, rows: Sequence[int], columns: Sequence[PlaceColumn], *, followed: bool
) -> PlaceLine:
    mark = MARKS[place % len(MARKS)]
    spots = [(_across(number), _down(row)) for number, row in enumerate(rows)]
    return PlaceLine(
        way=way,
        tone=place % len(MARKS) + 1,
        sign=mark.format(x=8, y=8),
        dash=DASHES[place // len(MARKS) % len(DASHES)],
        path="M" + "L".join(f"{x} {y}" for x, y in spots) if spots else "",
        points=[
            PlacePoint(mark.format(x=x, y=y), rank, column, x - COLUMN // 2, y - ROW // 2)
            for (x, y), rank, column in zip(spots, way.ranks, columns, strict=True)
        ],
        followed=followed,
    )


def _across(number: int) -> int:
    return COLUMN // 2 + COLUMN * number


def _down(row: int) -> int:
    return HEAD + ROW // 2 + ROW * row
