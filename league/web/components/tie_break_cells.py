"""Tie-break columns of the standings, in the organizer's order, and their values."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from league.competitions.entrant_names import Placed
from league.competitions.standings.compute import Encounters, Figure, Meeting, Row
from league.competitions.standings.tiebreaks.registry import TIE_BREAKS, Needs, any_needs
from league.players.naming import by_surname
from league.web.words.labels import Label
from league.web.words.numbers import figure_text
from league.web.words.tie_breaks import COLUMNS, Column

MOST_NAMED = 9
PLAIN = frozenset({"played", "won", "drawn", "lost", "points_for", "points_against"})
"""Numbers of a row that need not be tie-breaks."""


@dataclass(frozen=True, slots=True)
class MeetingLine:
    name: str
    meeting: Meeting


@dataclass(frozen=True, slots=True)
class Comparison:
    """One table among the tied entrants.

    `others`: their number; `names`: empty if there are too many; `meetings`: the matches by the opponent's name;
    `again`: a table among those still level.
    """

    others: int
    names: list[str]
    meetings: list[MeetingLine]
    encounters: Encounters
    again: bool


@dataclass(frozen=True, slots=True)
class StandingCell:
    """A tie-break's cell.

    The direct encounter has no `text`, since it opens to its comparisons.
    """

    key: str
    text: str
    direct: bool
    strong: bool


@dataclass(frozen=True, slots=True)
class StandingLine:
    """A row of the standings with its cells.

    `apart`: text against a namesake; `keys`: the tie-breaks in order; `comparisons`: those of the direct encounter;
    `moved`: places won (more than 0) or lost since the round before; `rating`: at the start, None without a rating;
    `zone`: in a division, the consequence of the place.
    """

    row: Row
    apart: str
    keys: list[str]
    comparisons: list[Comparison]
    cells: list[StandingCell] = field(default_factory=list)
    moved: int = 0
    rating: int | None = None
    zone: Label | None = None

    @property
    def by_ratings(self) -> bool:
        return any_needs(self.keys, Needs.RATINGS)

    @property
    def direct_points(self) -> str:
        """The points of each comparison, the one among all the tied first."""
        return " · ".join(str(one.encounters.points) for one in self.comparisons)

    @property
    def still_open(self) -> bool:
        return bool(self.comparisons) and self.comparisons[-1].encounters.still_open

    @property
    def lost_places(self) -> int:
        return -self.moved


def columns(keys: Sequence[str]) -> list[Column]:
    return [COLUMNS[key] for key in keys]


def lines(
    rows: Sequence[Row], keys: Sequence[str], entrants: Iterable[Placed], before: Mapping[int, int]
) -> list[StandingLine]:
    """Return the lines of the standings.

    `entrants`: those of the rows and of their comparisons. `before`: the ranks a round earlier.
    """
    people = {one.entrant_id: one for one in entrants}
    names = {one.entrant_id: one.name for one in people.values()}
    return [
        StandingLine(
            row,
            people[row.entrant_id].apart,
            list(keys),
            _comparisons(row, names),
            [_cell(row, key) for key in keys],
            (before.get(row.entrant_id) or row.rank) - row.rank if row.rank else 0,
            people[row.entrant_id].rating,
        )
        for row in rows
    ]


def in_order(rows: Sequence[Row], key: str) -> list[Row]:
    """Sort rows by a number, the best first, or by name.

    An unknown key keeps the order of places.
    """
    if rows and key in rows[0].figures:
        sign = 1 if TIE_BREAKS[key].lowest_first else -1
        return sorted(rows, key=lambda row: _last_without(row.figures[key], sign))
    if key in PLAIN:
        return sorted(rows, key=lambda row: -getattr(row, key))
    return sorted(rows, key=lambda row: by_surname(row.name)) if key == "name" else list(rows)


def _last_without(figure: Figure, sign: int) -> tuple[bool, Fraction]:
    return figure.value is None, sign * Fraction(figure.value or 0)


def _cell(row: Row, key: str) -> StandingCell:
    direct = TIE_BREAKS[key].splits_group
    text = "" if direct else figure_text(key, row.figures[key])
    return StandingCell(key, text, direct, strong=COLUMNS[key].strong)


def _comparisons(row: Row, names: Mapping[int, str]) -> list[Comparison]:
    return [
        Comparison(
            others=len(found.tied) - 1,
            names=[names[one] for one in found.tied if one != row.entrant_id] if len(found.tied) <= MOST_NAMED else [],
            meetings=[MeetingLine(names[met.opponent_id], met) for met in found.meetings],
            encounters=found,
            again=place > 0,
        )
        for place, found in enumerate(row.direct)
    ]
