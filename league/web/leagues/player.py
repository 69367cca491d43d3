"""A player for the league's managers: name, memberships, account, merge, erasure."""

from functools import wraps
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import pgettext
from django.views.decorators.http import require_POST

from league.accounts.permissions import Act
from league.errors import Refused
from league.players import queries, services
from league.players.models import Player, PlayerMerge
from league.web.leagues.detail import today_in
from league.web.leagues.forms import DayForm, EraseForm, MergeForm, PlayerForm
from league.web.leagues.people import AREA, told
from league.web.shared.access import Inside, door


def player_or_404(here: Inside, code: str) -> Player:
    try:
        return services.player_of(here.league, code)
    except Player.DoesNotExist as absent:
        raise Http404 from absent


@door(Act.MANAGE_PEOPLE)
def detail(request: HttpRequest, here: Inside, code: str) -> HttpResponse:
    player = player_or_404(here, code)
    file = queries.player_file(here.league, player, today_in(here.league).date())
    form = _player_form(file, request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            services.edit_player(player, here.league, request.user, **form.cleaned_data)
        except Refused as refused:
            form.add_error(None, str(refused))
        else:
            messages.success(request, _("The player is changed."))
            return redirect("people:detail", here.league.slug, player.code)
    return _file(request, here, file, form)


def _player_form(file: queries.PlayerFile, data: QueryDict | None = None) -> PlayerForm:
    latest = file.memberships[0] if file.memberships else None
    initial = {
        "name": file.player.name,
        "born": file.player.born,
        "club": latest.club if latest else "",
        "number": latest.number if latest else "",
    }
    return PlayerForm(data, initial=initial)


def _file(
    request: HttpRequest, here: Inside, file: queries.PlayerFile, form: PlayerForm, link: str = ""
) -> HttpResponse:
    today = today_in(here.league).date()
    label = pgettext("form field", "First day without membership") if file.is_member else pgettext("form field", "From")
    context = AREA | {
        "here": here,
        "league": here.league,
        "file": file,
        "player": file.player,
        "form": form,
        "day": DayForm(initial={"day": today}, label=label),
        "merge": MergeForm(),
        "link": link,
    }
    return render(request, "leagues/player.html", context, status=422 if form.errors else 200)


def verb(view: Any) -> Any:
    """Wrap a manager's POST on one player; a refusal appears on the player's page."""

    @require_POST
    @door(Act.MANAGE_PEOPLE)
    @wraps(view)
    def done(request: HttpRequest, here: Inside, code: str, **more: Any) -> HttpResponse:
        player = player_or_404(here, code)
        try:
            return view(request, here, player, **more)
        except Refused as refused:
            told(request, refused)
            return redirect("people:detail", here.league.slug, player.code)

    return done


def _day(request: HttpRequest):
    form = DayForm(request.POST)
    if not form.is_valid():
        raise Refused("bad-day", _("That is not a day. Write it as 2026-11-21."))
    return form.cleaned_data["day"]


@verb
def end(request: HttpRequest, here: Inside, player: Player) -> HttpResponse:
    services.end_membership(player, here.league, request.user, until=_day(request))
    messages.success(request, _("The membership ends."))
    return redirect("people:detail", here.league.slug, player.code)


@verb
def renew(request: HttpRequest, here: Inside, player: Player) -> HttpResponse:
    services.renew_membership(player, here.league, request.user, since=_day(request))
    messages.success(request, _("The membership is renewed."))
    return redirect("people:detail", here.league.slug, player.code)


@verb
def link(request: HttpRequest, here: Inside, player: Player) -> HttpResponse:
    """Make a link to take over the player, shown only in this answer."""
    secret = services.make_claim_link(player, here.league, request.user)
    file = queries.player_file(here.league, player, today_in(here.league).date())
    address = request.build_absolute_uri(reverse("players:link", args=[secret]))
    return _file(request, here, file, _player_form(file), address)


@verb
def release(request: HttpRequest, here: Inside, player: Player) -> HttpResponse:
    services.release(player, here.league, request.user)
    messages.success(request, _("The player is no longer linked to an account. A new link request is possible."))
    return redirect("people:detail", here.league.slug, player.code)


@verb
def merge(request: HttpRequest, here: Inside, player: Player) -> HttpResponse:
    """Merge the player with this code into the player of this page."""
    form = MergeForm(request.POST)
    try:
        other = services.player_of(here.league, form.cleaned_data["code"] if form.is_valid() else "")
    except Player.DoesNotExist:
        raise Refused("no-such-player", _("No player of this league has that code.")) from None
    services.merge(kept=player, absorbed=other, league=here.league, by=request.user)
    messages.success(
        request, _("%(name)s (%(code)s) is merged into this player.") % {"name": other.name, "code": other.code}
    )
    return redirect("people:detail", here.league.slug, player.code)


@verb
def unmerge(request: HttpRequest, here: Inside, player: Player, *, merge_id: int) -> HttpResponse:
    done = PlayerMerge.objects.select_related("kept", "absorbed").filter(pk=merge_id, kept=player).first()
    if done is None:
        raise Http404
    services.unmerge(done, league=here.league, by=request.user)
    messages.success(request, _("They are two players again."))
    return redirect("people:detail", here.league.slug, player.code)


@door(Act.MANAGE_PEOPLE)
def erase(request: HttpRequest, here: Inside, code: str) -> HttpResponse:
    """Show the effect of erasing a player; a POST with typed confirmation erases."""
    player = player_or_404(here, code)
    if not player.name:
        raise Http404
    form = EraseForm(request.POST or None, name=player.name)
    if request.method == "POST" and form.is_valid():
        services.erase_for(player, here.league, request.user)
        messages.success(request, _("The name is erased. The results stay under the code."))
        return redirect("people:index", here.league.slug)
    return render(
        request,
        "leagues/player_erase.html",
        AREA | {"here": here, "league": here.league, "player": player, "form": form},
        status=422 if form.errors else 200,
    )
