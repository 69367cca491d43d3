"""Match page: score, rounds, verdict, findings, log, confirmation of the result."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from league.competitions.queries.former_cards import new_places
from league.competitions.queries.lists import competition_of
from league.errors import NotAllowed, Refused
from league.matches.logs import submission
from league.matches.models import Match
from league.matches.queries.match import MatchPage, match_page, result_to_confirm
from league.matches.rules import rules_agreed
from league.play.online.fixtures import next_online, online_now
from league.play.shared_reviews import links_of
from league.web.components.disputes import dispute_notices
from league.web.components.ruled_lines import with_rulings
from league.web.matches.before import before_match
from league.web.matches.clock import REFRESH_S, ring_what_is_due
from league.web.matches.hours import hours_in_words
from league.web.matches.live_game import LiveGame, live_game
from league.web.matches.live_scores import AwaitedScores, watched
from league.web.matches.moved import moved
from league.web.matches.rounds import GameSheet, sheet_of
from league.web.matches.story import story_of
from league.web.shared.following import follow_buttons
from league.web.shared.guests import person_of
from league.web.shared.open_graph import preview_of_match
from league.web.shared.page_cache import kept_page, of_this_second
from league.web.shared.phone import calls_for
from league.web.shared.referee_strip import strip_for
from league.web.shared.return_address import next_page
from league.web.shared.staff import number_in
from league.web.words.result_sentence import result_sentence, winning_words


@kept_page
def detail(request: HttpRequest, match_id: int) -> HttpResponse:
    """Show the page of a match.

    `?record=` shows an older log instead of the log behind the result, `?rounds=` another part of a long log.
    """
    try:
        page = _page(request, match_id)
    except Http404:
        if (found := new_places(match=match_id)) and (found.places or found.competition.cancelled_at):
            return moved(request, found)
        raise
    if ring_what_is_due([view.clock.view for view in page.games if view.clock]):
        page = _page(request, match_id)
    rounds = request.GET.get("rounds", "")
    protests = dispute_notices(match_id, [side.name for side in page.sides], concerned=page.concerned)
    games = [with_rulings(view) for view in page.games] if any(one.is_ruled for one in protests) else page.games
    sheets: list[GameSheet] = [sheet_of(view, page.sides, rounds) for view in games]
    seen, buttons = watched([page.line], timezone.now()), follow_buttons(request, page.line)
    asked = page.amendment_waits or any(one.is_open for one in protests)
    story = story_of(page, sheets, in_question=asked)
    context = {
        "page": page,
        "preview": preview_of_match(request, page, [one.sentence for one in story]),
        "story": story,
        "sheets": sheets,
        "headline": result_sentence(page.line),
        "wins": winning_words(page.line),
        "single": sheets[0] if len(sheets) == 1 else None,
        "checking": any(view.checking for view in page.games),
        "refresh": _refresh(page, sheets, seen),
        "watched": seen,
        "live": _live(page),
        "sides_to_follow": buttons,
        "follows_some": any(one.on for one in buttons),
        "before": before_match(request.user, page, timezone.now()),
        "hours": hours_in_words(page, timezone.now()),
        "online": next_online(page),
        "online_now": online_now(page),
        "move_reviews": links_of(page),
        "own": calls_for(request),
        "referee": strip_for(page.one, page.match, [side.name for side in page.sides]),
        "replays": any(sheet.replay for sheet in sheets),
        "found": any(sheet.findings for sheet in sheets),
        "timed": any(sheet.clock for sheet in sheets),
        "protests": protests,
        "place": competition_of([match_id]).get(match_id),
        "area": "competitions",
    }
    answer = render(request, "matches/detail.html", context)
    runs = any(sheet.clock and sheet.clock.refresh for sheet in sheets)
    return of_this_second(answer) if runs else answer


def _live(page: MatchPage) -> LiveGame | None:
    """Return the public part of the game in play. One statement while a game is live."""
    live = page.line.live
    if live is None:
        return None
    game = next(view.game for view in page.games if view.game.number == live.number)
    rules = rules_agreed(page.match.ruleset, page.match.options)
    return live_game(game.pk, live, rules, [side.name for side in page.sides])


def _refresh(page: MatchPage, sheets: list[GameSheet], seen: AwaitedScores) -> int | None:
    """Return the seconds until a page without a script refreshes, or None."""
    waits = [sheet.clock.refresh for sheet in sheets if sheet.clock and sheet.clock.refresh]
    return min([*waits, *([REFRESH_S] if page.line.live or seen.soon else [])], default=None)


@require_POST
@login_required
def confirm(request: HttpRequest, match_id: int) -> HttpResponse:
    """Confirm the result named in the form.

    A refusal shows on the page that sent the form, and nothing changes.
    """
    back = next_page(request, reverse("matches:detail", args=[match_id]))
    try:
        result = result_to_confirm(request.user, match_id, number_in(request.POST, "result") or 0)
    except Match.DoesNotExist as absent:
        raise Http404 from absent
    if result is None:
        messages.error(request, _("That result was replaced while you were looking. Please check the one shown now."))
        return redirect(back)
    try:
        submission.confirm_result(result=result, user=person_of(request, result.game.match))
    except NotAllowed as refused:
        raise PermissionDenied(str(refused)) from refused
    except Refused as refused:
        messages.error(request, str(refused))
    else:
        messages.success(request, _("The result is confirmed now. The standings count it."))
    return redirect(back)


def log(request: HttpRequest, match_id: int, record_id: int) -> HttpResponse:
    """Serve one log as shown, with names, as a file."""
    page = match_page_or_404(request, match_id, record_id)
    view = next((view for view in page.games if view.record and view.record.pk == record_id), None)
    if view is None or view.sheet is not None:
        raise Http404
    text = "".join(f"{line.text}\n" for line in view.log)
    return HttpResponse(
        text,
        content_type="text/plain; charset=utf-8",
        headers={
            "Content-Disposition": f'attachment; filename="{view.game.code}.domino"',
            "X-Content-Type-Options": "nosniff",
        },
    )


def match_page_or_404(request: HttpRequest, match_id: int, record_id: int | None) -> MatchPage:
    try:
        return match_page(request.user, match_id, record_id=record_id)
    except Match.DoesNotExist as absent:
        raise Http404 from absent


def _page(request: HttpRequest, match_id: int) -> MatchPage:
    return match_page_or_404(request, match_id, number_in(request.GET, "record"))
