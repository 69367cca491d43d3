"""Open calls for the officials on duty and the desk, and the zones of referees."""

from datetime import datetime
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from league.accounts.models import League, User
from league.accounts.permissions import Act
from league.disputes.calls.permissions import is_official
from league.disputes.calls.queries import competitions_with_zones, officials_of, open_calls, zones_of
from league.disputes.calls.services import go_to_table, hand_over
from league.disputes.calls.zones import hand_over_zone, set_zone
from league.disputes.models import RefereeCall
from league.matches.models import Table
from league.web.shared.staff import carry_out, competition_of, id_of, of_league, sent_row
from league.web.words.referee_calls import waited


@never_cache
@of_league(Act.ENTER_RESULTS)
def index(request: HttpRequest, league: League) -> HttpResponse:
    """List the open calls; POST `do` is "go", or "hand" with `to`, with `call`, and `back` "desk" from that page."""
    if request.method == "POST":
        call = sent_row(request, "call", RefereeCall.objects.select_related("match__league"), match__league=league)
        if request.POST.get("do") == "hand":
            to = sent_row(request, "to", User)
            carry_out(request, lambda: hand_over(call, request.user, to))
        else:
            carry_out(request, lambda: go_to_table(call, request.user))
        back = reverse("disputes:desk", args=[league.slug]) if request.POST.get("back") == "desk" else request.path
        return HttpResponseRedirect(back)
    now = timezone.now()
    context = calls_context(league, request.user, now) | {
        "competitions": competitions_with_zones(league, now),
        "area": "organize",
    }
    return render(request, "disputes/calls/desk.html", context)


def calls_context(league: League, user: User, now: datetime) -> dict[str, Any]:
    """Return the context of disputes/calls/open.html: the open calls for an official or a desk helper."""
    return {
        "league": league,
        "lines": [(one, waited(one.call.called_at, now)) for one in open_calls(league, user)],
        "official": is_official(user, league),
        "now": now,
    }


@of_league(Act.ENTER_RESULTS)
def zones(request: HttpRequest, league: League, slug: str) -> HttpResponse:
    """Show the zones of a competition; POST `do` is "set" with `official` and `table`s, or "hand" with `to`."""
    competition = competition_of(league, slug)
    if request.method == "POST":
        official = sent_row(request, "official", User)
        if request.POST.get("do") == "hand":
            to = sent_row(request, "to", User)
            done = carry_out(request, lambda: hand_over_zone(competition, official, to, by=request.user))
        else:
            wanted = [id_of(one) for one in request.POST.getlist("table")]
            tables = list(Table.objects.filter(league=league, pk__in=wanted))
            done = carry_out(request, lambda: set_zone(competition, official, tables, by=request.user))
        if done:
            messages.success(request, _("Saved."))
        return HttpResponseRedirect(request.path)
    rows = zones_of(competition)
    zone_of = {row.table_id: row.official for row in rows}
    officials: dict[User, list[str]] = {}
    for row in rows:
        officials.setdefault(row.official, []).append(str(row.table))
    tables = competition.tables.all() if competition.tables.exists() else league.tables.all()
    context = {
        "league": league,
        "competition": competition,
        "zones": [(who, ", ".join(names)) for who, names in officials.items()],
        "tables": [(table, zone_of.get(table.pk)) for table in tables.order_by("place", "name")],
        "officials": officials_of(league),
        "official": is_official(request.user, league),
        "area": "organize",
    }
    return render(request, "disputes/calls/zones.html", context)
