"""Keep score and both pads with guest access, by the code on the card of a match."""

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from league.errors import NotAllowed, Refused
from league.matches import guests, permissions
from league.matches.models import Game, Match, Result, Side
from league.players.models import PEOPLE
from league.web.matches import tiles as tile_pad
from league.web.matches.keep import keep_page
from league.web.matches.pad import (
    Sitting,
    answers_in_json,
    hear_side,
    pad_page,
    sat_down,
    take_in,
    tell_and_keep,
    worker_of,
)
from league.web.shared.guests import behind_code, device_of, guest_of, person_of
from league.web.shared.staff import number_in


def _match(door: str) -> Match:
    try:
        return guests.match_by_door(door)
    except Match.DoesNotExist as absent:
        raise Http404 from absent


def _visitor(request: HttpRequest, match: Match) -> permissions.Visitor | None:
    """Return the account that may keep the tally, else the phone's side, else None."""
    if permissions.why_not_keep_tally(permissions.actor(request.user, match)) is None:
        return person_of(request, match)
    return guest_of(request, match)


def _sitting(request: HttpRequest, door: str, number: int, view: str = "pads:pad") -> Sitting:
    """Return the sitting of a visitor at the page of a game.

    Raises Http404; Refused `door-early`, `door-closed`; NotAllowed for a phone without a side.
    """
    match = _match(door)
    who = _visitor(request, match) or request.user
    if isinstance(who, permissions.Guest):
        guests.check_open(match, timezone.now())
    try:
        game = Game.objects.select_related("match__league").get(match=match, number=number)
    except Game.DoesNotExist as absent:
        raise Http404 from absent
    return sat_down(game, who, reverse(view, args=[match.door, number]))


@require_http_methods(["GET", "POST"])
@behind_code
def begin(request: HttpRequest, door: str) -> HttpResponse:
    """Go to *Keep score* of the next game of the match, or ask for the phone's side.

    POST `side` chooses the side.
    """
    match = _match(door)
    if request.method == "POST":
        _take_side(request, match)
    if _visitor(request, match) is None:
        return _ask_side(request, match)
    return redirect("pads:keep", match.door, _number(match))


def _take_side(request: HttpRequest, match: Match) -> None:
    try:
        guests.take_side(match, number_in(request.POST, "side") or 0, device_of(request))
    except Refused as refused:
        messages.error(request, str(refused))


def _ask_side(request: HttpRequest, match: Match) -> HttpResponse:
    sides = Side.objects.filter(match=match).select_related(*PEOPLE).order_by("number")
    context: dict[str, Any] = {"match": match, "sides": sides, "is_open": guests.is_open(match, timezone.now())}
    if guests.is_early(match, timezone.now()):
        context["opens"] = guests.in_league_time(match, guests.opens_at(match))
    return render(request, "matches/pad_guest.html", context)


def _number(match: Match) -> int:
    """Return the number of the first game without a result, else of the last game."""
    played = Result.objects.filter(game__match=match, current=True).values("game")
    games = Game.objects.filter(match=match).order_by("number").values_list("number", flat=True)
    return games.exclude(pk__in=played).first() or games.last() or 1


@require_http_methods(["GET", "HEAD", "POST"])
@behind_code
def keep(request: HttpRequest, door: str, number: int) -> HttpResponse:
    return _shown(request, door, number, "pads:keep", keep_page)


@require_safe
@behind_code
def page(request: HttpRequest, door: str, number: int) -> HttpResponse:
    return _shown(request, door, number, "pads:pad", pad_page)


@require_safe
@behind_code
def tiles(request: HttpRequest, door: str, number: int) -> HttpResponse:
    return _shown(request, door, number, "pads:tiles", tile_pad.tiles_page)


def _shown(
    request: HttpRequest, door: str, number: int, view: str, show: Callable[[HttpRequest, Sitting], HttpResponse]
) -> HttpResponse:
    try:
        return show(request, _sitting(request, door, number, view))
    except NotAllowed:
        return redirect("pads:begin", door)
    except Refused as refused:
        messages.error(request, str(refused))
        return _ask_side(request, _match(door))


@require_http_methods(["GET", "POST"])
@behind_code
@answers_in_json
def taps(request: HttpRequest, door: str, number: int) -> HttpResponse:
    return tell_and_keep(request, _sitting(request, door, number))


@require_POST
@behind_code
@answers_in_json
def hand_in(request: HttpRequest, door: str, number: int) -> HttpResponse:
    return take_in(request, _sitting(request, door, number))


@require_POST
@behind_code
@answers_in_json
def confirm(request: HttpRequest, door: str, number: int) -> HttpResponse:
    return hear_side(request, _sitting(request, door, number))


@require_safe
def worker(request: HttpRequest, door: str, number: int) -> HttpResponse:
    return worker_of(reverse("pads:pad", args=[door, number]))


@require_safe
def tiles_worker(request: HttpRequest, door: str, number: int) -> HttpResponse:
    return tile_pad.worker_of(reverse("pads:tiles", args=[door, number]))
