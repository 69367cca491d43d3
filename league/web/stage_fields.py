"""What an organizer decides about the stages of a competition: how many rounds or groups, and what follows."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.translation import pgettext_lazy

from league.competitions.models import KNOCK_OUTS, Competition, Stage
from league.competitions.stage_plans import MOST_GROUPS, MOST_ROUNDS, plan_of_stages

NUMBERS = ("rounds", "groups", "advance_each", "advance_rest")


class StagesFields(forms.Form):
    """Part of the form with which a competition is founded. What does not belong to the chosen format is left out of
    the plan, so that a preset and a changed mind need no clearing of fields.
    """

    rounds = forms.IntegerField(
        label=pgettext_lazy("form field", "Rounds of a Swiss system"),
        required=False,
        min_value=0,
        max_value=MOST_ROUNDS,
        help_text=pgettext_lazy("hint", "Empty: as many as single out one winner."),
    )
    groups = forms.IntegerField(
        label=pgettext_lazy("form field", "Groups"), required=False, min_value=0, max_value=MOST_GROUPS
    )
    then = forms.ChoiceField(
        label=pgettext_lazy("form field", "Then"),
        required=False,
        choices=[
            ("", pgettext_lazy("choice: what follows a stage", "nothing: the table decides")),
            *((one.value, one.label) for one in KNOCK_OUTS),
        ],
    )
    advance_each = forms.IntegerField(
        label=pgettext_lazy("form field", "Go on, of each table"),
        required=False,
        min_value=0,
        max_value=512,
        help_text=pgettext_lazy("hint", "Of each group, or of the one table there is."),
    )
    advance_rest = forms.IntegerField(
        label=pgettext_lazy("form field", "And the best of the others"), required=False, min_value=0, max_value=512
    )
    third_place = forms.BooleanField(
        label=pgettext_lazy("form field", "With a match for third place (knock-out)"), required=False
    )
    no_reset = forms.BooleanField(
        label=pgettext_lazy("form field", "Without a deciding match (double elimination)"), required=False
    )

    @property
    def stages_open(self) -> bool:
        """Something there asks for attention, or was set."""
        return any(name in self.errors or self[name].value() for name in (*NUMBERS, "then", "no_reset"))

    def stages(self, chosen: Mapping[str, object]) -> dict[str, Any]:
        """Of a valid form, over what a preset has `chosen`: fields of a Plan."""
        data = self.cleaned_data
        if not data["format"] and not any(data[name] for name in (*NUMBERS, "then", "third_place", "no_reset")):
            return {}
        first = data["format"] or chosen.get("format") or Stage.Format.ROUND_ROBIN
        then = data["then"] if first not in KNOCK_OUTS else ""
        last = then or first
        third_place = data["third_place"] or (not data["format"] and bool(chosen.get("third_place")))
        return {
            "format": Stage.Format(first),
            "rounds": (data["rounds"] or 0) if first == Stage.Format.SWISS else 0,
            "groups": (data["groups"] or 0) if first == Stage.Format.GROUPS else 0,
            "then": Stage.Format(then) if then else None,
            "advance_each": (data["advance_each"] or 0) if then else 0,
            "advance_rest": (data["advance_rest"] or 0) if then else 0,
            "third_place": third_place and last == Stage.Format.SINGLE_ELIMINATION,
            "reset": not data["no_reset"],
        }


def stages_of(competition: Competition) -> dict[str, object]:
    """What the fields hold when a draft is planned anew."""
    plan = plan_of_stages(competition)
    return {
        "format": plan.format,
        "then": plan.then or "",
        "third_place": plan.third_place,
        "no_reset": not plan.reset,
        **{name: getattr(plan, name) or None for name in NUMBERS},
    }
