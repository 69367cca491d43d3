"""Search: a results page, and suggestions while typing."""

from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import pgettext
from django.views.decorators.http import require_safe

from league.accounts.graphemes import points
from league.competitions.queries.search import Found, search
from league.web.shared.pagination import page_of

KINDS = ("players", "leagues", "competitions")
SHOWN_OF_EACH = 6
ROWS_A_PAGE = 40
LONGEST = points(60)
FEWEST_LETTERS = 2
SUGGESTED = {"players": 5, "leagues": 2, "competitions": 3}


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    """Show search results.

    `?q=` is a part of a name, or the whole code of a player. `?kind=`: one of `KINDS` alone, in pages.
    """
    wanted = _wanted(request)
    kind = request.GET.get("kind", "")
    kind = kind if kind in KINDS else ""
    found = search(request.user, wanted) if wanted else None
    parts = [_part(request, found, one, whole=one == kind) for one in KINDS if kind in {"", one}] if found else []
    nothing = not kind and not any(part["count"] for part in parts)
    context = {"wanted": wanted, "parts": parts, "nothing": nothing, "area": "search"}
    return render(request, "players/search.html", context)


def _wanted(request: HttpRequest) -> str:
    return " ".join(request.GET.get("q", "").replace("\0", "").split())[:LONGEST]


def _part(request: HttpRequest, found: Found, kind: str, *, whole: bool) -> dict[str, Any]:
    """Return the first results of a kind, or a page of all."""
    page = page_of(request, getattr(found, kind), ROWS_A_PAGE if whole else SHOWN_OF_EACH, name="page" if whole else "")
    return {"kind": kind, "page": page, "count": page.paginator.count, "whole": whole}


@require_safe
def suggest(request: HttpRequest) -> JsonResponse:
    """Return `{"found": [{"kind", "name", "more", "url"}]}`, at most ten.

    None for a single letter.
    """
    wanted = _wanted(request)
    rows = _suggested(search(request.user, wanted)) if len(wanted) >= FEWEST_LETTERS else []
    return JsonResponse({"found": rows}, headers={"Cache-Control": "private, max-age=30"})


def _suggested(found: Found) -> list[dict[str, str]]:
    players = [
        _row(pgettext("search", "Player"), str(one), one.apart, reverse("players:detail", args=[one.code]))
        for one in found.players[: SUGGESTED["players"]]
    ]
    leagues = [
        _row(pgettext("search", "League"), one.name, one.place, reverse("leagues:detail", args=[one.slug]))
        for one in found.leagues[: SUGGESTED["leagues"]]
    ]
    competitions = [
        _row(
            pgettext("search", "Competition"),
            one.name,
            one.league.name,
            reverse("competitions:detail", args=[one.league.slug, one.slug]),
        )
        for one in found.competitions[: SUGGESTED["competitions"]]
    ]
    return [*players, *leagues, *competitions]


def _row(kind: str, name: str, more: str, url: str) -> dict[str, str]:
    return {"kind": kind, "name": name, "more": more, "url": url}
