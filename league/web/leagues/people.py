"""People of a league, for its managers: roles, players, link requests."""

from dataclasses import dataclass

from allauth.account.forms import default_token_generator
from allauth.account.utils import user_pk_to_url_str
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from league.accounts import queries as accounts
from league.accounts import services as account_services
from league.accounts.graphemes import points
from league.accounts.models import Role, User
from league.accounts.permissions import Act
from league.accounts.roles import act_for
from league.errors import NotAllowed, Refused
from league.players import queries, services
from league.players.models import PlayerClaim
from league.web.leagues.detail import today_in
from league.web.leagues.forms import NewPlayerForm, PasteForm, RoleForm
from league.web.shared.access import Inside, door
from league.web.shared.pagination import page_of
from league.web.shared.return_address import next_page
from league.web.words.roles import RoleLine, role_lines

PLAYERS_A_PAGE = 50
ACCOUNTS_A_PAGE = 30
CLAIMS_A_PAGE = 30
LONGEST_SEARCH = points(60)
AREA = {"area": "leagues"}


def told(request: HttpRequest, refused: Refused) -> None:
    """Show a refusal as a message; a missing role is a 403 instead."""
    if isinstance(refused, NotAllowed):
        raise PermissionDenied(str(refused)) from refused
    messages.error(request, str(refused))


# --- Players ---


@door(Act.SEE_PEOPLE)
def index(request: HttpRequest, here: Inside) -> HttpResponse:
    """List the players.

    `?q=` searches by name, club, number or code; `?past=1` lists former members.
    """
    wanted = request.GET.get("q", "").strip()[:LONGEST_SEARCH]
    past = request.GET.get("past") == "1"
    players = queries.members(here.league, on=today_in(here.league).date(), wanted=wanted, past=past)
    page = page_of(request, players, PLAYERS_A_PAGE)
    context = AREA | {"here": here, "league": here.league, "page": page, "wanted": wanted, "past": past}
    return render(request, "leagues/people.html", context)


@door(Act.MANAGE_PEOPLE)
def add(request: HttpRequest, here: Inside) -> HttpResponse:
    form = NewPlayerForm(request.POST or None, initial={"since": today_in(here.league).date()})
    if request.method == "POST" and form.is_valid():
        try:
            entrant = services.add_player(here.league, user=request.user, **form.cleaned_data)
        except Refused as refused:
            form.add_error(None, str(refused))
        else:
            messages.success(request, _("%(name)s is a player now.") % {"name": entrant.player.name})
            if entrant.player.apart or queries.looks_like_another(here.league, entrant.player):
                messages.warning(request, _("Another player has the same name. If it is the same person, merge them."))
            return redirect("people:detail", here.league.slug, entrant.player.code)
    return render(
        request,
        "leagues/people_add.html",
        AREA | {"here": here, "league": here.league, "form": form},
        status=422 if form.errors else 200,
    )


@door(Act.MANAGE_PEOPLE)
def paste(request: HttpRequest, here: Inside) -> HttpResponse:
    """Preview the pasted lines; the same text again with `store` enters them."""
    form, pasted, since = PasteForm(request.POST or None), None, today_in(here.league).date()
    if request.method == "POST" and form.is_valid():
        text = form.cleaned_data["text"]
        try:
            if "store" in request.POST:
                stored = services.paste(here.league, text, user=request.user, since=since)
                messages.success(request, _("%(count)d names are entered.") % {"count": len(stored.entrants)})
                return redirect("people:index", here.league.slug)
            pasted = services.preview_paste(here.league, text, user=request.user, since=since)
        except Refused as refused:
            form.add_error(None, str(refused))
            if refused.code == "paste-unclear":
                pasted = services.preview_paste(here.league, text, user=request.user, since=since)
    context = AREA | {"here": here, "league": here.league, "form": form, "pasted": pasted}
    return render(request, "leagues/people_paste.html", context, status=422 if form.errors else 200)


# --- Link requests ---


@door(Act.MANAGE_PEOPLE)
def claims(request: HttpRequest, here: Inside) -> HttpResponse:
    page = page_of(request, queries.claims_to_decide(here.league), CLAIMS_A_PAGE)
    return render(request, "leagues/claims.html", AREA | {"here": here, "league": here.league, "page": page})


