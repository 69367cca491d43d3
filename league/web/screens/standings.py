"""Standings on the hall screen."""

from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.core.paginator import Page, Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone

from league.competitions.models import Competition
from league.competitions.queries.competition import CompetitionPage
from league.competitions.queries.rounds import table_page
from league.competitions.standings.tiebreaks.registry import TIE_BREAKS
from league.competitions.visibility import seen_competition
from league.web.competitions.standings_view import adjusted_of, asked_number
from league.web.components import tie_break_cells

ROWS_A_SCREEN = 10
# More columns would be too small for the last row; the standings page has them all.
MOST_COLUMNS = 3
TURN_S = 20
OUTSIDER = AnonymousUser()


def standings(request: HttpRequest, league_slug: str, slug: str) -> HttpResponse:
    """Show the public standings, ten places at a time, group after group.

    `?group=` and `?page=` choose the screen. The number of statements does not grow with the places.
    """
    try:
        competition = seen_competition(OUTSIDER, league_slug, slug)
    except Competition.DoesNotExist as absent:
        raise Http404 from absent
    context = standings_context(request, competition)
    if context is None:
        raise Http404
    groups = context["page"].groups
    context["following"] = context["following"] or {"group": groups[0] if groups else None, "page": 1}
    context |= {"competition": competition, "seconds": TURN_S, "now": timezone.now()}
    return render(request, "screens/standings.html", context)


def standings_context(request: HttpRequest, competition: Competition) -> dict[str, Any] | None:
    """Return the context of the screen that the address asks for; None without a table.

    `following`: the query of the next screen, after a group's last screen that of the next group, None after the last.
    """
    page = table_page(competition, group=asked_number(request, "group"))
    if page is None:
        return None
    official_only = not page.has_provisional
    listing = page.table.listing(official_only=official_only)
    shown = Paginator(range(len(listing.codes)), ROWS_A_SCREEN).get_page(asked_number(request, "page") or 1)
    rows = page.table.plain_rows(shown.object_list, official_only=official_only)
    keys = [key for key in competition.tie_breaks if not TIE_BREAKS[key].splits_group][:MOST_COLUMNS]
    people = page.table.placed({row.entrant_id for row in rows})
    return {
        "page": page,
        "lines": tie_break_cells.lines(rows, keys, people, listing.before),
        "columns": tie_break_cells.columns(keys),
        "adjusted": adjusted_of(competition, page.table.rules.scoring.bonus, {row.entrant_id for row in rows}),
        "screen": shown,
        "following": _following(page, shown),
    }


def _following(page: CompetitionPage, shown: Page) -> dict[str, int | None] | None:
    if shown.has_next():
        return {"group": page.table.group or None, "page": shown.next_page_number()}
    later = page.groups[page.groups.index(page.table.group) + 1 :] if page.groups else []
    return {"group": later[0], "page": 1} if later else None
