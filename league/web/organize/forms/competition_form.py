"""Form to create a competition, and its reading and refusals."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import pgettext, pgettext_lazy

from games.ruleset import OPTIONS, Ruleset
from games.rulesets import RULESETS
from league.accounts.graphemes import longer_than
from league.accounts.lettered import NameField
from league.accounts.models import LONGEST_NAME, League
from league.competitions.draw.plans import Plan
from league.competitions.draw.presets import PRESETS, Preset
from league.competitions.formats.match_length import GAMES
from league.competitions.formats.registry import LADDERS, PAIRED_BY_ROUND, TABLE_FORMATS
from league.competitions.models import (
    Competition,
    usual_tie_breaks,
    usual_tie_breaks_at_tables,
    usual_tie_breaks_of_swiss,
)
from league.competitions.models.choices import format_choices
from league.errors import Refused
from league.matches.models import LONGEST_TABLE
from league.web.organize.forms.competition_form_evening import EVENING, EveningFields, evening_of
from league.web.organize.forms.competition_form_order import ORDER, OrderFields, order_of, usual_order
from league.web.organize.forms.competition_form_stages import OWN_BEST_OF, StagesFields, stages_of

_SPAN = re.compile(r"a number from (\d+) to (\d+)")
OWN = "own"
"""The choice beside the presets: any ruleset, all settings by hand."""
MOST_TABLES = 200
BY_KEY: Mapping[str, Preset] = {preset.key: preset for preset in PRESETS}
AS_PRESET = pgettext_lazy("choice", "as the preset says")
# Error code of a service → form field; other errors appear above the form.
FIELD_OF = {
    "bad-name": "name",
    "name-taken": "name",
    "unknown-ruleset": "ruleset",
    "bad-option": "options",
    "no-names": "players",
    "third-place": "third_place",
    "bad-groups": "groups",
    "bad-rounds": "rounds",
    "bad-advance": "advance_each",
    "bad-seats": "seats",
    "bad-reach": "challenge_reach",
    "bad-place-points": "place_points",
    "bad-order": "tie_break_1",
    "bad-bye-points": "bye_points",
    "too-many-names": "players",
    "paste-unclear": "players",
    "plays-already": "players",
    "has-entrants": "pairs",
}
# Fields under "More settings".
FURTHER = ("release", "best_of", *OWN_BEST_OF, "days_between", "options", *ORDER, *EVENING)


@dataclass(frozen=True, slots=True)
class PresetCard:
    """A radio button with its preset's name and description."""

    radio: Any
    name: Any
    meaning: Any


@dataclass(frozen=True, slots=True)
class OptionRow:
    """A ruleset option for house rules: its allowed values, or a description of them."""

    key: str
    values: list[str]
    sentence: str


