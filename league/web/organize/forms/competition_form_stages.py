"""Form fields on the stages of a competition: rounds, groups and the stage after."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import pgettext, pgettext_lazy

from league.competitions.draw.plans import may_keep_clubs_apart
from league.competitions.draw.stage_plans import plan_of_stages
from league.competitions.formats.match_length import GAMES
from league.competitions.formats.registry import MOST_DAYS, MOST_GROUPS, MOST_REACH, MOST_ROUNDS, SECOND_STAGES, spec_of
from league.competitions.formats.table_rounds import FEWEST_SEATS, MOST_SEATS
from league.competitions.models import Competition, Stage
from league.competitions.models.choices import format_choices
from league.web.words.rules import OWN_LENGTHS

OWN_BEST_OF = {f"{key}_best_of": key for key in OWN_LENGTHS}
"""Field → its key in the plan."""
NUMBERS = ("rounds", "groups", "seats", "challenge_reach", "challenge_days", "advance_each", "advance_rest")
LONGEST_NUMBER = 4


def what_follows() -> list[tuple[str, str]]:
    nothing = ("", pgettext("choice: what follows a stage", "nothing: the standings decide"))
    return [nothing, *(one for one in format_choices() if one[0] in SECOND_STAGES)]


class StagesFields(forms.Form):
    """Part of the form to create a competition.

    Fields that do not belong to the chosen format are left out of the plan, so that nobody has to clear them after a
    preset or a change of format.
    """

    rounds = forms.IntegerField(
        label=pgettext_lazy("form field", "Rounds of a Swiss system, or at tables"),
        required=False,
        min_value=0,
        max_value=MOST_ROUNDS,
        help_text=pgettext_lazy("hint", "Leave empty in a Swiss system for the usual number of rounds."),
    )
    groups = forms.IntegerField(
        label=pgettext_lazy("form field", "Groups"), required=False, min_value=0, max_value=MOST_GROUPS
    )
    seats = forms.IntegerField(
        label=pgettext_lazy("form field", "Seats at a table"),
        required=False,
        min_value=FEWEST_SEATS,
        max_value=MOST_SEATS,
        help_text=pgettext_lazy("hint", "3 to 6. Uneven numbers make some tables of one fewer."),
    )
    place_points = forms.CharField(
        label=pgettext_lazy("form field", "Points by place at a table"),
        required=False,
        max_length=60,
        help_text=pgettext_lazy(
            "hint", "From the first place down: 3, 1, 0, 0. Leave empty for one point less per place."
        ),
    )
    challenge_reach = forms.IntegerField(
        label=pgettext_lazy("form field", "Ladder: places above that can be challenged"),
        required=False,
        min_value=1,
        max_value=MOST_REACH,
    )
    challenge_days = forms.IntegerField(
        label=pgettext_lazy("form field", "Ladder: days until a challenge lapses"),
        required=False,
        min_value=0,
        max_value=MOST_DAYS,
        help_text=pgettext_lazy("hint", "Empty: never."),
    )
    then = forms.ChoiceField(
        label=pgettext_lazy("form field", "Next stage"),
        required=False,
        choices=what_follows,
    )
    advance_each = forms.IntegerField(
        label=pgettext_lazy("form field", "Qualify from each group"),
        required=False,
        min_value=0,
        max_value=512,
        help_text=pgettext_lazy("hint", "From each group, or from the standings if there are no groups."),
    )
    advance_rest = forms.IntegerField(
        label=pgettext_lazy("form field", "Plus best runners-up"), required=False, min_value=0, max_value=512
    )
    third_place = forms.BooleanField(
        label=pgettext_lazy("form field", "With a match for third place (knock-out)"), required=False
    )
    no_reset = forms.BooleanField(
        label=pgettext_lazy("form field", "Without a deciding match (double elimination)"), required=False
    )
    clubs_apart = forms.BooleanField(
        label=pgettext_lazy("form field", "Club mates apart (knock-out, Swiss system)"),
        required=False,
        help_text=pgettext_lazy(
            "hint",
            "In a knock-out they meet late: near seeds are exchanged. In a Swiss system they meet only where no other "
            "pairing has as small score differences.",
        ),
    )

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)
        usual = ("", pgettext_lazy("choice: games a match", "as the other matches"))
        choices = [usual, *((n, n) for n in GAMES)]
        for field, key in OWN_BEST_OF.items():
            self.fields[field] = forms.TypedChoiceField(
                label=OWN_LENGTHS[key], required=False, coerce=int, empty_value=None, choices=choices
            )

    @property
    def own_lengths(self) -> list[forms.BoundField]:
        return [self[name] for name in OWN_BEST_OF]

    def clean_place_points(self) -> list[int]:
        parts = self.cleaned_data["place_points"].replace(",", " ").replace(";", " ").split()
        for part in parts:
            if not (part.isascii() and part.isdecimal() and len(part) <= LONGEST_NUMBER):
                told = _("“%(part)s” is not a whole number: write the points as 3, 1, 0, 0.")
                raise forms.ValidationError(told % {"part": part[:20]})
        return [int(part) for part in parts]

    def match_settings(self, plan: Mapping[str, Any]) -> dict[str, Any]:
        """Return settings of a valid form that belong to some formats only, as fields of a Plan.

        `plan`: its stages.
        """
        first = plan.get("format") or Stage.Format.ROUND_ROBIN
        last = spec_of(plan.get("then") or first)
        chosen = {key: self.cleaned_data[field] for field, key in OWN_BEST_OF.items()}
        return {
            "own_best_of": {key: number for key, number in chosen.items() if number and key in last.own_lengths},
            "clubs_apart": self.cleaned_data["clubs_apart"] and may_keep_clubs_apart(first),
        }

    @property
    def stages_open(self) -> bool:
        """Whether a field here has an error or a value."""
        return any(name in self.errors or self[name].value() for name in (*NUMBERS, "place_points", "then", "no_reset"))

    def stages(self, chosen: Mapping[str, object]) -> dict[str, Any]:
        """Return the settings of a valid form as fields of a Plan, over the preset.

        `chosen`: the preset's settings.
        """
        data = self.cleaned_data
        decided = (*NUMBERS, "place_points", "then", "third_place", "no_reset")
        if not data["format"] and not any(data[name] for name in decided):
            return {}
        first = data["format"] or chosen.get("format") or Stage.Format.ROUND_ROBIN
        spec = spec_of(first)
        then = data["then"] if spec.may_be_followed else ""
        last = spec_of(then or first)
        third_place = data["third_place"] or (not data["format"] and bool(chosen.get("third_place")))
        return {
            "format": first,
            "rounds": self._number("rounds", chosen) if spec.rounds else 0,
            "groups": (data["groups"] or 0) if spec.groups else 0,
            "seats": self._number("seats", chosen) if spec.seats else 0,
            "place_points": data["place_points"] if spec.has_place_points else [],
            "challenge_reach": self._number("challenge_reach", chosen) if spec.challenge_reach else 0,
            "challenge_days": self._number("challenge_days", chosen) if spec.challenge_days else 0,
            "then": then or None,
            "advance_each": (data["advance_each"] or 0) if then else 0,
            "advance_rest": (data["advance_rest"] or 0) if then else 0,
            "third_place": third_place and last.has_third_place,
            "reset": not data["no_reset"],
        }

    def _number(self, name: str, chosen: Mapping[str, object]) -> int:
        """Return the typed number, else the preset's if the format is the preset's."""
        of_preset = 0 if self.cleaned_data["format"] else chosen.get(name, 0)
        return self.cleaned_data[name] or of_preset


def stages_of(competition: Competition) -> dict[str, object]:
    """Return the fields' values for an existing draft."""
    plan = plan_of_stages(competition)
    return {
        "format": plan.format,
        "then": plan.then or "",
        "third_place": plan.third_place,
        "no_reset": not plan.reset,
        "place_points": ", ".join(map(str, plan.place_points)),
        "clubs_apart": competition.clubs_apart,
        **{field: competition.own_best_of.get(key) for field, key in OWN_BEST_OF.items()},
        **{name: getattr(plan, name) or None for name in NUMBERS},
    }
