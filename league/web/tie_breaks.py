"""Tie-breaks in the standings: a column each in the organizer's order, their numbers, and what they mean."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from league.competitions.models import TieBreak
from league.competitions.slots import Placed
from league.competitions.standings import Encounters, Meeting, Row

MOST_NAMED = 9


@dataclass(frozen=True, slots=True)
class Column:
    """`short` heads the column, `title` is read out for it, `meaning` stands in the legend."""

    key: str
    short: Any
    title: Any
    meaning: Any


COLUMNS: Mapping[str, Column] = {
    TieBreak.WINS: Column(
        TieBreak.WINS.value,
        pgettext_lazy("column: won", "W"),
        pgettext_lazy("column", "Won"),
        _("Matches won."),
    ),
    TieBreak.DIRECT_ENCOUNTER: Column(
        TieBreak.DIRECT_ENCOUNTER.value,
        pgettext_lazy("column: direct encounter", "DE"),
        pgettext_lazy("column", "Direct encounter"),
        _(
            "A table of those who are level so far, from the matches among them only: 2 points for a win, 1 where "
            "nobody won. A place is given only if no missing match could change it; those who are level in that table "
            "are compared again among themselves. Open a number to see the matches it comes from."
        ),
    ),
    TieBreak.DIFFERENCE: Column(
        TieBreak.DIFFERENCE.value,
        pgettext_lazy("column: points difference", "+/−"),
        pgettext_lazy("column", "Points difference"),
        _("Points made minus points given in all finished matches."),
    ),
    TieBreak.POINTS_FOR: Column(
        TieBreak.POINTS_FOR.value,
        pgettext_lazy("column: points for", "For"),
        pgettext_lazy("column", "Points for"),
        _("Points made in all finished matches."),
    ),
}


@dataclass(frozen=True, slots=True)
class MeetingLine:
    name: str
    meeting: Meeting


@dataclass(frozen=True, slots=True)
class Comparison:
    """One table among the tied: with how many others and who they are, unless they are too many to name; the matches by
    the opponent's name. `again`: among those still level.
    """

    others: int
    names: list[str]
    meetings: list[MeetingLine]
    encounters: Encounters
    again: bool


@dataclass(frozen=True, slots=True)
class StandingLine:
    """A row with what its cells show: what tells the name from a namesake's, the tie-breaks' keys in order, and the
    comparisons of the direct encounter.
    """

    row: Row
    apart: str
    keys: list[str]
    comparisons: list[Comparison]

    @property
    def direct_points(self) -> str:
        """The points of each comparison, first among all the tied."""
        return " · ".join(str(one.encounters.points) for one in self.comparisons)

    @property
    def still_open(self) -> bool:
        return bool(self.comparisons) and self.comparisons[-1].encounters.still_open


def columns(keys: Sequence[str]) -> list[Column]:
    return [COLUMNS[key] for key in keys]


def lines(rows: Sequence[Row], keys: Sequence[str], entrants: Iterable[Placed]) -> list[StandingLine]:
    apart = {one.entrant_id: one.apart for one in entrants}
    names = {row.entrant_id: row.name for row in rows}
    return [StandingLine(row, apart.get(row.entrant_id, ""), list(keys), _comparisons(row, names)) for row in rows]


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
