"""Schedule of a competition, and its list of players."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from itertools import groupby

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone

from league.competitions.entrant_names import placed_of
from league.competitions.queries import lists as queries
from league.competitions.queries.programme import ScheduledSlot, entrants_listed, scheduled, to_be_published
from league.competitions.queries.rounds import head_page
from league.web.competitions.standings import seen_or_404
from league.web.shared.page_cache import kept_page
from league.web.shared.pagination import page_of

MATCHES_A_PAGE = 60
ENTRANTS_A_PAGE = 60


@dataclass(frozen=True, slots=True)
class ProgrammeDay:
    """Matches of one day in the league's time zone; `day` None: without an hour."""

    day: date | None
    slots: list[ScheduledSlot]


@kept_page
def schedule(request: HttpRequest, league_slug: str, slug: str) -> HttpResponse:
    """Show the schedule by day, opened at the page with the first unfinished match."""
    competition = seen_or_404(request, league_slug, slug)
    found = scheduled(competition)
    slots = page_of(request, found.keys, MATCHES_A_PAGE, found.current // MATCHES_A_PAGE + 1)
    with timezone.override(competition.league.time_zone):
        context = {
            "page": head_page(competition),
            "slots": slots,
            "days": _by_day(found.read(slots.object_list, request.user)),
            "hidden": to_be_published(competition),
            "area": "competitions",
            "tab": "schedule",
        }
        return render(request, "competitions/schedule.html", context)


def _by_day(slots: Sequence[ScheduledSlot]) -> list[ProgrammeDay]:
    return [ProgrammeDay(day, list(own)) for day, own in groupby(slots, key=_day_of)]


def _day_of(one: ScheduledSlot) -> date | None:
    return timezone.localtime(one.slot.starts_at).date() if one.slot.starts_at else None


@kept_page
def players(request: HttpRequest, league_slug: str, slug: str) -> HttpResponse:
    """List the entrants in seed order."""
    competition = seen_or_404(request, league_slug, slug)
    listed = page_of(request, entrants_listed(competition), ENTRANTS_A_PAGE)
    context = {
        "page": head_page(competition),
        "entrants": listed,
        "lines": [placed_of(one) for one in listed],
        "left": queries.withdrawn_among(competition, [one.entrant_id for one in listed]),
        "rated": any(one.rating is not None for one in listed),
        "area": "competitions",
        "tab": "players",
    }
    return render(request, "competitions/players.html", context)
