"""Guest access in the session: a phone with a table code or a player's slip."""

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
from league.matches import guests
from league.matches.models import Match
from league.matches.permissions import Guest

DEVICE, SLIP, PROVED = "device", "slip", "proved"
"""Session keys: the phone, the door of the last slip, the doors of all proofs."""
MOST_PROVED = 8


def device_of(request: HttpRequest) -> str:
    """Return the phone's key, created on first use; it lives as long as the session."""
    if DEVICE not in request.session:
        request.session[DEVICE] = guests.new_device()
    return request.session[DEVICE]


def guest_of(request: HttpRequest, match: Match) -> Guest | None:
    """Return the side taken by this phone, or the side of its slip; else None."""
    guest = guests.guest_of(match, request.session.get(DEVICE, ""), request.session.get(SLIP, ""))
    return guest and replace(guest, device=device_of(request), hands=_browser_digest(request, match))


def person_of(request: HttpRequest, match: Match) -> Asker:
    """Return the signed-in user with the digest of address and browser."""
    if request.user.is_authenticated:
        request.user.hands = _browser_digest(request, match)
    return request.user


def _browser_digest(request: HttpRequest, match: Match) -> str:
    """Return a digest of address and browser for this match.

    Two private windows of one phone share it.
    """
    seen = f"{match.door}\n{get_ip(request)}\n{request.headers.get('User-Agent', '')}"
    return salted_hmac("league.web.hands", seen, algorithm="sha256").hexdigest()[:32]


def remember_proof(request: HttpRequest, entrant_door: str) -> None:
    """Record in the session that this phone has shown an entrant's slip or PIN."""
    before = [door for door in request.session.get(PROVED, []) if door != entrant_door]
    request.session[PROVED] = [*before, entrant_door][-MOST_PROVED:]


def proved_device(request: HttpRequest, match: Match, number: int) -> str:
    """Return the key of this phone if it has proved itself for this side, else ""."""
    return device_of(request) if guests.is_proved(match, number, request.session.get(PROVED, [])) else ""


# --- Wrong codes ---


def behind_code(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Count unknown codes by address, or by phone after a right code.

    A right code never waits: 60 bits can't be guessed, and in a hall with one address a single guesser would keep
    everybody out (RELIABILITY.md A-19).
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
