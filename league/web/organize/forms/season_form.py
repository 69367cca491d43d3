"""Forms of a season: the form to create it, its division blocks, and page forms."""

import re
from collections.abc import Mapping, Sequence
from datetime import date, datetime
from typing import Any

from django import forms
from django.utils import timezone
from django.utils.dateparse import parse_date, parse_datetime
from django.utils.translation import gettext as _
from django.utils.translation import pgettext_lazy

from games.rulesets import RULESETS
from league.accounts.lettered import NameField
from league.accounts.models import LONGEST_NAME
from league.competitions.draw.plans import Plan
from league.competitions.formats.match_length import GAMES
from league.competitions.formats.registry import DIVISION_FORMATS, spec_of
from league.competitions.models.choices import format_choices
from league.competitions.models.season import LONGEST_DIVISION
from league.competitions.seasons.dates import LONGEST_PAUSE, MOST_DATES
from league.competitions.seasons.plans import MOST_DIVISIONS, MOST_PLACES, DateRule, DivisionPlan, SeasonPlan
from league.errors import Refused
from league.web.organize.forms.competition_form import FoundingForm
from league.web.organize.forms.competition_form_order import OrderFields, usual_order
from league.web.shared.fields import KeyField, KeysField


def _formats() -> list[tuple[str, str]]:
    return [one for one in format_choices() if one[0] in DIVISION_FORMATS]


AS_SEASON = pgettext_lazy("choice", "as the season")
LONGEST_TEXT = 4000


def _day_widget() -> forms.DateInput:
    return forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"})


def _hour_widget() -> forms.DateTimeInput:
    return forms.DateTimeInput(format="%Y-%m-%dT%H:%M", attrs={"type": "datetime-local"})


def _styled(form: forms.Form) -> None:
    for field in form.fields.values():
        if not isinstance(field.widget, forms.CheckboxInput | forms.RadioSelect):
            field.widget.attrs["class"] = "input"


class DateFields(forms.Form):
    """Dates of the matchdays: a rule, or a list. Times are in the league's time zone."""

    first_at = forms.DateTimeField(
        label=pgettext_lazy("form field", "First round"),
        required=False,
        widget=_hour_widget(),
        help_text=pgettext_lazy("hint", "Empty, and no dates below: the hours are fixed later."),
    )
    every = forms.IntegerField(
        label=pgettext_lazy("form field", "Days from round to round"),
        required=False,
        min_value=1,
        max_value=LONGEST_PAUSE,
        help_text=pgettext_lazy("hint", "Empty: 7."),
    )
    holidays = forms.CharField(
        label=pgettext_lazy("form field", "Days without play"),
        required=False,
        max_length=LONGEST_TEXT,
        widget=forms.Textarea(attrs={"rows": 3, "spellcheck": "false"}),
        help_text=pgettext_lazy("hint", "One per line: 2027-12-24. Those rounds move to the next free week."),
    )
    dates = forms.CharField(
        label=pgettext_lazy("form field", "Or every date, one a line"),
        required=False,
        max_length=LONGEST_TEXT,
        widget=forms.Textarea(attrs={"rows": 4, "spellcheck": "false"}),
        help_text=pgettext_lazy("hint", "2027-01-12 19:30; without an hour: that of the line before."),
    )

    def clean_holidays(self) -> list[date]:
        return [_day(number, text) for number, text in _lines(self.cleaned_data["holidays"])]

    def clean_dates(self) -> list[datetime]:
        found: list[datetime] = []
        for number, text in _lines(self.cleaned_data["dates"]):
            found.append(_moment(number, text, found[-1] if found else None))
        if len(found) > MOST_DATES:
            raise forms.ValidationError(_("At most %(most)d dates.") % {"most": MOST_DATES})
        return found

    def clean(self) -> dict[str, Any]:
        if self.cleaned_data.get("dates") and self.cleaned_data.get("first_at"):
            self.add_error("dates", _("Either the first round and the days between, or every date: not both."))
        return self.cleaned_data

    def wanted_dates(self) -> Sequence[datetime] | DateRule:
        """Return the dates of a valid form."""
        data = self.cleaned_data
        if data["dates"]:
            return data["dates"]
        if data["first_at"] is None:
            return ()
        return DateRule(first=data["first_at"], every=data["every"] or 7, holidays=data["holidays"])


def _lines(text: str) -> list[tuple[int, str]]:
    return [(number, line.strip()) for number, line in enumerate(text.splitlines(), start=1) if line.strip()]


