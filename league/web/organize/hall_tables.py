"""Table settings of a league, table requests, and matches on the stream."""

from collections.abc import Callable

from django import forms
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.forms.models import model_to_dict
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from league.accounts.models import League
from league.accounts.permissions import Act, check_may, may
from league.competitions.draw.schedule.calling import put_out_of_order
from league.competitions.draw.schedule.seating import in_order
from league.competitions.draw.schedule.table_assignment import Wish
from league.competitions.draw.schedule.table_wishes import (
    UnmetLine,
    delay_scores,
    put_on_stream,
    seat_anew,
    set_wishes,
    stream_top_boards,
    unmet_wishes,
    whole_name,
    wish_rows,
)
from league.competitions.models import Competition, Slot
from league.errors import NotAllowed, Refused
from league.matches import tables
from league.matches.models import Table
from league.players.models import PEOPLE, Entrant
from league.players.naming import by_surname
from league.web.components.score_fields import number_of
from league.web.shared.fields import WholeNumberField
from league.web.shared.pagination import page_of
from league.web.shared.staff import carry_out, competition_of, id_of, of_league, sent_row

TABLES_A_PAGE = 50
WISHES_A_PAGE = 50
UNMET_SHOWN = 50


class NewTableForm(forms.Form):
    name = forms.CharField(required=False)


class TableForm(NewTableForm):
    """One table. The service holds the limits of name and place."""

    place = WholeNumberField()
    accessible = forms.BooleanField(required=False)
    stream = forms.BooleanField(required=False)

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)
        told = _("A place in the order is a number from 0 to %(last)d.") % {"last": tables.LAST_PLACE}
        self.fields["place"].error_messages |= {"required": told, "invalid": told}


class WishForm(forms.Form):
    """Table request of an entrant."""

    entrant = forms.ModelChoiceField(Entrant.objects.none())
    table = forms.ModelChoiceField(Table.objects.none(), required=False)
    accessible = forms.BooleanField(required=False)

    def __init__(self, competition: Competition, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)
        self.fields["entrant"].queryset = Entrant.objects.filter(registrations__competition=competition)
        self.fields["table"].queryset = competition.league.tables


@of_league(Act.MANAGE_COMPETITIONS)
def setup(request: HttpRequest, league: League) -> HttpResponse:
    """Show one form for each table; `table` names the changed one, empty: a new one."""
    key = id_of(request.POST.get("table", ""))
    table = get_object_or_404(league.tables.select_related("league"), pk=key) if key else None
    form = (TableForm if table else NewTableForm)(request.POST if request.method == "POST" else None)
    if form.is_valid() and _store(request, league, table, form):
        return HttpResponseRedirect(request.get_full_path())
    page = page_of(request, in_order(league.tables.all()), TABLES_A_PAGE)
    context = {
        "league": league,
        "page": page,
        "rows": [(one, form if one == table else TableForm(initial=model_to_dict(one))) for one in page],
        "new": None if table else form,
        "area": "organize",
    }
    return render(request, "organize/hall_tables.html", context, status=422 if form.errors else 200)


def _store(request: HttpRequest, league: League, table: Table | None, form: NewTableForm) -> bool:
    """Store the row; a refusal becomes an error of the form."""
    try:
        if table is None:
            made = tables.add_table(league, user=request.user, **form.cleaned_data)
        else:
            tables.change_table(table, user=request.user, **form.cleaned_data)
    except NotAllowed as refused:
        raise PermissionDenied(str(refused)) from refused
    except Refused as refused:
        form.add_error("name", str(refused))
        return False
    if table is None:
        messages.success(request, _("Table %(name)s added.") % {"name": made.name})
    else:
        messages.success(request, _("Table %(name)s is changed. Matches stay where they are.") % {"name": table.name})
    return True


@never_cache
@of_league(Act.SEE_NEEDS)
def wishes(request: HttpRequest, league: League, slug: str) -> HttpResponse:
    """Show table requests: a fixed table, or an accessible one.

    `do` is "wish" (with `entrant`, `table` and `accessible`), "anew", "top" with `on`, "delay" with `delay`, or
    "broken" or "mended" with `table`.
    """
    competition = competition_of(league, slug)
    form = WishForm(competition, initial={"entrant": request.GET.get("entrant")})
    if request.method == "POST":
        _check_manages(request, league)
        if request.POST.get("do") == "wish":
            form = WishForm(competition, request.POST)
        if _act(request, competition, form):
            return redirect("organize:wishes", league.slug, competition.slug)
    unmet = unmet_wishes(competition)
    rows = competition.registrations.select_related(*PEOPLE)
    entrants = sorted(rows, key=lambda row: by_surname(whole_name(row.entrant)))
    context = {
        "league": league,
        "competition": competition,
        "page": page_of(request, wish_rows(competition), WISHES_A_PAGE),
        "unmet": [(one, unmet_sentence(one)) for one in unmet[:UNMET_SHOWN]],
        "more_unmet": max(len(unmet) - UNMET_SHOWN, 0),
        "entrants": [(row.entrant_id, row.seed, whole_name(row.entrant)) for row in entrants],
        "tables": in_order(competition.tables.all()),
        "form": form,
        "delays": Competition.LiveDelay.choices,
        "manages": may(request.user, Act.MANAGE_COMPETITIONS, league),
        "area": "organize",
    }
    return render(request, "organize/wishes.html", context, status=422 if request.method == "POST" else 200)


