"""Calls of an evening: matches called to their tables, the next ones, and those on hold."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.cache import never_cache

from league.accounts.models import League
from league.accounts.permissions import Act, may
from league.competitions.attendance.no_shows import all_here, give_time
from league.competitions.draw.schedule.calling import hold
from league.competitions.models import Slot
from league.competitions.queries.calls import calls_of
from league.players.models import Entrant
from league.web.organize.evening.withdrawals import forfeit_all, forfeit_late
from league.web.shared.staff import carry_out, competition_of, of_league, sent_row


@never_cache
@of_league(Act.RUN_DESK)
def calls(request: HttpRequest, league: League, slug: str) -> HttpResponse:
    """Show the calls.

    `do` is "here", "hold", "release" or "nobody" with `slot`, "time" or "forfeit" with `entrant` too.
    """
    competition = competition_of(league, slug)
    if request.method == "POST":
        slot = sent_row(request, "slot", Slot, matchday__stage__competition=competition)
        return HttpResponseRedirect(_act(request, slot) or request.path)
    now = timezone.now()
    context = {
        "league": league,
        "competition": competition,
        "calls": calls_of(competition, now),
        "now": now,
        "manages": may(request.user, Act.MANAGE_COMPETITIONS, league),
        "area": "organize",
    }
    return render(request, "organize/calls.html", context)


def _act(request: HttpRequest, slot: Slot) -> str:
    """Do what was asked; return the address of the next step, or ""."""
    user, what = request.user, request.POST.get("do", "")
    acts: dict[str, Callable[[], object]] = {
        "here": lambda: all_here(slot, user=user),
        "hold": lambda: hold(slot, user=user),
        "release": lambda: hold(slot, user=user, on=False),
    }
    if what in acts:
        carry_out(request, acts[what])
    elif what == "nobody":
        return forfeit_all(request, slot)
    elif what in {"time", "forfeit"}:
        entrant = sent_row(request, "entrant", Entrant, berths__slot=slot)
        if what == "time":
            carry_out(request, lambda: give_time(slot, entrant, user=user))
        else:
            forfeit_late(request, slot, entrant)
    return ""