def _day(number: int, text: str) -> date:
    try:
        found = parse_date(text)
    except ValueError:
        found = None
    if found is None:
        raise forms.ValidationError(
            _("Line %(number)d is not a date: “%(text)s”. Write it as 2027-12-24.") % {"number": number, "text": text}
        )
    return found


def _moment(number: int, text: str, before: datetime | None) -> datetime:
    """Read a date and hour in the current time zone, which is the league's."""
    try:
        day = parse_date(text)
        found = None if day else parse_datetime(re.sub(r"\s+", " ", text))
        if day and before is not None:
            found = datetime.combine(day, timezone.localtime(before).time())
    except ValueError:
        found = None
    if found is None:
        raise forms.ValidationError(
            _("Line %(number)d is not a date and time: “%(text)s”. Write it as 2027-01-12 19:30.")
            % {"number": number, "text": text}
        )
    return found if timezone.is_aware(found) else timezone.make_aware(found)


class SeasonForm(DateFields, OrderFields):
    """Settings shared by all divisions."""

    name = NameField(label=pgettext_lazy("form field", "Name of the season"), letters=LONGEST_NAME)
    starts_on = forms.DateField(label=pgettext_lazy("form field", "Begins on"), widget=_day_widget())
    ends_on = forms.DateField(label=pgettext_lazy("form field", "Ends on"), required=False, widget=_day_widget())
    ruleset = forms.ChoiceField(label=pgettext_lazy("form field", "Ruleset"))
    format = forms.ChoiceField(label=pgettext_lazy("form field", "Format"), choices=_formats)
    rounds = forms.IntegerField(
        label=pgettext_lazy("form field", "Rounds of a Swiss system"),
        required=False,
        min_value=0,
        max_value=64,
        help_text=pgettext_lazy("hint", "Leave empty for the usual number."),
    )
    best_of = forms.TypedChoiceField(
        label=pgettext_lazy("form field", "Games per match (best of)"), coerce=int, choices=[(n, n) for n in GAMES]
    )
    play_off_best_of = forms.TypedChoiceField(
        label=pgettext_lazy("form field", "Games of a play-off (best of)"),
        coerce=int,
        choices=[(n, n) for n in GAMES],
    )
    minutes = forms.IntegerField(
        label=pgettext_lazy("form field", "Minutes per match"), required=False, min_value=1, max_value=1440
    )
    tables = forms.CharField(
        label=pgettext_lazy("form field", "Tables"),
        required=False,
        max_length=2000,
        help_text=pgettext_lazy("hint", "How many, or their names: 6, or: Stage, Window, Bar."),
    )

    clean_tables = FoundingForm.clean_tables

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)
        self.fields["ruleset"].choices = [(rules.key, rules.name) for rules in RULESETS.values()]
        _styled(self)

    def clean(self) -> dict[str, Any]:
        self.check_order()
        return super().clean()

    def plan(self, divisions: Sequence[DivisionPlan]) -> SeasonPlan:
        """Return the plan of a valid form."""
        data = self.cleaned_data
        shared = Plan(
            name=data["name"],
            ruleset=data["ruleset"],
            format=data["format"],
            rounds=(data["rounds"] or 0) if spec_of(data["format"]).rounds else 0,
            best_of=data["best_of"],
            minutes=data["minutes"] or 30,
            tables=data["tables"],
            **self.ordering(),
        )
        return SeasonPlan(
            name=data["name"],
            plan=shared,
            divisions=divisions,
            starts_on=data["starts_on"],
            ends_on=data["ends_on"],
            dates=self.wanted_dates(),
            play_off_best_of=data["play_off_best_of"],
        )


class PlacesFields(forms.Form):
    """Number of places for promotion, play-off and relegation."""

    promote = forms.IntegerField(
        label=pgettext_lazy("form field", "Promoted"), required=False, min_value=0, max_value=MOST_PLACES
    )
    play_off = forms.IntegerField(
        label=pgettext_lazy("form field", "Play off to go up"), required=False, min_value=0, max_value=MOST_PLACES
    )
    relegate = forms.IntegerField(
        label=pgettext_lazy("form field", "Relegated"), required=False, min_value=0, max_value=MOST_PLACES
    )

    def places(self) -> dict[str, int]:
        return {name: self.cleaned_data[name] or 0 for name in ("promote", "play_off", "relegate")}


class PlacesForm(PlacesFields):
    """Places of an existing division."""

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)
        _styled(self)


class LevelsForm(forms.Form):
    """Levels of the divisions on the page whose places are set."""

    levels = KeysField(required=False)


