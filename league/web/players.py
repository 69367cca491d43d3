"""Players: the list with its search, and one player's page."""

from django.db.models import Q
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render

from league.matches.lines import match_lines
from league.matches.player_page import player_page
from league.matches.queries import visible_players
from league.players.models import Player
from league.web.paging import page_of

PLAYERS_A_PAGE = 40
MATCHES_A_PAGE = 12
LONGEST_SEARCH = 60


def index(request: HttpRequest) -> HttpResponse:
    """`?q=` looks for a part of a name, or a whole code."""
    wanted = request.GET.get("q", "").strip()[:LONGEST_SEARCH]
    players = visible_players(request.user)
    if wanted:
        players = players.filter(Q(name__icontains=wanted) | Q(code__iexact=wanted))
    page = page_of(request, players, PLAYERS_A_PAGE)
    return render(request, "players/index.html", {"page": page, "wanted": wanted, "area": "players"})


def detail(request: HttpRequest, code: str) -> HttpResponse:
    try:
        player = player_page(request.user, code)
    except Player.DoesNotExist as absent:
        raise Http404 from absent
    page = page_of(request, player.matches, MATCHES_A_PAGE)
    lines = match_lines(page.object_list)
    return render(request, "players/detail.html", {"page": page, "player": player, "lines": lines, "area": "players"})
