"""Form fields on running the event: fee, proof of results, waiting time."""

from typing import Any

from django import forms
from django.utils.translation import pgettext_lazy

from league.competitions.draw.plans import LONGEST_REST, LONGEST_WAIT
from league.competitions.models import LEVEL_CHOICES, Competition
from league.matches.models import KnownBy
from league.web.shared.money import AmountField

EVENING = ("dispatches", "rest_minutes", "fee", "currency", "level", "final_level", "forfeit_after_min")


class EveningFields(forms.Form):
    """Part of the form to create a competition."""

    dispatches = forms.BooleanField(
        label=pgettext_lazy("form field", "Automatic table calls"),
        required=False,
        help_text=pgettext_lazy(
            "hint",
            "Each ready match is called to the next free table; planned tables and times are only a "
            "forecast. Not for rounds on different days.",
        ),
    )
    rest_minutes = forms.IntegerField(
        label=pgettext_lazy("form field", "Minutes of rest between two matches"),
        required=False,
        min_value=0,
        max_value=LONGEST_REST,
        help_text=pgettext_lazy("hint", "Of the same player, before the next call. Empty: none."),
    )
    fee = AmountField(
        label=pgettext_lazy("form field", "Fee"),
        required=False,
        max_length=16,
        widget=forms.TextInput(attrs={"inputmode": "decimal", "autocomplete": "off"}),
        help_text=pgettext_lazy("hint", "Such as 5 or 12.50. Empty: none."),
    )
    currency = forms.CharField(
        label=pgettext_lazy("form field", "Currency"),
        required=False,
        max_length=8,
        help_text=pgettext_lazy("hint", "As written after an amount: €, USD."),
    )
    level = forms.ChoiceField(
        label=pgettext_lazy("form field", "Minimum source of a result"),
        required=False,
        initial=KnownBy.SCORE,
        choices=LEVEL_CHOICES,
        help_text=pgettext_lazy("hint", "“Recorded” accepts a score alone; a log, a tally or a card is accepted too."),
    )
    final_level = forms.ChoiceField(
        label=pgettext_lazy("form field", "Minimum source in the final of a knock-out"),
        required=False,
        initial=KnownBy.SCORE,
        choices=LEVEL_CHOICES,
    )
    forfeit_after_min = forms.IntegerField(
        label=pgettext_lazy("form field", "Minutes until a forfeit"),
        required=False,
        min_value=1,
        max_value=LONGEST_WAIT,
        help_text=pgettext_lazy("hint", "How long to wait for an absent side. Empty: 15."),
    )

    def clean_currency(self) -> str:
        return " ".join(self.cleaned_data["currency"].split())

    def evening(self) -> dict[str, Any]:
        """Return the settings of a valid form as arguments of a Plan."""
        data = self.cleaned_data
        return {
            "dispatches": data["dispatches"],
            "rest_minutes": data["rest_minutes"] or 0,
            "fee": data["fee"] or 0,
            "currency": data["currency"],
            "level": KnownBy(data["level"] or KnownBy.SCORE),
            "final_level": KnownBy(data["final_level"] or data["level"] or KnownBy.SCORE),
            "forfeit_after_min": data["forfeit_after_min"] or Competition._meta.get_field("forfeit_after_min").default,
        }


def evening_of(competition: Competition) -> dict[str, object]:
    """Return the fields' values for an existing draft."""
    values = {name: getattr(competition, name) for name in EVENING}
    return {**values, "fee": f"{competition.fee / 100:.2f}" if competition.fee else ""}
