"""Late entry: one field for a name, and the places on offer."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from django import forms
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from league.accounts.models import League
from league.accounts.permissions import Act
from league.competitions.attendance.late_entries import WalkIn, walk_in
from league.competitions.attendance.late_entry_undo import undo_late_entry, undoable_entry
from league.competitions.attendance.late_places import no_place, offers
from league.competitions.draw.reopening import reason_against
from league.competitions.formats.registry import LADDERS
from league.competitions.models import Competition
from league.errors import NotAllowed, Refused
from league.players.models import PEOPLE, Entrant, Player
from league.players.queries import members
from league.web.shared.fields import KeyField
from league.web.shared.pasted_names import read_names, with_choices
from league.web.shared.staff import carry_out, competition_of, of_league

MOST_OFFERED = 400
A_SECOND_PRESS = timedelta(seconds=15)


class LateEntryForm(forms.Form):
    """Name and place; `asked` says that the page asked about `now`."""

    name = forms.CharField(required=False)
    slot = KeyField(required=False)
    now = forms.BooleanField(required=False)
    asked = forms.BooleanField(required=False)
    missed = forms.ChoiceField(required=False, choices=[("", ""), ("forfeit", "forfeit")])


@never_cache
@of_league(Act.MANAGE_COMPETITIONS)
def index(request: HttpRequest, league: League, slug: str) -> HttpResponse:
    """Read one line as pasted names are read; ask about an unclear name, then store."""
    competition = competition_of(league, slug)
    data = with_choices(request.POST, "name")
    form = LateEntryForm(data if request.method == "POST" else None)
    names = None
    if form.is_valid():
        try:
            names = read_names(league, form.cleaned_data["name"], request.user, pairs=competition.pairs)
            if names is None or len({one.line for one in names.pasted.lines}) != 1:
                told = _("Write one pair: two names with a stroke between them.") if competition.pairs else None
                raise Refused("one-name", told or _("Write one name."))
            if names.seen(data):
                return _taken(request, competition, form.cleaned_data)
        except NotAllowed as refused:
            raise PermissionDenied(str(refused)) from refused
        except Refused as refused:
            if refused.code == "already-registered" and _just_came(competition, refused, request.user):
                messages.info(request, str(refused))
                return redirect("organize:check_in", league.slug, competition.slug)
            form.add_error("name", str(refused))
    found = offers(competition)
    context = {
        "league": league,
        "competition": competition,
        "form": form,
        "names": names,
        "offers": found,
        "no_place": no_place(competition) if competition.published_at and not found else None,
        "may_reopen": competition.published_at and not found and reason_against(competition) is None,
        "known": _known(league, competition),
        "undoable": undoable_entry(competition),
        "area": "organize",
    }
    return render(request, "organize/late_entry.html", context, status=422 if form.errors else 200)


def _taken(request: HttpRequest, competition: Competition, data: Mapping[str, Any]) -> HttpResponse:
    slot, now = data["slot"], data["now"] or not data["asked"]
    forfeits = data["missed"] == "forfeit"
    done = walk_in(competition, data["name"], user=request.user, slot_id=slot, now=now, forfeit_missed=forfeits)
    messages.success(request, _told(done))
    # Back to check-in for the next arrival.
    return redirect("organize:check_in", competition.league.slug, competition.slug)


@require_POST
@of_league(Act.MANAGE_COMPETITIONS)
def undo(request: HttpRequest, league: League, slug: str, entrant_id: int) -> HttpResponse:
    competition = competition_of(league, slug)
    entrant = get_object_or_404(Entrant, pk=entrant_id, league=league)
    # After a second press there is no registration any more.
    row = competition.registrations.filter(entrant=entrant).select_related(*PEOPLE).first()
    if row is not None and carry_out(request, lambda: undo_late_entry(row, user=request.user)):
        messages.success(
            request, _("%(name)s is out of the draw again. The rest is as before.") % {"name": row.entrant.full_name}
        )
    return redirect("organize:late_entry", league.slug, competition.slug)


def _just_came(competition: Competition, refused: Refused, user: Any) -> bool:
    """Whether the button was pressed twice, so that the first answer was never shown."""
    rows = competition.registrations.filter(entrant=refused.facts["entrant"], checked_in_by=user)
    return rows.filter(checked_in_at__gt=timezone.now() - A_SECOND_PRESS).exists()


def _told(done: WalkIn) -> str:
    name = done.registration.entrant.full_name
    competition = done.registration.competition
    if competition.stages.filter(format__in=LADDERS).exists():
        return _("%(name)s is registered and checked in, at the bottom of the ladder.") % {"name": name}
    if not done.places and competition.published_at:
        told = _("%(name)s is registered and checked in, and is paired from the next round on.") % {"name": name}
        return f"{told} {_kept(done.rounds)}".strip()
    if not done.places:
        return _("%(name)s is registered and checked in. Redraw when everybody is there.") % {"name": name}
    first = done.places[0]
    played = ngettext(
        "%(name)s: %(count)d match, in %(round)s against %(opponent)s.",
        "%(name)s: %(count)d matches, first in %(round)s against %(opponent)s.",
        len(done.places),
    )
    told = played % {
        "name": name,
        "count": len(done.places),
        "round": first.slot.matchday,
        "opponent": first.company,
    }
    return " ".join(part for part in (told, _forfeited(len(done.over)), _kept(done.rounds)) if part)


def _forfeited(count: int) -> str:
    if not count:
        return ""
    told = ngettext("%(count)d earlier match is forfeited.", "%(count)d earlier matches are forfeited.", count)
    return told % {"count": count}


def _kept(rounds: int) -> str:
    if not rounds:
        return ""
    told = ngettext(
        "It stays at %(count)d round, as it was published.",
        "It stays at %(count)d rounds, as it was published.",
        rounds,
    )
    return told % {"count": rounds}


def _known(league: League, competition: Competition) -> list[Player]:
    """List members who do not play here, as suggestions for the name field."""
    rows = competition.registrations
    partners = rows.filter(entrant__partner__isnull=False).values("entrant__partner")
    free = members(league, on=timezone.localdate()).exclude(pk__in=rows.values("entrant__player"))
    return list(free.exclude(pk__in=partners).exclude(name="")[:MOST_OFFERED])
