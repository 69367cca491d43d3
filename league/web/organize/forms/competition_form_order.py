"""Form fields on the standings: tie-breaks, match points, byes."""

from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import pgettext_lazy

from league.competitions.draw.plans import MOST_BYES, MOST_POINTS, MOST_TIE_BREAKS
from league.competitions.models import Competition, usual_tie_breaks
from league.competitions.standings.choices import tie_break_choices
from league.competitions.standings.tiebreaks.registry import TIE_BREAKS, Needs

PLACES = range(1, MOST_TIE_BREAKS + 1)
TIE_BREAK_FIELDS = tuple(f"tie_break_{place}" for place in PLACES)
POINTS = ("win_points", "draw_points", "loss_points", "bye_points")
SETTINGS = ("tie_break_edition", "forfeit_points", "direct_by", "leaving", "requested_bye", "most_byes")
ORDER = (*TIE_BREAK_FIELDS, *POINTS, *SETTINGS)
ORDINALS = (
    pgettext_lazy("form field", "First"),
    pgettext_lazy("form field", "Second"),
    pgettext_lazy("form field", "Third"),
    pgettext_lazy("form field", "Fourth"),
    pgettext_lazy("form field", "Fifth"),
    pgettext_lazy("form field", "Sixth"),
)
KINDS = (
    (pgettext_lazy("kind of tie-break", "Own results"), {Needs.OWN_RESULTS}),
    (pgettext_lazy("kind of tie-break", "Strength of the opponents"), {Needs.OPPONENTS}),
    (pgettext_lazy("kind of tie-break", "Ratings at the start"), {Needs.RATINGS}),
    (pgettext_lazy("kind of tie-break", "Last resorts"), {Needs.MUGGINS, Needs.LOTS}),
)


def _choices() -> list[tuple[Any, Any]]:
    """Return the tie-breaks grouped by the data they are computed from."""
    return [
        ("", pgettext_lazy("tie-break", "nothing more")),
        *((kind, [one for one in tie_break_choices() if TIE_BREAKS[one[0]].needs in data]) for kind, data in KINDS),
    ]


class OrderFields(forms.Form):
    """Part of the form to create a competition."""

    win_points = forms.IntegerField(
        label=pgettext_lazy("form field", "Match points for a win"), required=False, min_value=0, max_value=MOST_POINTS
    )
    draw_points = forms.IntegerField(
        label=pgettext_lazy("form field", "For a draw"), required=False, min_value=0, max_value=MOST_POINTS
    )
    loss_points = forms.IntegerField(
        label=pgettext_lazy("form field", "For a loss"), required=False, min_value=0, max_value=MOST_POINTS
    )
    bye_points = forms.IntegerField(
        label=pgettext_lazy("form field", "For a bye"), required=False, min_value=0, max_value=MOST_POINTS
    )
    tie_break_edition = forms.TypedChoiceField(
        label=pgettext_lazy("form field", "Unplayed rounds count as in"),
        required=False,
        coerce=int,
        empty_value=Competition.TieBreakEdition.OF_2026,
        choices=Competition.TieBreakEdition,
        help_text=pgettext_lazy(
            "hint", "For the tie-breaks by the strength of the opponents, in rounds that follow the results."
        ),
    )

    direct_by = forms.ChoiceField(
        label=pgettext_lazy("form field", "Direct encounter by"), required=False, choices=Competition.DirectBy
    )
    forfeit_points = forms.TypedChoiceField(
        label=pgettext_lazy("form field", "Forfeits in the points difference"),
        required=False,
        coerce="True".__eq__,
        empty_value=False,
        choices=[
            (False, pgettext_lazy("forfeits", "not counted")),
            (True, pgettext_lazy("forfeits", "as target score to 0")),
        ],
    )

    leaving = forms.ChoiceField(
        label=pgettext_lazy("form field", "Matches of a player who leaves"),
        required=False,
        choices=Competition.Leaving,
        help_text=pgettext_lazy("hint", "In round robins and groups. A player who leaves has no rank."),
    )

    requested_bye = forms.ChoiceField(
        label=pgettext_lazy("form field", "Points for a requested bye (Swiss system)"),
        required=False,
        choices=Competition.RequestedBye,
        help_text=pgettext_lazy("hint", "Players ask at the desk. In the last round a requested bye gives no points."),
    )
    most_byes = forms.IntegerField(
        label=pgettext_lazy("form field", "Requested byes per player"), required=False, min_value=0, max_value=MOST_BYES
    )

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)
        for place, label in zip(PLACES, ORDINALS, strict=True):
            self.fields[f"tie_break_{place}"] = forms.ChoiceField(label=label, required=place == 1, choices=_choices())

    def check_order(self) -> None:
        seen: set[str] = set()
        for name in TIE_BREAK_FIELDS:
            tie = self.cleaned_data.get(name)
            if tie and tie in seen:
                self.add_error(name, _("This is in the order twice."))
            seen.add(tie or "")

    def ordering(self) -> dict[str, Any]:
        """Return the settings of a valid form as arguments of a Plan.

        An empty number means the default.
        """
        data = self.cleaned_data
        given = {name: data[name] for name in (*POINTS, "most_byes") if data[name] is not None}
        return {
            "tie_breaks": [tie for name in TIE_BREAK_FIELDS if (tie := data[name])],
            "tie_break_edition": data["tie_break_edition"],
            "forfeit_points": data["forfeit_points"],
            "leaving": Competition.Leaving(data["leaving"] or Competition.Leaving.HALF),
            "requested_bye": Competition.RequestedBye(data["requested_bye"] or Competition.RequestedBye.DRAW),
            "direct_by": Competition.DirectBy(data["direct_by"] or Competition.DirectBy.POINTS),
            **given,
        }

    @property
    def order(self) -> list[forms.BoundField]:
        return [self[name] for name in TIE_BREAK_FIELDS]


def usual_order() -> dict[str, object]:
    usual = {name: Competition._meta.get_field(name).default for name in (*POINTS, *SETTINGS)}
    return {**dict(zip(TIE_BREAK_FIELDS, usual_tie_breaks(), strict=False)), **usual}


def order_of(competition: Competition) -> dict[str, object]:
    """Return the fields' values for an existing draft."""
    decided = {name: getattr(competition, name) for name in (*POINTS, *SETTINGS)}
    return {**dict(zip(TIE_BREAK_FIELDS, competition.tie_breaks, strict=False)), **decided}
