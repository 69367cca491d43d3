"""Page to create a season."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256

from django import forms
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _

from league.accounts.models import League, User
from league.accounts.permissions import Act
from league.competitions.models import Division
from league.competitions.seasons.plans import SeasonPlan, found_season, rounds_needed
from league.competitions.seasons.queries import with_counts
from league.errors import NotAllowed, Refused
from league.web.organize.forms.competition_form import in_order
from league.web.organize.forms.season_form import DivisionForm, SeasonForm, blocks, count_of, first_guess, refuse
from league.web.shared.pasted_names import read_names
from league.web.shared.staff import of_league

FIRST_BLOCKS = 2


@dataclass(frozen=True, slots=True)
class SeasonOutlook:
    """Outcome of a season plan: divisions, rounds and dates."""

    divisions: list[Division]
    rounds: int
    first: datetime | None
    last: datetime | None


@of_league(Act.MANAGE_COMPETITIONS)
def new(request: HttpRequest, league: League) -> HttpResponse:
    """Create a draft from one form.

    `do=preview` shows the outcome and stores nothing, `do=more` and `do=fewer` change the number of divisions and keep
    the typed values.
    """
    if request.method != "POST":
        tables = ", ".join(in_order(league.tables.values_list("name", flat=True)))
        form = SeasonForm(initial=first_guess(tables, timezone.localdate()))
        return _form(request, league, form, blocks(None, FIRST_BLOCKS))
    data, count = request.POST, count_of(request.POST)
    if data.get("do") in ("more", "fewer"):
        return _form(request, league, _as_typed(SeasonForm, data), _typed_blocks(data, count))
    form, divisions = SeasonForm(data), blocks(data, count)
    if not all([form.is_valid(), *(one.is_valid() for one in divisions)]):
        return _form(request, league, form, divisions, status=422)
    plan = form.plan([one.plan(form.cleaned_data["rounds"] or 0) for one in divisions])
    seen = _digest(divisions)
    try:
        doubts = _doubts(league, divisions, request.user)
        if data.get("do") == "create" and (not doubts or data.get("seen") == seen):
            season = found_season(league, plan, user=request.user)
            messages.success(request, _("The season is made as a draft. Only officials see it until you publish it."))
            return redirect("organize:season", league.slug, season.slug)
        outlook = _rehearsed(league, plan, request.user)
    except NotAllowed as refused:
        raise PermissionDenied(str(refused)) from refused
    except Refused as refused:
        refuse(form, divisions, refused)
        return _form(request, league, form, divisions, status=422)
    return _form(request, league, form, divisions, outlook=outlook, doubts=doubts, seen=seen)


def _as_typed(form: type[forms.Form], data: Mapping[str, str]) -> forms.Form:
    """Refill the form with the typed values, without errors, as nothing was submitted."""
    return form(initial={key: data.get(key) for key in form().fields})


def _typed_blocks(data: Mapping[str, str], count: int) -> list[DivisionForm]:
    fresh = blocks(None, count)
    for one in fresh:
        typed = {key: data[one.add_prefix(key)] for key in one.fields if one.add_prefix(key) in data}
        one.initial = {**one.initial, **typed}
    return fresh


def _digest(divisions: Sequence[DivisionForm]) -> str:
    text = "\0".join(one.cleaned_data["names"] for one in divisions)
    return sha256(text.encode()).hexdigest()[:16]


def _doubts(league: League, divisions: Sequence[DivisionForm], user: User) -> list[tuple[str, str, str]]:
    """Return (division, line, sentence) of each doubtful name.

    Names that cannot be stored are refused later.
    """
    found = []
    for one in divisions:
        read = read_names(league, one.cleaned_data["names"], user)
        found += [(one.cleaned_data["name"], each.raw, each.sentence) for each in read.doubts] if read else []
    return found


def _rehearsed(league: League, plan: SeasonPlan, user: User) -> SeasonOutlook:
    """Create the season and roll it back."""
    with transaction.atomic():
        season = found_season(league, plan, user=user)
        dates = list(season.dates.order_by("number").values_list("starts_at", flat=True))
        rounds = rounds_needed(season)
        outlook = SeasonOutlook(list(with_counts(season)), rounds, *((dates[0], dates[-1]) if dates else (None, None)))
        transaction.set_rollback(True)
    return outlook


def _form(
    request: HttpRequest,
    league: League,
    form: forms.Form,
    divisions: Sequence[DivisionForm],
    status: int = 200,
    **more: object,
) -> HttpResponse:
    context = {"league": league, "form": form, "divisions": divisions, "area": "organize", **more}
    wrong = bool(form.errors) or any(one.errors for one in divisions)
    return render(request, "organize/new_season.html", {**context, "wrong": wrong}, status=status)
