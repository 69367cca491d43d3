"""Forms of leagues, their roles and their players."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from league.accounts.contacts import Contact
from league.accounts.founding import time_zones
from league.accounts.lettered import NameField
from league.accounts.models import LONGEST_NAME, LONGEST_PLACE, League, Role
from league.accounts.roles import HIGH
from league.players.models import LONGEST, LONGEST_CLUB
from league.web.shared.forms import DressedForm


class LeagueForm(DressedForm):
    name = NameField(label=pgettext_lazy("form field", "Name"), letters=LONGEST_NAME)
    place = NameField(label=pgettext_lazy("form field", "Place (optional)"), letters=LONGEST_PLACE, required=False)
    time_zone = forms.ChoiceField(
        label=pgettext_lazy("form field", "Time zone"),
        choices=(),
        help_text=_("All times on this league's pages are in this time zone."),
    )
    parent = forms.ModelChoiceField(
        label=pgettext_lazy("form field", "Part of"), queryset=League.objects.none(), required=False
    )
    confirmation_required = forms.BooleanField(
        label=_("A second person must confirm every result"),
        required=False,
        help_text=_("Off for casual nights: what a log proves is confirmed at once."),
    )
    second_side_proves = forms.BooleanField(
        label=_("The second side must confirm with its PIN, slip or account"),
        required=False,
        help_text=_("Always on in a knock-out. Off: any phone that chose the second side’s name can confirm."),
    )
    silence_minutes = forms.IntegerField(
        label=_("Confirm a player’s entry after this many minutes without an objection (optional)"),
        required=False,
        min_value=1,
        max_value=10_080,
        help_text=_("Empty: the other side or an official must confirm."),
    )

    officials_needed = forms.TypedChoiceField(
        label=pgettext_lazy("form field", "Officials needed for a decision"),
        choices=League._meta.get_field("officials_needed").choices,
        coerce=int,
        initial=2,
        required=False,
        empty_value=None,
        help_text=_(
            "For a result an official enters, a forfeit, a withdrawal, a ruling or an amendment. "
            "Where only one official could decide, one is enough."
        ),
    )

    def __init__(self, *args: Any, parents: Any, parent_needed: bool = False, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["time_zone"].choices = [(zone, zone.replace("_", " ")) for zone in time_zones()]
        self.fields["parent"].queryset = parents
        self.fields["parent"].required = parent_needed
        if not parent_needed:
            self.fields["parent"].empty_label = pgettext_lazy("league", "of no other league")
        elif len(parents) == 1:
            self.fields["parent"].empty_label = None


CONTACT_FIELDS = ("contact", "contact_email", "contact_phone", "contact_web")


class LeagueSettingsForm(LeagueForm):
    """League form with contact details: all optional, all public."""

    contact = forms.CharField(
        label=pgettext_lazy("form field", "Contact, in words (optional)"),
        max_length=200,
        required=False,
        help_text=_("Everybody reads this line and what you write below, on the page of the league."),
    )
    contact_email = forms.CharField(
        label=pgettext_lazy("form field", "E-mail for everybody (optional)"),
        max_length=254,
        required=False,
        widget=forms.TextInput(attrs={"inputmode": "email", "autocapitalize": "none", "autocomplete": "off"}),
    )
    contact_phone = forms.CharField(
        label=pgettext_lazy("form field", "Telephone for everybody (optional)"),
        max_length=40,
        required=False,
        widget=forms.TextInput(attrs={"inputmode": "tel", "autocomplete": "off"}),
    )
    contact_web = forms.CharField(
        label=pgettext_lazy("form field", "A page of your own (optional)"),
        max_length=200,
        required=False,
        widget=forms.TextInput(attrs={"inputmode": "url", "autocapitalize": "none", "autocomplete": "off"}),
    )
    field_order = ("name", "place", *CONTACT_FIELDS)

    @property
    def facts(self) -> dict[str, Any]:
        """Arguments for `edit_league`."""
        plain = {name: value for name, value in self.cleaned_data.items() if name not in CONTACT_FIELDS}
        line, email, phone, web = (self.cleaned_data[name] for name in CONTACT_FIELDS)
        return plain | {"contact": Contact(line=line, email=email, phone=phone, web=web)}


class RoleForm(DressedForm):
    """Form to give a role; `all_kinds` is for owners, managers give the lower ones."""

    who = forms.CharField(
        label=pgettext_lazy("form field", "User name or e-mail"),
        max_length=254,
        widget=forms.TextInput(attrs={"autocapitalize": "none", "autocomplete": "off"}),
    )
    kind = forms.ChoiceField(label=pgettext_lazy("form field", "Role"), choices=())

    def __init__(self, *args: Any, all_kinds: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        kinds = [kind for kind in Role.Kind if all_kinds or kind not in HIGH]
        self.fields["kind"].choices = [(kind, kind.label) for kind in kinds]
        self.fields["kind"].initial = Role.Kind.REFEREE


class PlayerForm(DressedForm):
    name = NameField(
        label=pgettext_lazy("form field", "Name"),
        letters=LONGEST,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    club = NameField(label=pgettext_lazy("form field", "Club (optional)"), letters=LONGEST_CLUB, required=False)
    number = forms.CharField(
        label=pgettext_lazy("form field", "Member number (optional)"), max_length=20, required=False
    )
    born = forms.IntegerField(
        label=pgettext_lazy("form field", "Year of birth (optional)"),
        required=False,
        min_value=1,
        max_value=9999,
        help_text=_("Seen by managers only. Others read the initials of a minor and not the table of an open match."),
    )


class NewPlayerForm(PlayerForm):
    since = forms.DateField(
        label=pgettext_lazy("form field", "Member since"),
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
    )


class DayForm(DressedForm):
    day = forms.DateField(
        label=pgettext_lazy("form field", "Day"), widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")
    )

    def __init__(self, *args: Any, label: Any = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["day"].label = label or self.fields["day"].label


class PasteForm(DressedForm):
    text = forms.CharField(
        label=pgettext_lazy("form field", "Names"),
        max_length=40_000,
        strip=False,
        help_text=_("One on each line. A club and a member number may follow, with commas: Ana Ruiz, Hillside, 12"),
        widget=forms.Textarea(attrs={"rows": 12, "spellcheck": "false", "autocomplete": "off"}),
    )


class MergeForm(DressedForm):
    code = forms.CharField(
        label=pgettext_lazy("form field", "Code of the other player"),
        max_length=8,
        help_text=_("You find it on the player’s page and in the list of players."),
        widget=forms.TextInput(attrs={"autocapitalize": "characters", "autocomplete": "off"}),
    )


class EraseForm(DressedForm):
    """Typed confirmation of an erasure, which cannot be undone."""

    typed = NameField(
        label=pgettext_lazy("form field", "Name, as confirmation"),
        letters=LONGEST_NAME,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )

    def __init__(self, *args: Any, name: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.name = name

    def clean_typed(self) -> str:
        if " ".join(self.cleaned_data["typed"].split()) != self.name:
            raise forms.ValidationError(_("The name does not match. Nothing was erased."))
        return self.cleaned_data["typed"]
