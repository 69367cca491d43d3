"""Season pages: list, and one season with tables, matchdays and play-offs."""

from dataclasses import dataclass
from typing import Any

from django.core.paginator import Page
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone

from league.accounts.permissions import Asker
from league.competitions.models import Adjustment, Division, Season, Slot
from league.competitions.seasons.queries import SeasonPage, matchday_slots, season_page, seasons
from league.competitions.standings.compute import Row
from league.matches.models import Match
from league.matches.queries.lines import MatchLine, match_lines
from league.web.competitions.records import records_of_season
from league.web.competitions.standings_view import adjusted_of, asked_number
from league.web.shared.access import inside, league_or_404
from league.web.shared.open_graph import preview_of_season
from league.web.shared.page_cache import kept_page
from league.web.shared.pagination import page_of
from league.web.words.labels import Label
from league.web.words.numbers import signed
from league.web.words.seasons import ZONES, legend

SEASONS_A_PAGE = 24
ROWS_A_PAGE = 50
MATCHES_A_PAGE = 60
PLAY_OFFS_A_PAGE = 40


@dataclass(frozen=True, slots=True)
class TableLine:
    """A row with the zone of its place, or None."""

    row: Row
    zone: Label | None
    left: bool

    @property
    def difference(self) -> str:
        return signed(self.row.difference)


@dataclass(frozen=True, slots=True)
class DivisionMatches:
    """Matches of a division on one matchday."""

    division: Division
    round: Any
    matches: list[MatchLine]


def index(request: HttpRequest, league_slug: str) -> HttpResponse:
    league = league_or_404(league_slug)
    page = page_of(request, seasons(request.user, league), SEASONS_A_PAGE)
    context = {"league": league, "here": inside(request.user, league), "page": page, "area": "leagues"}
    return render(request, "seasons/index.html", context)


@kept_page
def detail(request: HttpRequest, league_slug: str, slug: str) -> HttpResponse:
    """Show a season; `?division=` is the table by level, `?matchday=` the matches."""
    page = _page(request, league_slug, slug)
    asked = asked_number(request, "matchday")
    number = asked if asked in {one.number for one in page.matchdays} else page.current
    slots = page_of(request, matchday_slots(page.season, number or 0), MATCHES_A_PAGE)
    rows = page_of_rows(request, page)
    with timezone.override(page.season.league.time_zone):
        context = {
            "page": page,
            "preview": preview_of_season(request, page.season),
            "season": page.season,
            "league": page.season.league,
            "rows": rows,
            "adjusted": _adjusted(page, rows),
            "legend": legend(page.rules),
            "number": number,
            "matchday": next((one for one in page.matchdays if one.number == number), None),
            "slots": slots,
            "play_offs": page_of(request, page.play_offs, PLAY_OFFS_A_PAGE, name="play_offs"),
            "matches": by_division(list(slots), request.user),
            "now": timezone.now(),
            "records": records_of_season(page.season),
            "area": "leagues",
        }
        return render(request, "seasons/detail.html", context)


def _adjusted(page: SeasonPage, rows: Page) -> list[Adjustment]:
    """Read the bonuses and deductions of the rows shown."""
    if page.division is None:
        return []
    return adjusted_of(page.division.competition, page.bonus, {line.row.entrant_id for line in rows})


def page_of_rows(request: HttpRequest, page: SeasonPage) -> Page:
    """Return a page of the table (`?rows=`); `?page=` is that of the matches."""
    lines = [TableLine(one.row, ZONES.get(one.zone), one.left) for one in page.rows]
    return page_of(request, lines, ROWS_A_PAGE, name="rows")


def by_division(slots: list[Slot], user: Asker) -> list[DivisionMatches]:
    found: list[DivisionMatches] = []
    lines = {line.id: line for line in match_lines(Match.objects.filter(slot__in=slots), user)}
    for slot in slots:
        division = slot.matchday.stage.competition.division
        if not found or found[-1].division != division:
            found.append(DivisionMatches(division, slot.matchday, []))
        found[-1].matches.append(lines[slot.match_id])
    return found


def _page(request: HttpRequest, league_slug: str, slug: str) -> SeasonPage:
    try:
        return season_page(request.user, league_slug, slug, level=asked_number(request, "division"))
    except Season.DoesNotExist as absent:
        raise Http404 from absent
