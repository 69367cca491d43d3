"""Competitions: the list, and one with its standings or bracket and its rounds."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render

from league.competitions import queries
from league.competitions.models import Competition
from league.web import tie_breaks
from league.web.bracket import drawing, section_of, sections
from league.web.paging import page_of

COMPETITIONS_A_PAGE = 24
MATCHDAYS_A_PAGE = 8
MATCHES_A_PAGE = 128


def index(request: HttpRequest) -> HttpResponse:
    page = page_of(request, queries.competitions(request.user), COMPETITIONS_A_PAGE)
    return render(request, "competitions/index.html", {"page": page, "area": "competitions"})


def detail(request: HttpRequest, league_slug: str, slug: str) -> HttpResponse:
    """`?table=official` leaves provisional results out of the standings."""
    page = _page(request, league_slug, slug)
    official_only = request.GET.get("table") == "official" or not page.has_provisional
    rows = page.official if official_only else page.provisional
    size = _rounds_a_page(page.shown)
    context = {
        "page": page,
        "columns": tie_breaks.columns(page.competition.tie_breaks),
        "rows": tie_breaks.lines(rows, page.competition.tie_breaks, page.entrants),
        "drawn": any(row.drawn for row in rows),
        "official_only": official_only,
        "days": page_of(request, page.shown, size, _current(page.shown, size)),
        "area": "competitions",
        "tab": "detail",
    }
    return render(request, "competitions/detail.html", context)


def bracket(request: HttpRequest, league_slug: str, slug: str) -> HttpResponse:
    """A knock-out as a drawing and as a nested list. `?player=` follows one player by code, `?section=` chooses a part
    of a bracket of more than 64.
    """
    page = _page(request, league_slug, slug)
    if not page.knock_out:
        raise Http404
    code = request.GET.get("player", "").strip().upper()
    followed = next((one for one in page.entrants if one.code == code), None)
    parts = sections(page.matchdays)
    asked = request.GET.get("section", "")
    number = int(asked) if asked.isdecimal() and len(asked) <= 6 else None
    part = section_of(parts, number, code) if parts else None
    context = {
        "page": page,
        "parts": parts,
        "part": part,
        "drawing": drawing(part, followed.code if followed else "") if part else None,
        "followed": followed,
        "area": "competitions",
        "tab": "bracket",
    }
    return render(request, "competitions/bracket.html", context)


def _page(request: HttpRequest, league_slug: str, slug: str) -> queries.CompetitionPage:
    try:
        return queries.competition_page(request.user, league_slug, slug)
    except Competition.DoesNotExist as absent:
        raise Http404 from absent


def _rounds_a_page(matchdays: list[queries.MatchdayView]) -> int:
    """Large rounds fill a page sooner."""
    most = max((len(day.slots) for day in matchdays), default=0)
    return max(1, min(MATCHDAYS_A_PAGE, MATCHES_A_PAGE // max(most, 1)))


def _current(matchdays: list[queries.MatchdayView], size: int) -> int:
    """The number of the page with the first matchday that is not decided yet; the last page once all are."""
    for place, day in enumerate(matchdays):
        if any(not slot.bye and not slot.decided for slot in day.slots):
            return place // size + 1
    return max(len(matchdays) - 1, 0) // size + 1
