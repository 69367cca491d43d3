"""Help pages: how a log is written."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from league.web.words.games.log_lines import LINES


def notation(request: HttpRequest) -> HttpResponse:
    return render(request, "help/notation.html", {"words": LINES})
