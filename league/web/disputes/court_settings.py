"""Rules of a league's court: the owner's form, and the same rules in words on the rules pages."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext, pgettext_lazy
from django.views.decorators.cache import never_cache

from league.accounts.models import League
from league.accounts.permissions import Act
from league.disputes.court_rules import MOST_MINUTES, MOST_POINTS, VIOLATIONS, WantedRules, change_rules, rules_of_court
from league.disputes.models import CourtRules
from league.web.shared.fields import WholeNumberField
from league.web.shared.forms import DressedForm
from league.web.shared.staff import carry_out, of_league
from league.web.words.disputes import PENALTIES

TIMES = ("minutes_in_hall", "minutes_elsewhere", "hold_minutes", "appeal_minutes")
HOUR, DAY = 60, 24 * 60


def _minutes(label: Any, help_text: Any) -> WholeNumberField:
    attrs = {"inputmode": "numeric", "autocomplete": "off", "maxlength": 6}
    return WholeNumberField(
        label=label, min_value=0, max_value=MOST_MINUTES, help_text=help_text, widget=forms.TextInput(attrs=attrs)
    )


class CourtRulesForm(DressedForm):
    """Times in minutes, the body that hears appeals, the rule of proof, and penalties (`penalty-<code>`)."""

    minutes_in_hall = _minutes(
        pgettext_lazy("court", "Minutes to protest in a hall"),
        gettext_lazy("After the result was shown, for a match with a table."),
    )
    minutes_elsewhere = _minutes(
        pgettext_lazy("court", "Minutes to protest elsewhere"),
        gettext_lazy("After the result was shown. 1440 are 24 hours."),
    )
    hold_minutes = _minutes(
        pgettext_lazy("court", "Minutes to hold the next matches"),
        gettext_lazy("Then play goes on under reserve. Before a final it waits for the ruling."),
    )
    appeal_minutes = _minutes(
        pgettext_lazy("court", "Minutes to appeal"), gettext_lazy("After the ruling. 1440 are 24 hours.")
    )
    hears = forms.ChoiceField(
        label=pgettext_lazy("court", "Appeals go to"), choices=CourtRules.Hears, widget=forms.RadioSelect
    )
    proof = forms.ChoiceField(
        label=pgettext_lazy("court", "If nobody can say what happened"),
        choices=CourtRules.Proof,
        widget=forms.RadioSelect,
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for code in VIOLATIONS:
            self.fields[f"penalty-{code}"] = WholeNumberField(
                label=PENALTIES[code],
                required=False,
                min_value=0,
                max_value=MOST_POINTS,
                widget=forms.TextInput(
                    attrs={"class": "input", "inputmode": "numeric", "autocomplete": "off", "maxlength": 3}
                ),
            )

    @property
    def times(self) -> list[forms.BoundField]:
        return [self[name] for name in TIMES]

    @property
    def penalties(self) -> list[forms.BoundField]:
        return [self[f"penalty-{code}"] for code in VIOLATIONS]

    def wanted(self) -> WantedRules:
        plain = {name: self.cleaned_data[name] for name in (*TIMES, "hears", "proof")}
        penalties = {code: self.cleaned_data[f"penalty-{code}"] or 0 for code in VIOLATIONS}
        return WantedRules(**plain, penalties=penalties)


@never_cache
@of_league(Act.RUN_LEAGUE)
def settings(request: HttpRequest, league: League) -> HttpResponse:
    """Show and change the rules of the court, for the owner."""
    form = CourtRulesForm(request.POST if request.method == "POST" else None, initial=_initial(league))
    if form.is_valid() and carry_out(request, lambda: change_rules(league, request.user, form.wanted())):
        messages.success(request, _("The rules of the court are changed. Open cases follow them from now on."))
        return redirect(request.path)
    context = {"form": form, "league": league, "area": "organize"}
    return render(request, "disputes/settings.html", context, status=422 if form.errors else 200)


def _initial(league: League) -> dict[str, Any]:
    rules = rules_of_court(league.pk)
    plain = {name: getattr(rules, name) for name in (*TIMES, "hears", "proof")}
    return plain | {f"penalty-{code}": points for code, points in rules.penalties.items()}


# --- In words ---


@dataclass(frozen=True, slots=True)
class CourtLine:
    title: str
    words: str


def court_in_words(league_id: int) -> list[CourtLine]:
    """Return the rules of a league's court, for the rules page of a competition. One statement."""
    return list(_lines(rules_of_court(league_id)))


def _lines(rules: CourtRules) -> Iterator[CourtLine]:
    times = {"hall": duration(rules.minutes_in_hall), "elsewhere": duration(rules.minutes_elsewhere)}
    yield CourtLine(
        pgettext("court", "Protest"),
        _(
            "Until your side has confirmed the result, at most %(hall)s after it was shown in a hall, and "
            "%(elsewhere)s elsewhere. Cheating, a wrong player and errors of writing have no limit."
        )
        % times,
    )
    yield CourtLine(
        pgettext("court", "Meanwhile"),
        _("The next matches wait for %(time)s, then play goes on under reserve. A final waits for the ruling.")
        % {"time": duration(rules.hold_minutes)},
    )
    yield CourtLine(pgettext("court", "If nobody can say what happened"), f"{rules.get_proof_display()}.".capitalize())
    yield CourtLine(
        pgettext("court", "Appeal"),
        _("Once, within %(time)s of the ruling, to: %(body)s.")
        % {"time": duration(rules.appeal_minutes), "body": rules.get_hears_display()},
    )
    yield CourtLine(pgettext("court", "Penalties"), _penalties(rules))


def _penalties(rules: CourtRules) -> str:
    if not rules.penalties:
        return pgettext("court: penalties", "None of the league.")
    return "; ".join(
        ngettext("%(violation)s: %(count)d point", "%(violation)s: %(count)d points", points)
        % {"violation": PENALTIES[code], "count": points}
        for code, points in rules.penalties.items()
    )


def duration(minutes: int) -> str:
    """Return a time in words: "24 hours", "10 minutes"."""
    if minutes and minutes % DAY == 0 and minutes > DAY:
        return ngettext("%(count)d day", "%(count)d days", minutes // DAY) % {"count": minutes // DAY}
    if minutes and minutes % HOUR == 0:
        return ngettext("%(count)d hour", "%(count)d hours", minutes // HOUR) % {"count": minutes // HOUR}
    return ngettext("%(count)d minute", "%(count)d minutes", minutes) % {"count": minutes}
