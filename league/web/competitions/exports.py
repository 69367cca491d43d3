"""Files of a competition or a league: for the public, and fuller for the staff."""

from collections.abc import Callable, Mapping

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from league.accounts.models import League
from league.accounts.permissions import Act, Asker
from league.competitions.import_export.csv_tables import tables_of
from league.competitions.import_export.exporting import EVERYBODY, Value, competition_file, to_json, zipped
from league.competitions.import_export.league import league_files
from league.competitions.import_export.trf_report import has_report, report
from league.competitions.models import Competition
from league.competitions.queries.rounds import head_page
from league.competitions.visibility import seen_competition
from league.web.shared.access import league_or_404
from league.web.shared.staff import of_league

ZIP = "all.zip"
REPORT = "report.trf"
TYPES = {"csv": "text/csv; charset=utf-8", "json": "application/json", "zip": "application/zip", "trf": "text/plain"}
# File name → description, in the order of the page.
TOLD = {
    ZIP: gettext_lazy("Everything below in one file"),
    "competition.json": gettext_lazy("For other programs, and to import it into another league"),
    "entrants.csv": pgettext_lazy("file", "Entrants with their seeds"),
    "rounds.csv": pgettext_lazy("file", "Rounds and pairings, with tables and hours"),
    "games.csv": pgettext_lazy("file", "Every result: points, winner, how it is known and confirmed"),
    "standings.csv": pgettext_lazy("file", "Standings, with and without unconfirmed results"),
    "places.csv": pgettext_lazy("file", "Final places of all players, as far as they are certain"),
    "adjustments.csv": pgettext_lazy("file", "Bonuses and deductions of match points, with their reasons"),
    "challenges.csv": pgettext_lazy("file", "Challenges of the ladder, in the order in which they were made"),
    "payments.csv": pgettext_lazy("file", "Fees that were taken and given back"),
    REPORT: gettext_lazy("Tournament report file (TRF), as pairing programs of chess read it"),
}


def files_of(value: Value) -> Mapping[str, Callable[[], bytes]]:
    """Map each file name to the function that makes the file."""
    tables = tables_of(value)
    found: dict[str, Callable[[], bytes]] = {"competition.json": lambda: to_json(value)}
    found |= {name: (lambda raw=raw: raw) for name, raw in tables.items()}
    if has_report(value):
        found[REPORT] = lambda: report(value).encode()
    return {ZIP: lambda: zipped({name: make() for name, make in found.items()}), **found}


def index(request: HttpRequest, league_slug: str, slug: str) -> HttpResponse:
    """List the public files; the same for every reader."""
    return _list(request, _value(EVERYBODY, league_slug, slug), league_slug, slug, "competitions:file")


@require_safe
def file(request: HttpRequest, league_slug: str, slug: str, name: str) -> HttpResponse:
    return _file(_value(EVERYBODY, league_slug, slug), slug, name)


@never_cache
@of_league(Act.SEE_DRAFTS)
def staff_index(request: HttpRequest, league: League, slug: str) -> HttpResponse:
    value = _value(request.user, league.slug, slug)
    return _list(request, value, league.slug, slug, "organize:file", league=league)


@never_cache
@require_safe
@of_league(Act.SEE_DRAFTS)
def staff_file(request: HttpRequest, league: League, slug: str, name: str) -> HttpResponse:
    return _file(_value(request.user, league.slug, slug), slug, name)


@require_safe
def public_league(request: HttpRequest, slug: str) -> HttpResponse:
    return _zip_of(EVERYBODY, league_or_404(slug))


@never_cache
@require_safe
@of_league(Act.SEE_DRAFTS)
def all_of_league(request: HttpRequest, league: League) -> HttpResponse:
    return _zip_of(request.user, league)


def _zip_of(user: Asker, league: League) -> HttpResponse:
    return answer(zipped(league_files(user, league)), f"{league.slug}.zip")


def _value(user: Asker, league_slug: str, slug: str) -> Value:
    try:
        return competition_file(user, league_slug, slug)
    except Competition.DoesNotExist as absent:
        raise Http404 from absent


def _list(
    request: HttpRequest, value: Value, league_slug: str, slug: str, address: str, league: League | None = None
) -> HttpResponse:
    files = files_of(value)
    context = {
        "value": value,
        "files": [(name, told) for name, told in TOLD.items() if name in files],
        "league_slug": league_slug,
        "slug": slug,
        "address": address,
        "league": league,
        "competition": Competition.objects.get(league__slug=league_slug, slug=slug) if league else None,
        "whole": "payments" in value,
        "area": "organize" if league else "competitions",
        "title": _("Files"),
        "page": None if league else head_page(seen_competition(EVERYBODY, league_slug, slug)),
        "tab": "files",
    }
    return render(request, "competitions/files.html", context)


def _file(value: Value, slug: str, name: str) -> HttpResponse:
    files = files_of(value)
    if name not in files:
        raise Http404
    return answer(files[name](), f"{slug}-{name}")


def answer(raw: bytes, name: str) -> HttpResponse:
    return HttpResponse(
        raw,
        content_type=TYPES[name.rpartition(".")[2]],
        headers={"Content-Disposition": f'attachment; filename="{name}"', "X-Content-Type-Options": "nosniff"},
    )
