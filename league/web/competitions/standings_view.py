"""Standings as one address asks for them: which results, which round, which order."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from django.core.paginator import Page, Paginator
from django.http import HttpRequest

from league.competitions.adjustments import standing_adjustments
from league.competitions.draw_view import paired
from league.competitions.entrant_names import Placed
from league.competitions.entrants import standing_withdrawals
from league.competitions.formats.promotion import DivisionRules, Zone, zones
from league.competitions.models import Adjustment, Competition
from league.competitions.queries import competition as competition_module
from league.competitions.queries import lists as queries
from league.competitions.queries.competition import CompetitionPage
from league.competitions.standings.cache import KeptTable
from league.competitions.standings.compute import Row
from league.competitions.standings.reachable_places import Prospect
from league.competitions.under_review import under_review
from league.web.components import tie_break_cells
from league.web.shared.phone import own_codes
from league.web.words.reachable_places import sentences
from league.web.words.seasons import ZONES

LONGEST_NUMBER = 4
ROWS_A_PAGE = 50


@dataclass(frozen=True, slots=True)
class StandingsView:
    """One page of the standings.

    `query`: the table's part of the address, for links from it. `rounds`: rounds after which the table can be
    shown. `followed`: the row of the reader, or of `?player=`; `prospect`: sentences on the final places it can still
    reach. `rows`: one page of all places of the table, whose `lines` are shown. `people`: entrants named in them.
    `rated`: whether a line has a rating. `review`: entrant → a match that an official has yet to decide. `adjusted`:
    bonuses and deductions of the entrants shown. `rows_at`:
    address of the row pages, relative to this page; a relative link halves the size of each number of the table.
    """

    official_only: bool
    columns: list[tie_break_cells.Column]
    rows: Page
    lines: list[tie_break_cells.StandingLine]
    people: list[Placed]
    drawn: bool
    rated: bool
    review: dict[int, int]
    adjusted: list[Adjustment]
    sort: str
    query: str
    rounds: list[int]
    followed: Row | None
    prospect: list[str]
    rows_at: str

    @property
    def bonus(self) -> dict[int, int]:
        """The sum of the bonuses and deductions by entrant."""
        found: Counter[int] = Counter()
        for one in self.adjusted:
            found[one.registration.entrant_id] += one.points
        return dict(found)

    @property
    def shown_fields(self) -> set[str]:
        """Fields of a row that are shown as a tie-break."""
        return {column.entry.row_field for column in self.columns}


def asked_number(request: HttpRequest, name: str) -> int | None:
    asked = request.GET.get(name, "")
    return int(asked) if asked.isdecimal() and len(asked) <= LONGEST_NUMBER else None


def standings_view(
    request: HttpRequest,
    page: competition_module.CompetitionPage,
    code: str = "",
    *,
    rows_a_page: int = ROWS_A_PAGE,
    rows_at: str = "standings/",
) -> StandingsView:
    """Build the standings that the address asks for.

    `?rows=` is the page of rows, else the page of the player with this `code`, or of the followed one. The page's
    `table` is a cached one. At most two statements, two more for a followed player.
    """
    official_only = request.GET.get("table") == "official" or not page.has_provisional
    keys = page.competition.tie_breaks
    table = page.table
    listing = table.listing(official_only=official_only)
    place = place_followed(request, listing.codes)
    followed = table.plain_rows([place], official_only=official_only)[0] if place is not None else None
    sort = request.GET.get("sort", "")
    ordered = _ordered(page.competition, table, sort, official_only=official_only)
    at = _place_of(listing.codes, {code.upper()}) if code else place
    shown = _rows_shown(request, ordered, at, rows_a_page)
    read = table.rows if code else table.plain_rows
    rows = read(shown.object_list, official_only=official_only)
    prospect = _prospect(table, followed, official_only=official_only)
    people = table.placed(_named(rows, prospect))
    shown_ids = {row.entrant_id for row in rows}
    return StandingsView(
        official_only=official_only,
        columns=tie_break_cells.columns(keys),
        rows=shown,
        lines=tie_break_cells.lines(rows, keys, people, listing.before),
        people=people,
        drawn=listing.drawn,
        rated=any(one.rating is not None for one in people if one.entrant_id in shown_ids),
        review=under_review(page.competition, shown_ids),
        adjusted=adjusted_of(page.competition, table.rules.scoring.bonus, shown_ids),
        sort=sort,
        query=_query(page, official_only=official_only),
        rounds=list(range(1, table.rounds_over + 1)) if table.rounds_over > 1 else [],
        followed=followed,
        prospect=_told(page, followed, prospect, people) if followed and prospect else [],
        rows_at=rows_at,
    )


def adjusted_of(competition: Competition, bonus: Mapping[int, int], shown: Collection[int]) -> list[Adjustment]:
    """Read the bonuses and deductions of the entrants shown, of those that have a `bonus`.

    One statement, none without any.
    """
    having = bonus.keys() & set(shown)
    return list(standing_adjustments(competition, having)) if having else []


def _ordered(competition: Competition, table: KeptTable, sort: str, *, official_only: bool) -> Sequence[int]:
    """Return the places of the table in the requested order."""
    if sort == "rating":
        return table.order(sort, partial(_by_rating, competition), official_only=official_only)
    if sort == "name" or sort in tie_break_cells.PLAIN or sort in competition.tie_breaks:
        return table.order(sort, lambda rows: tie_break_cells.in_order(rows, sort), official_only=official_only)
    return range(len(table.listing(official_only=official_only).codes))


def _by_rating(competition: Competition, rows: Sequence[Row]) -> list[Row]:
    """Sort by the rating at the start, unrated entrants last.

    One statement.
    """
    ratings = queries.ratings_at_start(competition)
    return sorted(rows, key=lambda row: -ratings.get(row.entrant_id, -1))


def _rows_shown(request: HttpRequest, places: Sequence[int], place: int | None, size: int) -> Page:
    at = places.index(place) if place is not None else 0
    asked = asked_number(request, "rows")
    return Paginator(places, size).get_page(asked or at // size + 1)


def _named(rows: Sequence[Row], prospect: Prospect | None) -> set[int]:
    """Collect the entrants named in the rows, their numbers and the prospect."""
    found = {row.entrant_id for row in rows}
    for row in rows:
        for one in row.direct:
            found.update(one.tied if len(one.tied) <= tie_break_cells.MOST_NAMED else ())
            found.update(met.opponent_id for met in one.meetings)
    if prospect and prospect.next_opponent:
        found.add(prospect.next_opponent)
    return found


def _query(page: competition_module.CompetitionPage, *, official_only: bool) -> str:
    asked = ["table=official"] if official_only and page.has_provisional else []
    asked += [f"after={page.table.after}"] if page.table.after else []
    asked += [f"group={page.table.group}"] if page.table.group else []
    return f"?{'&'.join(asked)}" if asked else ""


def place_followed(request: HttpRequest, codes: Sequence[str]) -> int | None:
    """Find the place of `?player=`, else of the reader, by account or slip; None if no entrant.

    At most two statements.
    """
    asked = request.GET.get("player", "").strip().upper()
    if asked:
        return _place_of(codes, {asked})
    return _place_of(codes, own_codes(request)) if codes else None


def _place_of(codes: Sequence[str], wanted: Collection[str]) -> int | None:
    """Find the first place with a wanted code: its own or, in a pair, a partner's."""
    return next(
        (place for place, code in enumerate(codes) if code in wanted or not wanted.isdisjoint(code.split("-"))), None
    )


