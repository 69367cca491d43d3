"""Button "Play online" on the page of a match: gives a player the seat in the online game of the fixture."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods

from league.errors import NotAllowed, Refused
from league.matches.models import Game
from league.play.online.fixtures import open_fixture, visible_game
from league.web.play.seat_cookie import remember_seat


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def fixture(request: HttpRequest, code: str) -> HttpResponse:
    """Open the online game of a fixture, or return to it. A GET comes from a sign-in, and leads to the match."""
    try:
        if request.method != "POST":
            return redirect("matches:detail", visible_game(code, request.user).match_id)
        seat = open_fixture(code, request.user)
    except Game.DoesNotExist:
        raise Http404 from None
    except NotAllowed as refused:
        raise PermissionDenied(str(refused)) from None
    except Refused as refused:
        messages.error(request, str(refused))
        return redirect("matches:detail", Game.objects.values_list("match", flat=True).get(code=code))
    return remember_seat(redirect("play:online_game", seat.game.code), seat)
