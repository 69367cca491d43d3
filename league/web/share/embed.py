"""Embedded standings and brackets: frames for other sites.

Only these two addresses may be framed. They use no account, cookie or form, so that an enclosing page has nothing to
steal and shared caches may store them.
"""

from collections.abc import Callable
from functools import wraps
from hashlib import sha256
from html import escape
from typing import Any

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.cache import get_conditional_response
from django.utils.http import quote_etag
from django.views.decorators.http import require_safe

from league.competitions.models import Competition
from league.competitions.queries.bracket import bracket_page, part_views
from league.competitions.queries.rounds import head_page, table_page
from league.competitions.visibility import seen_competition
from league.csp import build_policy
from league.web.charts.bracket import drawing
from league.web.charts.bracket_parts import part_of, parts_of
from league.web.competitions.bracket import LONGEST_NAME
from league.web.competitions.standings import seen_or_404
from league.web.competitions.standings_view import adjusted_of, asked_number
from league.web.components import tie_break_cells
from league.web.shared.absolute_url import absolute
from league.web.words.numbers import figure_text, signed
from league.web.words.tie_breaks import COLUMNS

OUTSIDER = AnonymousUser()
THEMES = ("light", "dark")
ROWS, MOST_ROWS = 10, 100
FRESH_S = 60
# Default height of the frame: a row, and the space around the table.
ROW_PX, AROUND_PX, BRACKET_PX = 41, 150, 560
POLICY = {**settings.SECURE_CSP, "script-src": ["'none'"], "form-action": ["'none'"], "frame-ancestors": ["*"]}


def framed(view: Callable[..., str]) -> Callable[..., HttpResponse]:
    """Serve the page that `view` writes, the same for every reader.

    Its language is `?lang=`, else the site's; never a cookie's.
    """

    @require_safe
    @wraps(view)
    def answered(request: HttpRequest, league_slug: str, slug: str) -> HttpResponse:
        language = _one_of(request.GET.get("lang"), dict(settings.LANGUAGES)) or settings.LANGUAGE_CODE
        with translation.override(language):
            page = view(request, published_or_404(league_slug, slug))
        headers = {
            "Cache-Control": f"public, max-age={FRESH_S}",
            "Content-Language": language,
            "Content-Security-Policy": build_policy(POLICY, None),
            "ETag": quote_etag(sha256(page.encode()).hexdigest()),
        }
        response = HttpResponse(page, headers=headers)
        response.xframe_options_exempt = True
        return get_conditional_response(request, etag=headers["ETag"], response=response)

    return answered


def published_or_404(league_slug: str, slug: str) -> Competition:
    """Return the competition as the public sees it, also for staff; else 404."""
    try:
        return seen_competition(OUTSIDER, league_slug, slug)
    except Competition.DoesNotExist as absent:
        raise Http404 from absent


@framed
def standings(request: HttpRequest, competition: Competition) -> str:
    """Write the framed standings.

    `?theme=light|dark` (else as the reader's device), `?rows=` up to 100, `?group=`, `?lang=`.
    """
    page = table_page(competition, group=asked_number(request, "group"))
    if page is None:
        raise Http404
    count = min(max(asked_number(request, "rows") or ROWS, 1), MOST_ROWS)
    official_only = not page.has_provisional
    listing = page.table.listing(official_only=official_only)
    rows = page.table.plain_rows(range(min(count, len(listing.codes))), official_only=official_only)
    keys = [key for key in competition.tie_breaks if COLUMNS[key].strong][:1] or competition.tie_breaks[:1]
    people = {one.entrant_id: one for one in page.table.placed({row.entrant_id for row in rows})}
    lines = [
        (
            row,
            people[row.entrant_id],
            signed(row.difference),
            [figure_text(key, row.figures[key]) for key in keys if key in row.figures],
        )
        for row in rows
    ]
    context = {
        "lines": lines,
        "columns": tie_break_cells.columns([key for key in keys if rows and key in rows[0].figures]),
        "adjusted": adjusted_of(competition, page.table.rules.scoring.bonus, set(people)),
        "total": len(listing.codes),
        "official_only": official_only,
        "group": page.table.group,
        "more": reverse("competitions:standings", args=[competition.league.slug, competition.slug]),
    }
    return _page(request, competition, "share/embed_standings.html", context)