@require_POST
@door(Act.MANAGE_PEOPLE)
def decide(request: HttpRequest, here: Inside, claim_id: int) -> HttpResponse:
    if not queries.claims_of_league(here.league).filter(pk=claim_id).exists():
        raise Http404
    accept = "accept" in request.POST
    try:
        done = services.decide_claim(claim_id, request.user, accept=accept, league=here.league)
    except Refused as refused:
        told(request, refused)
    else:
        accepted = done.state == PlayerClaim.State.ACCEPTED
        said = _("%(name)s has an account now.") if accepted else _("Link request for %(name)s refused.")
        messages.success(request, said % {"name": done.player.name})
    return redirect(next_page(request, reverse("people:claims", args=[here.league.slug])))


# --- Roles ---


@door(Act.MANAGE_PEOPLE, Act.RUN_LEAGUE)
def roles(request: HttpRequest, here: Inside) -> HttpResponse:
    form = RoleForm(request.POST or None, all_kinds=here.runs_league)
    if request.method == "POST" and form.is_valid():
        try:
            role = account_services.give_role(here.league, request.user, **form.cleaned_data)
        except NotAllowed as refused:
            raise PermissionDenied(str(refused)) from refused
        except Refused as refused:
            form.add_error("who", str(refused))
        else:
            messages.success(
                request, _("%(name)s is %(role)s now.") % {"name": role.user, "role": role.get_kind_display()}
            )
            return redirect("people:roles", here.league.slug)
    return roles_page(request, here, form)


@dataclass(frozen=True, slots=True)
class Handed:
    """A new invitation: its role, address, and QR code as width and path."""

    line: RoleLine
    address: str
    size: int
    path: str


def roles_page(
    request: HttpRequest,
    here: Inside,
    form: RoleForm | None = None,
    *,
    link: str = "",
    user: User | None = None,
    invited: Handed | None = None,
) -> HttpResponse:
    """Show the roles, with what was made just now: a link for a new password, or an invitation."""
    form = form or RoleForm(all_kinds=here.runs_league)
    page = page_of(request, accounts.roles_of(here.league), ACCOUNTS_A_PAGE)
    context = AREA | {
        "here": here,
        "league": here.league,
        "page": page,
        "holders": accounts.holders(here.league, page.object_list),
        "takable": {kind for kind in Role.Kind.values if act_for(kind) in here.acts},
        "form": form,
        "link": link,
        "link_for": user,
        "invited": invited,
        "role_lines": role_lines(all_kinds=here.runs_league),
        "open_invitations": account_services.open_invitations(here.league),
        "waiting_invitations": account_services.waiting_invitations(here.league) if here.runs_league else [],
    }
    return render(request, "leagues/roles.html", context, status=422 if form.errors else 200)


@require_POST
@door(*Act)
def take_role(request: HttpRequest, here: Inside, role_id: int) -> HttpResponse:
    """Remove a role; also for an account that gives up its own role."""
    role = Role.objects.select_related("user").filter(pk=role_id, league=here.league).first()
    if role is None:
        raise Http404
    try:
        account_services.take_role(role, request.user)
    except Refused as refused:
        told(request, refused)
    else:
        messages.success(
            request, _("%(name)s is not %(role)s any more.") % {"name": role.user, "role": role.get_kind_display()}
        )
    return redirect(
        *(("people:roles", here.league.slug) if here.manages_people else ("leagues:detail", here.league.slug))
    )


@require_POST
@door(Act.MANAGE_PEOPLE)
def reset_link(request: HttpRequest, here: Inside, code: str) -> HttpResponse:
    """Make a password link, shown only in this answer.

    It works once, for a day.
    """
    user = User.objects.filter(code=code, is_active=True).first()
    if user is None:
        raise Http404
    try:
        services.make_reset_link(here.league, user, by=request.user)
    except Refused as refused:
        if refused.code == "not-a-member":
            raise Http404 from refused
        told(request, refused)
        return redirect("people:roles", here.league.slug)
    key = default_token_generator.make_token(user)
    path = reverse("account_reset_password_from_key", kwargs={"uidb36": user_pk_to_url_str(user), "key": key})
    return roles_page(request, here, link=request.build_absolute_uri(path), user=user)
