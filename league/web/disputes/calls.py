"""Call the referee: the page of a player, of the desk, and of a phone with the code of the card."""

from collections.abc import Mapping
from typing import Any

from allauth.core.internal import ratelimit
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from league.disputes.calls import services
from league.disputes.calls.permissions import why_not_call
from league.disputes.calls.queries import CallState, call_state, public_rulings
from league.disputes.models.referee_call import CallReason
from league.errors import NotAllowed, Refused
from league.matches import guests, permissions
from league.matches.models import Match
from league.matches.permissions import Visitor
from league.matches.queries.lines import match_lines
from league.matches.visibility import visible_matches
from league.web.matches.guest import LIMITS, visitor
from league.web.shared.guests import DEVICE, behind_code, device_of
from league.web.words.referee_calls import progress_words, ruling_words, state_words

ICONS: Mapping[str, str] = {
    CallReason.COUNT: "plus",
    CallReason.MUGGINS: "bell",
    CallReason.PLAY: "lots",
    CallReason.CLOCK: "clock",
    CallReason.CONDUCT: "user",
    CallReason.OTHER: "note",
}


@login_required
@never_cache
def of_match(request: HttpRequest, match_id: int) -> HttpResponse:
    """Show the reasons, or the state of the own call; POST `do` is a reason, or "back" to take the call back."""
    rows = visible_matches(request.user).select_related("league", "table")
    match = rows.filter(pk=match_id).first()
    if match is None:
        raise Http404
    if refusal := why_not_call(permissions.actor(request.user, match)):
        raise PermissionDenied(str(refusal)) from refusal
    with timezone.override(match.league.time_zone):
        if request.method == "POST":
            return _act(request, match, request.user)
        state = call_state(match, request.user, timezone.now())
        back = reverse("matches:detail", args=[match.pk])
        return render(request, "disputes/calls/caller.html", _context(match, state, back) | {"base": "base.html"})


@behind_code
@never_cache
def at_table(request: HttpRequest, door: str) -> HttpResponse:
    """The same for a phone with the code of the card, which need not have a side."""
    try:
        match = guests.match_by_door(door[:40])
    except Match.DoesNotExist as absent:
        raise Http404 from absent
    if not guests.is_open(match, timezone.now()):
        return redirect("table:match", match.door)
    with timezone.override(match.league.time_zone):
        who = visitor(request, match) or request.user
        if request.method == "POST":
            key = f"{match.pk} {request.session.get(DEVICE, '')} {request.META.get('REMOTE_ADDR', '')}"
            if limited := ratelimit.consume_or_429(request, app="league", action="table", config=LIMITS, key=key):
                return limited
            return _act(request, match, who, code=True, device=device_of(request))
        state = call_state(match, who, timezone.now(), device=request.session.get(DEVICE, ""))
        back = reverse("table:match", args=[match.door])
        context = _context(match, state, back) | {"base": "components/bare.html"}
        return render(request, "disputes/calls/caller.html", context)


def _act(request: HttpRequest, match: Match, who: Visitor, *, code: bool = False, device: str = "") -> HttpResponse:
    try:
        if request.POST.get("do") == "back":
            state = call_state(match, who, timezone.now(), device=device)
            if state.call is not None:
                services.take_back(state.call, who, device=device)
                messages.success(request, _("You took the call back."))
        else:
            services.call_referee(match, who, request.POST.get("do", ""), code=code, device=device)
    except NotAllowed as refused:
        raise PermissionDenied(str(refused)) from refused
    except Refused as refused:
        messages.error(request, str(refused))
    return redirect(request.path)


def _context(match: Match, state: CallState, back: str) -> dict[str, Any]:
    now, line = timezone.now(), match_lines([match])[0]
    ruled = public_rulings([state.call]) if state.call else []
    return {
        "match": match,
        "line": line,
        "ruling": ruling_words(ruled[0], [side.name for side in line.sides]) if ruled else "",
        "table": match.table,
        "state": state,
        "words": state_words(state.call, now) if state.call else "",
        "progress": progress_words(state.call) if state.call else "",
        "reasons": [(one.value, one.label, ICONS[one]) for one in CallReason],
        "decided": match.state == Match.State.DECIDED,
        "back": back,
        "now": now,
    }
