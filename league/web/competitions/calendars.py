"""Calendar feeds: competition, season, league, player, table and own matches."""

import hashlib
import re
from urllib.parse import urlsplit

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.utils import timezone, translation
from django.utils.cache import get_conditional_response
from django.utils.http import http_date
from django.views.decorators.http import require_safe

from league.accounts.models import League
from league.competitions.models import Competition, Season
from league.competitions.queries.calendars import (
    Feed,
    competition_feed,
    entrant_feed,
    league_feed,
    player_feed,
    season_feed,
    table_feed,
    to_ical,
)
from league.competitions.queries.personal_link import entrant_by_door
from league.matches.models import Table
from league.players.models import Entrant, Player
from league.web.shared.absolute_url import absolute

LONGEST_DOOR = 40
# Calendar programs ask about every 15 minutes; caches may answer in between.
FRESH_S = 300


@require_safe
def competition(request: HttpRequest, league_slug: str, slug: str) -> HttpResponse:
    try:
        return _feed(request, competition_feed(league_slug, slug, timezone.now()), slug)
    except Competition.DoesNotExist as absent:
        raise Http404 from absent


@require_safe
def season(request: HttpRequest, league_slug: str, slug: str) -> HttpResponse:
    try:
        return _feed(request, season_feed(league_slug, slug, timezone.now()), slug)
    except Season.DoesNotExist as absent:
        raise Http404 from absent


@require_safe
def league(request: HttpRequest, slug: str) -> HttpResponse:
    try:
        return _feed(request, league_feed(slug, timezone.now()), slug)
    except League.DoesNotExist as absent:
        raise Http404 from absent


@require_safe
def player(request: HttpRequest, code: str) -> HttpResponse:
    """Answer with a player's calendar; 404 for a minor.

    A minor's calendar is behind the personal link.
    """
    try:
        return _feed(request, player_feed(code, timezone.now()), code)
    except Player.DoesNotExist as absent:
        raise Http404 from absent


@require_safe
def table(request: HttpRequest, slug: str, table_id: int) -> HttpResponse:
    found = get_object_or_404(Table.objects.select_related("league"), league__slug=slug, pk=min(table_id, 2**62))
    return _feed(request, table_feed(found, timezone.now()), f"{slug}-{found.pk}")


@require_safe
def personal(request: HttpRequest, secret: str) -> HttpResponse:
    """Answer with the calendar behind a personal link; the link is the credential."""
    try:
        entrant = entrant_by_door(secret[:LONGEST_DOOR])
    except Entrant.DoesNotExist as absent:
        raise Http404 from absent
    answer = _feed(request, entrant_feed(entrant, timezone.now()), "matches")
    answer["Cache-Control"] = "private, no-cache"
    answer["X-Robots-Tag"] = "noindex, nofollow, noarchive"
    return answer


def _feed(request: HttpRequest, feed: Feed, name: str) -> HttpResponse:
    """Answer with the feed and an ETag of its text; 304 if the text is unchanged."""
    root = absolute(request, "/").rstrip("/")
    text = to_ical(feed, host=urlsplit(root).hostname or "localhost", root=root)
    etag = f'"{hashlib.sha256(text).hexdigest()[:32]}"'
    changed = int(feed.changed_at.timestamp()) if feed.changed_at else None
    answer = HttpResponse(
        text,
        content_type="text/calendar; charset=utf-8",
        headers={
            "Content-Disposition": f'inline; filename="{re.sub(r"[^A-Za-z0-9-]", "-", name)}.ics"',
            "X-Content-Type-Options": "nosniff",
            "Cache-Control": f"public, max-age={FRESH_S}",
            # Names of tables and rounds are translated into the reader's language.
            "Vary": "Accept-Language, Cookie",
            "Content-Language": translation.get_language() or "en",
            "ETag": etag,
        },
    )
    if changed is not None:
        answer["Last-Modified"] = http_date(changed)
    # Compare the ETag only: `changed_at` does not cover changed names.
    return get_conditional_response(request, etag=etag, response=answer) or answer
