"""Start of an online game: system, house rules, clock, name, and a button."""

from typing import Any

from allauth.core.internal.ratelimit import get_ip, respond_429
from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy, pgettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from games.rulesets import RULESETS
from league.accounts import attempts
from league.accounts.lettered import NameField
from league.errors import Refused
from league.play.models import NAME_LENGTH
from league.play.online.lobby import leagues_of
from league.play.online.services import open_game
from league.play.online.terms import (
    ABSENCES,
    CLOCKED,
    CLOCKS,
    MOVE_TIMES,
    ONLINE,
    PLAYERS,
    USUAL_ABSENCE,
    USUAL_MOVE_TIME,
)
from league.web.play.seat_cookie import remember_seat
from league.web.play.start import StartForm, SystemTab

MINUTES = ngettext_lazy("%(count)d minute", "%(count)d minutes", "count")
SECONDS = ngettext_lazy("%(count)d second", "%(count)d seconds", "count")


def _lasts(seconds: str, none: object) -> object:
    """Return a time in words; `none`: that of no limit."""
    count = int(seconds)
    if not count:
        return none
    return SECONDS % {"count": count} if count % 60 else MINUTES % {"count": count // 60}


class OnlineForm(StartForm):
    """Name and number of players, the limits of time, and the house rules of a system."""

    numbers = PLAYERS

    name = NameField(
        label=pgettext_lazy("form field", "Your name"),
        letters=NAME_LENGTH,
        widget=forms.TextInput(attrs={"class": "input", "autocomplete": "nickname"}),
    )

    def __init__(self, ruleset: str, data: object = None) -> None:
        super().__init__(ruleset, data)
        del self.fields["level"]
        if ruleset in CLOCKED:
            usual = str(RULESETS[ruleset].clock_s)
            self._add("clock", _("Game clock"), CLOCKS, pgettext_lazy("choice", "no clock"), usual)
        none = pgettext_lazy("choice", "no limit")
        self._add("move_time", _("Time per move"), MOVE_TIMES, none, USUAL_MOVE_TIME)
        self._add("absence", _("Allowed absence"), ABSENCES, none, USUAL_ABSENCE)

    def _add(self, key: str, label: Any, values: tuple[str, ...], none: object, first: str) -> None:
        self.fields[key] = forms.ChoiceField(
            label=label,
            choices=[(value, _lasts(value, none)) for value in values],
            initial=first,
            widget=forms.Select(attrs={"class": "input"}),
        )

    @property
    def players(self) -> int:
        return int(self.cleaned_data.get("seats", 2))

    @property
    def times(self) -> list[object]:
        return [self[key] for key in ("clock", "move_time", "absence") if key in self.fields]


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def index(request: HttpRequest) -> HttpResponse:
    """Choose the game; a POST opens it, and gives the first seat to the browser."""
    asked = request.GET.get("game", "")
    ruleset = asked if asked in ONLINE else next(iter(ONLINE))
    form = OnlineForm(ruleset, request.POST if request.method == "POST" else None)
    if form.is_bound and form.is_valid():
        if attempts.count(attempts.PRACTICE, "address", get_ip(request)):
            return respond_429(request)
        given = form.cleaned_data
        times = {key: given.get(key, "0") for key in ("clock", "move_time", "absence")}
        try:
            seat = open_game(ruleset, form.chosen, given["name"], form.players, **times)
        except Refused as refused:
            form.add_error("name" if refused.code == "no-name" else None, str(refused))
        else:
            return remember_seat(redirect("play:online_game", seat.game.code), seat)
    context = {
        "form": form,
        "ruleset": ruleset,
        "systems": [SystemTab(key, RULESETS[key].name) for key in ONLINE],
        "lobbies": leagues_of(request.user) if request.user.is_authenticated else [],
        "area": "play",
    }
    return render(request, "play/online_start.html", context, status=422 if form.is_bound else 200)
