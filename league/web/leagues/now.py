"""Pages whose address stays: the matches in play of a league or a competition, and the next ones."""

from typing import Any

from django.db.models import Q
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from league.competitions.models import Competition
from league.competitions.queries.home import live_now
from league.competitions.queries.lists import competition_of
from league.competitions.visibility import seen_competition
from league.matches.queries.lines import match_lines
from league.matches.queries.lists import upcoming
from league.web.charts.mini_boards import mini_boards
from league.web.components.match_rows import by_round
from league.web.matches.live_scores import MOST_WATCHED, watched
from league.web.shared.access import league_or_404
from league.web.shared.following import names_followed
from league.web.shared.page_cache import kept_page

NEXT_SHOWN = 8


@require_safe
@kept_page
def of_league(request: HttpRequest, slug: str) -> HttpResponse:
    found = league_or_404(slug)
    return _page(request, Q(league=found), {"league": found, "area": "leagues"})


@require_safe
@kept_page
def of_competition(request: HttpRequest, league_slug: str, slug: str) -> HttpResponse:
    try:
        found = seen_competition(request.user, league_slug, slug)
    except Competition.DoesNotExist as absent:
        raise Http404 from absent
    within = Q(slot__matchday__stage__competition=found)
    return _page(request, within, {"league": found.league, "competition": found, "area": "competitions"})


def _page(request: HttpRequest, within: Q, context: dict[str, Any]) -> HttpResponse:
    """Show the live matches, followed ones first, then the next ones. A constant number of statements."""
    now = timezone.now()
    live = live_now(request.user, now, names_followed(request), within=within, most=MOST_WATCHED)
    coming = upcoming(request.user, now).filter(within).select_related("league", "table")[:NEXT_SHOWN]
    lines = match_lines(list(coming), request.user)
    context |= {
        "live": live,
        "boards": mini_boards(live.lines),
        "upcoming": by_round(lines, competition_of([line.id for line in lines]) if lines else {}),
        "watched": watched([*live.lines, *lines], now),
        "now": now,
    }
    return render(request, "leagues/now.html", context)
