"""Competitions: the list, and one with its standings or bracket and its rounds."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render

from league.competitions import queries
from league.competitions.models import Competition
from league.web.bracket import drawing, section_of, sections
from league.web.paging import page_of
from league.web.standings_view import asked_number, standings_view
from league.web.workings import workings

COMPETITIONS_A_PAGE = 24
MATCHDAYS_A_PAGE = 8
MATCHES_A_PAGE = 128
# Beside a table, so that with forty players the page stays below 100 kB.
MATCHES_BESIDE_A_TABLE = 40


def index(request: HttpRequest) -> HttpResponse:
    page = page_of(request, queries.competitions(request.user), COMPETITIONS_A_PAGE)
    return render(request, "competitions/index.html", {"page": page, "area": "competitions"})


def detail(request: HttpRequest, league_slug: str, slug: str) -> HttpResponse:
    """`?table=official` leaves provisional results out of the standings, `?after=` shows them as they were after a
    round, `?group=` those of a group, `?sort=` in another order, `?player=` what one can still come to, by code.
    """
    page = _page(request, league_slug, slug, request.GET.get("player", ""))
    size = _rounds_a_page(page.shown, MATCHES_A_PAGE if page.knock_out else MATCHES_BESIDE_A_TABLE)
    context = {
        "page": page,
        "standings": standings_view(request, page) if page.table else None,
        "days": page_of(request, page.shown, size, _current(page.shown, size)),
        "area": "competitions",
        "tab": "detail",
    }
    return render(request, "competitions/detail.html", context)


def standing(request: HttpRequest, league_slug: str, slug: str, code: str) -> HttpResponse:
    """One row of the standings: how each of its numbers came about. `?table=` and `?after=` as in the standings."""
    page = _page(request, league_slug, slug, code)
    if page.table is None:
        raise Http404
    view = standings_view(request, page)
    line = next((line for line in view.lines if line.row.code == code.upper()), None)
    if line is None:
        raise Http404
    context = {
        "page": page,
        "standings": view,
        "line": line,
        "workings": workings(line.row, page.competition.tie_breaks, page.entrants),
        "area": "competitions",
        "tab": "detail",
    }
    return render(request, "competitions/standing.html", context)


def bracket(request: HttpRequest, league_slug: str, slug: str) -> HttpResponse:
    """A knock-out as a drawing and as a nested list. `?player=` follows one player by code, `?section=` chooses a part
    of a bracket of more than 64.
    """
    page = _page(request, league_slug, slug)
    if not page.knock_out:
        raise Http404
    code = request.GET.get("player", "").strip().upper()
    followed = next((one for one in page.entrants if one.code == code), None)
    parts = sections(page.bracket)
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


def _page(request: HttpRequest, league_slug: str, slug: str, code: str = "") -> queries.CompetitionPage:
    after, group = (asked_number(request, name) for name in ("after", "group"))
    try:
        return queries.competition_page(request.user, league_slug, slug, after=after, group=group, code=code)
    except Competition.DoesNotExist as absent:
        raise Http404 from absent


def _rounds_a_page(matchdays: list[queries.MatchdayView], matches: int) -> int:
    """Large rounds fill a page sooner."""
    most = max((len(day.slots) for day in matchdays), default=0)
    return max(1, min(MATCHDAYS_A_PAGE, matches // max(most, 1)))


def _current(matchdays: list[queries.MatchdayView], size: int) -> int:
    """The number of the page with the first matchday that is not decided yet; the last page once all are."""
    for place, day in enumerate(matchdays):
        if any(not slot.bye and not slot.decided for slot in day.slots):
            return place // size + 1
    return max(len(matchdays) - 1, 0) // size + 1
