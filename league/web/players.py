"""Players: the list with its search, and one player's page."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from league.competitions.rating_pages import ratings_of_player
from league.errors import NotAllowed, Refused
from league.matches.lines import match_lines
from league.matches.player_page import pair_page, player_page
from league.matches.queries import visible_players
from league.players import services
from league.players.models import ClaimLink, Entrant, Player
from league.players.queries import found_by_name, kept_player
from league.web.paging import page_of
from league.web.people_forms import EraseForm

PLAYERS_A_PAGE = 40
MATCHES_A_PAGE = 12
LONGEST_SEARCH = 60


def index(request: HttpRequest) -> HttpResponse:
    """`?q=` looks for a part of a name, or a whole code."""
    wanted = request.GET.get("q", "").strip()[:LONGEST_SEARCH]
    players = visible_players(request.user)
    if wanted:
        players = players.filter(found_by_name(wanted))
    page = page_of(request, players, PLAYERS_A_PAGE)
    return render(request, "players/index.html", {"page": page, "wanted": wanted, "area": "players"})


def detail(request: HttpRequest, code: str) -> HttpResponse:
    """The old code of somebody who was merged leads on to the one that stays; the codes of two with a hyphen between
    them are those of a pair.
    """
    if "-" in code:
        return _pair(request, code)
    try:
        player = player_page(request.user, code)
    except Player.DoesNotExist as absent:
        kept = kept_player(code.strip().upper())
        if kept is None or kept.code == code.strip().upper():
            raise Http404 from absent
        return redirect("players:detail", kept.code, permanent=True)
    page = page_of(request, player.matches, MATCHES_A_PAGE)
    lines = match_lines(page.object_list, request.user)
    context = {
        "page": page,
        "player": player,
        "ratings": ratings_of_player(request.user, player.player, timezone.now()),
        "lines": lines,
        "area": "players",
        "mine": request.user.is_authenticated and player.player.user_id == request.user.pk,
        "free": bool(player.player.name) and player.player.user_id is None,
    }
    return render(request, "players/detail.html", context)


def _pair(request: HttpRequest, code: str) -> HttpResponse:
    try:
        pair = pair_page(request.user, code)
    except Entrant.DoesNotExist as absent:
        raise Http404 from absent
    page = page_of(request, pair.matches, MATCHES_A_PAGE)
    lines = match_lines(page.object_list, request.user)
    context = {"page": page, "page_of_pair": pair, "lines": lines, "area": "players"}
    return render(request, "players/pair.html", context)


@require_POST
@login_required
def claim(request: HttpRequest, code: str) -> HttpResponse:
    """This is me: a manager decides."""
    player = _visible(request, code)
    try:
        services.claim(player, request.user)
    except NotAllowed as refused:
        raise PermissionDenied(str(refused)) from refused
    except Refused as refused:
        messages.error(request, str(refused))
    else:
        messages.success(request, _("Your claim is with the managers of the league. They answer it."))
    return redirect("players:detail", player.code)


@never_cache
@login_required
def link(request: HttpRequest, secret: str) -> HttpResponse:
    """A link that a manager handed over: shows whose it is, and takes the player on a POST."""
    try:
        found = services.link_of(secret)
        if request.method == "POST":
            player = services.use_claim_link(secret, request.user)
            messages.success(request, _("%(name)s is you from now on.") % {"name": player.name})
            return redirect("players:detail", player.code)
    except ClaimLink.DoesNotExist:
        return render(request, "players/link.html", {"gone": True, "area": "players"}, status=404)
    except Refused as refused:
        return render(request, "players/link.html", {"refused": str(refused), "area": "players"}, status=422)
    return render(request, "players/link.html", {"player": found.player, "area": "players"})


@login_required
def erase(request: HttpRequest, code: str) -> HttpResponse:
    """One's own name, through the account that the player belongs to."""
    player = _visible(request, code)
    if player.user_id != request.user.pk or not player.name:
        raise Http404
    form = EraseForm(request.POST or None, name=player.name)
    if request.method == "POST" and form.is_valid():
        services.erase(player)
        messages.success(request, _("Your name is erased. The results stay under the code."))
        return redirect("accounts:detail")
    context = {"player": player, "form": form, "area": "players"}
    return render(request, "players/erase.html", context, status=422 if form.errors else 200)


def _visible(request: HttpRequest, code: str) -> Player:
    try:
        return visible_players(request.user).get(code=code.strip().upper())
    except Player.DoesNotExist as absent:
        raise Http404 from absent
