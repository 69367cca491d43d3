"""Organizer page of a season, from its draft to the next season."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from random import SystemRandom
from typing import Any

from django import forms
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.accounts.models import League
from league.accounts.permissions import Act, acts_of
from league.competitions.draw.lots import draw_table_lots
from league.competitions.formats.promotion import DivisionRules
from league.competitions.import_export.season_importing import confirm_season_import, waiting_of_season
from league.competitions.job_progress import progress_of
from league.competitions.jobs import ask_to_draw_season, set_dates
from league.competitions.models import Division, DrawJob, Season
from league.competitions.seasons.dates import move_matchday
from league.competitions.seasons.next_season import NextPlan, carry_over, make_play_offs
from league.competitions.seasons.promotion import differing, season_end
from league.competitions.seasons.queries import matchdays_of, standing_moves, with_counts
from league.competitions.seasons.services import close_season, open_divisions, publish_season, transfer
from league.competitions.seasons.settings import SeasonSettings, change_settings, has_begun, set_places
from league.errors import NotAllowed, Refused
from league.players.models import PEOPLE, Entrant
from league.web.competitions.standings_view import asked_number
from league.web.organize.forms.season_form import (
    DatesForm,
    LevelsForm,
    MatchdayForm,
    NextForm,
    PlacesForm,
    PlayOffsForm,
    SettingsForm,
)
from league.web.shared.fields import cleaned
from league.web.shared.pagination import page_of
from league.web.shared.staff import id_of, of_league, sent_row
from league.web.words.seasons import end_lines, pair_lines, steps, tie_lines

# Page sizes of the lists; a season has at most 64 divisions and 128 matchdays.
DIVISIONS_A_PAGE = 9
PLAYERS_A_PAGE = 100
DAYS_A_PAGE = 40


@dataclass(frozen=True, slots=True)
class DivisionBlock:
    """A division, with the form for its places until play in the season begins."""

    division: Division
    places: PlacesForm | None


@of_league(Act.SEE_DRAFTS)
def detail(request: HttpRequest, league: League, slug: str) -> HttpResponse:
    """Show a season; a POST carries out the action `do`.

    A refusal appears on the page with the typed values. `?division=` is the division whose players are listed in a
    draft; `?page=`, `?players=` and `?days=` are the pages of the lists.
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
        if refused.code == "own-submission":
            return _page(request, season, refused=str(refused), status=403)
        raise PermissionDenied(str(refused)) from refused
    except Refused as refused:
        return _page(request, season, typed=_sent(request), refused=str(refused), status=422)
    if isinstance(done, forms.Form):
        return _page(request, season, typed=done, status=422)
    if isinstance(done, Season):
        return redirect("organize:season", league.slug, done.slug)
    if isinstance(done, DrawJob):
        return redirect(reverse("organize:season", args=[league.slug, season.slug]) + "#drawing")
    messages.success(request, done)
    return redirect("organize:season", league.slug, season.slug)


Done = str | Season | DrawJob | forms.Form
"""A message, a season to go on to, a draw in progress, or a form with errors."""


def _draw(request: HttpRequest, season: Season) -> Done:
    job = ask_to_draw_season(season, user=request.user)
    if job.done_at is None:
        return job
    if job.refused:
        raise Refused(job.refused_code, "%(told)s", told=job.refused)
    count = job.made or 0
    return ngettext("%(count)d division is drawn.", "%(count)d divisions are drawn.", count) % {"count": count}


def _publish(request: HttpRequest, season: Season) -> Done:
    publish_season(season, user=request.user)
    return _("The season is published: everybody sees it.")


def _dates(request: HttpRequest, season: Season) -> Done:
    form = DatesForm(request.POST)
    if not form.is_valid():
        return form
    count = set_dates(season, form.wanted_dates(), user=request.user)
    return ngettext("There is %(count)d round now.", "There are %(count)d rounds now.", count) % {"count": count}


def _places(request: HttpRequest, season: Season) -> Done:
    """Set the places of the divisions on the page (`levels`), else of all."""
    shown = cleaned(LevelsForm(request.POST))["levels"]
    levels = season.divisions.order_by("level").values_list("level", flat=True)
    rules = {}
    for level in levels.filter(level__in=shown) if "levels" in request.POST else levels:
        form = PlacesForm(request.POST, prefix=f"p{level}")
        if not form.is_valid():
            return form
        told = form.places()
        rules[level] = DivisionRules(promote=told["promote"], play_off_up=told["play_off"], relegate=told["relegate"])
    set_places(season, rules, user=request.user)
    return _("The places are changed.")


def _settings(request: HttpRequest, season: Season) -> Done:
    form = SettingsForm(request.POST)
    if not form.is_valid():
        return form
    change_settings(season, SeasonSettings(**form.cleaned_data), user=request.user)
    return _("Name and days are changed.")


def _transfer(request: HttpRequest, season: Season) -> Done:
    entrant = sent_row(request, "entrant", Entrant, league=season.league_id)
    to = _division(request, season, "to")
    transfer(season, entrant, to, user=request.user)
    return _("%(entrant)s now plays in %(division)s. Redraw it.") % {"entrant": entrant, "division": to}


def _division(request: HttpRequest, season: Season, name: str) -> Division:
    return get_object_or_404(Division, season=season, level=id_of(request.POST.get(name, "")))


def _move(request: HttpRequest, season: Season) -> Done:
    form = MatchdayForm(request.POST)
    if not form.is_valid():
        return form
    number = form.cleaned_data["number"] or 0
    count = move_matchday(season, number, form.cleaned_data["starts_at"], user=request.user)
    told = ngettext(
        "Round %(number)d is moved, and %(count)d match with it.",
        "Round %(number)d is moved, and %(count)d matches with it.",
        count,
    )
    return told % {"number": number, "count": count}


