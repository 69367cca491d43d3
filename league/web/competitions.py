"""Competitions: the list, and one with its standings or bracket and its rounds."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render

from league.competitions import queries
from league.competitions.models import Competition
from league.competitions.season_pages import zones_of_competition
from league.web.bracket import drawing, part_of, parts_of
from league.web.ladders import climber
from league.web.paging import page_of
from league.web.seasons import legend, zoned
from league.web.standings_view import asked_number, standings_view
from league.web.workings import workings

COMPETITIONS_A_PAGE = 24
MATCHDAYS_A_PAGE = 8
MATCHES_A_PAGE = 128
LONGEST_NAME = 200
# Beside a table, so that with forty players the page stays below 100 kB.
MATCHES_BESIDE_A_TABLE = 40


def index(request: HttpRequest) -> HttpResponse:
    page = page_of(request, queries.competitions(request.user), COMPETITIONS_A_PAGE)
    return render(request, "competitions/index.html", {"page": page, "area": "competitions"})


def detail(request: HttpRequest, league_slug: str, slug: str) -> HttpResponse:
    """`?table=official` leaves provisional results out of the standings, `?after=` shows them as they were after a
    round, `?group=` those of a group, `?sort=` in another order, `?player=` what one can still come to, by code.
    """
    try:
        competition = queries.seen_competition(request.user, league_slug, slug)
    except Competition.DoesNotExist as absent:
        raise Http404 from absent
    if rounds := queries.round_pages(competition):
        return _knock_out(request, rounds)
    after, group = (asked_number(request, name) for name in ("after", "group"))
    code = request.GET.get("player", "")
    page = queries.page_of_competition(request.user, competition, after=after, group=group, code=code)
    size = _rounds_a_page(page.shown, MATCHES_A_PAGE if page.knock_out else MATCHES_BESIDE_A_TABLE)
    division = zones_of_competition(page.competition)
    standings = standings_view(request, page) if page.table else None
    if standings and division:
        standings = zoned(standings, page, division[1])
    context = {
        "page": page,
        "standings": standings,
        "division": division[0] if division else None,
        "legend": legend(division[1]) if division else [],
        "climber": climber(request, page.competition, page.ladder) if page.ladder else None,
        "days": page_of(request, page.shown, size, _current(page.shown, size)),
        "area": "competitions",
        "tab": "detail",
    }
    return render(request, "competitions/detail.html", context)


def _knock_out(request: HttpRequest, rounds: queries.RoundPages) -> HttpResponse:
    """Only the rounds of the page that is asked for are read."""
    days = page_of(request, rounds.pages, 1, rounds.current)
    page, days.object_list = queries.front_page(request.user, rounds, days.number)
    context = {"page": page, "standings": None, "days": days, "area": "competitions", "tab": "detail"}
    return render(request, "competitions/detail.html", context)


def standing(request: HttpRequest, league_slug: str, slug: str, code: str) -> HttpResponse:
    """One row of the standings: how each of its numbers came about. `?table=` and `?after=` as in the standings."""
    page = _page(request, league_slug, slug, code)
    if page.table is None:
        raise Http404
    view = standings_view(request, page, code)
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
    """A knock-out as a drawing and as a nested list. `?player=` follows one player by code or name, `?section=` chooses
    a part of a bracket of more than 64; what is not in it is not read.
    """
    player = request.GET.get("player", "").strip()[:LONGEST_NAME]
    try:
        page = queries.bracket_page(request.user, league_slug, slug, player=player)
    except Competition.DoesNotExist as absent:
        raise Http404 from absent
    if not page.knock_out:
        raise Http404
    parts = parts_of(page.days, page.shape.sources)
    asked = request.GET.get("section", "")
    number = int(asked) if asked.isdecimal() and len(asked) <= 6 else None
    plan = part_of(parts, number, page.own) if parts else None
    part = plan.filled(queries.part_views(request.user, page, plan.keys)) if plan else None
    context = {
        "page": page,
        "parts": parts,
        "part": part,
        "drawing": drawing(part, page.followed.code if page.followed else "") if part else None,
        "followed": page.followed,
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
