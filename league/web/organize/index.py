"""Organizer pages: a league's desk, and a competition from form to last round."""

from collections.abc import Callable, Mapping
from random import SystemRandom

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from league.accounts.models import League, User
from league.accounts.permissions import STAFF, Act, leagues_where
from league.competitions.draw import publishing
from league.competitions.draw.founding import add_players, found_with_players, plan_anew, rehearse
from league.competitions.draw.lots import draw_table_lots
from league.competitions.draw.publishing import publish_matchday
from league.competitions.draw.schedule import rescheduling
from league.competitions.jobs import ask_to_draw, word_to_draw
from league.competitions.models import Competition, DrawJob, Matchday, Slot
from league.competitions.queries.desk import desk
from league.disputes.calls.queries import calls_waiting
from league.errors import NotAllowed, Refused
from league.players.models import PEOPLE
from league.web.components.inbox import AT_HOME, inbox_of
from league.web.organize.competition import page_context
from league.web.organize.evening.reschedule import MoveForm
from league.web.organize.forms.competition_form import FoundingForm, PlanForm, as_planned, first_guess
from league.web.organize.forms.one_field_forms import OptionalReasonForm, PlayersForm, TypedForm
from league.web.shared.access import inside
from league.web.shared.fields import cleaned
from league.web.shared.pasted_names import NamesRead, read_names, with_choices
from league.web.shared.staff import competition_of, of_league
from league.web.words.event_steps import steps
from league.web.words.imports import added_words


@login_required
def index(request: HttpRequest) -> HttpResponse:
    """List the leagues in which the user is staff; redirect if there is only one."""
    leagues = list(League.objects.filter(pk__in=leagues_where(request.user, STAFF)).order_by("name", "pk"))
    if len(leagues) == 1:
        return redirect("organize:home", leagues[0].slug)
    return render(request, "organize/index.html", {"leagues": leagues, "area": "organize"})


@of_league(Act.SEE_DRAFTS)
def home(request: HttpRequest, league: League) -> HttpResponse:
    found = desk(request.user, league)
    here = inside(request.user, league)
    context = {
        "league": league,
        "inbox": inbox_of(request, AT_HOME, league=league),
        "referee_calls": [one for one in calls_waiting(request.user) if one[0] == league],
        "lines": [(line, steps(line)) for line in found.lines],
        "finished": found.finished,
        "to_lot": found.to_lot,
        "here": here,
        "area": "organize",
    }
    return render(request, "organize/home.html", context)


# --- From the form to the draft ---


@of_league(Act.MANAGE_COMPETITIONS)
def new(request: HttpRequest, league: League) -> HttpResponse:
    """Create a draft from one form; `do=preview` shows the outcome and stores nothing."""
    if request.method != "POST":
        return _form(request, league, FoundingForm(league, initial=first_guess(league, timezone.localtime())))
    data = with_choices(request.POST, "players")
    form = FoundingForm(league, data)
    names = _read(form, league, request.user) if form.is_valid() else None
    if not form.is_valid():
        return _form(request, league, form, names=names, status=422)
    decided, text = form.plan(), form.cleaned_data["players"]

    def act() -> Competition:
        return found_with_players(league, decided, text, user=request.user)

    create = data.get("do") == "create" and (names is None or names.seen(data))
    done = _("The draft is made. Only officials see it until you publish it.") if create else ""
    return _carry_out(request, league, form, act, done, names=names)


@of_league(Act.MANAGE_COMPETITIONS)
def plan(request: HttpRequest, league: League, slug: str) -> HttpResponse:
    """Change the plan of a draft, which is drawn again."""
    competition = competition_of(league, slug)
    if competition.published_at:
        messages.info(request, _("It is published, so its plan can’t be changed."))
        return _back(competition)
    if request.method != "POST":
        return _form(request, league, PlanForm(league, initial=as_planned(competition)), competition=competition)
    form = PlanForm(league, request.POST)
    if not form.is_valid():
        return _form(request, league, form, competition=competition, status=422)
    decided = form.plan()

    def act() -> Competition:
        return plan_anew(competition, decided, user=request.user)

    done = _("The plan is changed and the draft redrawn.") if request.POST.get("do") == "create" else ""
    return _carry_out(request, league, form, act, done, competition=competition)


