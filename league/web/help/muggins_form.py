"""Form of the muggins check: plain questions that make one referee question."""

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.utils.translation import pgettext_lazy

from games.rulesets import RULESETS
from league.web.help import muggins_answer
from referee.questions.open_ends import QuestionError
from referee.questions.question import Answer, Question, answer
from referee.questions.record import MOST_POINTS, MOST_TENTHS, Moment

SCORER = "A"
CALLS = ("c1", "c2", "c3")
MOMENTS: Mapping[Moment, Any] = {
    Moment.WITH_TILE: pgettext_lazy("when it was said", "with the tile"),
    Moment.BEFORE_NEXT: pgettext_lazy("when it was said", "before the next tile or pass"),
    Moment.AFTER_DRAW: pgettext_lazy("when it was said", "after a draw, before the next tile or pass"),
    Moment.AFTER_NEXT: pgettext_lazy("when it was said", "after the next tile or pass"),
    Moment.AFTER_SECOND: pgettext_lazy("when it was said", "after the second tile or pass"),
    Moment.HANDS_SHOWN: pgettext_lazy("when it was said", "last tile of the hand: after hands were shown"),
    Moment.SETTLED: pgettext_lazy("when it was said", "last tile of the hand: after the hand was settled"),
    Moment.AFTER_BELL: pgettext_lazy("when it was said", "after the bell"),
}
AS_RULES = pgettext_lazy("choice", "as the rules say")
HOUSE_RULES: Mapping[str, tuple[Any, Mapping[str, Any]]] = {
    "muggins": (
        pgettext_lazy("form field", "Muggins call"),
        {
            "after_next": pgettext_lazy("choice", "after the next tile or pass"),
            "before_next": pgettext_lazy("choice", "before the next tile or pass"),
            "off": pgettext_lazy("choice", "never"),
        },
    ),
    "spinner": (
        pgettext_lazy("form field", "Spinner"),
        {
            "none": pgettext_lazy("choice", "no double"),
            "first": pgettext_lazy("choice", "the first double"),
            "all": pgettext_lazy("choice", "every double"),
        },
    ),
    "announce": (
        pgettext_lazy("form field", "Points of a tile"),
        {
            "manual": pgettext_lazy("choice", "have to be announced"),
            "auto": pgettext_lazy("choice", "are booked by themselves"),
        },
    ),
    "overclaim": (
        pgettext_lazy("form field", "Too many announced"),
        {
            "correct": pgettext_lazy("choice", "the true points count"),
            "foster": pgettext_lazy("choice", "the next player gets what was announced"),
        },
    ),
    "false_call": (
        pgettext_lazy("form field", "A call with nothing to call"),
        {
            "warn": pgettext_lazy("choice", "is warned"),
            "acc": pgettext_lazy("choice", "gives the opponent the points claimed"),
            "fixed": pgettext_lazy("choice", "costs a fixed penalty"),
        },
    ),
    "next_action_counts_draw": (
        pgettext_lazy("form field", "A draw"),
        {
            "false": pgettext_lazy("choice", "is no turn"),
            "true": pgettext_lazy("choice", "counts as the next tile does"),
        },
    ),
}
NUMBERS = {
    "muggins_grace_s": pgettext_lazy("form field", "Seconds in which a call is held"),
    "announce_grace_s": pgettext_lazy("form field", "Seconds to announce at the bell"),
    "post_bell_claim_s": pgettext_lazy("form field", "Seconds for a call after the bell"),
    "play_divisor": pgettext_lazy("form field", "Points are divided by"),
}


def _when(*moments: Moment, label: Any, first: Any = None) -> forms.ChoiceField:
    choices = [(moment.value, MOMENTS[moment]) for moment in moments]
    return forms.ChoiceField(label=label, required=False, choices=[("", first), *choices] if first else choices)


def _number(label: Any, most: int) -> forms.IntegerField:
    return forms.IntegerField(label=label, required=False, min_value=0, max_value=most)


def _seconds(label: Any) -> forms.FloatField:
    widget = forms.NumberInput(attrs={"step": "0.1", "inputmode": "decimal"})
    return forms.FloatField(label=label, required=False, min_value=0, max_value=MOST_TENTHS / 10, widget=widget)


