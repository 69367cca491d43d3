"""The referees' desk of a league: one queue of what is open, oldest first, and the last decisions."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.timesince import timesince
from django.utils.translation import gettext as _
from django.utils.translation import pgettext, pgettext_lazy
from django.views.decorators.cache import never_cache

from league.accounts.models import League
from league.accounts.permissions import Act, Asker, may
from league.disputes.models import Dispute
from league.disputes.queries import last_decisions
from league.disputes.waiting import Queued, queue
from league.matches.models import Match
from league.web.components.disputes import names_in, protest_title
from league.web.disputes.call_desk import calls_context
from league.web.disputes.places import ChosenPlace, words_of
from league.web.shared.pagination import page_of
from league.web.shared.staff import of_league
from league.web.words.disputes import OUTCOMES, SHORT_KINDS, STATES
from league.web.words.labels import Label

A_PAGE, LAST_SHOWN = 30, 5
# Colours beside the words: SCREENS.md B-9.
WARM, BAD = timedelta(minutes=5), timedelta(minutes=10)
WAITS: dict[str, tuple[Any, str]] = {
    "review": (pgettext_lazy("desk: waits for", "a decision between two entries"), "scales"),
    "facts": (pgettext_lazy("desk: waits for", "the facts"), "part"),
    "ruling": (pgettext_lazy("desk: waits for", "the ruling"), "scales"),
    "confirmation": (pgettext_lazy("desk: waits for", "a second official"), "seal"),
    "appeal": (pgettext_lazy("desk: waits for", "the appeal"), "scales"),
    "amendment": (pgettext_lazy("desk: waits for", "an amendment, as both sides agreed"), "amended"),
    "replay": (pgettext_lazy("desk: waits for", "an amendment, after the replay"), "amended"),
}


@dataclass(frozen=True, slots=True)
class QueueLine:
    """One open thing in words; `tone`: its colour by age."""

    kind: Any
    match: str
    where: str
    waits: Any
    icon: str
    age: str
    tone: str
    deadline: datetime | None
    url: str


@dataclass(frozen=True, slots=True)
class DecisionLine:
    words: str
    label: Label
    url: str


@never_cache
@of_league(Act.ENTER_RESULTS)
def page(request: HttpRequest, league: League) -> HttpResponse:
    """Show the open calls and the queue, for officials and desk helpers of the league."""
    now = timezone.now()
    shown = page_of(request, _open(league, request.user), A_PAGE)
    shown.object_list = [_line(one, now) for one in shown.object_list]
    context = calls_context(league, request.user, now) | {
        "page": shown,
        "last": [_decision(one) for one in last_decisions(league, LAST_SHOWN)],
        "runs_league": may(request.user, Act.RUN_LEAGUE, league),
        "area": "organize",
    }
    return render(request, "disputes/desk.html", context)


def _open(league: League, user: Asker) -> list[Queued]:
    """Return the queue; a game whose entries differ is left out where a protest about its match is open."""
    found = queue(league, user)
    disputed = {one.match.pk for one in found if one.dispute}
    return [one for one in found if one.dispute or one.match.pk not in disputed]


def _line(one: Queued, now: datetime) -> QueueLine:
    waits, icon = WAITS[one.waits]
    age, dispute, names = one.age(now), one.dispute, names_in(one.match)
    return QueueLine(
        kind=SHORT_KINDS[dispute.kind] if dispute else pgettext("desk: kind", "Two entries"),
        match=_match(names, one.match),
        where=_where(dispute, names) if dispute else "",
        waits=waits,
        icon=icon,
        age=_age(one.since, now),
        tone="bad" if age >= BAD else "warm" if age >= WARM else "",
        deadline=one.deadline,
        url=reverse("disputes:case", args=[dispute.code])
        if dispute
        else reverse("matches:detail", args=[one.match.pk]),
    )


def _age(since: datetime, now: datetime) -> str:
    if now - since < timedelta(minutes=1):
        return pgettext("desk: age of a dispute", "just now")
    return pgettext("desk: age of a dispute", "%(age)s old") % {"age": timesince(since, now, depth=1)}


def _where(dispute: Dispute, names: Sequence[str]) -> str:
    place = words_of([], ChosenPlace(dispute.line, dispute.hand))
    if dispute.for_side is None:
        return place
    return _("by %(name)s: %(place)s") % {"name": names[dispute.for_side - 1], "place": place}


def _address(one: Queued) -> str:
    if one.dispute is None:
        return reverse("matches:detail", args=[one.match.pk])
    return reverse("disputes:case", args=[one.dispute.code])


def _match(names: Sequence[str], match: Match) -> str:
    told = " – ".join(names)
    if match.table is None:
        return told
    return pgettext("desk: match", "%(match)s, table %(table)s") % {"match": told, "table": match.table}


def _decision(one: Dispute) -> DecisionLine:
    names = names_in(one.match)
    label = OUTCOMES[one.outcome] if one.outcome else STATES[one.state]
    words = f"{' – '.join(names)}: {protest_title(one, names)}"
    return DecisionLine(words, label, reverse("disputes:case", args=[one.code]))
