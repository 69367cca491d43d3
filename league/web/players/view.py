"""Parts of a player's page, and of the page that compares two."""

from dataclasses import dataclass

from django.urls import reverse
from django.utils.translation import pgettext

from league.competitions.ratings.queries import CurvePoint, RatingNow, rating_curve
from league.matches.queries.career import Career
from league.matches.queries.head_to_head import HeadToHead
from league.web.charts.rating import RatingChart, RatingPoint, rating_chart

NUMBERS_SHOWN = 12


@dataclass(frozen=True, slots=True)
class RatingView:
    """Curve of the list with the most games, and its latest numbers, newest first."""

    now: RatingNow
    chart: RatingChart | None
    numbers: list[CurvePoint]
    more: bool


def rating_view(ratings: list[RatingNow]) -> RatingView | None:
    """Build the view; None for an unrated player.

    Two statements.
    """
    if not ratings:
        return None
    curve = rating_curve(ratings[0])
    points = [RatingPoint(one.last, one.row.rating, one.row.deviation, _match(one)) for one in curve]
    return RatingView(ratings[0], rating_chart(points), curve[::-1][:NUMBERS_SHOWN], len(curve) > NUMBERS_SHOWN)


def _match(point: CurvePoint) -> str:
    return reverse("matches:detail", args=[point.match_id]) if point.match_id else ""


@dataclass(frozen=True, slots=True)
class Compared:
    """A number of both players; `format`: whole, decimal, seconds or percent."""

    name: str
    left: float | None
    right: float | None
    format: str = "whole"


def compared(both: HeadToHead) -> list[Compared]:
    """List the numbers to compare; those from logs only if both players have logs."""
    one, other = both.career, both.of_opponent
    rows = [
        Compared(pgettext("head-to-head", "Matches won"), one.won, other.won),
        Compared(pgettext("head-to-head", "Points for"), one.points_for, other.points_for),
    ]
    if not (one.known.from_log and other.known.from_log):
        return rows
    return [*rows, *_from_logs(one, other)]


def _from_logs(one: Career, other: Career) -> list[Compared]:
    left, right = one.sums, other.sums
    return [
        Compared(pgettext("head-to-head", "Points per hand"), left.points_a_round, right.points_a_round, "decimal"),
        Compared(pgettext("head-to-head", "Counts made"), left.sums.counts, right.sums.counts),
        Compared(pgettext("head-to-head", "Counts called"), left.sums.called, right.sums.called),
        Compared(pgettext("head-to-head", "Counts missed"), left.missed, right.missed),
        Compared(pgettext("head-to-head", "Average count"), left.average_count, right.average_count, "decimal"),
        Compared(pgettext("head-to-head", "Muggins caught"), left.sums.caught, right.sums.caught),
        Compared(pgettext("head-to-head", "Time per move"), left.seconds_a_move, right.seconds_a_move, "seconds"),
    ]
