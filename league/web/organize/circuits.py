"""Organizer pages of a circuit: found, change, remove."""

import re
from collections.abc import Callable
from typing import Any

from django import forms
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import pgettext_lazy

from league.accounts.lettered import NameField
from league.accounts.models import LONGEST_NAME, League
from league.accounts.permissions import Act
from league.competitions.circuits import CircuitPlan, change_circuit, found_circuit, offered, remove_circuit
from league.competitions.formats.circuit import PointsBy
from league.competitions.models import Circuit
from league.errors import NotAllowed, Refused
from league.web.shared.fields import KeysField, WholeNumberField
from league.web.shared.staff import carry_out, of_league

FIELD_OF = {"bad-name": "name", "name-taken": "name", "bad-points": "points", "bad-counted": "counted"}
USUAL_POINTS = "10, 8, 6, 5, 4, 3, 2, 1"


class CircuitForm(forms.Form):
    """Settings of a circuit; its service checks them."""

    name = NameField(label=pgettext_lazy("form field", "Name"), letters=LONGEST_NAME)
    points_by = forms.ChoiceField(
        label=pgettext_lazy("form field", "Points for a place"), choices=Circuit.Points, widget=forms.RadioSelect
    )
    points = forms.CharField(
        label=pgettext_lazy("form field", "The list, from the first place on"),
        required=False,
        max_length=4000,
        help_text=pgettext_lazy("circuit", "Whole numbers. Places behind the end of the list get 0."),
    )
    counted = WholeNumberField(
        label=pgettext_lazy("form field", "Best evenings that count"),
        required=False,
        min_value=1,
        help_text=pgettext_lazy("circuit", "Empty: all of them."),
    )
    competitions = KeysField(required=False)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name in ("name", "points", "counted"):
            self.fields[name].widget.attrs["class"] = "input"

    def clean_points(self) -> list[int]:
        parts = [one for one in re.split(r"[\s,;]+", self.cleaned_data["points"]) if one]
        if not all(one.isascii() and one.isdigit() and len(one) < 10 for one in parts):
            raise forms.ValidationError(_("Write whole numbers with commas between them: 10, 8, 6, 5."))
        return [int(one) for one in parts]

    def plan(self) -> CircuitPlan:
        data = self.cleaned_data
        return CircuitPlan(
            name=data["name"],
            points_by=PointsBy(data["points_by"]),
            points=data["points"],
            counted=data["counted"] or 0,
            competitions=data["competitions"],
        )


@of_league(Act.MANAGE_COMPETITIONS)
def new(request: HttpRequest, league: League) -> HttpResponse:
    initial = {"points_by": Circuit.Points.LIST, "points": USUAL_POINTS}
    form = CircuitForm(request.POST if request.method == "POST" else None, initial=initial)
    done = _("Circuit created. Everybody can see its page.")
    return _written(request, league, form, lambda plan: found_circuit(league, plan, user=request.user), done)


@of_league(Act.MANAGE_COMPETITIONS)
def change(request: HttpRequest, league: League, slug: str) -> HttpResponse:
    """Change a circuit; `do=remove` deletes it."""
    circuit = get_object_or_404(Circuit.objects.select_related("league"), league=league, slug=slug)
    if request.method == "POST" and request.POST.get("do") == "remove":
        if carry_out(request, lambda: remove_circuit(circuit, user=request.user)):
            messages.success(request, _("The circuit is removed. Its competitions are as before."))
        return redirect("circuits:index", league.slug)
    form = CircuitForm(request.POST if request.method == "POST" else None, initial=_as_it_is(circuit))
    done = _("The circuit is changed.")
    return _written(
        request, league, form, lambda plan: change_circuit(circuit, plan, user=request.user), done, circuit=circuit
    )


def _as_it_is(circuit: Circuit) -> dict[str, Any]:
    return {
        "name": circuit.name,
        "points_by": circuit.points_by,
        "points": ", ".join(map(str, circuit.points)) or USUAL_POINTS,
        "counted": circuit.counted or None,
        "competitions": list(circuit.competitions.values_list("pk", flat=True)),
    }


def _written(
    request: HttpRequest,
    league: League,
    form: CircuitForm,
    write: Callable[[CircuitPlan], Circuit],
    done: str,
    circuit: Circuit | None = None,
) -> HttpResponse:
    if request.method == "POST" and form.is_valid():
        try:
            written = write(form.plan())
        except NotAllowed as refused:
            raise PermissionDenied(str(refused)) from refused
        except Refused as refused:
            form.add_error(FIELD_OF.get(refused.code), str(refused))
        else:
            messages.success(request, done)
            return redirect("circuits:detail", league.slug, written.slug)
    chosen = form["competitions"].value() or []
    context = {
        "league": league,
        "form": form,
        "circuit": circuit,
        "offered": offered(league, circuit),
        "ticked": {int(one) for one in chosen if str(one).isdecimal()},
        "area": "organize",
    }
    return render(request, "organize/circuit.html", context, status=422 if form.errors else 200)
