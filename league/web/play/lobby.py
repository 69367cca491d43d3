"""Lobby of a league: open games of its members, and a form to open one."""

from allauth.core.internal.ratelimit import respond_429
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from games.rulesets import RULESETS
from league.accounts import attempts
from league.accounts.models import League
from league.errors import NotAllowed, Refused
from league.play.models import OnlineGame
from league.play.online.lobby import accept, invite, member, open_invitations
from league.play.online.terms import ONLINE
from league.players.models import Player
from league.web.play.online_start import OnlineForm
from league.web.play.seat_cookie import remember_seat
from league.web.play.start import SystemTab
from league.web.shared.access import league_or_404
from league.web.words.games.online import house_rules_in_words


class LobbyForm(OnlineForm):
    """Limits of time, and house rules; the name is that of the member."""

    def __init__(self, ruleset: str, data: object = None) -> None:
        super().__init__(ruleset, data)
        del self.fields["name"]


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def lobby(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the open games; a POST opens one, or takes the free seat of one."""
    league = league_or_404(slug)
    try:
        player = member(league, request.user)
    except NotAllowed as refused:
        raise PermissionDenied(str(refused)) from None
    if code := request.POST.get("accept", ""):
        return _accept(request, league, player, code)
    asked = request.GET.get("game", "")
    ruleset = asked if asked in ONLINE else next(iter(ONLINE))
    form = LobbyForm(ruleset, request.POST if request.method == "POST" else None)
    if form.is_bound and form.is_valid():
        if attempts.count(attempts.PRACTICE, "player", player.code):
            return respond_429(request)
        times = {key: form.cleaned_data.get(key, "0") for key in ("clock", "move_time", "absence")}
        try:
            seat = invite(league, player, ruleset, form.chosen, form.players, **times)
        except Refused as refused:
            form.add_error(None, str(refused))
            return _page(request, league, player, form, status=422)
        return remember_seat(redirect("play:online_game", seat.game.code), seat)
    return _page(request, league, player, form, status=422 if form.is_bound else 200)


def _accept(request: HttpRequest, league: League, player: Player, code: str) -> HttpResponse:
    if not (code.isascii() and code.isalnum()):  # a database refuses some other texts
        raise Http404
    try:
        seat = accept(league, player, code)
    except OnlineGame.DoesNotExist:
        raise Http404 from None
    except Refused as refused:
        ruleset = next(iter(ONLINE))
        return _page(request, league, player, LobbyForm(ruleset), error=str(refused), status=409)
    return remember_seat(redirect("play:online_game", seat.game.code), seat)


def _page(
    request: HttpRequest, league: League, player: Player, form: LobbyForm, *, error: str = "", status: int
) -> HttpResponse:
    waiting = open_invitations(league, player, timezone.now())
    context = {
        "league": league,
        "form": form,
        "ruleset": form.ruleset,
        "systems": [SystemTab(key, RULESETS[key].name) for key in ONLINE],
        "waiting": [(one, RULESETS[one.ruleset].name, house_rules_in_words(one.options)) for one in waiting],
        "error": error,
        "area": "play",
    }
    return render(request, "play/lobby.html", context, status=status)
