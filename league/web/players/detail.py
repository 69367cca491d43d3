"""Player pages: searchable list, one player, pairs, and two players compared."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.core.paginator import Page
from django.http import Http404, HttpRequest, HttpResponse, HttpResponsePermanentRedirect
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from league.accounts.graphemes import points
from league.competitions.queries.lists import competition_of
from league.competitions.queries.player import choice, titles_of
from league.competitions.ratings.queries import ratings_of_player
from league.errors import NotAllowed, Refused
from league.matches.models import Match
from league.matches.queries import head_to_head
from league.matches.queries.lines import match_lines
from league.matches.queries.player import found_player, page_of_player, pair_page, seen_matches
from league.matches.visibility import visible_players
from league.players import services
from league.players.models import ClaimLink, Entrant, Player
from league.players.queries import found_by_name, kept_player
from league.web.components.match_rows import by_competition
from league.web.leagues.forms import EraseForm
from league.web.players.view import compared, rating_view
from league.web.shared.following import follow_button
from league.web.shared.open_graph import preview_of_player
from league.web.shared.page_cache import kept_page
from league.web.shared.pagination import page_of

PLAYERS_A_PAGE = 40
MATCHES_A_PAGE = 12
LONGEST_SEARCH = points(60)
TITLES_SHOWN = 6


@kept_page
def index(request: HttpRequest) -> HttpResponse:
    """List the players; `?q=` is a part of a name, or a whole code."""
    wanted = request.GET.get("q", "").strip()[:LONGEST_SEARCH]
    players = visible_players(request.user)
    if wanted:
        players = players.filter(found_by_name(wanted))
    page = page_of(request, players, PLAYERS_A_PAGE)
    return render(request, "players/index.html", {"page": page, "wanted": wanted, "area": "players"})


@kept_page
def detail(request: HttpRequest, code: str) -> HttpResponse:
    """Show a player, or a pair by both codes with a hyphen.

    The old code of a merged player redirects to the kept one. `?in=league/competition` and `?year=` narrow the page.
    """
    if "-" in code:
        return _pair(request, code)
    try:
        found = found_player(request.user, code)
    except Player.DoesNotExist as absent:
        return _instead(code, absent)
    chosen = choice(seen_matches(request.user, found), request.GET.get("in", ""), request.GET.get("year", ""))
    player = page_of_player(request.user, found, timezone.now(), within=chosen.within)
    page = page_of(request, player.matches, MATCHES_A_PAGE)
    ratings = ratings_of_player(request.user, found, timezone.now())
    context = {
        "page": page,
        "player": player,
        "preview": preview_of_player(request, player),
        "choice": chosen,
        "ratings": ratings,
        "rating": rating_view(ratings),
        "won": titles_of(found, TITLES_SHOWN),
        **_rows(request, page),
        "area": "players",
        "was": _absorbed(request, found),
        "follow": follow_button(request, f"player:{found.code}"),
        "mine": request.user.is_authenticated and found.user_id == request.user.pk,
        "free": bool(found.name) and found.user_id is None,
    }
    return render(request, "players/detail.html", context)


def _rows(request: HttpRequest, page: Page[Match]) -> dict[str, Any]:
    """Return the matches of a page for `components/match_rows.html`."""
    lines = match_lines(page.object_list, request.user)
    places = competition_of([line.id for line in lines]) if lines else {}
    return {"lines": lines, "rounds": by_competition(lines, places), "places": places, "now": timezone.now()}


def _instead(code: str, absent: Player.DoesNotExist) -> HttpResponse:
    """Redirect from a merged player's old code to the kept player. Raises Http404."""
    wanted = code.strip().upper()
    kept = kept_player(wanted)
    if kept is None or kept.code == wanted:
        raise Http404 from absent
    return HttpResponsePermanentRedirect(f"{reverse('players:detail', args=[kept.code])}?was={wanted}")


def _absorbed(request: HttpRequest, player: Player) -> str:
    """Return the old code that led here, if it belongs to this player."""
    was = request.GET.get("was", "")[:LONGEST_SEARCH].strip().upper()
    kept = kept_player(was) if was else None
    return was if kept and kept.pk == player.pk else ""


def _pair(request: HttpRequest, code: str) -> HttpResponse:
    try:
        pair = pair_page(request.user, code, timezone.now())
    except Entrant.DoesNotExist as absent:
        raise Http404 from absent
    page = page_of(request, pair.matches, MATCHES_A_PAGE)
    follow = follow_button(request, f"pair:{pair.pair.code}")
    context = {"page": page, "page_of_pair": pair, **_rows(request, page), "follow": follow, "area": "players"}
    return render(request, "players/pair.html", context)


def opponents(request: HttpRequest, code: str) -> HttpResponse:
    """List a player's opponents, to pick one for `against`.

    A whole code, or a name with a single match, redirects to `against`.
    """
    player = _visible(request, code)
    wanted = request.GET.get("q", "").strip()[:LONGEST_SEARCH]
    met = head_to_head.opponents(request.user, player, wanted)
    if wanted and len(met) == 1:
        return redirect("players:against", player.code, met[0].player.code)
    page = page_of(request, met, PLAYERS_A_PAGE)
    context = {"player": player, "wanted": wanted, "page": page, "area": "players"}
    return render(request, "players/opponents.html", context)


def against(request: HttpRequest, code: str, other: str) -> HttpResponse:
    """Compare two players over the matches between them."""
    player, opponent = _visible(request, code), _visible(request, other)
    if player.pk == opponent.pk:
        raise Http404
    both = head_to_head.head_to_head(request.user, player, opponent, timezone.now())
    page = page_of(request, both.matches, MATCHES_A_PAGE)
    context = {"both": both, "rows": compared(both), "page": page, **_rows(request, page), "area": "players"}
    return render(request, "players/against.html", context)


@require_POST
@login_required
def claim(request: HttpRequest, code: str) -> HttpResponse:
    """Request a link between the reader's account and this player; a manager decides."""
    player = _visible(request, code)
    try:
        services.claim(player, request.user)
    except NotAllowed as refused:
        raise PermissionDenied(str(refused)) from refused
    except Refused as refused:
        messages.error(request, str(refused))
    else:
        messages.success(request, _("Link request sent. A manager of the league will answer it."))
    return redirect("players:detail", player.code)


@never_cache
@login_required
def link(request: HttpRequest, secret: str) -> HttpResponse:
    """Show the player of a manager's link; a POST links the reader's account to it."""
    try:
        found = services.link_of(secret)
        if request.method == "POST":
            player = services.use_claim_link(secret, request.user)
            messages.success(request, _("Your account is now linked to %(name)s.") % {"name": player.name})
            return redirect("players:detail", player.code)
    except ClaimLink.DoesNotExist:
        return render(request, "players/link.html", {"gone": True, "area": "players"}, status=404)
    except Refused as refused:
        return render(request, "players/link.html", {"refused": str(refused), "area": "players"}, status=422)
    return render(request, "players/link.html", {"player": found.player, "area": "players"})


@login_required
def erase(request: HttpRequest, code: str) -> HttpResponse:
    """Erase the reader's own name, through the account of the player."""
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
