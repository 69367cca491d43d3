"""Registry of tie-breaks by key: one entry each, for every question that other code asks about it.

Its words are an entry in league/web/words/tie_breaks.py.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import Enum

from league.competitions.standings.tiebreaks import opponents, own, ratings
from league.competitions.standings.tiebreaks.crosstable import Crosstable, Outcome, Scoring
from league.competitions.standings.tiebreaks.figures import Figure
from league.translation_marks import pgettext_noop


class Needs(Enum):
    """Data that a tie-break is computed from."""

    OWN_RESULTS = "own results"
    OPPONENTS = "results of the opponents"
    RATINGS = "ratings at publication"  # ratings/starting.py
    MUGGINS = "muggins taken"
    LOTS = "lots"


@dataclass(frozen=True, slots=True, kw_only=True)
class TieBreakEntry:
    """A tie-break.

    `name`: in English; `standings.choices` translates it. `figure`: its number for an entrant; None for the direct
    encounter, which splits a group (compute.py). `at_tables` and `between_two`: usable at tables of more than two, in
    matches of two. `by_outcomes`: depends on winners only, not on scores. `comparable`: between groups, once divided by
    the matches played. `row_field`: the field of a row of the standings that tells the same. `gains`: what one more
    match adds by its outcome, if that is known before.
    """

    key: str
    name: str
    figure: Callable[[Crosstable, int], Figure] | None
    needs: Needs = Needs.OWN_RESULTS
    at_tables: bool = False
    between_two: bool = True
    by_outcomes: bool = True
    lowest_first: bool = False
    signed: bool = False
    comparable: bool = False
    row_field: str = ""
    gains: Callable[[Scoring], Mapping[Outcome, int]] | None = None

    @property
    def splits_group(self) -> bool:
        return self.figure is None


_ENTRIES = (
    TieBreakEntry(
        key="place_points",
        name=pgettext_noop("tie-break", "points by place"),
        figure=own.place_points,
        at_tables=True,
        between_two=False,
    ),
    TieBreakEntry(
        key="wins",
        name=pgettext_noop("tie-break", "matches won"),
        figure=own.wins,
        at_tables=True,
        comparable=True,
        row_field="won",
        gains=own.wins_by_outcome,
    ),
    TieBreakEntry(
        key="match_points",
        name=pgettext_noop("tie-break", "match points"),
        figure=own.match_points,
        comparable=True,
        gains=own.points_by_outcome,
    ),
    TieBreakEntry(
        key="game_points",
        name=pgettext_noop("tie-break", "games won"),
        figure=own.game_points,
        at_tables=True,
        by_outcomes=False,
        comparable=True,
    ),
    TieBreakEntry(
        key="won",
        name=pgettext_noop("tie-break", "matches won at the table"),
        figure=own.won,
        comparable=True,
        gains=own.wins_by_outcome,
    ),
    TieBreakEntry(key="direct_encounter", name=pgettext_noop("tie-break", "direct encounter"), figure=None),
    TieBreakEntry(
        key="difference",
        name=pgettext_noop("tie-break", "points difference"),
        figure=own.difference,
        at_tables=True,
        by_outcomes=False,
        signed=True,
        comparable=True,
        row_field="difference",
    ),
    TieBreakEntry(
        key="points_for",
        name=pgettext_noop("tie-break", "points for"),
        figure=own.points_for,
        at_tables=True,
        by_outcomes=False,
        comparable=True,
        row_field="points_for",
    ),
    TieBreakEntry(
        key="average",
        name=pgettext_noop("tie-break", "points a game"),
        figure=own.average,
        at_tables=True,
        by_outcomes=False,
    ),
    TieBreakEntry(
        key="buchholz", name=pgettext_noop("tie-break", "Buchholz"), figure=opponents.buchholz, needs=Needs.OPPONENTS
    ),
    TieBreakEntry(
        key="buchholz_cut_1",
        name=pgettext_noop("tie-break", "Buchholz without the lowest"),
        figure=opponents.buchholz_cut_1,
        needs=Needs.OPPONENTS,
    ),
    TieBreakEntry(
        key="buchholz_median_1",
        name=pgettext_noop("tie-break", "Buchholz without lowest and highest"),
        figure=opponents.buchholz_median_1,
        needs=Needs.OPPONENTS,
    ),
    TieBreakEntry(
        key="average_buchholz",
        name=pgettext_noop("tie-break", "average Buchholz of the opponents"),
        figure=opponents.average_buchholz,
        needs=Needs.OPPONENTS,
    ),
    TieBreakEntry(
        key="fore_buchholz",
        name=pgettext_noop("tie-break", "Fore Buchholz"),
        figure=opponents.fore_buchholz,
        needs=Needs.OPPONENTS,
    ),
    TieBreakEntry(
        key="sonneborn_berger",
        name=pgettext_noop("tie-break", "Sonneborn-Berger"),
        figure=opponents.sonneborn_berger,
        needs=Needs.OPPONENTS,
    ),
    TieBreakEntry(
        key="sonneborn_berger_cut_1",
        name=pgettext_noop("tie-break", "Sonneborn-Berger without the lowest"),
        figure=opponents.sonneborn_berger_cut_1,
        needs=Needs.OPPONENTS,
    ),
    TieBreakEntry(
        key="progressive", name=pgettext_noop("tie-break", "progressive score"), figure=own.progressive, at_tables=True
    ),
    TieBreakEntry(key="koya", name=pgettext_noop("tie-break", "Koya"), figure=opponents.koya, needs=Needs.OPPONENTS),
    TieBreakEntry(
        key="opponents_rating",
        name=pgettext_noop("tie-break", "average rating of the opponents"),
        figure=ratings.opponents_rating,
        needs=Needs.RATINGS,
    ),
    TieBreakEntry(
        key="performance",
        name=pgettext_noop("tie-break", "performance"),
        figure=ratings.performance,
        needs=Needs.RATINGS,
    ),
    TieBreakEntry(
        key="muggins",
        name=pgettext_noop("tie-break", "muggins taken"),
        figure=own.muggins,
        needs=Needs.MUGGINS,
        at_tables=True,
        by_outcomes=False,
    ),
    TieBreakEntry(
        key="lot",
        name=pgettext_noop("tie-break", "lot"),
        figure=own.lot,
        needs=Needs.LOTS,
        at_tables=True,
        lowest_first=True,
    ),
)
TIE_BREAKS: Mapping[str, TieBreakEntry] = {one.key: one for one in _ENTRIES}


def any_needs(keys: Iterable[str], data: Needs) -> bool:
    """Return whether a tie-break of an order is computed from this data."""
    return any(TIE_BREAKS[key].needs is data for key in keys if key in TIE_BREAKS)
