"""League pages: list, detail, new league, settings."""

from datetime import datetime
from zoneinfo import ZoneInfo

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _

from league.accounts import queries as accounts
from league.accounts import services
from league.accounts.contacts import contact_of, dialled
from league.accounts.models import League
from league.accounts.permissions import Act
from league.competitions import notices
from league.competitions.draw.counts import with_counts
from league.competitions.queries import lists as queries
from league.competitions.queries.circuits import circuits
from league.competitions.queries.league_front import league_front
from league.competitions.ratings.queries import rating_lists
from league.competitions.registration.opening import open_competitions
from league.competitions.seasons.queries import seasons
from league.errors import NotAllowed, Refused
from league.players.queries import claims_to_decide, count_members
from league.web.competitions.round_up import latest_round_up
from league.web.components.match_rows import by_round
from league.web.leagues.forms import CONTACT_FIELDS, LeagueForm, LeagueSettingsForm
from league.web.organize.row_check import row_differences
from league.web.shared.access import Inside, door, inside, league_or_404
from league.web.shared.open_graph import preview_of_league
from league.web.shared.page_cache import kept_page
from league.web.shared.pagination import page_of

LEAGUES_A_PAGE = 24
CONFIRMING_FIELDS = ("confirmation_required", "second_side_proves", "silence_minutes", "officials_needed")
COMPETITIONS_SHOWN = 12
SEASONS_SHOWN = 3
CIRCUITS_SHOWN = 3
NOTICES_SHOWN = 3


def today_in(league: League) -> datetime:
    return timezone.now().astimezone(ZoneInfo(league.time_zone))


def index(request: HttpRequest) -> HttpResponse:
    page = page_of(request, queries.leagues(request.user), LEAGUES_A_PAGE)
    context = {"page": page, "area": "leagues", "may_found": accounts.may_found_somewhere(request.user)}
    return render(request, "leagues/index.html", context)


@kept_page
def detail(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a league: notices, competitions, officials, contact and member leagues."""
    here = inside(request.user, league_or_404(slug))
    league = here.league
    competitions = queries.competitions(request.user).filter(league=league)
    now = timezone.now()
    front = league_front(league, request.user, now)
    context = {
        "here": here,
        "league": league,
        "now": now,
        "leaders": front.leaders,
        "upcoming": by_round(front.upcoming, front.places),
        "latest": by_round(front.latest, front.places),
        "preview": preview_of_league(request, league),
        "contact": contact_of(league),
        "dialled": dialled(league.contact_phone),
        "notices": list(notices.standing_of(request.user, league)[:NOTICES_SHOWN]),
        "open_ones": list(open_competitions(now).filter(league=league)[:COMPETITIONS_SHOWN]),
        "competitions": with_counts(competitions[:COMPETITIONS_SHOWN]),
        "seasons": list(seasons(request.user, league)[:SEASONS_SHOWN]),
        "round_up": latest_round_up(front.competition, front.tables) if front.competition else None,
        "circuits": list(circuits(request.user).filter(league=league)[:CIRCUITS_SHOWN]),
        "members": count_members(league, today_in(league).date()),
        "officials": accounts.officials(league),
        "children": accounts.children(league),
        "rows": row_differences(league.pk) if here.runs_league else {},
        "role_requests": services.waiting_invitations(league).count() if here.runs_league else 0,
        "claims": claims_to_decide(league).count() if here.manages_people else 0,
        "area": "leagues",
    }
    return render(request, "leagues/detail.html", context)


@login_required
def new(request: HttpRequest) -> HttpResponse:
    """Create a league: for site administrators, and owners within a league of theirs."""
    parents = accounts.leagues_run_by(request.user)
    if not accounts.may_found_somewhere(request.user):
        raise PermissionDenied(_("Only site administrators and owners of the parent league can create a league here."))
    initial = {"time_zone": "UTC", "confirmation_required": True, "officials_needed": 2}
    initial["parent"] = request.GET.get("parent")
    needed = not request.user.is_superuser
    form = LeagueForm(request.POST or None, parents=parents, parent_needed=needed, initial=initial)
    if request.method == "POST" and form.is_valid():
        try:
            league = services.found_league(request.user, **form.cleaned_data)
        except Refused as refused:
            form.add_error(None, str(refused))
        else:
            messages.success(request, _("%(league)s has been created.") % {"league": league})
            return redirect("leagues:detail", league.slug)
    return _form(request, form, "leagues/new.html")


@door(Act.RUN_LEAGUE)
def edit(request: HttpRequest, here: Inside) -> HttpResponse:
    league = here.league
    parents = accounts.possible_parents(request.user, league)
    fields = ("name", "place", "time_zone", "parent", *CONFIRMING_FIELDS, *CONTACT_FIELDS)
    form = LeagueSettingsForm(
        request.POST or None, parents=parents, initial={field: getattr(league, field) for field in fields}
    )
    if request.method == "POST" and form.is_valid():
        try:
            services.edit_league(league, request.user, **form.facts)
        except NotAllowed as refused:
            raise PermissionDenied(str(refused)) from refused
        except Refused as refused:
            form.add_error(None, str(refused))
        else:
            messages.success(request, _("The league is changed."))
            return redirect("leagues:detail", league.slug)
    return _form(request, form, "leagues/edit.html", here=here, league=league, lists=rating_lists(league))


def _form(request: HttpRequest, form: LeagueForm, template: str, **more: object) -> HttpResponse:
    context = {"form": form, "area": "leagues"} | more
    return render(request, template, context, status=422 if form.errors else 200)
