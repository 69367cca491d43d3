"""Page behind a player's personal link or code; needs no account.

It shows table, opponent, hour and last result, and offers check-in.
"""

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from league import qr
from league.accounts.permissions import Act, may
from league.competitions.attendance.check_in import check_in, check_oneself_in
from league.competitions.models import Registration
from league.competitions.queries.own_calls import OwnCalls, own_calls
from league.competitions.queries.personal_link import entrant_by_door, personal_page
from league.errors import Refused
from league.players.models import PEOPLE, Entrant, plays
from league.players.pairs import by_codes, own_entrants, pairs_in
from league.players.services import renew_door
from league.web.components.disputes import notices_by_match
from league.web.leagues.people import AREA
from league.web.leagues.player import player_or_404
from league.web.shared.absolute_url import absolute
from league.web.shared.access import Inside, door
from league.web.shared.guests import SLIP, behind_code, remember_proof
from league.web.shared.staff import number_in

LONGEST_DOOR = 40


@never_cache
@behind_code
def me(request: HttpRequest, secret: str) -> HttpResponse:
    """Show the personal page; a POST checks in for the competition named.

    For staff of the league it checks in with one tap, after a scan of the slip at the desk.
    """
    try:
        entrant = entrant_by_door(secret[:LONGEST_DOOR])
    except Entrant.DoesNotExist:
        return _secret(render(request, "players/personal_gone.html", status=404))
    desk = may(request.user, Act.RUN_DESK, entrant.league)
    if request.method == "POST":
        _check_in(request, entrant, desk=desk)
        return _secret(redirect("personal:me", entrant.door))
    if not desk:  # the player's own phone: it is also trusted at the table
        request.session[SLIP] = entrant.door
        remember_proof(request, entrant.door)
    page = personal_page(entrant, desk=desk)
    with timezone.override(entrant.league.time_zone):
        own = OwnCalls() if desk else own_calls(own_entrants(entrant), timezone.now())
        context = {"page": page, "entrant": entrant, "desk": desk, "now": timezone.now(), "own": own}
        shown = [*page.coming, *([page.last] if page.last else [])]
        names = {one.line.id: [side.name for side in one.line.sides] for one in shown}
        context["protests"] = notices_by_match(names, concerned=True)
        return _secret(render(request, "players/personal.html", context))


def _secret(answer: HttpResponse) -> HttpResponse:
    """Add headers against leaks and indexing, because the address is the credential.

    Not `no-referrer`: a browser would then send the page's forms with the origin "null", which fails the forgery check.
    """
    answer["Referrer-Policy"] = "same-origin"
    answer["X-Robots-Tag"] = "noindex, nofollow, noarchive"
    return answer


def _check_in(request: HttpRequest, entrant: Entrant, *, desk: bool) -> None:
    rows = Registration.objects.filter(entrant__in=own_entrants(entrant)).select_related("competition", *PEOPLE)
    row = get_object_or_404(rows, competition=number_in(request.POST, "competition"))
    competition = row.competition
    try:
        if desk:
            new_now = check_in(competition, row.entrant, user=request.user)
        else:
            new_now = check_oneself_in(competition, row.entrant)
    except Refused as refused:
        messages.error(request, str(refused))
        return
    if new_now:
        messages.success(request, _("Checked in: %(competition)s.") % {"competition": competition})
    else:
        messages.info(request, _("Checked in already. Nothing changed."))


def _holder(here: Inside, code: str) -> Entrant | None:
    if "-" in code:
        return pairs_in(here.league).filter(by_codes(code)).first()
    player = player_or_404(here, code)
    alone = Entrant.objects.select_related("player", "partner")
    return alone.filter(league=here.league, player=player, partner=None).first()


@never_cache
@door(Act.MANAGE_PEOPLE)
def link(request: HttpRequest, here: Inside, code: str) -> HttpResponse:
    """Show the personal link of a player, or of a pair by both codes.

    A POST replaces it, and the old link stops working.
    """
    entrant = _holder(here, code)
    if entrant is None:
        raise Http404
    player = entrant.player
    if request.method == "POST":
        try:
            renew_door(entrant, by=request.user)
        except Refused as refused:
            raise PermissionDenied(str(refused)) from refused
        messages.success(request, _("The link and the PIN are new. Slips printed before no longer work."))
        return _secret(redirect("people:door", here.league.slug, entrant.code))
    address = absolute(request, reverse("personal:me", args=[entrant.door]))
    size, path = qr.path(address)
    context = AREA | {
        "here": here,
        "league": here.league,
        "player": player,
        "entrant": entrant,
        "pairs": [] if entrant.is_pair else pairs_in(here.league).filter(plays(player)).order_by("pk"),
        "address": address,
        "size": size,
        "path": path,
    }
    return _secret(render(request, "players/personal_link.html", context))
