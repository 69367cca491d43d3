"""Score entry for one game by a signed-in player of the match, or the desk."""

from collections.abc import Callable

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _

from league.competitions.queries.results_grid import GridRow, rows_of_match
from league.errors import NotAllowed, Refused
from league.matches import permissions
from league.matches.models import Game
from league.matches.queries import lists as queries
from league.web.components.score_fields import BEATS, ENDS, LEVEL, NOBODY
from league.web.matches import entry
from league.web.matches.entry import ScoreDraft
from league.web.shared.guests import person_of


@login_required
def page(request: HttpRequest, match_id: int, number: int) -> HttpResponse:
    """Enter the score of a game.

    `do` of the form: `check` repeats the typed score in words, `change` returns to the form, `send` enters it.
    """
    try:
        game = queries.game_of(request.user, match_id, number)
    except Game.DoesNotExist as absent:
        raise Http404 from absent
    one = permissions.actor(request.user, game.match)
    if refusal := permissions.why_not_enter(one):
        raise PermissionDenied(str(refusal))
    with timezone.override(game.match.league.time_zone):
        rows = rows_of_match(match_id, one, timezone.now())
        row = next((row for row in rows if row.game.pk == game.pk), None)
        if row is None or not row.may_enter:
            messages.info(request, _("This game takes no score now. This is its current state."))
            return redirect("matches:detail", match_id)
        if request.method != "POST":
            return _answer(request, row, one, ScoreDraft())
        act = ACTS.get(request.POST.get("do", ""), _check)
        return act(request, row, one)


def _check(request: HttpRequest, row: GridRow, one: permissions.Actor) -> HttpResponse:
    draft = entry.check(request, row)
    return _answer(request, row, one, draft, status=422 if draft.error else 200)


def _change(request: HttpRequest, row: GridRow, one: permissions.Actor) -> HttpResponse:
    draft = entry.check(request, row)
    return _answer(request, row, one, ScoreDraft(game=draft.game, typed=draft.typed))


def _send(request: HttpRequest, row: GridRow, one: permissions.Actor) -> HttpResponse:
    try:
        said = entry.send(request, row, person_of(request, row.match))
    except NotAllowed as refused:
        raise PermissionDenied(str(refused)) from refused
    except Refused as refused:
        typed = entry.check(request, row).typed
        return _answer(request, row, one, ScoreDraft(game=row.game.pk, typed=typed, error=str(refused)), status=422)
    messages.success(request, _("Entered: %(result)s.") % {"result": said})
    return redirect("matches:detail", row.match.pk)


ACTS: dict[str, Callable[[HttpRequest, GridRow, permissions.Actor], HttpResponse]] = {
    "check": _check,
    "change": _change,
    "send": _send,
}


def _answer(
    request: HttpRequest, row: GridRow, one: permissions.Actor, draft: ScoreDraft, status: int = 200
) -> HttpResponse:
    context = {
        "panel": entry.panel(row, one.side, draft),
        "line": row.line,
        "ends": ENDS,
        "nobody": NOBODY,
        "beats": BEATS,
        "level": LEVEL,
        "area": "competitions",
    }
    return render(request, "matches/score.html", context, status=status)
