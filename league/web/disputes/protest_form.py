"""Form of a protest."""

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext, pgettext_lazy

from games.ruleset import Matching, Ruleset
from league.disputes.models import Dispute
from league.disputes.protests.protesting import LONGEST_SENTENCE
from league.web.disputes.places import RESULT, PlacesOfHand, chosen
from league.web.shared.fields import WholeNumberField
from league.web.shared.forms import DressedForm
from league.web.words.disputes import KINDS

OF_UNO = frozenset({Dispute.Kind.CATCH, Dispute.Kind.CHALLENGE})
OF_PIPS = frozenset({Dispute.Kind.COUNT, Dispute.Kind.MUGGINS})
OFFICIAL = "official"
COLUMNS: Mapping[str, Any] = {
    "play": pgettext_lazy("column of a score card", "Play"),
    "muggins": pgettext_lazy("column of a score card", "Muggins"),
    "penalties": pgettext_lazy("column of a score card", "Penalty"),
    "bonus": pgettext_lazy("column of a score card", "Hand end"),
}


class ProtestForm(DressedForm):
    """Matter, place and sentence; `side` for the desk, `pin` for a phone that has not proved itself."""

    side = forms.ChoiceField(label=pgettext_lazy("protest", "In the name of"), choices=())
    where = forms.ChoiceField(label=pgettext_lazy("protest", "Where in the game"), choices=())
    kind = forms.TypedChoiceField(
        label=pgettext_lazy("protest", "Problem"), choices=(), coerce=Dispute.Kind, widget=forms.RadioSelect
    )
    number = WholeNumberField(
        label=pgettext_lazy("protest", "Points that were announced, for a count (optional)"),
        required=False,
        min_value=0,
        max_value=500,
        widget=forms.TextInput(attrs={"inputmode": "numeric", "autocomplete": "off", "maxlength": 3}),
    )
    miswritten = forms.BooleanField(
        label=pgettext_lazy("protest", "It was written down wrongly: the game itself went otherwise"), required=False
    )
    filed = forms.ChoiceField(
        label=pgettext_lazy("protest", "At the table you protested after"),
        choices=(),
        required=False,
        help_text=_("The rules ask when: a count, for example, is open until the hand is settled."),
    )
    column = forms.ChoiceField(label=pgettext_lazy("protest", "Column of the card"), choices=(), required=False)
    against = forms.ChoiceField(label=pgettext_lazy("protest", "Whose points"), choices=(), required=False)
    sentence = forms.CharField(
        label=pgettext_lazy("protest", "Describe the problem"),
        max_length=LONGEST_SENTENCE,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=_("At most 280 characters. The officials who decide read it; the other side does not."),
    )
    photo = forms.FileField(
        label=pgettext_lazy("protest", "Photo (optional)"),
        required=False,
        widget=forms.ClearableFileInput(attrs={"accept": "image/jpeg,image/png,image/webp"}),
        help_text=_("Place and device are removed from it, and it goes 30 days after the last deadline."),
    )
    pin = forms.CharField(
        label=pgettext_lazy("form field", "PIN on the slip"),
        max_length=20,
        widget=forms.TextInput(attrs={"inputmode": "numeric", "autocomplete": "off", "maxlength": 8}),
    )

    def __init__(
        self,
        *args: Any,
        hands: Sequence[PlacesOfHand],
        rules: Ruleset | None,
        sides: Sequence[tuple[int, str]] = (),
        by_desk: bool = False,
        proves: bool = False,
        on_card: bool = False,
        **kwargs: Any,
    ) -> None:
        """`by_desk`: the desk chooses a side; `proves`: the PIN is asked for; `on_card`: the record is no log."""
        super().__init__(*args, **kwargs)
        named = [(str(number), name) for number, name in sides]
        self.fields["where"].choices = [
            (RESULT, pgettext("protest: place", "The result")),
            *((hand.title, [(one.value, one.words) for one in hand.places]) for hand in hands),
        ]
        self.fields["kind"].choices = [(one.value, KINDS[one]) for one in kinds_of(rules)]
        self.fields["side"].choices = [*named, (OFFICIAL, pgettext("protest", "nobody: as an official"))]
        self.fields["filed"].choices = [("", "–"), *((hand.title, _steps(hand)) for hand in hands if _steps(hand))]
        self.fields["column"].choices = [("", "–"), *COLUMNS.items()]
        self.fields["against"].choices = [("", "–"), *named]
        if on_card:
            self.fields["number"].label = pgettext_lazy("protest", "Points that it should be")
        wanted = {"side": by_desk, "pin": proves, "column": on_card, "against": on_card, "filed": not on_card}
        for name, needed in wanted.items():
            if not needed:
                del self.fields[name]

    @property
    def line(self) -> int | None:
        return chosen(self.cleaned_data["where"]).line

    @property
    def hand(self) -> int | None:
        return chosen(self.cleaned_data["where"]).hand

    @property
    def for_side(self) -> int | None:
        """The side that the desk protests for, None for nobody."""
        side = self.cleaned_data.get("side", OFFICIAL)
        return None if side == OFFICIAL else int(side)

    @property
    def filed_line(self) -> int | None:
        return chosen(self.cleaned_data.get("filed", "")).line

    @property
    def further(self) -> bool:
        """Whether a field is filled in that the page folds away."""
        return any(self[name].value() for name in ("filed", "photo", "number") if name in self.fields)


def _steps(hand: PlacesOfHand) -> list[tuple[str, str]]:
    return [(one.value, one.words) for one in hand.places[1:]]


def kinds_of(rules: Ruleset | None) -> list[Dispute.Kind]:
    """Return the kinds of protests under these rules."""
    pips = rules is None or rules.matching is Matching.PIPS
    return [Dispute.Kind(one) for one in KINDS if one not in (OF_UNO if pips else OF_PIPS)]