class FoundingForm(StagesFields, OrderFields, EveningFields):
    """All settings of a new competition on one page. Times are in the league's zone."""

    preset = forms.ChoiceField(label=pgettext_lazy("form field", "Game"), widget=forms.RadioSelect)
    ruleset = forms.ChoiceField(
        label=pgettext_lazy("form field", "Ruleset"),
        required=False,
        help_text=pgettext_lazy("hint", "For “Custom” only; a preset includes its ruleset."),
    )
    name = NameField(label=pgettext_lazy("form field", "Name of the competition"), letters=LONGEST_NAME)
    starts_at = forms.DateTimeField(
        label=pgettext_lazy("form field", "Start"),
        required=False,
        widget=forms.DateTimeInput(format="%Y-%m-%dT%H:%M", attrs={"type": "datetime-local"}),
        help_text=pgettext_lazy("hint", "Leave empty to set the times later."),
    )
    minutes = forms.IntegerField(
        label=pgettext_lazy("form field", "Minutes per match"),
        required=False,
        min_value=1,
        max_value=1440,
        help_text=pgettext_lazy("hint", "Empty: as the preset says, else 30."),
    )
    tables = forms.CharField(
        label=pgettext_lazy("form field", "Tables"),
        required=False,
        max_length=2000,
        help_text=pgettext_lazy("hint", "How many, or their names: 6, or: Stage, Window, Bar."),
    )
    format = forms.ChoiceField(
        label=pgettext_lazy("form field", "Format"),
        required=False,
        choices=lambda: [("", AS_PRESET), *format_choices()],
        widget=forms.RadioSelect,
    )
    pairs = forms.BooleanField(
        label=pgettext_lazy("form field", "Pairs: two partners share a seat and alternate games"), required=False
    )
    players = forms.CharField(
        label=pgettext_lazy("form field", "Players, one a line"),
        required=False,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 10, "spellcheck": "false", "autocomplete": "off"}),
        help_text=pgettext_lazy(
            "hint",
            "Strongest first: this is the seeding order. After a name you can add a club and a number, "
            "separated by commas. For pairs, write both names on one line: Ana Gil / Leo Paz.",
        ),
    )
    release = forms.ChoiceField(
        label=pgettext_lazy("form field", "Publication of rounds"),
        choices=Competition.Release,
        widget=forms.RadioSelect,
    )
    best_of = forms.TypedChoiceField(
        label=pgettext_lazy("form field", "Games per match (best of)"),
        required=False,
        coerce=int,
        empty_value=None,
        choices=[("", AS_PRESET), *((n, n) for n in GAMES)],
    )
    days_between = forms.IntegerField(
        label=pgettext_lazy("form field", "Days from round to round"),
        required=False,
        min_value=0,
        max_value=366,
        help_text=pgettext_lazy("hint", "0 or empty: one round follows the other on the same day."),
    )
    options = forms.CharField(
        label=pgettext_lazy("form field", "House rules"),
        required=False,
        max_length=4000,
        widget=forms.Textarea(attrs={"rows": 4, "spellcheck": "false", "autocapitalize": "none"}),
        help_text=pgettext_lazy("hint", "One per line, for example target=100. The options are listed below."),
    )

    def __init__(self, league: League, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)
        self.league = league
        presets = [(preset.key, preset.name) for preset in PRESETS]
        self.fields["preset"].choices = [*presets, (OWN, pgettext_lazy("preset", "Custom"))]
        self.fields["ruleset"].choices = [(rules.key, rules.name) for rules in RULESETS.values()]
        for field in self.fields.values():
            if not isinstance(field.widget, forms.RadioSelect | forms.CheckboxInput):
                field.widget.attrs["class"] = "input"

    # --- Reading ---

    def clean_tables(self) -> list[str]:
        """Return the table names; a number means that many tables, numbered from 1."""
        text = self.cleaned_data["tables"].strip()
        if text.isdecimal():
            if len(text) > 4 or int(text) > MOST_TABLES:
                raise forms.ValidationError(_("At most %(most)d tables.") % {"most": MOST_TABLES})
            return [str(number) for number in range(1, int(text) + 1)]
        names = [" ".join(part.split()) for part in text.replace("\n", ",").split(",")]
        names = list(dict.fromkeys(name for name in names if name))
        for name in names:
            if longer_than(name, LONGEST_TABLE):
                told = _("A table's name has at most %(most)d characters: “%(name)s” has more.")
                raise forms.ValidationError(told % {"most": LONGEST_TABLE, "name": name})
        if len(names) > MOST_TABLES:
            raise forms.ValidationError(_("At most %(most)d tables.") % {"most": MOST_TABLES})
        return names

    def clean_options(self) -> dict[str, str]:
        """Return the house rules as key and value; the ruleset checks them later."""
        found: dict[str, str] = {}
        for number, line in enumerate(self.cleaned_data["options"].splitlines(), start=1):
            if not line.strip():
                continue
            key, sign, value = (part.strip() for part in line.partition("="))
            if not (key and sign and value):
                told = _("Line %(number)d is not a house rule: write key=value, for example target=100.")
                raise forms.ValidationError(told % {"number": number})
            if key in found:
                told = _("Line %(number)d sets %(key)s a second time.")
                raise forms.ValidationError(told % {"number": number, "key": key})
            found[key] = value
        return found

    def clean(self) -> dict[str, Any]:
        self.check_order()
        if self.cleaned_data.get("preset") == OWN:
            self._complete_by_hand()
        return self.cleaned_data

    def _complete_by_hand(self) -> None:
        """Require ruleset and format, because without a preset they have no default."""
        for name, told in (("ruleset", _("Choose the ruleset.")), ("format", _("Choose the format."))):
            if name in self.cleaned_data and not self.cleaned_data[name]:
                self.add_error(name, told)

    def plan(self) -> Plan:
        """Return the plan of a valid form: the preset's settings, overridden by the typed."""
        data = self.cleaned_data
        preset = BY_KEY.get(data["preset"])
        chosen = dict(preset.plan) if preset else {"ruleset": data["ruleset"]}
        chosen |= {key: value for key in ("format", "best_of", "minutes") if (value := data[key])}
        chosen |= self.stages(chosen)
        chosen |= self.match_settings(chosen)
        order = self.ordering()
        if chosen.get("format") in TABLE_FORMATS and order["tie_breaks"] == usual_tie_breaks():
            order["tie_breaks"] = usual_tie_breaks_at_tables()  # the usual tie-breaks were left unchanged
        if chosen.get("format") in PAIRED_BY_ROUND and order["tie_breaks"] == usual_tie_breaks():
            order["tie_breaks"] = usual_tie_breaks_of_swiss()
        evening = self.evening()
        if data["days_between"] or chosen.get("format") in LADDERS:
            evening["dispatches"] = False
        chosen["options"] = {**chosen.get("options", {}), **data["options"]}
        return Plan(
            name=" ".join(data["name"].split()),
            release=Competition.Release(data["release"]),
            starts_at=data["starts_at"],
            days_between=data["days_between"] or 0,
            tables=data["tables"],
            pairs=data["pairs"],
            **order,
            **evening,
            **chosen,
        )

    def refuse(self, refused: Refused) -> None:
        """Show a service's refusal at the field that it concerns."""
        self.add_error(FIELD_OF.get(refused.code), str(refused))

    # --- Showing ---

    def point_at_first_error(self) -> None:
        """Focus the first wrong field when the page opens, with or without JavaScript."""
        first = next((name for name in self.fields if name in self.errors), None)
        if first and not isinstance(self.fields[first].widget, forms.RadioSelect):
            self.fields[first].widget.attrs["autofocus"] = True

    @property
    def cards(self) -> list[PresetCard]:
        return [_card(radio) for radio in self["preset"]]

    @property
    def further_open(self) -> bool:
        """Whether a field under "More settings" has an error or a value."""
        return any(name in self.errors for name in FURTHER) or bool(self["options"].value())

    @property
    def rules(self) -> Ruleset:
        """Ruleset chosen so far, for the list of its options."""
        preset = BY_KEY.get(self["preset"].value() or "")
        key = preset.plan["ruleset"] if preset else self["ruleset"].value()
        return RULESETS.get(key) or next(iter(RULESETS.values()))

    @property
    def option_rows(self) -> list[OptionRow]:
        return [_option_row(key, OPTIONS[key].allowed) for key in sorted(self.rules.option_keys)]