def _prospect(table: KeptTable, row: Row | None, *, official_only: bool) -> Prospect | None:
    outlook = table.outlook(official_only=official_only) if row and row.rank else None
    return outlook.of(row.entrant_id) if row and outlook else None


def _told(
    page: competition_module.CompetitionPage, row: Row, prospect: Prospect, people: Iterable[Placed]
) -> list[str]:
    return sentences(prospect, _next_opponent(page, row.entrant_id, prospect.next_opponent, people))


def _next_opponent(
    page: competition_module.CompetitionPage, one: int, other: int | None, people: Iterable[Placed]
) -> str:
    """Return the next opponent's name if a round visible to the reader pairs the two."""
    competition = page.competition
    if other is None or not paired(competition, one, other, everything=competition.for_staff):
        return ""
    return next((entrant.name for entrant in people if entrant.entrant_id == other), "")


def zoned(view: StandingsView, page: CompetitionPage, rules: DivisionRules) -> StandingsView:
    """Add promotion and relegation zones to the standings of a division.

    No zones in the table of a group or before the first result.
    """
    if page.table is None or page.table.group or not any(one.row.played or one.row.won for one in view.lines):
        return view
    left = set(standing_withdrawals(page.competition).values_list("entrant", flat=True))
    everybody = page.table.listing(official_only=view.official_only).entrant_ids
    there = [one for one in everybody if one not in left]
    led = dict(zip(there, zones(len(there), rules, len(everybody) - len(there)), strict=True))
    lines = [replace(line, zone=ZONES.get(led.get(line.row.entrant_id, Zone.STAY))) for line in view.lines]
    return replace(view, lines=lines)
