"""Answer of every address of a cancelled competition."""

from collections.abc import Callable
from http import HTTPStatus

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone

from league.accounts.permissions import Act
from league.competitions.cancelling import consequences
from league.competitions.models import Competition
from league.competitions.queries.lists import competition_of
from league.competitions.visibility import Cancelled
from league.matches.models import Match
from league.matches.queries.lines import match_lines
from league.matches.visibility import visible_matches
from league.web.components.match_rows import by_round
from league.web.shared.access import inside
from league.web.shared.pagination import page_of

MATCHES_A_PAGE = 30


class CancelledMiddleware:
    """Answer 410 with the page of the cancelled competition, whichever of its pages was asked for."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        return cancelled(request, error.competition) if isinstance(error, Cancelled) else None


def cancelled(request: HttpRequest, competition: Competition) -> HttpResponse:
    """Show day and reason, the played matches, and to the desk the fees to give back."""
    played = visible_matches(request.user).filter(
        slot__matchday__stage__competition=competition, state=Match.State.DECIDED
    )
    page = page_of(request, played.order_by("slot__matchday__number", "slot__number"), MATCHES_A_PAGE)
    acts = inside(request.user, competition.league).acts
    lines = match_lines(page.object_list, request.user)
    context = {
        "competition": competition,
        "league": competition.league,
        "page": page,
        "rounds": by_round(lines, competition_of([line.id for line in lines])) if lines else {},
        "now": timezone.now(),
        "to_return": consequences(competition) if Act.RUN_DESK in acts else None,
        "area": "competitions",
    }
    with timezone.override(competition.league.time_zone):
        return render(request, "competitions/cancelled.html", context, status=HTTPStatus.GONE)
