"""Bracket pages: the drawing, the hall screen and the print view."""

from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone

from league.accounts.graphemes import points
from league.accounts.permissions import Asker
from league.competitions.draw_view import MatchdayView
from league.competitions.models import Competition
from league.competitions.queries.bracket import BracketPage, being_played, bracket_page, part_views, to_be_drawn
from league.matches.permissions import may_correct
from league.web.charts import bracket_sheets
from league.web.charts.bracket import Drawing, drawing
from league.web.charts.bracket_layout import PAPER, WALL
from league.web.charts.bracket_parts import BracketPart, PartPlan, neighbours, part_of, parts_of, sections
from league.web.charts.bracket_screens import screens
from league.web.charts.bracket_seeds import skeleton
from league.web.shared.absolute_url import absolute
from league.web.shared.open_graph import preview_of_competition
from league.web.shared.page_cache import kept_page

LONGEST_NAME = points(130)
LONGEST_NUMBER = 6
# More sections than this are offered as a list instead of links.
MOST_LINKS = 12
# A bracket with more matches is printed section by section.
MOST_ON_PAPER = 128
SCREEN_S = 20
OUTSIDER = AnonymousUser()


@kept_page
def bracket(request: HttpRequest, league_slug: str, slug: str) -> HttpResponse:
    """Show a knock-out as a drawing and a nested list; seeds only before the draw.

    `?player=` highlights one player by code or name. `?section=` chooses a section of a bracket of more than 64;
    the other sections are not read.
    """
    player = request.GET.get("player", "").strip()[:LONGEST_NAME]
    page = _page(request.user, league_slug, slug, player)
    context = {
        "page": page,
        "preview": preview_of_competition(request, page.competition, "competitions:bracket"),
        "followed": page.followed,
        "area": "competitions",
        "tab": "bracket",
    }
    return render(request, "competitions/bracket.html", context | _shown(request, page))


def _shown(request: HttpRequest, page: BracketPage) -> dict[str, Any]:
    number = _number(request)
    to_come = to_be_drawn(page)
    if to_come:
        parts = sections(skeleton(*to_come))
        part = next((one for one in parts if one.number == number), parts[0])
        return _context(parts, part, {}, "") | {"skeleton": True}
    plans = parts_of(page.days, page.shape.sources)
    if not plans:
        return {"part": None}
    plan = part_of(plans, number, page.own)
    part = plan.filled(part_views(request.user, page, plan.keys))
    leads = neighbours(plans, plan, page.shape.sources)
    shown = _context(plans, part, leads, page.followed.code if page.followed else "")
    return shown | {"correctable": _correctable(request.user, page, part)}


def _correctable(user: Asker, page: BracketPage, part: BracketPart) -> frozenset[int]:
    """Return the decided matches of one game whose result the asker may correct; of several games on their own page."""
    decided = {slot.match.id for slot in part.slots if slot.match and slot.decided and slot.match.best_of == 1}
    return may_correct(user, page.competition.league_id, decided)


def _context(
    parts: list[PartPlan] | list[BracketPart], part: BracketPart, leads: dict[int, list[PartPlan]], code: str
) -> dict[str, Any]:
    return {
        "parts": parts,
        "many": len(parts) > MOST_LINKS,
        "part": part,
        "drawing": drawing(part, code, leads=leads),
    }


def current(request: HttpRequest, league_slug: str, slug: str) -> HttpResponse:
    """Show the current bracket rounds on a hall screen, as the public sees them.

    Four matches of the first open round at a time, and the matches that follow from them. `?page=`: number of the
    screen.
    """
    context = screen_context(request, _page(OUTSIDER, league_slug, slug))
    context["following"] = context["following"] or 1
    context |= {"now": timezone.now(), "seconds": SCREEN_S}
    return render(request, "competitions/bracket_wall.html", context)


def screen_context(request: HttpRequest, page: BracketPage) -> dict[str, Any]:
    """Return the context of the hall screen `?page=`; `following`: the number of the next one, None after the last."""
    found = screens(page.days, page.shape.sources, being_played(page))
    shown = Paginator(found, 1).get_page(request.GET.get("page", 1))
    part = None
    if found:
        plan = found[shown.number - 1]
        part = plan.filled(part_views(OUTSIDER, page, plan.keys))
    return {
        "page": page,
        "competition": page.competition,
        "screen": shown,
        "following": shown.next_page_number() if shown.has_next() else None,
        "part": part,
        "drawing": drawing(part, metrics=WALL) if part else None,
    }


def paper(request: HttpRequest, league_slug: str, slug: str) -> HttpResponse:
    """Show the bracket cut into sheets for printing, as the public sees it.

    `?paper=` a4, a3 or letter; `?section=` a section of a large bracket, else its overview.
    """
    page = _page(OUTSIDER, league_slug, slug)
    size = bracket_sheets.size_of(request.GET.get("paper", ""))
    plans = parts_of(page.days, page.shape.sources, apart=True)
    chosen = plans
    if plans and len(page.shape.numbers) > MOST_ON_PAPER:
        chosen = [part_of(plans, _number(request), frozenset())]
    keys = {slot for plan in chosen for slot in plan.keys}
    views = part_views(OUTSIDER, page, keys)
    whole = parts_of(page.days, page.shape.sources)
    made = bracket_sheets.fit_one_sheet(_drawn(whole, views), size) if len(whole) < len(plans) else []
    if made:
        plans = chosen = whole
    sheets = made or bracket_sheets.sheets(_drawn(chosen, views), size)
    context = {
        "page": page,
        "competition": page.competition,
        "parts": plans,
        "chosen": chosen[0] if len(chosen) < len(plans) else None,
        "size": size,
        "sizes": bracket_sheets.SIZES,
        "sheets": sheets,
        "in_full": bracket_sheets.names_in_full(sheets),
        "live": absolute(request, request.path.removesuffix("print/")),
        "now": timezone.now(),
        "area": "competitions",
        "tab": "bracket",
    }
    return render(request, "competitions/bracket_print.html", context)


def _drawn(plans: list[PartPlan], views: list[MatchdayView]) -> list[tuple[BracketPart, Drawing]]:
    parts = [plan.filled(views) for plan in plans]
    return [(part, drawing(part, metrics=PAPER)) for part in parts]


def _page(user: Asker, league_slug: str, slug: str, player: str = "") -> BracketPage:
    try:
        page = bracket_page(user, league_slug, slug, player=player)
    except Competition.DoesNotExist as absent:
        raise Http404 from absent
    if not page.knock_out:
        raise Http404
    return page


def _number(request: HttpRequest) -> int | None:
    asked = request.GET.get("section", "")
    return int(asked) if asked.isdecimal() and len(asked) <= LONGEST_NUMBER else None
