"""Draft of a round paired from results: draw, swap, lock, and pair again."""

from collections.abc import Callable
from typing import Any

from django import forms
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_POST

from league.accounts.models import League
from league.accounts.permissions import Act
from league.competitions.draw import stages, swiss_rounds
from league.competitions.draw.swiss_rounds import keep_pair
from league.competitions.entrant_names import called
from league.competitions.models import Competition, DrawJob, Matchday, Slot
from league.errors import NotAllowed, Refused
from league.web.organize.index import drawn, shown
from league.web.shared.fields import KeyField, WholeNumberField, cleaned
from league.web.shared.staff import competition_of, of_league, sent_row


class SideForm(forms.Form):
    """An entrant to exchange, chosen from a list or, in a large round, typed in `…-name`."""

    entrant = KeyField(required=False)
    name = forms.CharField(required=False)

    def __init__(self, chosen: Competition, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)
        self.chosen = chosen

    def add_prefix(self, field_name: str) -> str:
        return self.prefix if field_name == "entrant" else super().add_prefix(field_name)

    def clean(self) -> dict[str, int]:
        typed = self.cleaned_data.get("name")
        if not typed:
            return {"entrant": self.cleaned_data["entrant"] or 0}
        found = list(called(self.chosen, typed).values_list("entrant", flat=True)[:2])
        if not found:
            raise forms.ValidationError(_("No player here is called %(name)s."), params={"name": typed})
        if len(found) > 1:
            told = _("Several players are called %(name)s. Write the player’s code; you find it on the player’s page.")
            raise forms.ValidationError(told, params={"name": typed})
        return {"entrant": found[0]}


class RoundsForm(forms.Form):
    rounds = WholeNumberField(
        max_value=999,
        error_messages=dict.fromkeys(
            ("required", "invalid", "max_value"), gettext_lazy("Write how many rounds there are in all, as a number.")
        ),
    )


@require_POST
@of_league(Act.MANAGE_COMPETITIONS)
def draw_next(request: HttpRequest, league: League, slug: str) -> HttpResponse:
    """Draw the next round of a Swiss system, or the next stage."""
    chosen = competition_of(league, slug)
    return drawn(request, chosen, DrawJob.What.NEXT)


@require_POST
@of_league(Act.MANAGE_COMPETITIONS)
def pair(request: HttpRequest, league: League, slug: str, number: int) -> HttpResponse:
    """Change the pairings of a draft round.

    `lock` and `unlock` name a slot. `do=swap` exchanges the entrants `first` and `second`; in a large round their names
    or codes are typed in `first-name` and `second-name`. `do=anew` pairs again.
    """
    chosen = competition_of(league, slug)
    day = get_object_or_404(Matchday, stage__competition=chosen, number=number)
    fragment = f"?round={number}#round-{number}"
    for word, keep in (("lock", True), ("unlock", False)):
        if word in request.POST:
            slot = sent_row(request, word, Slot, matchday=day)
            _done(request, lambda slot=slot, keep=keep: keep_pair(slot, user=request.user, keep=keep))
            return _back(league, chosen, f"?slot={slot.pk}#slot-{slot.pk}")
    if request.POST.get("do") == "swap":

        def swap() -> bool:
            sides = [SideForm(chosen, request.POST, prefix=name) for name in ("first", "second")]
            swiss_rounds.swap(day, *(cleaned(side)["entrant"] for side in sides), user=request.user)
            return True

        if _done(request, swap):
            messages.success(request, _("They changed places. Both pairs are locked now."))
        return _back(league, chosen, fragment)
    return drawn(request, chosen, DrawJob.What.ANEW)


@require_POST
@of_league(Act.MANAGE_COMPETITIONS)
def set_rounds(request: HttpRequest, league: League, slug: str) -> HttpResponse:
    """Set the total of `rounds` for the current Swiss system.

    A refusal appears at the field.
    """
    chosen = competition_of(league, slug)
    form = RoundsForm(request.POST)
    try:
        count = cleaned(form)["rounds"]
        stages.set_rounds(chosen, count, user=request.user)
    except NotAllowed as refused:
        raise PermissionDenied(str(refused)) from refused
    except Refused as refused:
        form.add_error("rounds", str(refused))
        return shown(request, league, slug, status=422, rounds_form=form)
    told = ngettext("There is %(count)d round in all now.", "There are %(count)d rounds in all now.", count)
    messages.success(request, told % {"count": count})
    return _back(league, chosen, "#publish")


def _done(request: HttpRequest, act: Callable[[], Any]) -> Any:
    """Return the act's result; show a refusal as a message and return None."""
    try:
        return act()
    except NotAllowed as refused:
        raise PermissionDenied(str(refused)) from refused
    except Refused as refused:
        messages.error(request, str(refused))
        return None


def _back(league: League, chosen: Competition, fragment: str) -> HttpResponse:
    return HttpResponseRedirect(reverse("organize:competition", args=[league.slug, chosen.slug]) + fragment)
