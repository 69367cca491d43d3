"""What the rows of a table should say, counted from the matches that official results have decided."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from league.competitions.models import Competition

if TYPE_CHECKING:
    from tests.league.competitions.invariants import End, SlotFacts


@dataclass
class Line:
    """What a row of a table should say. At tables of several: of whom one was first alone, first with others, or not;
    `points_against` adds up the mean of the others.
    """

    won: int = 0
    drawn: int = 0
    lost: int = 0
    points_for: int = 0
    points_against: int | Fraction = 0
    match_points: int | Fraction = 0


Lines = dict[int, Line]


def add_byes(found: Lines, slots: Iterable["SlotFacts"], each: int) -> int:
    """Of places with nobody to play with; the match points that they add in all."""
    given = 0
    for slot in slots:
        for one in slot.entrants:
            found.setdefault(one, Line()).match_points += each
            given += each
        for one in slot.missed:
            found.setdefault(one, Line()).lost += 1
    return given


def lines_of_two(
    competition: Competition, slots: Iterable["SlotFacts"], ended: Mapping[int, "End"]
) -> tuple[Lines, int]:
    """By entrant, and how many match points there are in all."""
    found: Lines = {}
    total = 0
    for slot in slots:
        end = ended.get(slot.match or 0)
        if end is None:
            continue
        for one in end.points:
            line = found.setdefault(one, Line())
            own, other = end.points[one], sum(end.points.values()) - end.points[one]
            line.points_for += own
            line.points_against += other
            if end.winner is None and not end.forfeit:
                line.drawn += 1
                line.match_points += competition.draw_points
            elif end.winner == one:
                line.won += 1
                line.match_points += competition.win_points
            else:
                line.lost += 1
                line.match_points += competition.loss_points
        total += _worth(competition, end)
    return found, total


def _worth(competition: Competition, end: "End") -> int:
    if end.winner is not None:
        return competition.win_points + competition.loss_points
    return 2 * (competition.loss_points if end.forfeit else competition.draw_points)


def lines_at_tables(
    place_points: Sequence[int], slots: Iterable["SlotFacts"], ended: Mapping[int, "End"]
) -> tuple[Lines, int]:
    """The same, where more games won come first and more points then; who is level shares what their places bring."""
    found: Lines = {}
    total = 0
    for slot in slots:
        end = ended.get(slot.match or 0)
        if end is None:
            continue
        for one in slot.missed:
            found.setdefault(one, Line()).lost += 1
        made = {one: (end.games[one], end.points[one]) for one in end.points}
        for one, own in made.items():
            line = found.setdefault(one, Line())
            before = sum(other > own for other in made.values())
            level = list(made.values()).count(own)
            others = [points for other, points in end.points.items() if other != one]
            line.points_for += end.points[one]
            line.points_against += Fraction(sum(others), len(others))
            line.match_points += Fraction(sum(place_points[before : before + level]), level)
            line.won += before == 0 and level == 1
            line.drawn += before == 0 and level > 1
            line.lost += before > 0
        total += sum(place_points[: len(made)])
    return found, total