def _read(form: FoundingForm, league: League, user: User) -> NamesRead | None:
    try:
        return read_names(league, form.cleaned_data["players"], user, pairs=form.cleaned_data["pairs"])
    except Refused as refused:
        form.refuse(refused)
        return None


def _carry_out(
    request: HttpRequest,
    league: League,
    form: FoundingForm,
    act: Callable[[], Competition],
    done: str,
    **more: object,
) -> HttpResponse:
    """Carry out the act and show `done`; without `done` only preview the outcome."""
    try:
        if not done:
            return _form(request, league, form, outlook=rehearse(act), **more)
        competition = act()
    except NotAllowed as refused:
        raise PermissionDenied(str(refused)) from refused
    except Refused as refused:
        form.refuse(refused)
        return _form(request, league, form, status=422, **more)
    messages.success(request, done)
    return _back(competition)


def _form(request: HttpRequest, league: League, form: FoundingForm, status: int = 200, **more: object) -> HttpResponse:
    form.point_at_first_error()
    context = {"league": league, "form": form, "area": "organize", **more}
    return render(request, "organize/new.html", context, status=status)


# --- One competition ---


@of_league(Act.SEE_DRAFTS)
def competition(request: HttpRequest, league: League, slug: str) -> HttpResponse:
    """Show one competition to its staff.

    `?round=` is the round shown, `?part-3=` the page of round 3, `?slot=` a match instead of both; `?entrants=` the
    page of entrants; `?moved=` the entrant whose button, `?way=` up or down, gets the focus back.
    """
    return shown(request, league, slug)


def shown(request: HttpRequest, league: League, slug: str, status: int = 200, **more: object) -> HttpResponse:
    """Render the page of a competition, after a refusal with the typed values."""
    context = page_context(request, league, slug) | more
    return render(request, "organize/competition.html", context, status=status)


@of_league(Act.MANAGE_COMPETITIONS)
def entrants(request: HttpRequest, league: League, slug: str) -> HttpResponse:
    """Add players by name, one on each line."""
    chosen = competition_of(league, slug)
    data = with_choices(request.POST, "players")
    form = PlayersForm(data if request.method == "POST" else None)
    names = None
    if form.is_valid():
        text = form.cleaned_data["players"]
        try:
            names = read_names(league, text, request.user, pairs=chosen.pairs)
            if names is None:
                raise Refused("no-names", _("There is no name here. Write one on each line."))
            if names.seen(data):
                added = add_players(chosen, text, user=request.user)
                messages.success(request, added_words(len(added), pairs=chosen.pairs))
                return _back(chosen, "#entrants")
        except NotAllowed as refused:
            raise PermissionDenied(str(refused)) from refused
        except Refused as refused:
            form.add_error("players", str(refused))
    context = {
        "league": league,
        "competition": chosen,
        "form": form,
        "names": names,
        "area": "organize",
    }
    return render(request, "organize/entrants.html", context, status=422 if form.errors else 200)


@require_POST
@of_league(Act.MANAGE_COMPETITIONS)
def draw(request: HttpRequest, league: League, slug: str) -> HttpResponse:
    """Draw the competition; ask for typed confirmation if pairs were set by hand."""
    chosen = competition_of(league, slug)
    return drawn(request, chosen, DrawJob.What.FIRST)


def drawn(request: HttpRequest, chosen: Competition, what: DrawJob.What) -> HttpResponse:
    """Ask for a draw and show its outcome; a large one shows its own progress."""
    form = TypedForm(request.POST)
    if form.is_valid():
        try:
            job = ask_to_draw(chosen, what, user=request.user, typed=form.cleaned_data["word"])
        except NotAllowed as refused:
            raise PermissionDenied(str(refused)) from refused
        except Refused as refused:
            if "word" in form.data:
                form.add_error("word", str(refused))
        else:
            return _told(request, chosen, what, job)
    context = {"league": chosen.league, "competition": chosen, "form": form}
    context |= {"word": word_to_draw(chosen), "area": "organize"}
    return render(request, "organize/draw_anew.html", context, status=422 if form.errors else 200)


def _told(request: HttpRequest, chosen: Competition, what: DrawJob.What, job: DrawJob) -> HttpResponse:
    if job.refused:
        messages.error(request, job.refused)
        return _back(chosen, "#publish")
    if job.done_at is None:
        return _back(chosen, "#drawing")
    messages.success(request, _("The draw is made. Look through it, then publish it."))
    return _back(chosen, "#rounds" if what == DrawJob.What.FIRST else f"?round={job.made}#round-{job.made}")


