"""Cross-table as one address asks for it: pages of rows and columns, with cells."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.core.paginator import Page, Paginator
from django.http import HttpRequest

from league.competitions.entrant_names import Placed, placed
from league.competitions.queries.competition import CompetitionPage
from league.competitions.standings.crosstable_query import CrossMeeting, meetings, rounds_shown
from league.web.competitions.standings_view import asked_number, place_followed

ROWS_A_PAGE = 40
COLUMNS_A_PAGE = 40


@dataclass(frozen=True, slots=True)
class CrossEntrant:
    """An entrant of the cross-table.

    `number`: the entrant's row, from 1; columns and opponents are named by it.
    """

    number: int
    who: Placed


@dataclass(frozen=True, slots=True)
class CrossLine:
    """A meeting with its score: games if a match has several, else points.

    `opponent`: None for a bye.
    """

    met: CrossMeeting
    opponent: CrossEntrant | None

    @property
    def letter(self) -> str:
        """Letter as in the standings' form column; empty before the end and for a bye."""
        if not self.met.over or self.opponent is None:
            return ""
        return "D" if self.met.won is None else "W" if self.met.won else "L"

    @property
    def score(self) -> tuple[int, int] | None:
        return self.met.games if self.met.best_of > 1 else self.met.points


@dataclass(frozen=True, slots=True)
class CrossCell:
    """A cell of the cross-table.

    `own`: row and column are the same entrant. `lines`: several if the two met several times.
    """

    lines: list[CrossLine]
    own: bool = False


@dataclass(frozen=True, slots=True)
class CrossRow:
    entrant: CrossEntrant
    cells: list[CrossCell]


@dataclass(frozen=True, slots=True)
class CrossView:
    """One page of the cross-table.

    `across`: the opponents at the head of the columns, or `rounds`: their numbers. `provisional`, `under_review`,
    `amended`: whether a result shown here has that state.
    """

    rows: list[CrossRow]
    across: list[CrossEntrant]
    rounds: list[int]
    row_pages: Page
    column_pages: Page
    followed: str
    provisional: bool
    under_review: bool
    amended: bool


def cross_view(request: HttpRequest, page: CompetitionPage) -> CrossView:
    """Build the cross-table for the address.

    Eight statements besides the cached table, one more for a signed-in reader.
    """
    listing = page.table.listing(official_only=not page.has_provisional)
    followed = place_followed(request, listing.codes)
    by_round = page.table_stage.is_paired_by_round
    numbers = rounds_shown(page.competition, page.table_stage) if by_round else range(len(listing.codes))
    row_pages = Paginator(range(len(listing.codes)), ROWS_A_PAGE).get_page(
        asked_number(request, "rows") or (followed or 0) // ROWS_A_PAGE + 1
    )
    column_pages = Paginator(numbers, COLUMNS_A_PAGE).get_page(asked_number(request, "columns") or 1)
    down = [listing.entrant_ids[place] for place in row_pages.object_list]
    across = [] if by_round else [listing.entrant_ids[place] for place in column_pages.object_list]
    found = meetings(
        page.competition, page.table_stage, down, group=page.table.group, against=None if by_round else across
    )
    people = _people(page, listing.entrant_ids, {*down, *across, *_opponents(found)})
    shown = list(column_pages.object_list)
    rows = [
        CrossRow(
            people[one],
            _by_round(found[one], shown, people) if by_round else _by_opponent(one, found[one], across, people),
        )
        for one in down
    ]
    shown_met = [line.met for row in rows for cell in row.cells for line in cell.lines]
    return CrossView(
        rows=rows,
        across=[people[one] for one in across],
        rounds=shown if by_round else [],
        row_pages=row_pages,
        column_pages=column_pages,
        followed=listing.codes[followed] if followed is not None else "",
        provisional=any(met.provisional for met in shown_met),
        under_review=any(met.under_review for met in shown_met),
        amended=any(met.amended for met in shown_met),
    )


def _opponents(found: Mapping[int, Sequence[CrossMeeting]]) -> set[int]:
    return {met.opponent_id for own in found.values() for met in own if met.opponent_id is not None}


def _people(page: CompetitionPage, order: Sequence[int], wanted: set[int]) -> dict[int, CrossEntrant]:
    """One statement."""
    numbers = {one: number for number, one in enumerate(order, start=1)}
    return {
        one.entrant_id: CrossEntrant(numbers.get(one.entrant_id, 0), one)
        for one in placed(page.competition, only=wanted)
    }


def _by_round(
    own: Sequence[CrossMeeting], rounds: Sequence[int], people: Mapping[int, CrossEntrant]
) -> list[CrossCell]:
    return [
        CrossCell([CrossLine(met, people.get(met.opponent_id or 0)) for met in own if met.round_number == number])
        for number in rounds
    ]


def _by_opponent(
    one: int, own: Sequence[CrossMeeting], across: Sequence[int], people: Mapping[int, CrossEntrant]
) -> list[CrossCell]:
    return [
        CrossCell([CrossLine(met, people[other]) for met in own if met.opponent_id == other], own=other == one)
        for other in across
    ]
