"""Pages of circuits: list, ranking, plain text and table."""

from dataclasses import dataclass
from datetime import datetime

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import pgettext
from django.views.decorators.http import require_safe

from league.competitions.formats.circuit import EveningScore
from league.competitions.import_export.circuits import circuit_table
from league.competitions.models import Circuit
from league.competitions.queries.circuits import CircuitLine, CircuitPage, circuit_page, circuits
from league.web.competitions.exports import answer
from league.web.shared.access import inside, league_or_404
from league.web.shared.page_cache import kept_page
from league.web.shared.pagination import page_of
from league.web.words.circuits import circuit_rules
from league.web.words.numbers import number_text

CIRCUITS_A_PAGE = 24
ROWS_A_PAGE = 100


@dataclass(frozen=True, slots=True)
class CircuitCell:
    """Points of an entrant in an evening, in brackets if they don't count; a dash without a place."""

    points: str
    counts: bool


@dataclass(frozen=True, slots=True)
class CircuitRanked:
    """A row of the ranking as shown, with a cell for each evening that counts."""

    line: CircuitLine
    points: str
    cells: list[CircuitCell]


def index(request: HttpRequest, league_slug: str) -> HttpResponse:
    league = league_or_404(league_slug)
    page = page_of(request, circuits(request.user).filter(league=league), CIRCUITS_A_PAGE)
    context = {"league": league, "here": inside(request.user, league), "page": page, "area": "leagues"}
    return render(request, "competitions/circuits.html", context)


@kept_page
def detail(request: HttpRequest, league_slug: str, slug: str) -> HttpResponse:
    page = _page(request, league_slug, slug)
    league = page.circuit.league
    listed = page_of(request, page.lines, ROWS_A_PAGE)
    with timezone.override(league.time_zone):
        context = {
            "page": page,
            "circuit": page.circuit,
            "league": league,
            "here": inside(request.user, league),
            "rules": list(circuit_rules(page.circuit)),
            "listed": listed,
            "rows": [_ranked(line, page) for line in listed],
            "area": "leagues",
        }
        return render(request, "competitions/circuit.html", context)


def text(request: HttpRequest, league_slug: str, slug: str) -> HttpResponse:
    """Show the ranking as plain text."""
    page = _page(request, league_slug, slug)
    with timezone.override(page.circuit.league.time_zone):
        context = {
            "competition": page.circuit,
            "heading": pgettext("heading", "Ranking"),
            "back": reverse("circuits:detail", args=[league_slug, slug]),
            "text": circuit_text(page, now=timezone.now()),
            "area": "leagues",
        }
        return render(request, "competitions/text.html", context)


@require_safe
def table(request: HttpRequest, league_slug: str, slug: str) -> HttpResponse:
    """Download the ranking as CSV."""
    return answer(circuit_table(_page(request, league_slug, slug)), f"{slug}-ranking.csv")


def circuit_text(page: CircuitPage, *, now: datetime) -> str:
    """Write the ranking, the points by evening behind each name: `1. Ana Ruiz: 25 · 10, (6), 15, –`"""
    told = pgettext("standings", "As of %(time)s") % {"time": date_format(now, "j M, H:i")}
    lines = [_text_line(line, page) for line in page.lines]
    return "\n".join([str(page.circuit), told, "", *(lines or [_("Nothing is decided yet.")])])


def _text_line(line: CircuitLine, page: CircuitPage) -> str:
    one, row = line.entrant, _ranked(line, page)
    name = f"{one.name} ({one.apart})" if one.apart else one.name
    return f"{line.row.rank}. {name}: {row.points} · {', '.join(cell.points for cell in row.cells)}"


def _ranked(line: CircuitLine, page: CircuitPage) -> CircuitRanked:
    cells = [_cell(line.row.scores.get(at)) for at in range(len(page.counting))]
    return CircuitRanked(line, number_text(line.row.points), cells)


def _cell(score: EveningScore | None) -> CircuitCell:
    if score is None:
        return CircuitCell("–", counts=True)
    points = number_text(score.points)
    return CircuitCell(points if score.counts else f"({points})", score.counts)


def _page(request: HttpRequest, league_slug: str, slug: str) -> CircuitPage:
    try:
        return circuit_page(request.user, league_slug, slug)
    except Circuit.DoesNotExist as absent:
        raise Http404 from absent
