"""The home page: what is on, what was, what comes."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone

from league.competitions import queries
from league.matches.queries import waiting_for


def index(request: HttpRequest) -> HttpResponse:
    page = queries.home(request.user, timezone.now())
    return render(request, "home/index.html", {"page": page, "waiting": waiting_for(request.user)})
