"""Curve of a running score that a score pad keeps: a stair for each side. Pure geometry, for drawing only."""

from collections.abc import Sequence
from dataclasses import dataclass

from league.web.charts.rounds import SHAPES, Tick, scale
from league.web.words.games.running_score import scoring_seat
from referee.running import Tap

WIDTH, HEIGHT = 480, 170
LEFT, RIGHT, TOP, BOTTOM = 38, 14, 12, 12
LEAST_STEPS = 12
"""Width of a young game, so that its first scores do not fill the drawing."""


@dataclass(frozen=True, slots=True)
class CurveLine:
    """A side's line; `sign`: the mark at its end, `key`: the same mark beside its name."""

    name: str
    number: int
    path: str
    sign: str
    key: str


@dataclass(frozen=True, slots=True)
class LiveCurve:
    lines: list[CurveLine]
    ticks: list[Tick]
    target: float | None
    text: str
    width: int = WIDTH
    height: int = HEIGHT
    left: int = LEFT
    right: int = WIDTH - RIGHT


def live_curve(scores: Sequence[Tap], names: Sequence[str], target: int) -> LiveCurve | None:
    """Return the curve of these scores, as in `referee.cards.tally`; None before the first point."""
    totals = _totals(scores, len(names))
    if len(totals) < 2:
        return None
    step, ceiling = scale(max(target, *map(max, totals)))
    steps = max(len(totals) - 1, LEAST_STEPS)

    def across(place: int) -> float:
        return round(LEFT + (WIDTH - LEFT - RIGHT) * place / steps, 1)

    def up(points: int) -> float:
        return round(HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * max(points, 0) / ceiling, 1)

    lines = []
    for seat, name in enumerate(names):
        path = f"M{across(0):g} {up(0):g}" + "".join(
            f"H{across(place):g}V{up(total[seat]):g}" for place, total in enumerate(totals[1:], start=1)
        )
        end = SHAPES[seat % 4].format(x=across(len(totals) - 1), y=up(totals[-1][seat]))
        lines.append(CurveLine(name, seat % 4 + 1, path, end, SHAPES[seat % 4].format(x=8, y=8)))
    return LiveCurve(
        lines=lines,
        ticks=[Tick(up(points), str(points)) for points in range(0, ceiling + 1, step)],
        target=up(target) if target else None,
        text="; ".join(f"{name}: {points}" for name, points in zip(names, totals[-1], strict=True)),
    )


def _totals(scores: Sequence[Tap], seats: int) -> list[list[int]]:
    """Return the totals before the first score, and after each."""
    totals = [[0] * seats]
    for tap in scores:
        seat = scoring_seat(tap)
        if seat is not None:
            totals.append([points + tap["points"] * (place == seat) for place, points in enumerate(totals[-1])])
    return totals
