"""A phone that came to a match by the code on its card, or has a player's slip, without an account: by its session."""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from functools import wraps
from math import ceil

from allauth.core.internal.ratelimit import get_ip, respond_429
from django.http import Http404, HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.crypto import salted_hmac

from league.accounts import attempts
from league.accounts.permissions import Asker
from league.matches import doors
from league.matches.models import Match
from league.matches.permissions import Guest

DEVICE, SLIP, PROVED = "device", "slip", "proved"
"""The keys in the session: by what a phone is known again, the door of the entrant whose slip it opened last, and the
doors of all entrants whose slip it opened or whose PIN it knew.
"""
MOST_PROVED = 8


def device_of(request: HttpRequest) -> str:
    """Made at the first question; it lives as long as the session."""
    if DEVICE not in request.session:
        request.session[DEVICE] = doors.new_device()
    return request.session[DEVICE]


def guest_of(request: HttpRequest, match: Match) -> Guest | None:
    """The side that this phone has taken, or whose slip it opened; None where it has neither."""
    guest = doors.guest_of(match, request.session.get(DEVICE, ""), request.session.get(SLIP, ""))
    return guest and replace(guest, device=device_of(request), hands=_hands(request, match))


def person_of(request: HttpRequest, match: Match) -> Asker:
    """Whoever is signed in, with the hands that the browser of a player is told from others by (second_side.py)."""
    if request.user.is_authenticated:
        request.user.hands = _hands(request, match)
    return request.user


def _hands(request: HttpRequest, match: Match) -> str:
    """Address and browser, as a digest that says nothing elsewhere: two private windows of one phone have the same."""
    seen = f"{match.door}\n{get_ip(request)}\n{request.headers.get('User-Agent', '')}"
    return salted_hmac("league.web.hands", seen, algorithm="sha256").hexdigest()[:32]


def remember_proof(request: HttpRequest, entrant_door: str) -> None:
    """This phone belongs to somebody who has the slip of this entrant."""
    before = [door for door in request.session.get(PROVED, []) if door != entrant_door]
    request.session[PROVED] = [*before, entrant_door][-MOST_PROVED:]


def proved_device(request: HttpRequest, match: Match, number: int) -> str:
    """By what this phone is known, if it has proved itself for this side; else empty."""
    return device_of(request) if doors.is_proved(match, number, request.session.get(PROVED, [])) else ""


# --- Wrong codes ---


def behind_code(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """A page behind the code of a card or slip. Codes that open nothing are counted by address, of a phone that came by
    a right one before by phone. A right code never waits: with 60 bits it is not guessed, and a hall has one address,
    so that one guesser there would keep everybody out (RELIABILITY.md A-19).
    """

    @wraps(view)
    def guarded(request: HttpRequest, *args: object, **kwargs: object) -> HttpResponse:
        try:
            answer = view(request, *args, **kwargs)
        except Http404:
            if free_at := _count(request):
                return _later(request, free_at)
            raise
        if answer.status_code == 404 and (free_at := _count(request)):
            return _later(request, free_at)
        return answer

    return guarded


def _count(request: HttpRequest) -> datetime | None:
    known = request.session.get(DEVICE) or request.session.get(SLIP)
    return attempts.count(attempts.CODE, *(("device", known) if known else ("address", get_ip(request))))


def _later(request: HttpRequest, free_at: datetime) -> HttpResponse:
    answer = respond_429(request)
    answer["Retry-After"] = str(max(1, ceil((free_at - timezone.now()).total_seconds())))
    return answer
