"""What can be seen of the standings of a competition besides the front page: the table on a page of its own, the places
by round, and who met whom.
"""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone

from league.competitions.models import Competition
from league.competitions.queries.competition import CompetitionPage
from league.competitions.queries.rounds import head_page, table_page
from league.competitions.seasons.queries import zones_of_competition
from league.competitions.visibility import seen_competition
from league.web.competitions.crosstable import cross_view
from league.web.competitions.places import ladder_places, table_places
from league.web.competitions.standings_view import ROWS_A_PAGE, asked_number, standings_view, zoned
from league.web.shared.absolute_url import absolute
from league.web.shared.page_cache import kept_page
from league.web.words.seasons import legend

ROWS_ON_ONE_PAGE = 500


def seen_or_404(request: HttpRequest, league_slug: str, slug: str) -> Competition:
    try:
        return seen_competition(request.user, league_slug, slug)
    except Competition.DoesNotExist as absent:
        raise Http404 from absent


def _with_table(request: HttpRequest, league_slug: str, slug: str, *, after: int | None = None) -> CompetitionPage:
    """`?group=` and `?player=` as on the front page; 404 where there is no table."""
    competition = seen_or_404(request, league_slug, slug)
    page = table_page(
        competition, after=after, group=asked_number(request, "group"), code=request.GET.get("player", "")
    )
    if page is None:
        raise Http404
    return page


@kept_page
def standings(request: HttpRequest, league_slug: str, slug: str) -> HttpResponse:
    """As on the front page; `?all=1` puts up to 500 rows on one, for paper."""
    page = _with_table(request, league_slug, slug, after=asked_number(request, "after"))
    whole = request.GET.get("all") == "1"
    view = standings_view(request, page, rows_a_page=ROWS_ON_ONE_PAGE if whole else ROWS_A_PAGE, rows_at="")
    division = zones_of_competition(page.competition)
    with timezone.override(page.competition.league.time_zone):
        context = {
            "page": page,
            "standings": zoned(view, page, division[1]) if division else view,
            "division": division[0] if division else None,
            "legend": legend(division[1]) if division else [],
            "whole": whole,
            "now": timezone.now(),
            "live": absolute(request, request.path),
            "area": "competitions",
            "tab": "standings",
        }
        return render(request, "competitions/standings.html", context)


@kept_page
def places(request: HttpRequest, league_slug: str, slug: str) -> HttpResponse:
    """Who stood where after each round, or of a ladder after each challenge: 24 at once, those around whoever is
    followed (`?player=`) or from `?from=` on; 40 rounds at once, up to `?until=`.
    """
    head = head_page(seen_or_404(request, league_slug, slug))
    if not head.charted:
        raise Http404
    page = head if head.on_ladder else _with_table(request, league_slug, slug)
    view = ladder_places(request, page) if head.on_ladder else table_places(request, page)
    context = {"page": page, "view": view, "area": "competitions", "tab": "places"}
    return render(request, "competitions/places.html", context)


@kept_page
def cross_table(request: HttpRequest, league_slug: str, slug: str) -> HttpResponse:
    """Who met whom: against the others, or where rounds are paired by results round by round. `?rows=` and `?columns=`
    are pages of the two.
    """
    page = _with_table(request, league_slug, slug)
    if not page.crossed:
        raise Http404
    context = {"page": page, "view": cross_view(request, page), "area": "competitions", "tab": "cross_table"}
    return render(request, "competitions/cross_table.html", context)
