"""Standings pages beside the front page: table, places by round, cross-table, final ranking."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone

from league.competitions.draw_view import all_days
from league.competitions.entrant_names import placed
from league.competitions.models import Competition
from league.competitions.queries.competition import CompetitionPage
from league.competitions.queries.final_places import named, ranked_entrants
from league.competitions.queries.rounds import head_page, table_page
from league.competitions.seasons.queries import zones_of_competition
from league.competitions.visibility import seen_competition
from league.web.competitions.crosstable import cross_view
from league.web.competitions.places import ladder_places, table_places
from league.web.competitions.standings_view import ROWS_A_PAGE, asked_number, standings_view, zoned
from league.web.shared.absolute_url import absolute
from league.web.shared.page_cache import kept_page
from league.web.shared.pagination import page_of
from league.web.words.seasons import legend

ROWS_ON_ONE_PAGE = 500
PLACES_A_PAGE = 100


def seen_or_404(request: HttpRequest, league_slug: str, slug: str) -> Competition:
    try:
        return seen_competition(request.user, league_slug, slug)
    except Competition.DoesNotExist as absent:
        raise Http404 from absent


def _with_table(request: HttpRequest, league_slug: str, slug: str, *, after: int | None = None) -> CompetitionPage:
    """Return the page with its table; `?group=` and `?player=` as on the front page.

    404 if there is no table.
    """
    competition = seen_or_404(request, league_slug, slug)
    page = table_page(
        competition, after=after, group=asked_number(request, "group"), code=request.GET.get("player", "")
    )
    if page is None:
        raise Http404
    return page


@kept_page
def standings(request: HttpRequest, league_slug: str, slug: str) -> HttpResponse:
    """Show the standings on a page of their own.

    `?all=1` puts up to 500 rows on one page, to print.
    """
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
    """Chart the places after each round, or after each challenge of a ladder.

    24 places at once: those around the followed player (`?player=`), or from `?from=` on; 40 rounds at once, up to
    `?until=`.
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
    """Show the cross-table: by opponent, or by round if results set the pairings.

    `?rows=` and `?columns=` are its pages.
    """
    page = _with_table(request, league_slug, slug)
    if not page.crossed:
        raise Http404
    context = {"page": page, "view": cross_view(request, page), "area": "competitions", "tab": "cross_table"}
    return render(request, "competitions/cross_table.html", context)


@kept_page
def ranking(request: HttpRequest, league_slug: str, slug: str) -> HttpResponse:
    """List the final places of all entrants of a competition with a knock-out, as far as they are certain."""
    page = head_page(seen_or_404(request, league_slug, slug))
    if not page.knock_out:
        raise Http404
    competition = page.competition
    listed = page_of(request, ranked_entrants(competition, page.stages, list(all_days(competition))), PLACES_A_PAGE)
    context = {
        "page": page,
        "listed": listed,
        "places": named(listed.object_list, placed(competition, only=[one.entrant_id for one in listed])),
        "over": all(stage.finished_at for stage in page.stages),
        "area": "competitions",
        "tab": "ranking",
    }
    return render(request, "competitions/ranking.html", context)
