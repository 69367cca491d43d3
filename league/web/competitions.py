"""Competitions: the list, and one with its standings and matchdays."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render

from league.competitions import queries
from league.competitions.models import Competition
from league.web.paging import page_of

COMPETITIONS_A_PAGE = 24
MATCHDAYS_A_PAGE = 8


def index(request: HttpRequest) -> HttpResponse:
    page = page_of(request, queries.competitions(request.user), COMPETITIONS_A_PAGE)
    return render(request, "competitions/index.html", {"page": page, "area": "competitions"})


def detail(request: HttpRequest, league_slug: str, slug: str) -> HttpResponse:
    """`?table=official` leaves provisional results out of the standings."""
    try:
        page = queries.competition_page(request.user, league_slug, slug)
    except Competition.DoesNotExist as absent:
        raise Http404 from absent
    official_only = request.GET.get("table") == "official" or not page.has_provisional
    context = {
        "page": page,
        "rows": page.official if official_only else page.provisional,
        "official_only": official_only,
        "days": page_of(request, page.matchdays, MATCHDAYS_A_PAGE, _current(page.matchdays)),
        "area": "competitions",
    }
    return render(request, "competitions/detail.html", context)


def _current(matchdays: list[queries.MatchdayView]) -> int:
    """The number of the page with the first matchday that is not decided yet; the last page once all are."""
    for place, day in enumerate(matchdays):
        if any(match.state != "decided" for match in day.matches):
            return place // MATCHDAYS_A_PAGE + 1
    return max(len(matchdays) - 1, 0) // MATCHDAYS_A_PAGE + 1