@require_POST
@of_league(Act.MANAGE_COMPETITIONS)
def publish(request: HttpRequest, league: League, slug: str) -> HttpResponse:
    chosen = competition_of(league, slug)
    done = {
        True: _("It is published: everybody sees it now."),
        False: _("It was published already. Nothing changed."),
    }
    return _do(request, chosen, lambda: publishing.publish(chosen, user=request.user), "#publish", done)


@require_POST
@of_league(Act.MANAGE_COMPETITIONS)
def table_lots(request: HttpRequest, league: League, slug: str) -> HttpResponse:
    chosen = competition_of(league, slug)
    done = {
        True: _("The lots are drawn. The standings show them."),
        False: _("Everybody has a lot already. Nothing changed."),
    }
    lots = SystemRandom()
    return _do(
        request,
        chosen,
        lambda: bool(draw_table_lots(chosen, user=request.user, rng=lots)),
        "#entrants",
        done,
    )


@require_POST
@of_league(Act.MANAGE_COMPETITIONS)
def publish_round(request: HttpRequest, league: League, slug: str, number: int) -> HttpResponse:
    """Publish a round; a refusal appears at the round with the typed reason."""
    chosen = competition_of(league, slug)
    day = get_object_or_404(Matchday, stage__competition=chosen, number=number)
    form = OptionalReasonForm(request.POST)
    try:
        new_now = publish_matchday(day, user=request.user, **cleaned(form))
    except NotAllowed as refused:
        raise PermissionDenied(str(refused)) from refused
    except Refused as refused:
        form.add_error("reason", str(refused))
        return shown(request, league, slug, status=422, refusal=form)
    if new_now:
        messages.success(request, _("%(round)s: published. Everybody sees it now.") % {"round": day})
    else:
        messages.info(request, _("%(round)s was published already. Nothing changed.") % {"round": day})
    return _back(chosen, "#publish")


@of_league(Act.MANAGE_COMPETITIONS)
def move(request: HttpRequest, league: League, slug: str, slot_id: int) -> HttpResponse:
    """Change the table or hour of a match; `?back=tables` returns to all tables."""
    chosen = competition_of(league, slug)
    slots = Slot.objects.filter(matchday__stage__competition=chosen).select_related("matchday", "table", "match")
    slot = get_object_or_404(slots, pk=slot_id)
    names = [str(berth.entrant) for berth in slot.berths.select_related(*PEOPLE) if berth.entrant]
    form = MoveForm(
        league,
        request.POST if request.method == "POST" else None,
        initial={"table": slot.table, "starts_at": slot.starts_at},
    )
    if request.method == "POST" and form.is_valid():
        try:
            rescheduling.move(slot, user=request.user, **form.cleaned_data)
        except NotAllowed as refused:
            raise PermissionDenied(str(refused)) from refused
        except Refused as refused:
            form.add_error(None, str(refused))
        else:
            messages.success(request, _("The match was moved."))
            if request.GET.get("back") == "tables":
                return redirect("organize:tables", league.slug)
            return _back(chosen, f"?slot={slot.pk}#slot-{slot.pk}")
    context = {"league": league, "competition": chosen, "slot": slot, "names": names, "form": form, "area": "organize"}
    return render(request, "organize/move.html", context, status=422 if form.errors else 200)


# --- Shared ---


def _back(chosen: Competition, fragment: str = "") -> HttpResponse:
    address = reverse("organize:competition", args=[chosen.league.slug, chosen.slug])
    return HttpResponseRedirect(f"{address}{fragment}")


def _do(
    request: HttpRequest,
    chosen: Competition,
    act: Callable[[], object],
    fragment: str,
    done: str | Mapping[bool, str] = "",
) -> HttpResponse:
    """Carry out the act and show its outcome on the competition's page.

    `done` may differ for a first and a repeated press.
    """
    try:
        outcome = act()
    except NotAllowed as refused:
        raise PermissionDenied(str(refused)) from refused
    except Refused as refused:
        messages.error(request, str(refused))
        return _back(chosen, fragment)
    if isinstance(done, Mapping):
        (messages.success if outcome else messages.info)(request, done[bool(outcome)])
    elif done:
        messages.success(request, done)
    return _back(chosen, fragment)
