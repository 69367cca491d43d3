"""All titles of a player; the player's page shows the latest."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render

from league.competitions.queries.player import honours_of, titles_won
from league.matches.queries.player import found_player
from league.players.models import Player
from league.web.shared.pagination import page_of

TITLES_A_PAGE = 24


def index(request: HttpRequest, code: str) -> HttpResponse:
    try:
        player = found_player(request.user, code)
    except Player.DoesNotExist as absent:
        raise Http404 from absent
    page = page_of(request, honours_of(player), TITLES_A_PAGE)
    context = {"player": player, "page": page, "titles": titles_won(page.object_list, player), "area": "players"}
    return render(request, "players/titles.html", context)
