"""Hour of a match, agreed by its two sides: proposals, the answer, and their words on the page of the match."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.dateparse import parse_datetime
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import pgettext, pgettext_lazy

from league.competitions.agreed_hours import (
    MatchHours,
    agree_on_hour,
    match_hours,
    propose_hours,
    take_back_proposal,
)
from league.errors import NotAllowed, Refused
from league.matches import permissions
from league.matches.models import Match
from league.matches.queries.match import MatchPage
from league.matches.visibility import visible_matches
from league.web.shared.staff import number_in

TYPED = "%Y-%m-%dT%H:%M"


@dataclass(frozen=True, slots=True)
class HoursInWords:
    """Hours of a match for a player of it; hours with their text, in the league's time zone.

    `sentence`: about the open proposal, "" without. `choices`: hours of the other side's proposal, to agree on.
    """

    proposal_id: int | None
    sentence: str
    is_own: bool
    choices: Sequence[tuple[datetime, str]]


def hours_in_words(page: MatchPage, now: datetime) -> HoursInWords | None:
    """Return the hours for the reader of the page of a match; None for others than its players. Six statements."""
    if page.one is None or page.one.side is None or page.match.state != Match.State.SCHEDULED:
        return None
    found = match_hours(page.match.pk, page.one.side, now)
    if found is None:
        return None
    with timezone.override(page.match.league.time_zone):
        return _in_words(found, now)


def _in_words(found: MatchHours, now: datetime) -> HoursInWords:
    if found.proposal is None:
        return HoursInWords(None, "", is_own=False, choices=())
    choices = [(hour, hour_text(hour)) for hour in found.proposal.hours(now)]
    facts = {"name": found.other, "hours": one_of([text for _hour, text in choices])}
    if found.is_own:
        sentence = _("You proposed %(hours)s; %(name)s has not answered.")
        return HoursInWords(found.proposal.pk, sentence % facts, is_own=True, choices=())
    return HoursInWords(found.proposal.pk, _("%(name)s proposes %(hours)s.") % facts, is_own=False, choices=choices)


def hour_text(hour: datetime) -> str:
    """Return "Thu 3 Dec, 20:00", in the current time zone."""
    return date_format(timezone.localtime(hour), "D j M, H:i")


def one_of(hours: Sequence[str]) -> str:
    """Return "Thu 3 Dec, 20:00 or Sat 5 Dec, 18:00"; a single hour as it is."""
    if len(hours) < 2:
        return "".join(hours)
    return pgettext("two hours", "%(first)s or %(second)s") % {"first": hours[0], "second": hours[1]}


class HoursForm(forms.Form):
    """One or two hours, in the current time zone."""

    first = forms.DateTimeField(label=pgettext_lazy("form field", "Date and time"))
    second = forms.DateTimeField(label=pgettext_lazy("form field", "Or"), required=False)

    def __init__(self, found: MatchHours, now: datetime, *args: object) -> None:
        super().__init__(*args)
        limits = {"min": now, "max": found.latest}
        shown = {name: timezone.localtime(at).strftime(TYPED) for name, at in limits.items() if at}
        for field in self.fields.values():
            field.widget = forms.DateTimeInput(
                format=TYPED, attrs={"type": "datetime-local", "class": "input", **shown}
            )

    @property
    def hours(self) -> list[datetime]:
        return [hour for hour in (self.cleaned_data["first"], self.cleaned_data["second"]) if hour]


@login_required
def hours(request: HttpRequest, match_id: int) -> HttpResponse:
    """Show the form of a proposal, and carry out its acts.

    `do`: `agree` on `hour` of the `proposal`, `take-back` the proposal; else propose hours in place of the `proposal`.
    """
    match = visible_matches(request.user).filter(pk=match_id).select_related("league").first()
    if match is None:
        raise Http404
    one = permissions.actor(request.user, match)
    if refusal := permissions.why_not_agree_hour(one):
        raise PermissionDenied(str(refusal))
    with timezone.override(match.league.time_zone):
        if act := ACTS.get(request.POST.get("do", "")):
            return _done(request, match_id, act)
        found = match_hours(match_id, one.side or 0, timezone.now())
        if found is None:
            messages.info(request, _("The players can’t change the time of this match now."))
            return redirect("matches:detail", match_id)
        return _propose(request, found)


def _propose(request: HttpRequest, found: MatchHours) -> HttpResponse:
    now, match_id = timezone.now(), found.slot.match_id
    form = HoursForm(found, now, request.POST if request.method == "POST" else None)
    if form.is_bound and form.is_valid():
        seen = number_in(request.POST, "proposal")
        try:
            propose_hours(match_id, form.hours, user=request.user, seen=seen)
        except Refused as refused:
            form.add_error(None, str(refused))
        else:
            messages.success(request, _("Proposed. %(name)s can answer now.") % {"name": found.other})
            return redirect("matches:detail", match_id)
    context = {
        "form": form,
        "match_id": match_id,
        "sides": [found.own, found.other],
        "hours": _in_words(found, now),
        "latest": found.latest,
        "zone": found.slot.matchday.stage.competition.league.time_zone,
        "area": "competitions",
    }
    return render(request, "matches/hours.html", context, status=422 if form.errors else 200)


def _done(request: HttpRequest, match_id: int, act: Callable[[HttpRequest, int], str]) -> HttpResponse:
    try:
        messages.success(request, act(request, match_id))
    except NotAllowed as refused:
        raise PermissionDenied(str(refused)) from refused
    except Refused as refused:
        messages.error(request, str(refused))
    return redirect("matches:detail", match_id)


def _agree(request: HttpRequest, match_id: int) -> str:
    hour = _hour_in(request)
    agree_on_hour(match_id, number_in(request.POST, "proposal") or 0, hour, user=request.user)
    return _("Agreed: you play on %(hour)s.") % {"hour": hour_text(hour)}


def _hour_in(request: HttpRequest) -> datetime:
    try:
        hour = parse_datetime(request.POST.get("hour", ""))
    except ValueError:
        hour = None
    if hour is None or timezone.is_naive(hour):
        raise Refused("no-hours", _("Choose one of the proposed times."))
    return hour


def _take_back(request: HttpRequest, match_id: int) -> str:
    take_back_proposal(match_id, number_in(request.POST, "proposal") or 0, user=request.user)
    return _("The proposal is taken back.")


ACTS = {"agree": _agree, "take-back": _take_back}
