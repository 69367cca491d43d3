"""A phone that came to a match by the code on its card, or has a player's slip, without an account: by its session."""

from django.http import HttpRequest

from league.matches import doors
from league.matches.models import Match
from league.matches.permissions import Guest

DEVICE, SLIP = "device", "slip"
"""The keys in the session: by what a phone is known again, and the door of the entrant whose slip it opened."""


def device_of(request: HttpRequest) -> str:
    """Made at the first question; it lives as long as the session."""
    if DEVICE not in request.session:
        request.session[DEVICE] = doors.new_device()
    return request.session[DEVICE]


def guest_of(request: HttpRequest, match: Match) -> Guest | None:
    """The side that this phone has taken, or whose slip it opened; None where it has neither."""
    return doors.guest_of(match, request.session.get(DEVICE, ""), request.session.get(SLIP, ""))
