"""The home page: what is on, what was, what comes."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone

from league.accounts.services import is_empty
from league.competitions import queries
from league.competitions.opening import open_competitions
from league.matches.queries import waiting_for

OPEN_SHOWN = 6


def index(request: HttpRequest) -> HttpResponse:
    """Of a site without any account, the page that makes the first one."""
    page = queries.home(request.user, timezone.now())
    if not page.leagues and is_empty():
        return redirect("accounts:first")
    context = {
        "page": page,
        "waiting": waiting_for(request.user),
        "open_ones": list(open_competitions(timezone.now())[:OPEN_SHOWN]),
    }
    return render(request, "home/index.html", context)