def _check_manages(request: HttpRequest, league: League) -> None:
    try:
        check_may(request.user, Act.MANAGE_COMPETITIONS, league)
    except NotAllowed as refused:
        raise PermissionDenied(str(refused)) from refused


def _act(request: HttpRequest, competition: Competition, form: WishForm) -> bool:
    what = request.POST.get("do", "")
    if what in {"broken", "mended"}:
        return _put_out_of_order(request, competition, on=what == "broken")
    moved: list[int] = []
    seconds = number_of(request.POST.get("delay", "")) or 0
    acts: dict[str, Callable[[], object]] = {
        "wish": lambda: moved.append(_wish(request, competition, form)),
        "anew": lambda: moved.append(seat_anew(competition, user=request.user)),
        "top": lambda: stream_top_boards(competition, user=request.user, on=request.POST.get("on") == "1"),
        "delay": lambda: delay_scores(competition, user=request.user, seconds=seconds),
    }
    if what not in acts:
        return True
    if not carry_out(request, acts[what]):
        return False
    messages.success(request, _noted(moved))
    return True


def _put_out_of_order(request: HttpRequest, competition: Competition, *, on: bool) -> bool:
    table = sent_row(request, "table", competition.tables.select_related("league"))
    if not carry_out(request, lambda: put_out_of_order(table, user=request.user, on=on)):
        return False
    told = _("Table %(name)s is out of order: no match is called there.") if on else _("Table %(name)s is used again.")
    messages.success(request, told % {"name": table.name})
    return True


def _wish(request: HttpRequest, competition: Competition, form: WishForm) -> int:
    if not form.is_valid():
        raise Http404
    data = form.cleaned_data
    return set_wishes(
        competition, data["entrant"], user=request.user, table=data["table"], needs_accessible=data["accessible"]
    )


def _noted(moved: list[int]) -> str:
    if not moved or not moved[0]:
        return _("It is noted. No match had to move.")
    told = ngettext(
        "It is noted, and %(count)d match moved to another table.",
        "It is noted, and %(count)d matches moved to other tables.",
        moved[0],
    )
    return told % {"count": moved[0]}


def unmet_sentence(one: UnmetLine) -> str:
    """Explain with names why a table request is not met."""
    facts = {
        "who": one.who,
        "table": one.table or "–",
        "wished": one.wished,
        "rival": one.rival,
        "names": one.names,
        "round": one.matchday,
    }
    if one.wish is Wish.PINNED and one.rival:
        told = _("%(round)s: %(who)s is kept at table %(wished)s, but meets %(rival)s, who is kept at table %(table)s.")
    elif one.wish is Wish.PINNED:
        told = _("%(round)s: %(who)s is kept at table %(wished)s, but %(names)s is at table %(table)s.")
    elif one.wish is Wish.NEEDS:
        told = _("%(round)s: %(who)s needs an accessible table, and table %(table)s (%(names)s) is none.")
    else:
        told = _("%(round)s: %(names)s is for the stream, and table %(table)s is not on it.")
    return told % facts


@require_POST
@of_league(Act.MANAGE_COMPETITIONS)
def stream(request: HttpRequest, league: League, slug: str, slot_id: int) -> HttpResponse:
    """Choose a match for the stream with `on=1`, else take it off."""
    competition = competition_of(league, slug)
    slot = get_object_or_404(Slot, pk=slot_id, matchday__stage__competition=competition)
    on = request.POST.get("on") == "1"
    if carry_out(request, lambda: put_on_stream(slot, user=request.user, on=on)):
        messages.success(request, _("It is on the stream.") if on else _("It is no longer chosen for the stream."))
    address = reverse("organize:competition", args=[league.slug, competition.slug])
    return HttpResponseRedirect(f"{address}?slot={slot.pk}#slot-{slot.pk}")
