"""The organizer's pages of a season: founding one, and one from its draft to the season that follows."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from random import SystemRandom
from typing import Any

from django import forms
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.accounts.models import League, User
from league.accounts.permissions import Act, acts_of
from league.competitions.formats.promotion import DivisionRules
from league.competitions.models import Division, Season
from league.competitions.next_season import NextPlan, carry_over, make_play_offs
from league.competitions.promotions import differing, season_end
from league.competitions.season_dates import move_matchday
from league.competitions.season_pages import matchdays_of, standing_moves, with_counts
from league.competitions.season_plans import SeasonPlan, found_season, rounds_needed
from league.competitions.seasons import (
    close_season,
    draw_season,
    open_divisions,
    publish_season,
    set_dates,
    set_places,
    transfer,
)
from league.competitions.table_lots import draw_table_lots
from league.errors import NotAllowed, Refused
from league.players.models import PEOPLE, Entrant
from league.web.founding import in_order
from league.web.names import read_names
from league.web.season_forms import (
    DatesForm,
    DivisionForm,
    MatchdayForm,
    NextForm,
    PlacesForm,
    PlayOffsForm,
    SeasonForm,
    blocks,
    count_of,
    first_guess,
    refuse,
)
from league.web.season_words import end_lines, pair_lines, steps, tie_lines
from league.web.staff import id_of, of_league
from league.web.standings_view import asked_number

FIRST_BLOCKS = 2


# --- Founding ---


@dataclass(frozen=True, slots=True)
class SeasonOutlook:
    """What a plan comes to."""

    divisions: list[Division]
    rounds: int
    first: datetime | None
    last: datetime | None


@of_league(Act.MANAGE_COMPETITIONS)
def new(request: HttpRequest, league: League) -> HttpResponse:
    """One page from nothing to a draft. `do=preview` says what it comes to and stores nothing, `do=more` and
    `do=fewer` change the number of divisions; what was typed stays.
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
    """With what was typed and without a word about it: nothing was sent in yet."""
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


def _doubts(league: League, divisions: Sequence[DivisionForm], user: User) -> list[tuple[str, str]]:
    """(division, sentence) of each name worth a second look. One that can't be stored as it is is refused later."""
    found = []
    for one in divisions:
        read = read_names(league, one.cleaned_data["names"], user)
        found += [(one.cleaned_data["name"], each.sentence) for each in read.doubts] if read else []
    return found


def _rehearsed(league: League, plan: SeasonPlan, user: User) -> SeasonOutlook:
    """By founding it and taking it back."""
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


# --- One season ---


@dataclass(frozen=True, slots=True)
class DivisionBlock:
    """A division with the form of its places, while it is a draft."""

    division: Division
    places: PlacesForm | None
    entrants: list[Entrant]


@of_league(Act.SEE_DRAFTS)
def detail(request: HttpRequest, league: League, slug: str) -> HttpResponse:
    """`do` says what is done; what is refused is said on the page, with what was typed. `?division=` is the one whose
    players are listed while it is a draft.
    """
    season = get_object_or_404(Season.objects.select_related("league", "follows"), league=league, slug=slug)
    if request.method != "POST":
        return _page(request, season)
    act = ACTS.get(request.POST.get("do", ""))
    if act is None:
        raise Http404
    try:
        done = act(request, season)
    except NotAllowed as refused:
        raise PermissionDenied(str(refused)) from refused
    except Refused as refused:
        return _page(request, season, refused=str(refused), status=422)
    if isinstance(done, forms.Form):
        return _page(request, season, typed=done, status=422)
    if isinstance(done, Season):
        return redirect("organize:season", league.slug, done.slug)
    messages.success(request, done)
    return redirect("organize:season", league.slug, season.slug)


Done = str | Season | forms.Form
"""What to say, where to go on, or the form that asks for more."""


def _draw(request: HttpRequest, season: Season) -> Done:
    count = draw_season(season, user=request.user)
    return ngettext("%(count)d division is drawn.", "%(count)d divisions are drawn.", count) % {"count": count}


def _publish(request: HttpRequest, season: Season) -> Done:
    publish_season(season, user=request.user)
    return _("The season is published: everybody sees it.")


def _dates(request: HttpRequest, season: Season) -> Done:
    form = DatesForm(request.POST)
    if not form.is_valid():
        return form
    count = set_dates(season, form.wanted_dates(), user=request.user)
    return ngettext("There is %(count)d matchday now.", "There are %(count)d matchdays now.", count) % {"count": count}


def _places(request: HttpRequest, season: Season) -> Done:
    divisions = list(season.divisions.order_by("level"))
    rules = {}
    for one in divisions:
        form = PlacesForm(request.POST, prefix=f"p{one.level}")
        if not form.is_valid():
            return form
        told = form.places()
        rules[one.level] = DivisionRules(
            promote=told["promote"], play_off_up=told["play_off"], relegate=told["relegate"]
        )
    set_places(season, rules, user=request.user)
    return _("The places are changed.")


