"""Rehearsals: a competition played through with invented players, and its report."""

from django import forms
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import pgettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from league.accounts.models import League
from league.accounts.permissions import Act
from league.competitions.models import Competition, Rehearsal
from league.errors import NotAllowed, Refused
from league.rehearsals.evening import Mishaps
from league.rehearsals.services import MOST_ENTRANTS, MOST_SEED, ToRehearse, ask_to_rehearse, progress_of, remove
from league.web.organize.rehearsal_view import rehearsal_view
from league.web.shared.pagination import page_of
from league.web.shared.staff import competition_of, id_of, of_league

USUAL = 8
PER_PAGE = 20
MATCHES_A_PAGE = 100


class RehearsalForm(forms.Form):
    """Size of a rehearsal, and its mishaps."""

    entrants = forms.IntegerField(
        label=pgettext_lazy("form field: rehearsal", "Players"), min_value=2, max_value=MOST_ENTRANTS
    )
    seed = forms.IntegerField(
        label=pgettext_lazy("form field: rehearsal", "Random seed"),
        required=False,
        min_value=0,
        max_value=MOST_SEED,
        help_text=pgettext_lazy("hint", "The same number plays the same day again. Empty: a new one."),
    )
    no_show = forms.BooleanField(
        label=pgettext_lazy("form field: rehearsal", "No-show in the first match"), required=False
    )
    late_entry = forms.BooleanField(
        label=pgettext_lazy("form field: rehearsal", "Late entry after publishing"), required=False
    )
    level_game = forms.BooleanField(
        label=pgettext_lazy("form field: rehearsal", "A game is entered with a level score"), required=False
    )
    protest = forms.BooleanField(
        label=pgettext_lazy("form field: rehearsal", "The two of a match enter different scores"), required=False
    )
    withdraw_after = forms.IntegerField(
        label=pgettext_lazy("form field: rehearsal", "Withdrawal after round"),
        required=False,
        min_value=1,
        max_value=999,
        help_text=pgettext_lazy("hint", "Leave empty for none."),
    )

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)
        for field in self.fields.values():
            if not isinstance(field, forms.BooleanField):
                field.widget.attrs["class"] = "input"

    def asked(self) -> ToRehearse:
        found = self.cleaned_data
        wishes = Mishaps(
            no_show=found["no_show"],
            late_entry=found["late_entry"],
            level_game=found["level_game"],
            protest=found["protest"],
            withdraw_after=found["withdraw_after"] or 0,
        )
        return ToRehearse(found["entrants"], found["seed"], wishes)


@never_cache
@of_league(Act.MANAGE_COMPETITIONS)
def index(request: HttpRequest, league: League, slug: str) -> HttpResponse:
    """Show the form for a new rehearsal, and the earlier ones."""
    competition = competition_of(league, slug)
    count = competition.registrations.count()
    form = RehearsalForm(request.POST or None, initial={"entrants": count if count > 1 else USUAL})
    if competition.pairs:
        form.fields["entrants"].label = pgettext_lazy("form field: rehearsal", "Pairs")
    if request.method == "POST" and form.is_valid():
        try:
            job = ask_to_rehearse(competition, form.asked(), user=request.user)
        except NotAllowed as refused:
            raise PermissionDenied(str(refused)) from refused
        except Refused as refused:
            form.add_error("seed" if refused.code == "bad-seed" else "entrants", str(refused))
        else:
            return redirect("organize:rehearsal", league.slug, competition.slug, job.pk)
    rows = competition.rehearsals.defer("report").select_related("asked_by")
    context = {
        "league": league,
        "competition": competition,
        "form": form,
        "endless": any(stage.is_ladder for stage in competition.stages.all()),
        "page": page_of(request, rows, PER_PAGE),
        "area": "organize",
    }
    return render(request, "organize/rehearsals.html", context, status=422 if form.errors else 200)


@never_cache
@of_league(Act.MANAGE_COMPETITIONS)
def detail(request: HttpRequest, league: League, slug: str, rehearsal_id: int) -> HttpResponse:
    """Show the report after `?round=`, by default after the last round."""
    competition = competition_of(league, slug)
    job = _rehearsal(competition, rehearsal_id)
    view = rehearsal_view(job.report, id_of(request.GET.get("round", ""))) if job.report else None
    context = {
        "league": league,
        "competition": competition,
        "job": job,
        "view": view,
        "slots": page_of(request, view.matches, MATCHES_A_PAGE) if view else None,
        "progress": progress_of(job.pk) if job.done_at is None else 0,
        "area": "organize",
    }
    return render(request, "organize/rehearsal.html", context)


@require_POST
@of_league(Act.MANAGE_COMPETITIONS)
def delete(request: HttpRequest, league: League, slug: str, rehearsal_id: int) -> HttpResponse:
    competition = competition_of(league, slug)
    try:
        gone = remove(_rehearsal(competition, rehearsal_id), user=request.user)
    except NotAllowed as refused:
        raise PermissionDenied(str(refused)) from refused
    except Http404:  # a second click
        gone = False
    if gone:
        messages.success(request, _("The rehearsal is removed. Nothing is left of it."))
    else:
        messages.info(request, _("It was removed already. Nothing changed."))
    return redirect("organize:rehearsals", league.slug, competition.slug)


def _rehearsal(competition: Competition, rehearsal_id: int) -> Rehearsal:
    rows = Rehearsal.objects.select_related("competition__league", "asked_by")
    return get_object_or_404(rows, competition=competition, pk=rehearsal_id)
