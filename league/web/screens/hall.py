"""Hall screen: the clocks of a league's evening, or the show of one competition."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from league.accounts.models import League
from league.competitions.models import Competition
from league.competitions.queries.hall import Hall, hall
from league.matches.clock.state import since_epoch
from league.web.competitions.standings_view import asked_number
from league.web.screens import show
from league.web.screens.dials import called, clock_context, refresh_s
from league.web.shared.access import league_or_404


def find(request: HttpRequest, league: League) -> tuple[Hall, Competition | None]:
    """Return the hall that the address names: `?competition=` and `&round=`.

    Raises Http404 if there is no such competition.
    """
    slug = request.GET.get("competition") or None
    try:
        found = hall(request.user, league, timezone.now(), slug=slug, number=asked_number(request, "round"))
    except Competition.DoesNotExist as absent:
        raise Http404 from absent
    return found, Competition.objects.get(league=league, slug=slug) if slug else None


@require_safe
@never_cache
def detail(request: HttpRequest, league_slug: str) -> HttpResponse:
    """Show the hall clock for the projector, and the tables that differ from it.

    With `?competition=` the show of that competition.
    """
    league = league_or_404(league_slug)
    with timezone.override(league.time_zone):
        if slug := request.GET.get("competition"):
            return show.page(request, league, slug)
        found = hall(request.user, league, timezone.now())
        context = clock_context(found) | {
            "league": league,
            "calls": called(found),
            "refresh": refresh_s(found),
            "now_ms": since_epoch(found.now),
        }
        return render(request, "screens/hall.html", context)