@framed
def bracket(request: HttpRequest, competition: Competition) -> str:
    """Write the framed bracket.

    `?theme=`, `?section=` of a large bracket, `?player=` to highlight a path, `?lang=`.
    """
    page = bracket_page(
        OUTSIDER, competition.league.slug, competition.slug, player=request.GET.get("player", "").strip()[:LONGEST_NAME]
    )
    parts = parts_of(page.days, page.shape.sources)
    if not page.knock_out:
        raise Http404
    plan = part_of(parts, asked_number(request, "section"), page.own) if parts else None
    part = plan.filled(part_views(OUTSIDER, page, plan.keys)) if plan else None
    context = {
        "part": part if len(parts) > 1 else None,
        "drawing": drawing(part, page.followed.code if page.followed else "") if part else None,
        "days": part.days if part else [],
        "page": page,
        "more": reverse("competitions:bracket", args=[competition.league.slug, competition.slug]),
    }
    return _page(request, competition, "share/embed_bracket.html", context)


def _page(request: HttpRequest, competition: Competition, template: str, context: dict[str, Any]) -> str:
    """Render without the request, so that the page holds nothing about its reader."""
    theme = _one_of(request.GET.get("theme"), THEMES)
    with timezone.override(competition.league.time_zone):
        return render_to_string(template, {**context, "competition": competition, "theme": theme})


def _one_of(asked: str | None, known: Any) -> str:
    return asked if asked in known else ""


# --- Embed code ---


def share(request: HttpRequest, league_slug: str, slug: str) -> HttpResponse:
    """Show the embed code with the chosen settings, and a preview."""
    competition = seen_or_404(request, league_slug, slug)
    if competition.published_at is None:
        raise Http404
    page = head_page(competition)
    kinds = [kind for kind, there in (("standings", page.table_stage), ("bracket", page.knock_out)) if there]
    kind = _one_of(request.GET.get("what"), kinds) or next(iter(kinds), "")
    theme = _one_of(request.GET.get("theme"), THEMES)
    rows = min(max(asked_number(request, "rows") or ROWS, 1), MOST_ROWS)
    path = _frame_path(competition, kind, theme, rows) if kind else ""
    height = AROUND_PX + ROW_PX * rows if kind == "standings" else BRACKET_PX
    context = {
        "page": page,
        "kinds": kinds,
        "kind": kind,
        "theme": theme,
        "rows": rows,
        "most": MOST_ROWS,
        "path": path,
        "height": height,
        "code": frame(absolute(request, path), str(competition), height) if kind else "",
        "area": "competitions",
        "tab": "",
    }
    return render(request, "share/embed_code.html", context)


def _frame_path(competition: Competition, kind: str, theme: str, rows: int) -> str:
    asked = [f"theme={theme}"] if theme else []
    asked += [f"rows={rows}"] if kind == "standings" else []
    language = translation.get_language()
    asked += [f"lang={language}"] if language in dict(settings.LANGUAGES) and language != settings.LANGUAGE_CODE else []
    path = reverse(f"embed:{kind}", args=[competition.league.slug, competition.slug])
    return f"{path}?{'&'.join(asked)}" if asked else path


def frame(address: str, title: str, height: int, *, width: int | str = "100%") -> str:
    """Return the iframe element for this address; sizes in pixels."""
    return (
        f'<iframe src="{escape(address)}" title="{escape(title)}" width="{width}" height="{height}" '
        'loading="lazy" style="border: 0"></iframe>'
    )
