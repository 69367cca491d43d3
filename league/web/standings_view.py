"""The standings as one address asks for them: which results count, after which round, in which order."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.core.paginator import Page, Paginator
from django.http import HttpRequest

from league.competitions import queries
from league.competitions.standings import Row
from league.players.models import Player
from league.web import tie_breaks
from league.web.prospects import sentences

LONGEST_NUMBER = 4
ROWS_A_PAGE = 50


@dataclass(frozen=True, slots=True)
class StandingsView:
    """`query`: what the address says of the table, for links from it. `rounds`: those after which it can be looked at.
    `followed`: the row of whoever looks, or whom `?player=` names, with what that one can still come to. `rows`: one
    page of all of them, whose `lines` are shown.
    """

    official_only: bool
    columns: list[tie_breaks.Column]
    rows: Page
    lines: list[tie_breaks.StandingLine]
    drawn: bool
    sort: str
    query: str
    rounds: list[int]
    followed: Row | None
    prospect: list[str]


def asked_number(request: HttpRequest, name: str) -> int | None:
    asked = request.GET.get(name, "")
    return int(asked) if asked.isdecimal() and len(asked) <= LONGEST_NUMBER else None


def standings_view(request: HttpRequest, page: queries.CompetitionPage, code: str = "") -> StandingsView:
    """`?rows=` is the page of rows, else that of the player with this `code`, or of whoever is followed."""
    official_only = request.GET.get("table") == "official" or not page.has_provisional
    keys = page.competition.tie_breaks
    table = page.table
    rows = table.rows(official_only=official_only)
    followed = _followed(request, rows)
    ordered = tie_breaks.in_order(rows, request.GET.get("sort", ""))
    shown = _rows_shown(request, ordered, code.upper() or (followed.code if followed else ""))
    before = table.rows_before(official_only=official_only)
    return StandingsView(
        official_only=official_only,
        columns=tie_breaks.columns(keys),
        rows=shown,
        lines=tie_breaks.lines(shown.object_list, keys, page.entrants, before, everybody=rows),
        drawn=any(row.drawn for row in rows),
        sort=request.GET.get("sort", ""),
        query=_query(page, official_only=official_only),
        rounds=list(range(1, table.rounds_over + 1)) if table.rounds_over > 1 else [],
        followed=followed,
        prospect=_prospect(page, followed, official_only=official_only) if followed else [],
    )


def _rows_shown(request: HttpRequest, rows: Sequence[Row], code: str) -> Page:
    place = next((place for place, row in enumerate(rows) if row.answers_to([code])), 0)
    asked = asked_number(request, "rows")
    return Paginator(rows, ROWS_A_PAGE).get_page(asked or place // ROWS_A_PAGE + 1)


def _query(page: queries.CompetitionPage, *, official_only: bool) -> str:
    asked = ["table=official"] if official_only and page.has_provisional else []
    asked += [f"after={page.table.after}"] if page.table.after else []
    asked += [f"group={page.table.group}"] if page.table.group else []
    return f"?{'&'.join(asked)}" if asked else ""


def _followed(request: HttpRequest, rows: Sequence[Row]) -> Row | None:
    """Whom the address names, else whoever is signed in, where that is one of the entrants. One statement at most."""
    asked = request.GET.get("player", "").strip().upper()
    if asked:
        codes = {asked}
    elif request.user.is_authenticated and rows:
        codes = set(Player.objects.filter(user=request.user).values_list("code", flat=True))
    else:
        return None
    return next((row for row in rows if row.answers_to(codes)), None)


def _prospect(page: queries.CompetitionPage, row: Row, *, official_only: bool) -> list[str]:
    prospect = page.table.prospect(row.entrant_id, official_only=official_only)
    if prospect is None:
        return []
    return sentences(prospect, _next_opponent(page, row.entrant_id, prospect.next_opponent))


def _next_opponent(page: queries.CompetitionPage, one: int, other: int | None) -> str:
    """The name, where a round that the asker may see pairs the two."""
    pairs = (slot for slot in page.table.slots if not slot.hidden and set(slot.entrant_ids) == {one, other})
    names = {entrant.entrant_id: entrant.name for entrant in page.entrants}
    return names.get(other, "") if any(pairs) else ""
