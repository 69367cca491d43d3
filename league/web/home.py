"""Home page: live, latest and upcoming matches."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import cache_control, never_cache
from django.views.decorators.http import conditional_page, require_safe

from league.accounts.queries import may_found_somewhere
from league.accounts.services import is_empty
from league.competitions.queries.home import LIVE_SHOWN, home, live_now
from league.competitions.queries.my_next import MyNext
from league.competitions.registration.opening import open_competitions
from league.disputes.calls.queries import calls_waiting
from league.matches.queries.lines import match_lines
from league.matches.visibility import visible_matches
from league.web.charts.mini_boards import mini_boards
from league.web.components.inbox import AT_HOME, inbox_of
from league.web.components.match_rows import by_round
from league.web.components.score_fields import number_of
from league.web.matches.live_scores import MOST_WATCHED, stands
from league.web.shared.following import names_followed
from league.web.shared.page_cache import kept_page
from league.web.shared.phone import calls_for, is_player, matches_to_score, next_match
from league.web.words.reachable_places import sentences

OPEN_SHOWN = 6


@kept_page
def index(request: HttpRequest) -> HttpResponse:
    """Show the home page; without any account redirect to the first account's page."""
    page = home(request.user, timezone.localtime(), names_followed(request))
    if not page.leagues and is_empty():
        return redirect("accounts:first")
    context = own_match(request) | {
        "page": page,
        "live": page.live,
        "boards": mini_boards([*page.live.lines, *page.latest]),
        "inbox": inbox_of(request, AT_HOME),
        "referee_calls": calls_waiting(request.user),
        "own": calls_for(request),
        "upcoming": by_round(page.upcoming, page.places),
        "latest": by_round(page.latest, page.places),
        "may_found": not page.competitions and may_found_somewhere(request.user),
        "open_ones": list(open_competitions(timezone.now())[:OPEN_SHOWN]),
    }
    return render(request, "home/index.html", context)


def own_match(request: HttpRequest) -> dict[str, object]:
    """Return the values of the reader's own match; `plays`: the reader is known as a player."""
    found = next_match(request)
    return {
        "mine": found,
        "plays": found is not None or is_player(request),
        "prospect": sentences_of(found),
        "to_score": matches_to_score(request),
        "now": timezone.now(),
    }


@require_safe
@never_cache
def mine(request: HttpRequest) -> HttpResponse:
    """Show the reader's own match, for the home page's script."""
    return render(request, "home/mine.html", own_match(request))


def sentences_of(found: MyNext | None) -> list[str]:
    """Return sentences on the final places in reach of the reader."""
    if found is None or found.standing is None or found.standing.prospect is None:
        return []
    prospect = found.standing.prospect
    names = [side.name for side in found.opponents if side.entrant_id == prospect.next_opponent]
    return sentences(prospect, names[0] if names else "")


@require_safe
@never_cache
@kept_page
def live(request: HttpRequest) -> HttpResponse:
    """Show the live matches, for the home page's script.

    The list as it is now; with `?shown=7,4` only those matches, and the number of further ones. Mini boards come with a
    new list only: a board added later would move the content below it.
    """
    asked = request.GET.get("shown")
    shown = None if asked is None else [number_of(one) or 0 for one in asked.split(",")[:LIVE_SHOWN] if one]
    found = live_now(request.user, timezone.localtime(), names_followed(request), shown)
    boards = mini_boards(found.lines) if shown is None else {}
    return render(request, "home/live.html", {"live": found, "now": timezone.now(), "boards": boards})


@require_safe
@cache_control(private=True, no_cache=True)
@conditional_page
@kept_page
def scores(request: HttpRequest) -> HttpResponse:
    """Show running scores of the matches `?of=7,4`, for a page's script.

    A fingerprint changes with everything else of these matches. A browser asks by ETag, and gets nothing new without
    bytes.
    """
    asked = [number_of(one) or 0 for one in request.GET.get("of", "").split(",")[:MOST_WATCHED] if one]
    lines = match_lines(visible_matches(request.user).filter(pk__in=asked), request.user)
    return render(request, "home/scores.html", {"lines": lines, "stands": stands(lines)})
