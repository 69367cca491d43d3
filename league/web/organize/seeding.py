"""Seeds of a draft: by hand, by rating, by lot, and the changes so far."""

from collections.abc import Callable, Sequence
from random import SystemRandom

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache

from league.accounts.models import League
from league.accounts.permissions import Act
from league.competitions.models import Competition
from league.competitions.registration.entries import order_of, unregister
from league.competitions.registration.seeding import (
    draw_lots,
    reseed,
    seed_by_rating,
    seeding_page,
    stand_of,
    undo_seeding,
)
from league.errors import NotAllowed, Refused
from league.players.models import Entrant
from league.web.organize.evening.reschedule import shifted, sorted_by_hand, typed_seeds
from league.web.shared.pagination import page_of
from league.web.shared.staff import competition_of, id_of, of_league, sent_row

SEEDS_A_PAGE = 500
"""A form has at most 1000 fields, and dragging reaches as far as the page."""
HERE = "seeds"


@never_cache
@of_league(Act.MANAGE_COMPETITIONS)
def seeds(request: HttpRequest, league: League, slug: str) -> HttpResponse:
    """Show and change the seeds; each button is one action.

    `up`, `down` and `remove` name an entrant, `undo` a change; `do` is "sort" (by the numbers `seed-…`), "rating" or
    "lots". `seen` is the order that the page showed, `back` the page to return to. `?moved=` and `?way=` as on the
    competition's page.
    """
    chosen = competition_of(league, slug)
    if request.method == "POST":
        return _act(request, chosen)
    if chosen.published_at:
        messages.info(request, _("It is published, so its seeds can’t be changed."))
        return redirect("organize:competition", league.slug, slug)
    return _page(request, chosen)


def _act(request: HttpRequest, chosen: Competition) -> HttpResponse:
    order = order_of(chosen)
    wanted: Sequence[int] = order
    more = ""
    try:
        if request.POST.get("remove"):
            entrant = sent_row(request, "remove", Entrant, registrations__competition=chosen)
            unregister(chosen, entrant, user=request.user)
        elif way := next((way for way in ("up", "down") if way in request.POST), ""):
            moved = id_of(request.POST[way])
            wanted, more = shifted(order, moved, -1 if way == "up" else 1), f"?moved={moved}&way={way}"
            if wanted != order:
                reseed(chosen, wanted, user=request.user, seen=stand_of(order))
        elif act := ACTS.get(request.POST.get("do", "")):
            act(request, chosen)
        elif undo := request.POST.get("undo"):
            undo_seeding(chosen, id_of(undo), user=request.user)
            messages.success(request, _("Taken back: the order is as it was before."))
        else:
            wanted = sorted_by_hand(order, request.POST)
            if wanted != order or request.POST.get("seen", stand_of(order)) != stand_of(order):
                reseed(chosen, wanted, user=request.user, seen=request.POST.get("seen"))
                messages.success(request, _("The order is stored."))
    except NotAllowed as refused:
        raise PermissionDenied(str(refused)) from refused
    except Refused as refused:
        return _refused(request, chosen, refused, wanted)
    return _back(request, chosen, more)


def _by_rating(request: HttpRequest, chosen: Competition) -> None:
    unrated = seed_by_rating(chosen, user=request.user, seen=request.POST.get("seen"))
    if not unrated:
        messages.success(request, _("Ordered by rating, the strongest first."))
        return
    told = ngettext(
        "Ordered by rating, the strongest first. %(count)d player without a rating in this ruleset comes last.",
        "Ordered by rating, the strongest first. %(count)d players without a rating in this ruleset come "
        "last, in their earlier order.",
        unrated,
    )
    messages.success(request, told % {"count": unrated})


def _by_lot(request: HttpRequest, chosen: Competition) -> None:
    draw_lots(chosen, user=request.user, rng=SystemRandom(), seen=request.POST.get("seen"))
    messages.success(request, _("The lots are drawn. The page of seeds shows who drew them and when."))


ACTS: dict[str, Callable[[HttpRequest, Competition], None]] = {"rating": _by_rating, "lots": _by_lot}


def _refused(request: HttpRequest, chosen: Competition, refused: Refused, wanted: Sequence[int]) -> HttpResponse:
    """Show an order typed or dragged on an outdated page again, to keep or to drop."""
    if refused.code == "seeds-changed" and request.POST.get("do") == "sort":
        return _page(request, chosen, refused=str(refused), wanted=_as_typed(request, wanted), status=409)
    messages.error(request, str(refused))
    return _back(request, chosen)


def _as_typed(request: HttpRequest, order: Sequence[int]) -> list[int]:
    """Sort by the typed numbers alone, because the seeds beside them have changed."""
    typed = typed_seeds(order, request.POST)
    return sorted(typed, key=lambda one: typed[one])


def _page(
    request: HttpRequest,
    chosen: Competition,
    *,
    refused: str = "",
    wanted: Sequence[int] | None = None,
    status: int = 200,
) -> HttpResponse:
    found = seeding_page(chosen, wanted)
    page = page_of(request, found.lines, SEEDS_A_PAGE)
    context = {
        "league": chosen.league,
        "competition": chosen,
        "found": found,
        "page": page,
        # In an unsaved order each entrant shows the seed that storing would give.
        "seeds": [(number, line) for number, line in enumerate(page, start=page.start_index())],
        "stand": found.stand,
        "refused": refused,
        "unsaved": wanted is not None,
        "last": found.lines[-1].entrant_id if found.lines else 0,
        "moved": id_of(request.GET.get("moved", "")),
        "way": request.GET.get("way", ""),
        "back": HERE,
        "area": "organize",
    }
    return render(request, "organize/seeding.html", context, status=status)


def _back(request: HttpRequest, chosen: Competition, more: str = "") -> HttpResponse:
    place = [chosen.league.slug, chosen.slug]
    if request.POST.get("back") == HERE:
        page = request.POST.get("page", "")
        beside = f"page={page}" if page.isdecimal() and len(page) <= 4 and page != "1" else ""
        query = f"{more}&{beside}" if more and beside else more or (f"?{beside}" if beside else "")
        return HttpResponseRedirect(f"{reverse('organize:seeds', args=place)}{query}")
    return HttpResponseRedirect(f"{reverse('organize:competition', args=place)}{more or '#entrants'}")