def _lots(request: HttpRequest, season: Season) -> Done:
    division = _division(request, season, "level")
    draw_table_lots(division.competition, user=request.user, rng=SystemRandom())
    return _("The lots are drawn. The standings show them.")


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


def _confirm(request: HttpRequest, season: Season) -> Done:
    count = confirm_season_import(season, user=request.user)
    told = ngettext("%(count)d result is confirmed now.", "%(count)d results are confirmed now.", count)
    return told % {"count": count}


ACTS: Mapping[str, Callable[[HttpRequest, Season], Done]] = {
    "draw": _draw,
    "publish": _publish,
    "dates": _dates,
    "places": _places,
    "settings": _settings,
    "transfer": _transfer,
    "move": _move,
    "lots": _lots,
    "play-offs": _play_offs,
    "next": _follow,
    "close": _close,
    "confirm": _confirm,
}


FORMS: Mapping[str, type[forms.Form]] = {
    "dates": DatesForm,
    "settings": SettingsForm,
    "next": NextForm,
    "play-offs": PlayOffsForm,
}


def _sent(request: HttpRequest) -> forms.Form | None:
    """Return the typed form, if the service refused it and not the form itself."""
    form = FORMS.get(request.POST["do"])
    return form(request.POST) if form else None


def _page(
    request: HttpRequest,
    season: Season,
    *,
    typed: forms.Form | None = None,
    refused: str = "",
    status: int = 200,
) -> HttpResponse:
    """Render the page; the tables are read only after the last division ended.

    Before that nobody moves up or down.
    """
    season.refresh_from_db(fields=["name", "starts_on", "ends_on", "published_at", "closed_at"])
    divisions = list(with_counts(season))
    running = open_divisions(season)
    over = season.published_at is not None and not running
    end = season_end(season) if over else None
    follower = Season.objects.filter(follows=season).first()
    days = matchdays_of(season, published=False)
    manages = Act.MANAGE_COMPETITIONS in acts_of(request.user, season.league)
    job = season.draw_jobs.select_related("asked_by").order_by("-asked_at", "-pk").first()
    shown = page_of(request, divisions, DIVISIONS_A_PAGE)
    draft = season.published_at is None
    context: dict[str, Any] = {
        "league": season.league,
        "season": season,
        "draft": draft,
        "job": job,
        "progress": progress_of(job.pk) if job and job.done_at is None else 0,
        "shown": shown,
        "divisions": _blocks(shown, divisions, season, request),
        "all_divisions": divisions,
        "drawn": all(one.matches_total for one in divisions),
        "days": page_of(request, days, DAYS_A_PAGE, name="days"),
        "steps": steps(season, divisions, days, running, end, follower),
        "end": end,
        "end_lines": end_lines(end, {one.pk for one in shown}) if end else [],
        "ties": tie_lines(end) if end else [],
        "pairs": pair_lines(end) if end else [],
        "differs": differing(season) if follower and season.moves.exists() else [],
        "before": standing_moves(season.follows) if season.follows else [],
        "follower": follower,
        "waiting": waiting_of_season(season),
        "may_manage": manages,
        "refused": refused or _said(typed),
        "typed": request.POST if typed or refused else {},
        "dates_form": typed if isinstance(typed, DatesForm) else DatesForm(initial={"every": 7}),
        "settings_form": _settings_form(request, season, typed),
        "next_form": typed if isinstance(typed, NextForm) else NextForm(initial=_next_guess(season)),
        "play_offs_form": typed if isinstance(typed, PlayOffsForm) else PlayOffsForm(),
        "area": "organize",
        **(_players(request, divisions) if draft and manages else {}),
    }
    return render(request, "organize/season.html", context, status=status)


def _blocks(
    shown: Iterable[Division], divisions: Sequence[Division], season: Season, request: HttpRequest
) -> list[DivisionBlock]:
    """Pair each shown division with the form for its places, if they can still change.

    `play_off` and `promote` are fields of every division but the top, `relegate` of every one but the last.
    """
    changing = season.closed_at is None and not has_begun(season)
    sent = request.POST if request.POST.get("do") == "places" else None
    return [DivisionBlock(one, _places_form(one, len(divisions), sent) if changing else None) for one in shown]


def _places_form(one: Division, count: int, sent: Mapping[str, str] | None) -> PlacesForm:
    initial = {name: getattr(one, name) for name in ("promote", "play_off", "relegate")}
    form = PlacesForm(sent, prefix=f"p{one.level}", initial=initial)
    for name, there in (("promote", one.level > 1), ("play_off", one.level > 1), ("relegate", one.level < count)):
        if not there:
            del form.fields[name]
    return form


def _players(request: HttpRequest, divisions: Sequence[Division]) -> dict[str, Any]:
    """List the players of one division."""
    level = asked_number(request, "division") or 1
    chosen = next((one for one in divisions if one.level == level), None)
    if chosen is None:
        return {}
    rows = chosen.competition.registrations.select_related(*PEOPLE).order_by("seed")
    return {"chosen": chosen, "players": page_of(request, rows, PLAYERS_A_PAGE, name="players")}


def _settings_form(request: HttpRequest, season: Season, typed: forms.Form | None) -> SettingsForm:
    if isinstance(typed, SettingsForm):
        return typed
    now = {name: getattr(season, name) for name in ("name", "starts_on", "ends_on")}
    return SettingsForm(initial=now)


def _said(form: forms.Form | None) -> str:
    """Return the form's first error, which appears on top and beside its field."""
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