class PlanForm(FoundingForm):
    """The same form for an existing draft; its entrants are edited on another page."""

    players = None


def _card(radio: Any) -> PresetCard:
    preset = BY_KEY.get(radio.data["value"])
    if preset is None:
        return PresetCard(radio, radio.choice_label, pgettext_lazy("preset", "Any ruleset and format, chosen below."))
    return PresetCard(radio, preset.name, preset.meaning)


def _option_row(key: str, allowed: str) -> OptionRow:
    """Describe an option's values.

    The engine describes them in English; this function separates numbers from words to choose.
    """
    if span := _SPAN.fullmatch(allowed):
        told = pgettext("value of a house rule", "a number from %(lowest)s to %(highest)s")
        return OptionRow(key, [], told % {"lowest": span[1], "highest": span[2]})
    if key == "players":
        return OptionRow(key, [], pgettext("value of a house rule", "a number of seats, or a range: 2-4"))
    if key == "hand":
        return OptionRow(key, [], pgettext("value of a house rule", "tiles for all, or by seats: 7/5/5"))
    return OptionRow(key, allowed.split(" or "), "")


def next_half_hour(now: datetime) -> datetime:
    """Return the next half-hour on the league's clock.

    Skips hours that the clock change omits or repeats, because the form refuses them.
    """
    half_hour = timedelta(minutes=30)
    found = now.replace(minute=0, second=0, microsecond=0, fold=0) + half_hour * (now.minute // 30 + 1)
    while found.utcoffset() != found.replace(fold=1).utcoffset():
        found += half_hour
    return found


def first_guess(league: League, now: datetime) -> dict[str, object]:
    """Return the values of the empty form.

    The next half-hour, the league's own tables, and the usual choices.
    """
    return {
        "preset": PRESETS[0].key,
        "starts_at": next_half_hour(now),
        "format": "",
        "release": Competition.Release.ALL,
        "tables": ", ".join(in_order(league.tables.values_list("name", flat=True))),
        "dispatches": True,
        **usual_order(),
    }


def in_order(names: Iterable[str]) -> list[str]:
    """Sort table names: numbers by value, then names."""
    return sorted(names, key=lambda name: (not name.isdecimal(), int(name) if name.isdecimal() else 0, name))


def as_planned(competition: Competition) -> dict[str, object]:
    """Return the form's values for an existing draft."""
    return {
        "preset": OWN,
        "ruleset": competition.ruleset,
        "name": competition.name,
        "starts_at": competition.starts_at,
        "minutes": competition.minutes,
        "tables": ", ".join(in_order(competition.tables.values_list("name", flat=True))),
        **stages_of(competition),
        "release": competition.release,
        "best_of": competition.best_of,
        "pairs": competition.pairs,
        "days_between": competition.days_between,
        "options": "\n".join(f"{key}={value}" for key, value in competition.options.items()),
        **evening_of(competition),
        **order_of(competition),
    }