class DivisionForm(PlacesFields):
    """Block of the form for one division."""

    name = NameField(label=pgettext_lazy("form field", "Name of the division"), letters=LONGEST_DIVISION)
    names = forms.CharField(
        label=pgettext_lazy("form field", "Players, one a line"),
        required=False,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 8, "spellcheck": "false", "autocomplete": "off"}),
    )
    own_format = forms.ChoiceField(
        label=pgettext_lazy("form field", "Format"), required=False, choices=lambda: [("", AS_SEASON), *_formats()]
    )
    own_best_of = forms.TypedChoiceField(
        label=pgettext_lazy("form field", "Games per match (best of)"),
        required=False,
        coerce=int,
        empty_value=None,
        choices=[("", AS_SEASON), *((n, n) for n in GAMES)],
    )

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)
        _styled(self)

    def plan(self, shared_rounds: int) -> DivisionPlan:
        """Return the plan of a valid form.

        `shared_rounds`: the season's number of rounds for a Swiss system.
        """
        data, own = self.cleaned_data, {}
        if data["own_format"]:
            own["format"] = data["own_format"]
            own["rounds"] = shared_rounds if spec_of(data["own_format"]).rounds else 0
        if data["own_best_of"]:
            own["best_of"] = data["own_best_of"]
        return DivisionPlan(name=data["name"], names=data["names"], own=own, **self.places())


def count_of(data: Mapping[str, str], fewest: int = 1) -> int:
    """Return the number of blocks, one more or one fewer if a button asked for it."""
    text = data.get("divisions", "")
    asked = int(text) if text.isdecimal() and len(text) <= 3 else fewest
    more = {"more": 1, "fewer": -1}.get(data.get("do", ""), 0)
    return min(max(asked + more, fewest), MOST_DIVISIONS)


def blocks(data: Mapping[str, str] | None, count: int) -> list[DivisionForm]:
    return [
        DivisionForm(data, prefix=f"d{place}", initial={"name": _("Division %(number)d") % {"number": place + 1}})
        for place in range(count)
    ]


# Error code of a season → form field; other errors appear above the form.
FIELD_OF = {
    "bad-name": "name",
    "name-taken": "name",
    "bad-dates": "dates",
    "too-few-dates": "first_at",
    "unknown-ruleset": "ruleset",
    "bad-rounds": "rounds",
}
FIELD_OF_DIVISION = {
    "bad-division-name": "name",
    "paste-unclear": "names",
    "no-names": "names",
    "too-many-names": "names",
    "bad-places": "promote",
}


def refuse(form: SeasonForm, divisions: Sequence[DivisionForm], refused: Refused) -> None:
    """Show a service's refusal at the field that it concerns."""
    place = refused.facts.get("division_place")
    if place is None:
        form.add_error(FIELD_OF.get(refused.code), str(refused))
        return
    block = divisions[int(str(place))]
    block.add_error(FIELD_OF_DIVISION.get(refused.code), str(refused))


class DatesForm(DateFields):
    """New dates for a draft."""

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)
        _styled(self)


class MatchdayForm(forms.Form):
    """New date for one matchday."""

    number = KeyField(required=False)
    starts_at = forms.DateTimeField(label=pgettext_lazy("form field", "New date"), widget=_hour_widget())

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)
        _styled(self)


class PlayOffsForm(forms.Form):
    """Start of the play-offs."""

    starts_at = forms.DateTimeField(
        label=pgettext_lazy("form field", "Start of the play-offs"), required=False, widget=_hour_widget()
    )

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)
        _styled(self)


class NextForm(forms.Form):
    """Name and days of the next season."""

    name = NameField(label=pgettext_lazy("form field", "Name of the next season"), letters=LONGEST_NAME)
    starts_on = forms.DateField(label=pgettext_lazy("form field", "Begins on"), widget=_day_widget())
    ends_on = forms.DateField(label=pgettext_lazy("form field", "Ends on"), required=False, widget=_day_widget())

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)
        _styled(self)


class SettingsForm(NextForm):
    """Name and days of this season."""

    name = NameField(label=pgettext_lazy("form field", "Name of the season"), letters=LONGEST_NAME)

    def __init__(self, *args: object, **kwargs: object) -> None:
        # Separate ids, because the next season's form is on the same page.
        super().__init__(*args, auto_id="settings_%s", **kwargs)


def first_guess(tables: str, today: date) -> dict[str, object]:
    """Return the values of the empty form."""
    return {"starts_on": today, "best_of": 1, "play_off_best_of": 1, "every": 7, "tables": tables, **usual_order()}
