"""Organizer page of bonuses and deductions: give, take and remove match points, with their history."""

from django import forms
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import pgettext_lazy
from django.views.decorators.cache import never_cache

from league.accounts.models import League
from league.accounts.permissions import Act
from league.competitions.adjustments import (
    give_adjustment,
    history_of,
    remove_adjustment,
    takes_adjustments,
)
from league.competitions.models import Adjustment, Competition
from league.competitions.models.adjustment import LONGEST_REASON, MOST_ADJUSTED
from league.errors import NotAllowed, Refused
from league.players.models import PEOPLE, Entrant
from league.web.shared.fields import WholeNumberField
from league.web.shared.pagination import page_of
from league.web.shared.staff import carry_out, competition_of, id_of, of_league, sent_row

HISTORY_A_PAGE = 50
FIELD_OF = {"bad-points": "points", "no-reason": "reason", "long-reason": "reason", "not-registered": "entrant"}


class AdjustmentForm(forms.Form):
    entrant = forms.TypedChoiceField(label=pgettext_lazy("form field", "Player"), coerce=id_of)
    sign = forms.ChoiceField(
        label=pgettext_lazy("form field", "What"),
        choices=[
            ("+", pgettext_lazy("match points", "give: bonus")),
            ("-", pgettext_lazy("match points", "take: deduction")),
        ],
        widget=forms.RadioSelect,
    )
    points = WholeNumberField(label=pgettext_lazy("form field", "Match points"), min_value=1, max_value=MOST_ADJUSTED)
    reason = forms.CharField(
        label=pgettext_lazy("form field", "Reason"),
        max_length=LONGEST_REASON,
        help_text=pgettext_lazy("bonus", "Everybody reads it below the table."),
    )

    def __init__(self, *args: object, competition: Competition, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)
        rows = competition.registrations.select_related(*PEOPLE).order_by("seed")
        named = [(row.entrant_id, f"{row.seed}. {row.entrant.full_name}") for row in rows]
        self.fields["entrant"].choices = [("", ""), *named]
        for name in ("entrant", "points", "reason"):
            self.fields[name].widget.attrs["class"] = "input"

    def signed_points(self) -> int:
        return self.cleaned_data["points"] * (-1 if self.cleaned_data["sign"] == "-" else 1)


@never_cache
@of_league(Act.MANAGE_COMPETITIONS)
def page(request: HttpRequest, league: League, slug: str) -> HttpResponse:
    """Give points with a form; `do=remove` with `adjustment` removes some."""
    competition = competition_of(league, slug)
    if request.method == "POST" and request.POST.get("do") == "remove":
        row = sent_row(request, "adjustment", Adjustment, registration__competition=competition)
        if carry_out(request, lambda: remove_adjustment(row, user=request.user)):
            messages.success(request, _("Removed: these points count no more."))
        return redirect(request.path)
    form = AdjustmentForm(
        request.POST if request.method == "POST" else None, competition=competition, initial={"sign": "-"}
    )
    if form.is_valid() and _given(request, competition, form):
        return redirect(request.path)
    context = {
        "league": league,
        "competition": competition,
        "form": form,
        "takes": takes_adjustments(competition) and competition.published_at is not None,
        "history": page_of(request, history_of(competition), HISTORY_A_PAGE),
        "area": "organize",
    }
    return render(request, "organize/adjustments.html", context, status=422 if form.errors else 200)


def _given(request: HttpRequest, competition: Competition, form: AdjustmentForm) -> bool:
    entrant = Entrant.objects.get(pk=form.cleaned_data["entrant"])

    def act() -> Adjustment:
        reason = form.cleaned_data["reason"]
        return give_adjustment(competition, entrant, points=form.signed_points(), reason=reason, user=request.user)

    try:
        act()
    except NotAllowed as refused:
        raise PermissionDenied(str(refused)) from refused
    except Refused as refused:
        form.add_error(FIELD_OF.get(refused.code), str(refused))
        return False
    messages.success(request, _("It counts in the standings now."))
    return True