def _transfer(request: HttpRequest, season: Season) -> Done:
    entrant = get_object_or_404(Entrant, pk=id_of(request.POST.get("entrant", "")), league=season.league_id)
    to = get_object_or_404(Division, season=season, level=id_of(request.POST.get("to", "")))
    transfer(season, entrant, to, user=request.user)
    return _("%(entrant)s plays in %(division)s now. Draw it anew.") % {"entrant": entrant, "division": to}


def _move(request: HttpRequest, season: Season) -> Done:
    form = MatchdayForm(request.POST)
    if not form.is_valid():
        return form
    number = id_of(request.POST.get("number", ""))
    count = move_matchday(season, number, form.cleaned_data["starts_at"], user=request.user)
    told = ngettext(
        "Matchday %(number)d is moved, and %(count)d match with it.",
        "Matchday %(number)d is moved, and %(count)d matches with it.",
        count,
    )
    return told % {"number": number, "count": count}


def _lots(request: HttpRequest, season: Season) -> Done:
    division = get_object_or_404(Division, season=season, level=id_of(request.POST.get("level", "")))
    draw_table_lots(division.competition, user=request.user, rng=SystemRandom())
    return _("The lots are drawn, and stand in the table.")


def _play_offs(request: HttpRequest, season: Season) -> Done:
    form = PlayOffsForm(request.POST)
    if not form.is_valid():
        return form
    made = make_play_offs(season, user=request.user, starts_at=form.cleaned_data["starts_at"])
    told = ngettext("%(count)d play-off is made.", "%(count)d play-offs are made.", len(made))
    return told % {"count": len(made)}


def _follow(request: HttpRequest, season: Season) -> Done:
    form = NextForm(request.POST)
    if not form.is_valid():
        return form
    made = carry_over(season, NextPlan(**form.cleaned_data), user=request.user)
    messages.success(request, _("%(season)s is made as a draft. Look through its divisions.") % {"season": made})
    return made


def _close(request: HttpRequest, season: Season) -> Done:
    close_season(season, user=request.user)
    return _("The season is closed.")


ACTS: Mapping[str, Callable[[HttpRequest, Season], Done]] = {
    "draw": _draw,
    "publish": _publish,
    "dates": _dates,
    "places": _places,
    "transfer": _transfer,
    "move": _move,
    "lots": _lots,
    "play-offs": _play_offs,
    "next": _follow,
    "close": _close,
}


def _page(
    request: HttpRequest,
    season: Season,
    *,
    typed: forms.Form | None = None,
    refused: str = "",
    status: int = 200,
) -> HttpResponse:
    """The tables are read once every division is over: until then nobody goes anywhere."""
    season.refresh_from_db(fields=["published_at", "closed_at"])
    divisions = list(with_counts(season))
    running = open_divisions(season)
    over = season.published_at is not None and not running
    end = season_end(season) if over else None
    follower = Season.objects.filter(follows=season).first()
    days = matchdays_of(season, published=False)
    manages = Act.MANAGE_COMPETITIONS in acts_of(request.user, season.league)
    level = asked_number(request, "division") or 1
    context: dict[str, Any] = {
        "league": season.league,
        "season": season,
        "draft": season.published_at is None,
        "divisions": [_block(one, season, request, level) for one in divisions],
        "level": level,
        "drawn": all(one.matches_total for one in divisions),
        "days": days,
        "steps": steps(season, divisions, days, running, end, follower),
        "end": end,
        "end_lines": end_lines(end) if end else [],
        "ties": tie_lines(end) if end else [],
        "pairs": pair_lines(end) if end else [],
        "differs": differing(season) if follower and season.moves.exists() else [],
        "before": standing_moves(season.follows) if season.follows else [],
        "follower": follower,
        "may_manage": manages,
        "refused": refused or _said(typed),
        "typed": request.POST if typed or refused else {},
        "dates_form": typed if isinstance(typed, DatesForm) else DatesForm(initial={"every": 7}),
        "next_form": typed if isinstance(typed, NextForm) else NextForm(initial=_next_guess(season)),
        "play_offs_form": typed if isinstance(typed, PlayOffsForm) else PlayOffsForm(),
        "area": "organize",
    }
    return render(request, "organize/season.html", context, status=status)


def _block(one: Division, season: Season, request: HttpRequest, level: int) -> DivisionBlock:
    if season.published_at is not None:
        return DivisionBlock(one, None, [])
    prefix = f"p{one.level}"
    sent = request.POST if request.POST.get("do") == "places" else None
    initial = {name: getattr(one, name) for name in ("promote", "play_off", "relegate")}
    rows = one.competition.registrations.select_related(*PEOPLE).order_by("seed")
    return DivisionBlock(
        one,
        PlacesForm(sent, prefix=prefix, initial=initial),
        [row.entrant for row in rows] if one.level == level else [],
    )


def _said(form: forms.Form | None) -> str:
    """The first thing that a form has to say: it stands on top, beside the field as well."""
    if form is None:
        return ""
    name, errors = next(iter(form.errors.items()))
    label = form.fields[name].label if name in form.fields else ""
    return f"{label}: {errors[0]}" if label else str(errors[0])


def _next_guess(season: Season) -> dict[str, object]:
    if season.ends_on is None:
        return {}
    span = season.ends_on - season.starts_on
    begins = season.ends_on
    return {"starts_on": begins, "ends_on": begins + span}
