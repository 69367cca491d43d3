"""Form of a score card: fields by the ruleset's data, typed values, errors."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django import forms
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from games.moves import SEATS
from games.ruleset import Ruleset
from league.matches.annotated_log import card_sentence, in_words
from league.matches.results.judging import JudgedSheet
from league.web.shared.fields import WholeNumberField
from league.web.words import labels
from referee.cards.check import CardError, form
from referee.cards.sheet import MOST

MOST_ROUNDS = 40
FIRST_ROUNDS = 3
CLOCK = r"^[0-9]{1,4}(:[0-5]?[0-9])?\Z"

COLUMNS: Mapping[str, Promise] = {
    "play": pgettext_lazy("score card", "Points in play"),
    "muggins": pgettext_lazy("score card", "Muggins taken"),
    "penalties": pgettext_lazy("score card", "Given for penalties"),
    "bonus": pgettext_lazy("score card", "Points at the end of the hand"),
    "pips": pgettext_lazy("score card", "Pips left in hand"),
    "tiles": pgettext_lazy("score card", "Tiles left in hand"),
    "totals": pgettext_lazy("score card", "Total after the hand"),
}
ENDS: Mapping[str, Promise] = {
    "target": pgettext_lazy("score card", "Target reached"),
    "bell": pgettext_lazy("score card", "Bell"),
    "overtime": pgettext_lazy("score card", "Overtime"),
    "forfeit": pgettext_lazy("score card", "Forfeit"),
}


NO_NUMBER = gettext_lazy("This is not a whole number from 0 to 99999.")


@dataclass(frozen=True, slots=True)
class CardColumn:
    """Numbers of one kind, with a field for each side."""

    label: str
    fields: list[forms.BoundField]


@dataclass(frozen=True, slots=True)
class CardPart:
    """One round, or (number 0) the whole game: choices, counted columns, findings."""

    number: int
    choices: list[forms.BoundField]
    columns: list[CardColumn]
    found: list[str]


class OfferedField(forms.TypedChoiceField):
    """A choice; a value that is not offered counts as not written."""

    def clean(self, value: Any) -> Any:
        return super().clean(value if self.valid_value(value) else "")


class TypedCard(forms.Form):
    """The card form of a ruleset; unbound it shows `initial` without a check."""

    signed = forms.BooleanField(required=False)

    def __init__(self, *args: Any, rules: Ruleset, names: Sequence[str], rounds: int, **kwargs: Any) -> None:
        super().__init__(*args, auto_id="f-%s", **kwargs)
        self.rules, self.names, self.rounds = rules, names, rounds
        self.offered = form(rules, len(names))
        self.found: dict[int, list[str]] = {}
        totals = {"scores": _("Final score")} | ({"chips": _("Chips left")} if self.offered.chips else {})
        self.game = self._part(0, self._game_choices(), totals)
        columns = {name: str(COLUMNS[name]) for name in self.offered.columns}
        self.lines = [self._part(number, self._round_choices(), columns) for number in range(1, rounds + 1)]

    # --- Fields ---

    def _part(self, number: int, choices: Mapping[str, forms.Field], columns: Mapping[str, str]) -> CardPart:
        mark = _mark(number)
        self.fields |= {f"{mark}{name}": one for name, one in choices.items()}
        found = self.found.setdefault(number, [])
        counted = [self._column(f"{mark}{name}", label) for name, label in columns.items()]
        return CardPart(number, [self[f"{mark}{name}"] for name in choices], counted, found)

    def _column(self, name: str, label: str) -> CardColumn:
        fields = {f"{name}-{n}": _number(f"{label}: {side}") for n, side in enumerate(self.names)}
        self.fields |= fields
        return CardColumn(label, [self[one] for one in fields])

    def _game_choices(self) -> dict[str, forms.Field]:
        fields: dict[str, forms.Field] = {
            "ended": _choice(_("How it ended"), _("not written"), [(end, ENDS[end]) for end in self.offered.ends]),
            "winner": self._winner(_("Winner"), _("by the score")),
            "started": forms.CharField(label=_("Started at"), max_length=40, required=False),
            "stopped": forms.CharField(label=_("Stopped at"), max_length=40, required=False),
        }
        if self.offered.clock_s:
            wrong = {"invalid": _("Write minutes and seconds: 14:05.")}
            label = _("Clock at the end")
            fields["clock"] = forms.RegexField(CLOCK, label=label, required=False, strip=True, error_messages=wrong)
        return fields

    def _round_choices(self) -> dict[str, forms.Field]:
        unknown = _("not written")
        fields: dict[str, forms.Field] = {}
        if self.offered.spinner:
            spinners = [(name, _("none") if name == "none" else name) for name in self.offered.spinners]
            fields["spinner"] = _choice(_("Spinner"), unknown, spinners)
        ends = [(end, labels.ROUND_ENDS[end]) for end in self.offered.round_ends]
        fields["ended"] = _choice(_("How it ended"), unknown, ends)
        fields["winner"] = self._winner(_("Won by"), unknown)
        return fields

    def _winner(self, label: str, unknown: str) -> OfferedField:
        sides = [(str(number), name) for number, name in enumerate(self.names)]
        return _choice(label, unknown, sides, coerce=int, empty_value=None)

    # --- Checked values as a sheet ---

    def clean_clock(self) -> int | None:
        """Return the game's clock in seconds, typed as minutes and seconds, `14:05`."""
        minutes, _colon, seconds = self.cleaned_data["clock"].partition(":")
        return 60 * int(minutes) + int(seconds or 0) if minutes else None

    def sheet(self) -> dict[str, Any]:
        """Return the sheet for `referee.cards.check.read`."""
        words = {"ended": "ended", "started": "started", "stopped": "stopped", "winner": "winner", "clock_s": "clock"}
        card = {"scores": self._numbers("scores")} | self._written(words, {"chips": "chips"})
        lines = [self._line(number) for number in range(1, self.rounds + 1)]
        while lines and not lines[-1]:
            lines.pop()
        return card | {"rounds": lines}

    def _line(self, number: int) -> dict[str, Any]:
        words = {name: f"{number}-{name}" for name in ("spinner", "ended", "winner")}
        return self._written(words, {name: f"{number}-{name}" for name in self.offered.columns})

    def _written(self, words: Mapping[str, str], columns: Mapping[str, str]) -> dict[str, Any]:
        """Return the values of the named fields and columns, without empty ones."""
        values = {key: self.cleaned_data.get(name) for key, name in words.items()}
        numbers = {key: self._numbers(name) for key, name in columns.items()}
        written = {key: one for key, one in numbers.items() if any(number is not None for number in one)}
        return {key: value for key, value in values.items() if value not in {None, ""}} | written

    def _numbers(self, name: str) -> list[int | None]:
        return [self.cleaned_data.get(f"{name}-{side}") for side in range(len(self.names))]

    # --- Findings ---

    def refuse(self, error: CardError) -> None:
        """Add an error of an unreadable card to its field."""
        name = f"{_mark(error.row)}{error.field}"
        place = next((one for one in (name, f"{name}-0") if one in self.fields), "scores-0")
        self.add_error(place, in_words(error.template, error.facts))

    def tell(self, judged: JudgedSheet) -> None:
        """Note the referee's findings at their rows, with names in place of seats."""
        names = dict(zip(SEATS, self.names, strict=False))
        for finding in judged.verdict.findings:
            self.found.setdefault(finding["row"], []).append(card_sentence(finding, names))


def _mark(number: int) -> str:
    return f"{number}-" if number else ""


def _number(label: str) -> WholeNumberField:
    wrong = dict.fromkeys(("invalid", "min_value", "max_value"), NO_NUMBER)
    return WholeNumberField(label=label, required=False, min_value=0, max_value=MOST, error_messages=wrong)


def _choice(label: str, unknown: str, offered: Sequence[tuple[str, Any]], **more: Any) -> OfferedField:
    return OfferedField(label=label, required=False, choices=[("", unknown), *offered], **more)


def rounds_asked(typed: Mapping[str, str]) -> int:
    """Return the number of rounds of the sent form."""
    text = typed.get("rounds", "")
    number = int(text) if text.isascii() and text.isdigit() and len(text) <= 3 else FIRST_ROUNDS
    return min(MOST_ROUNDS, max(1, number))
