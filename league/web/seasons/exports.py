"""Files of a season: for the public, and fuller for the staff."""

from collections.abc import Mapping

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from league.accounts.models import League
from league.accounts.permissions import Act, Asker
from league.competitions.import_export.exporting import EVERYBODY, Value
from league.competitions.import_export.season_exporting import JSON, NAMES, ZIP, season_file, season_files
from league.competitions.models import Season
from league.competitions.seasons.queries import visible_seasons
from league.web.competitions.exports import answer
from league.web.shared.staff import of_league

TOLD: Mapping[str, str] = {
    ZIP: gettext_lazy("Everything below in one file"),
    JSON: gettext_lazy("For other programs, and to import it into another league"),
    "divisions.csv": pgettext_lazy("file of a season", "Divisions, and how many of their places lead up and down"),
    "dates.csv": pgettext_lazy("file of a season", "Rounds"),
    "entrants.csv": pgettext_lazy("file of a season", "Entrants of each division with their seeds"),
    "rounds.csv": pgettext_lazy("file of a season", "Rounds and pairings of every division, with tables and hours"),
    "games.csv": pgettext_lazy("file of a season", "Every result of the divisions"),
    "standings.csv": pgettext_lazy(
        "file of a season", "Standings of every division, with and without unconfirmed results"
    ),
    "play-offs.csv": pgettext_lazy("file of a season", "Every result of the play-offs"),
    "promotions.csv": pgettext_lazy("file of a season", "Promotion and relegation, once every result is confirmed"),
}


def index(request: HttpRequest, league_slug: str, slug: str) -> HttpResponse:
    """List the public files; the same for every reader."""
    season = get_object_or_404(visible_seasons(EVERYBODY), league__slug=league_slug, slug=slug)
    return _list(request, season, "seasons:file")


@require_safe
def file(request: HttpRequest, league_slug: str, slug: str, name: str) -> HttpResponse:
    return _file(EVERYBODY, league_slug, slug, name)


@never_cache
@of_league(Act.SEE_DRAFTS)
def staff_index(request: HttpRequest, league: League, slug: str) -> HttpResponse:
    season = get_object_or_404(Season.objects.select_related("league"), league=league, slug=slug)
    return _list(request, season, "organize:season_file", league=league)


@never_cache
@require_safe
@of_league(Act.SEE_DRAFTS)
def staff_file(request: HttpRequest, league: League, slug: str, name: str) -> HttpResponse:
    return _file(request.user, league.slug, slug, name)


def season_value(user: Asker, league_slug: str, slug: str) -> Value:
    try:
        return season_file(user, league_slug, slug)
    except Season.DoesNotExist as absent:
        raise Http404 from absent


def _list(request: HttpRequest, season: Season, address: str, league: League | None = None) -> HttpResponse:
    context = {
        "season": season,
        "league": season.league,
        "for_staff": league is not None,
        "files": [(name, TOLD[name]) for name in NAMES],
        "address": address,
        "title": _("Files"),
        "area": "organize" if league else "leagues",
    }
    return render(request, "seasons/files.html", context)


def _file(user: Asker, league_slug: str, slug: str, name: str) -> HttpResponse:
    if name not in NAMES:
        raise Http404
    return answer(season_files(season_value(user, league_slug, slug))[name](), f"{slug}-{name}")
