"""Button "Play online" on the page of a match: gives a player the seat in the online game of the fixture."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from league.errors import NotAllowed, Refused
from league.matches.models import Game
from league.play.online.fixtures import open_fixture
from league.web.play.seat_cookie import remember_seat


@require_POST
@login_required
def fixture(request: HttpRequest, code: str) -> HttpResponse:
    """Open the online game of a fixture, or return to it."""
    try:
        seat = open_fixture(code, request.user)
    except Game.DoesNotExist:
        raise Http404 from None
    except NotAllowed as refused:
        raise PermissionDenied(str(refused)) from None
    except Refused as refused:
        messages.error(request, str(refused))
        return redirect("matches:detail", Game.objects.values_list("match", flat=True).get(code=code))
    return remember_seat(redirect("play:online_game", seat.game.code), seat)
