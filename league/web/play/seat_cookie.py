"""Cookie with the secret of a seat in an online game; each game has its own, sent to its pages only.

A browser has it before it takes a seat, so that a lost answer loses no seat.
"""

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.urls import reverse

from league.play.models import OnlineSeat

COOKIE = "seat"
YEAR = 365 * 24 * 3600


def remember_seat(response: HttpResponse, seat: OnlineSeat) -> HttpResponse:
    """Give the browser a seat."""
    return remember_key(response, seat.game.code, seat.key)


def remember_key(response: HttpResponse, code: str, key: str) -> HttpResponse:
    """Give the browser the secret of its seat in a game."""
    response.set_cookie(
        COOKIE,
        key,
        max_age=YEAR,
        path=reverse("play:online_game", args=[code]),
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )
    return response


def key_in(request: HttpRequest) -> str:
    """Return the secret of the browser's seat, "" without one, and for a text that cannot be one."""
    key = request.COOKIES.get(COOKIE, "")[:16]
    return key if key.isascii() and key.isalnum() else ""
