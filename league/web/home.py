"""The home page: what is on, what was, what comes."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone

from league.accounts.services import is_empty
from league.competitions import queries
from league.matches.queries import waiting_for


def index(request: HttpRequest) -> HttpResponse:
    """Of a site without any account, the page that makes the first one."""
    page = queries.home(request.user, timezone.now())
    if not page.leagues and is_empty():
        return redirect("accounts:first")
    return render(request, "home/index.html", {"page": page, "waiting": waiting_for(request.user)})
