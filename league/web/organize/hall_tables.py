"""Table settings of a league, table requests, and matches on the stream."""

from collections.abc import Callable
from dataclasses import dataclass

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from league.accounts.models import League
from league.accounts.permissions import Act, check_may, may
from league.competitions.draw.seating import in_order
from league.competitions.draw.table_assignment import Wish
from league.competitions.draw.table_wishes import (
    UnmetLine,
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
from league.web.shared.pagination import page_of
from league.web.shared.staff import carry_out, competition_of, id_of, of_league

TABLES_A_PAGE = 50
WISHES_A_PAGE = 50
UNMET_SHOWN = 50


@dataclass(frozen=True, slots=True)
class TypedTable:
    """A row of the form as typed, with its error."""

    id: int
    name: str
    place: str
    accessible: bool
    stream: bool
    error: str = ""


@of_league(Act.MANAGE_COMPETITIONS)
def setup(request: HttpRequest, league: League) -> HttpResponse:
    """Show one form for each table; `table` names the changed one, empty: a new one."""
    typed = _typed(request) if request.method == "POST" else None
    error = _store(request, league, typed) if typed else ""
    if typed and not error:
        return HttpResponseRedirect(request.get_full_path())
    wrong = TypedTable(typed.id, typed.name, typed.place, typed.accessible, typed.stream, error) if typed else None
    page = page_of(request, in_order(league.tables.all()), TABLES_A_PAGE)
    context = {
        "league": league,
        "page": page,
        "rows": [wrong if wrong and wrong.id == one.pk else _as_it_is(one) for one in page],
        "new": wrong if wrong and not wrong.id else None,
        "area": "organize",
    }
    return render(request, "organize/hall_tables.html", context, status=422 if error else 200)


def _as_it_is(table: Table) -> TypedTable:
    return TypedTable(table.pk, table.name, str(table.place), table.accessible, table.stream)


def _typed(request: HttpRequest) -> TypedTable:
    sent = request.POST
    return TypedTable(
        id_of(sent.get("table", "")),
        sent.get("name", ""),
        sent.get("place", "0").strip(),
        "accessible" in sent,
        "stream" in sent,
    )


def _store(request: HttpRequest, league: League, typed: TypedTable) -> str:
    """Store the row; return the reason of a refusal, or an empty text."""
    try:
        if not typed.id:
            made = tables.add_table(league, typed.name, user=request.user)
            messages.success(request, _("Table %(name)s is there now.") % {"name": made.name})
            return ""
        table = get_object_or_404(Table.objects.select_related("league"), pk=typed.id, league=league)
        tables.change_table(
            table,
            user=request.user,
            name=typed.name,
            place=int(typed.place) if typed.place.isdecimal() and len(typed.place) < 6 else -1,  # which is refused
            accessible=typed.accessible,
            stream=typed.stream,
        )
    except NotAllowed as refused:
        raise PermissionDenied(str(refused)) from refused
    except Refused as refused:
        return str(refused)
    messages.success(request, _("Table %(name)s is changed. Matches stay where they are.") % {"name": table.name})
    return ""


@never_cache
@of_league(Act.SEE_NEEDS)
def wishes(request: HttpRequest, league: League, slug: str) -> HttpResponse:
    """Show table requests: a fixed table, or an accessible one.

    `do` is "wish" (with `entrant`, `table` and `accessible`), "anew", or "top" with `on`.
    """
    competition = competition_of(league, slug)
    if request.method == "POST":
        _check_manages(request, league)
        if _act(request, competition):
            return redirect("organize:wishes", league.slug, competition.slug)
    unmet = unmet_wishes(competition)
    entrants = competition.registrations.select_related(*PEOPLE).order_by("seed")
    context = {
        "league": league,
        "competition": competition,
        "page": page_of(request, wish_rows(competition), WISHES_A_PAGE),
        "unmet": [(one, unmet_sentence(one)) for one in unmet[:UNMET_SHOWN]],
        "more_unmet": max(len(unmet) - UNMET_SHOWN, 0),
        "entrants": [(row.entrant_id, row.seed, whole_name(row.entrant)) for row in entrants],
        "chosen": id_of(request.POST.get("entrant", request.GET.get("entrant", ""))),
        "tables": in_order(competition.tables.all()),
        "table": id_of(request.POST.get("table", "")),
        "typed": request.POST,
        "manages": may(request.user, Act.MANAGE_COMPETITIONS, league),
        "area": "organize",
    }
    return render(request, "organize/wishes.html", context, status=422 if request.method == "POST" else 200)


def _check_manages(request: HttpRequest, league: League) -> None:
    try:
        check_may(request.user, Act.MANAGE_COMPETITIONS, league)
    except NotAllowed as refused:
        raise PermissionDenied(str(refused)) from refused


def _act(request: HttpRequest, competition: Competition) -> bool:
    sent, what = request.POST, request.POST.get("do", "")
    moved: list[int] = []
    acts: dict[str, Callable[[], object]] = {
        "wish": lambda: moved.append(_wish(request, competition)),
        "anew": lambda: moved.append(seat_anew(competition, user=request.user)),
        "top": lambda: stream_top_boards(competition, user=request.user, on=sent.get("on") == "1"),
    }
    if what not in acts:
        return True
    if not carry_out(request, acts[what]):
        return False
    messages.success(request, _noted(moved))
    return True


def _wish(request: HttpRequest, competition: Competition) -> int:
    sent = request.POST
    entrant = get_object_or_404(Entrant, pk=id_of(sent.get("entrant", "")), registrations__competition=competition)
    chosen = id_of(sent.get("table", ""))
    table = get_object_or_404(Table, pk=chosen, league=competition.league_id) if chosen else None
    return set_wishes(competition, entrant, user=request.user, table=table, needs_accessible="accessible" in sent)


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
