"""Start of a practice game: system, house rules, level, and a button."""

from dataclasses import dataclass

from allauth.core.internal.ratelimit import get_ip, respond_429
from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import pgettext, pgettext_lazy
from django.views.decorators.http import require_http_methods

from games.rulesets import RULESETS
from league.accounts import attempts
from league.errors import Refused
from league.house.levels import Level
from league.play.services import start
from league.play.terms import SEATS, SYSTEMS, VALUES, usual
from league.web.shared.page_cache import kept_page
from league.web.words.games.practice import LEVELS, OPTIONS, meaning_of


@dataclass(frozen=True, slots=True)
class SystemTab:
    """A system that can be chosen."""

    key: str
    name: str


class StartForm(forms.Form):
    """Level of the computer, number of players, and the house rules of a system."""

    numbers = SEATS

    level = forms.ChoiceField(
        label=pgettext_lazy("form field", "The computer"),
        choices=[(one.value, LEVELS[one.value][0]) for one in Level],
        widget=forms.RadioSelect,
        initial=Level.GREEDY.value,
    )

    def __init__(self, ruleset: str, data: object = None) -> None:
        super().__init__(data, label_suffix="")
        self.ruleset = ruleset
        if len(self.numbers.get(ruleset, ())) > 1:
            self.fields["seats"] = forms.TypedChoiceField(
                label=pgettext_lazy("form field: practice", "Players"),
                choices=[(number, number) for number in self.numbers[ruleset]],
                coerce=int,
                initial=self.numbers[ruleset][0],
                widget=forms.RadioSelect,
            )
        for key in SYSTEMS[ruleset]:
            label, words = OPTIONS[key]
            choices = [(value, words.get(value, value)) for value in VALUES[key]]
            by_seats = key == "hand" and len({*RULESETS[ruleset].hand.values()}) > 1
            self.fields[key] = forms.ChoiceField(
                label=label,
                choices=[("", _usual_hand(ruleset)), *choices] if by_seats else choices,
                initial="" if by_seats else usual(ruleset, key),
                required=not by_seats,
                widget=forms.Select(attrs={"class": "input"}),
            )

    @property
    def seats(self) -> object:
        """The choice of the number of players, None where two play."""
        return self["seats"] if "seats" in self.fields else None

    @property
    def levels(self) -> list[tuple[object, str]]:
        """Each level with its meaning."""
        return [(radio, meaning_of(radio.data["value"], self.ruleset)) for radio in self["level"]]

    @property
    def house_rules(self) -> list[object]:
        return [self[key] for key in SYSTEMS[self.ruleset]]

    @property
    def chosen(self) -> dict[str, str]:
        return {key: value for key in SYSTEMS[self.ruleset] if (value := self.cleaned_data[key])}


def _usual_hand(ruleset: str) -> str:
    """Name the usual numbers of tiles: "7, of more than two players 5"."""
    sizes = RULESETS[ruleset].hand
    facts = {"two": sizes[2], "more": sizes[3]}
    return pgettext("choice", "%(two)s, of more than two players %(more)s") % facts


@require_http_methods(["GET", "HEAD", "POST"])
@kept_page
def index(request: HttpRequest) -> HttpResponse:
    """Choose the game; a POST deals it."""
    asked = request.GET.get("game", "")
    ruleset = asked if asked in SYSTEMS else next(iter(SYSTEMS))
    form = StartForm(ruleset, request.POST if request.method == "POST" else None)
    if form.is_bound and form.is_valid():
        if attempts.count(attempts.PRACTICE, "address", get_ip(request)):
            return respond_429(request)
        try:
            game = start(ruleset, form.cleaned_data["level"], form.chosen, form.cleaned_data.get("seats", 2))
            return redirect("play:table", game.code)
        except Refused as refused:
            form.add_error(None, str(refused))
    context = {
        "form": form,
        "ruleset": ruleset,
        "systems": [SystemTab(key, RULESETS[key].name) for key in SYSTEMS],
        "area": "play",
    }
    return render(request, "play/index.html", context, status=422 if form.is_bound else 200)