class AskForm(forms.Form):
    """The form; `A` played the tile, `B` is next.

    Once valid, `question` and `found` hold the question and the answer.
    """

    ends = forms.CharField(
        label=pgettext_lazy("form field", "Open ends after the tile"),
        required=False,
        max_length=80,
        help_text=pgettext_lazy("hint", "Doubles as tiles, a blank as 0: 6-6 5 3"),
    )
    board = forms.CharField(required=False, max_length=400, widget=forms.HiddenInput)
    by = forms.CharField(required=False, max_length=10, widget=forms.HiddenInput)
    ruleset = forms.ChoiceField(
        label=pgettext_lazy("form field", "Rules"),
        choices=[(key, RULESETS[key].name) for key in muggins_answer.SYSTEMS],
    )
    seats = forms.TypedChoiceField(
        label=pgettext_lazy("form field", "Players"), choices=[(n, n) for n in (2, 3, 4)], coerce=int, required=False
    )
    said = _number(pgettext_lazy("form field", "A announced (empty: nothing)"), MOST_POINTS)
    said_when = _when(*Moment, label=pgettext_lazy("form field", "When"))
    said_s = _seconds(pgettext_lazy("form field", "Seconds after the tile (or bell)"))
    first = forms.ChoiceField(
        label=pgettext_lazy("form field", "First, at the same stage"),
        required=False,
        choices=[
            ("", pgettext_lazy("choice", "the announcement")),
            ("call", pgettext_lazy("choice", "the call")),
        ],
    )
    reached = _when(
        *list(Moment)[1:],
        label=pgettext_lazy("form field", "Latest event"),
        first=pgettext_lazy("choice", "as far as the last thing said"),
    )
    bell_s = _seconds(pgettext_lazy("form field", "Seconds from the tile to the bell"))

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        for name in CALLS:
            self._add_call(name)
        for key, (label, values) in HOUSE_RULES.items():
            choices = [("", AS_RULES), *values.items()]
            self.fields[key] = forms.ChoiceField(label=label, required=False, choices=choices)
        for key, label in NUMBERS.items():
            self.fields[key] = forms.CharField(label=label, required=False, max_length=9)
        for field in self.fields.values():
            if not isinstance(field.widget, forms.HiddenInput | forms.CheckboxInput):
                field.widget.attrs["class"] = "input"
        self.fields["ends"].widget.attrs["autocomplete"] = "off"
        self.question: Question | None = None
        self.found: Answer | None = None

    def _add_call(self, name: str) -> None:
        label = pgettext_lazy("form field", "Muggins was called by")
        nobody = pgettext_lazy("choice", "nobody")
        choices = [("", nobody), *((letter, letter) for letter in muggins_answer.LETTERS if letter != SCORER)]
        self.fields[name] = forms.ChoiceField(label=label, required=False, choices=choices)
        self.fields[f"{name}_when"] = _when(*list(Moment)[1:], label=pgettext_lazy("form field", "When"))
        self.fields[f"{name}_s"] = _seconds(pgettext_lazy("form field", "Seconds after the tile (or bell)"))
        if name != CALLS[0]:
            label = pgettext_lazy("form field", "at the same moment as the call before")
            self.fields[f"{name}_together"] = forms.BooleanField(label=label, required=False)

    # ---- parts of the page

    @property
    def further_calls(self) -> list[dict[str, Any]]:
        """Second and third call, for tables of three or four."""
        return [{"visible_fields": [self[name] for name in self.fields if name.startswith(call)]} for call in CALLS[1:]]

    @property
    def house_rules(self) -> list[Any]:
        return [self[name] for name in (*HOUSE_RULES, *NUMBERS)]

    @property
    def times_open(self) -> bool:
        """Whether the part for seconds and further calls has a value or an error."""
        names = [
            "said_s",
            "c1_s",
            "first",
            "reached",
            "bell_s",
            *(n for n in self.fields if n[:2] in CALLS[1:] and "_" not in n),
        ]
        return any(self[name].value() or self[name].errors for name in names)

    @property
    def rules_open(self) -> bool:
        return any(field.value() or field.errors for field in self.house_rules)

    # ---- question from the fields

    def clean(self) -> dict[str, Any]:
        data = super().clean()
        if self.errors:
            return data
        sources, said = self._said(data)
        try:
            self.question = muggins_answer.question_of({**self._position(data), **self._rules(data), "said": said})
            self.found = answer(self.question)
        except QuestionError as error:
            self.add_error(self._field_of(error.field, sources), muggins_answer.refusal(error))
        return data

    def _position(self, data: Mapping[str, Any]) -> dict[str, Any]:
        if data["by"] == "board":
            return {"board": muggins_answer.read_board(data["board"])} if data["board"] else {"ends": ""}
        return {"ends": data["ends"]}

    def _rules(self, data: Mapping[str, Any]) -> dict[str, Any]:
        options = {name: data[name] for name in (*HOUSE_RULES, *NUMBERS) if data[name]}
        reached = {name: data[name] for name in ("reached", "bell_s")}
        return {"ruleset": data["ruleset"], "options": options, "seats": data["seats"] or None, **reached}

    def _said(self, data: Mapping[str, Any]) -> tuple[list[str], list[dict[str, Any]]]:
        """Return announcement and calls in their order, and the form field of each."""
        told: list[tuple[str, dict[str, Any]]] = []
        if data["said"] is not None:
            told.append(("said", {"seat": SCORER, "says": muggins_answer.POINTS, "points": data["said"]}))
        told += [(name, {"seat": data[name], "says": muggins_answer.MUGGINS}) for name in CALLS if data[name]]
        for name, one in told:
            one["when"] = data[f"{name}_when"] or Moment.BEFORE_NEXT.value
            one["seconds"] = data[f"{name}_s"]
            one["together"] = bool(data.get(f"{name}_together"))
        if data["first"] == "call":
            told = told[1:] + told[:1] if data["said"] is not None else told
        ordered = _in_order(told)
        return [name for name, _one in ordered], [one for _name, one in ordered]

    def _field_of(self, field: str, sources: Sequence[str]) -> str | None:
        """Return the form field that the referee's error concerns."""
        head, _dot, rest = field.partition(".")
        if head == "options":
            return rest if rest in self.fields else None
        if head == "board":
            return "ends"
        if head != "said":
            return head if head in self.fields else None
        number, _dot, member = rest.partition(".")
        source = sources[int(number)]
        name = {"when": f"{source}_when", "seconds": f"{source}_s", "together": f"{source}_together"}.get(
            member, source
        )
        return name if name in self.fields else source


def _in_order(told: list[tuple[str, dict[str, Any]]]) -> list[tuple[str, dict[str, Any]]]:
    """Sort by moment, then by seconds if all have them, else keep the order."""
    moments = [moment.value for moment in Moment]
    ordered = []
    for moment in moments:
        here = [one for one in told if one[1]["when"] == moment]
        if all(one["seconds"] is not None for _name, one in here):
            here.sort(key=lambda one: one[1]["seconds"])
        ordered += here
    return ordered
