"""Competition pages: the list, and one with its standings or bracket and rounds."""

from collections.abc import Iterable
from typing import Any

from django.core.paginator import Page
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone

from league.competitions import notices
from league.competitions.draw.counts import with_counts
from league.competitions.draw_view import MatchdayView
from league.competitions.models import Competition, NoticeVersion
from league.competitions.queries import lists as queries
from league.competitions.queries.competition import page_of_competition
from league.competitions.queries.final_places import first_places
from league.competitions.queries.rounds import front_page, round_pages, table_page
from league.competitions.seasons.queries import zones_of_competition
from league.competitions.visibility import seen_competition
from league.matches.models import Match
from league.web.competitions.ladders import climber
from league.web.competitions.round_up import latest_round_up
from league.web.competitions.standings_view import asked_number, standings_view, zoned
from league.web.competitions.workings import named_in, workings
from league.web.matches.live_scores import AwaitedScores, watched
from league.web.shared.following import follow_button
from league.web.shared.open_graph import preview_of_competition
from league.web.shared.page_cache import kept_page
from league.web.shared.pagination import page_of
from league.web.words.seasons import legend

COMPETITIONS_A_PAGE = 24
MATCHDAYS_A_PAGE = 8
MATCHES_A_PAGE = 40
NOTICES_SHOWN = 3
PLACES_SHOWN = 32
# Beside open matches, so many decided ones of a round fold.
FOLDED_FROM = 4
# So many matches are in sight on a telephone below standings of eight.
OPEN_SHOWN = 8


@kept_page
def index(request: HttpRequest) -> HttpResponse:
    page = page_of(request, queries.competitions(request.user), COMPETITIONS_A_PAGE)
    page.object_list = with_counts(page.object_list)
    return render(request, "competitions/index.html", {"page": page, "area": "competitions"})


@kept_page
def detail(request: HttpRequest, league_slug: str, slug: str) -> HttpResponse:
    """Show one competition.

    `?table=official` leaves provisional results out of the standings, `?after=` shows them after that round,
    `?group=` those of a group, `?sort=` in another order, `?player=` the final places that a player (by code) can
    still reach.
    """
    try:
        competition = seen_competition(request.user, league_slug, slug)
    except Competition.DoesNotExist as absent:
        raise Http404 from absent
    rounds = round_pages(competition)
    if rounds is None:
        return _ladder(request, competition)
    after, group = (asked_number(request, name) for name in ("after", "group"))
    # Read only the rounds of the requested page.
    days = page_of(request, rounds.pages, 1, rounds.current)
    page, days.object_list = front_page(
        request.user, rounds, days.number, after=after, group=group, code=request.GET.get("player", "")
    )
    division = zones_of_competition(page.competition)
    standings = standings_view(request, page) if page.table else None
    if standings and division:
        standings = zoned(standings, page, division[1])
    context = {
        "page": page,
        "preview": preview_of_competition(request, page.competition),
        "ranking": first_places(rounds, PLACES_SHOWN),
        "standings": standings,
        "division": division[0] if division else None,
        "legend": legend(division[1]) if division else [],
        "days": days,
        **_folded(days),
        "watched": _watched(days),
        "round_up": latest_round_up(competition, rounds.tables) if days.number == rounds.current else None,
        "notices": _notices(competition),
        "follow": follow_button(request, f"competition:{competition.pk}"),
        "area": "competitions",
        "tab": "detail",
    }
    return render(request, "competitions/detail.html", context)


def _notices(competition: Competition) -> list[NoticeVersion]:
    return list(notices.standing_about(competition)[:NOTICES_SHOWN])


def _ladder(request: HttpRequest, competition: Competition) -> HttpResponse:
    page = page_of_competition(request.user, competition)
    size = _rounds_a_page(page.shown)
    days = page_of(request, page.shown, size, _current(page.shown, size))
    context = {
        "page": page,
        "preview": preview_of_competition(request, page.competition),
        "standings": None,
        "notices": _notices(competition),
        "climber": climber(request, page.competition, page.ladder),
        "follow": follow_button(request, f"competition:{competition.pk}"),
        "days": days,
        **_folded(days),
        "watched": _watched(days),
        "area": "competitions",
        "tab": "detail",
    }
    return render(request, "competitions/detail.html", context)


@kept_page
def standing(request: HttpRequest, league_slug: str, slug: str, code: str) -> HttpResponse:
    """Show how each number of one standings row is computed.

    `?table=` and `?after=` as in the standings.
    """
    after, group = (asked_number(request, name) for name in ("after", "group"))
    try:
        competition = seen_competition(request.user, league_slug, slug)
    except Competition.DoesNotExist as absent:
        raise Http404 from absent
    page = table_page(competition, after=after, group=group, code=code)
    if page is None:
        raise Http404
    view = standings_view(request, page, code, rows_a_page=1)
    line = next((line for line in view.lines if line.row.code == code.upper()), None)
    if line is None:
        raise Http404
    people = page.table.placed(named_in(line.row) | {line.row.entrant_id})
    context = {
        "page": page,
        "standings": view,
        "line": line,
        "workings": workings(line.row, page.competition.tie_breaks, people),
        "area": "competitions",
        "tab": "detail",
    }
    return render(request, "competitions/standing.html", context)


def _watched(days: Iterable[MatchdayView]) -> AwaitedScores:
    return watched((slot.match for day in days for slot in day.slots if slot.match), timezone.now())


def _folded(days: Page[MatchdayView]) -> dict[str, Any]:
    """Return the rounds in sight first, and the past ones, which fold beside open matches.

    `folds`: from how many on the decided matches of a round fold; 0 if the page has no open match.
    """
    folds = FOLDED_FROM if any(day.open_slots for day in days) else 0
    past = [day for day in days if folds and not day.open_slots]
    in_sight = [day for day in days if day not in past]
    return {"folds": folds, "past": past, "in_sight": in_sight, "later": _later(in_sight)}


def _later(days: Iterable[MatchdayView]) -> set[int]:
    """Return the rounds that fold after `OPEN_SHOWN` matches in sight: those of which no match has begun."""
    found, shown = set(), 0
    for day in days:
        waits = all(slot.match is None or slot.match.state == Match.State.SCHEDULED for slot in day.open_slots)
        if shown >= OPEN_SHOWN and waits and not day.over_slots:
            found.add(day.id)
        elif day.open_slots:
            shown += len(day.open_slots) + (len(day.over_slots) if len(day.over_slots) < FOLDED_FROM else 0)
    return found


def _rounds_a_page(matchdays: list[MatchdayView]) -> int:
    """Return the number of rounds on a page; large rounds fill a page sooner."""
    most = max((len(day.slots) for day in matchdays), default=0)
    return max(1, min(MATCHDAYS_A_PAGE, MATCHES_A_PAGE // max(most, 1)))


def _current(matchdays: list[MatchdayView], size: int) -> int:
    """Return the page with the first undecided round; the last page if there is none."""
    for place, day in enumerate(matchdays):
        if any(not slot.bye and not slot.decided for slot in day.slots):
            return place // size + 1
    return max(len(matchdays) - 1, 0) // size + 1
