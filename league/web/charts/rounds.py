"""Chart of a game's rounds: running totals as lines on a grid. Pure geometry."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from league.matches.queries.lines import SideScore
from league.web.words import labels

WIDTH, HEIGHT = 340, 210
LEFT, RIGHT, TOP, BOTTOM = 34, 12, 12, 26
STEPS = (5, 10, 20, 25, 50, 100, 200, 250, 500, 1000)
MOST_TICKS = 6
MOST_COLUMNS = 12
# A shape for each side, so that nobody depends on colours: circle, square, triangle, diamond.
SHAPES = (
    "M{x} {y}m-5 0a5 5 0 1 0 10 0a5 5 0 1 0-10 0z",
    "M{x} {y}m-4.5-4.5h9v9h-9z",
    "M{x} {y}m0-6l6 10.5h-12z",
    "M{x} {y}m0-6.5l6.5 6.5-6.5 6.5-6.5-6.5z",
)


@dataclass(frozen=True, slots=True)
class ChartLine:
    """One side's line with a mark at each known total; `number` counts lines from 1."""

    side: SideScore
    number: int
    path: str
    marks: list[str]
    sign: str


@dataclass(frozen=True, slots=True)
class Tick:
    at: float
    label: str


@dataclass(frozen=True, slots=True)
class RoundChart:
    """Chart of a game's rounds.

    `ticks`: the totals on the left; `columns`: the rounds below; `target`: the target's height, if in view; `gaps`: a
    round's total is missing.
    """

    lines: list[ChartLine]
    ticks: list[Tick]
    columns: list[Tick]
    target: float | None
    gaps: bool
    text: str
    width: int = WIDTH
    height: int = HEIGHT
    left: int = LEFT
    right: int = WIDTH - RIGHT
    bottom: int = HEIGHT - BOTTOM


@dataclass(frozen=True, slots=True)
class WrittenRound:
    """A round of a tally or card; `totals` by side, None if missing."""

    number: int
    spinner: str
    no_spinner: bool
    ended: Any
    winner: str
    totals: list[int | None]


def written_rounds(data: Mapping[str, Any], sides: Sequence[SideScore]) -> list[WrittenRound]:
    """Return a sheet's rounds (`referee.cards.check.read`); its seats are the sides."""
    found = []
    for number, one in enumerate(data.get("rounds") or (), start=1):
        winner, spinner, totals = one.get("winner"), one.get("spinner") or "", one.get("totals")
        found.append(
            WrittenRound(
                number=number,
                spinner="" if spinner == "none" else spinner,
                no_spinner=spinner == "none",
                ended=labels.ROUND_ENDS.get(one.get("ended") or "", ""),
                winner=sides[winner].name if winner is not None and winner < len(sides) else "",
                totals=[totals[place] for place in range(len(sides))] if totals else [None] * len(sides),
            )
        )
    return found


def round_chart(
    rounds: Sequence[WrittenRound], sides: Sequence[SideScore], final: Sequence[int | None], target: int
) -> RoundChart | None:
    """Return the totals by round from 0 to the final score, or None without totals."""
    if not any(total is not None for one in rounds for total in one.totals):
        return None
    series = [[0, *(one.totals[place] for one in rounds)] for place in range(len(sides))]
    for totals, last in zip(series, final, strict=True):
        if totals[-1] is None:
            totals[-1] = last
    step, ceiling = scale(max(total for totals in series for total in totals if total is not None))

    def across(number: int) -> float:
        return round(LEFT + (WIDTH - LEFT - RIGHT) * number / len(rounds), 1)

    def up(total: int) -> float:
        return round(HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * total / ceiling, 1)

    every = -(-len(rounds) // MOST_COLUMNS)
    return RoundChart(
        lines=[
            _line(side, number, [(across(n), up(total)) for n, total in enumerate(totals) if total is not None])
            for number, (side, totals) in enumerate(zip(sides, series, strict=True), start=1)
        ],
        ticks=[Tick(up(total), str(total)) for total in range(0, ceiling + 1, step)],
        columns=[Tick(across(n), str(n)) for n in range(1, len(rounds) + 1) if n % every == 0 or n == 1],
        target=up(target) if 0 < target <= ceiling else None,
        gaps=any(total is None for totals in series for total in totals),
        text="; ".join(
            f"{side.name}: {', '.join('?' if total is None else str(total) for total in totals[1:])}"
            for side, totals in zip(sides, series, strict=True)
        ),
    )


def scale(top: int) -> tuple[int, int]:
    """Return the distance of grid lines up to `top`, and the place of the last line."""
    step = next((one for one in STEPS if top <= one * MOST_TICKS), -(-top // MOST_TICKS))
    return step, max(step, -(-top // step) * step)


def _line(side: SideScore, number: int, points: Sequence[tuple[float, float]]) -> ChartLine:
    shape = SHAPES[(number - 1) % len(SHAPES)]
    return ChartLine(
        side=side,
        number=number,
        path="M" + "L".join(f"{x} {y}" for x, y in points),
        # The start has no score yet, so it needs no mark.
        marks=[shape.format(x=x, y=y) for x, y in points[1:]],
        sign=shape.format(x=8, y=8),
    )
