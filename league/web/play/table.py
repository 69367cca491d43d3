"""Practice table: the hand, the table, and what happened. Forms alone are enough to play; a script adds clicks,
drags and keys (static/web/play/practice.js).
"""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import pgettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from games.rulesets import RULESETS
from league.errors import Refused
from league.play.models import PracticeGame
from league.play.queries import PracticeView, practice_view
from league.play.services import PracticeAct, act
from league.web.matches.replay import replay_of_text, shown_round
from league.web.matches.replay_html import board_html
from league.web.shared.absolute_url import absolute
from league.web.words import labels, practice

STATUS = {"stale-table": 409, "illegal-move": 422}


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def table(request: HttpRequest, code: str) -> HttpResponse:
    """Show the table; a POST makes a move."""
    if request.method != "POST":
        return _page(request, code)
    try:
        act(code, _line(request), _asked(request))
    except PracticeGame.DoesNotExist:
        raise Http404 from None
    except Refused as refused:
        return _page(request, code, error=str(refused), status=STATUS[refused.code])
    return redirect("play:table", code)


@require_safe
@never_cache
def log(request: HttpRequest, code: str) -> HttpResponse:
    """Send the log of a finished game."""
    view = _view(code)
    if not view.result:
        raise Http404
    return HttpResponse(view.result, content_type="text/plain; charset=utf-8")


def _line(request: HttpRequest) -> int:
    text = request.POST.get("line", "")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 7 else -1


def _asked(request: HttpRequest) -> PracticeAct:
    sent = request.POST
    do, muggins = sent.get("do", "play"), "muggins" in sent
    if do == "deal" or do == "muggins":
        return PracticeAct(do)
    if do == "draw":
        return PracticeAct(do, muggins=muggins)
    points = sent.get("points", "")
    announced = int(points) if points.isascii() and points.isdigit() and len(points) < 4 else None
    return PracticeAct("play", sent.get("tile", ""), sent.get("on", ""), announced, muggins)


def _view(code: str) -> PracticeView:
    try:
        return practice_view(code)
    except PracticeGame.DoesNotExist:
        raise Http404 from None


def _page(request: HttpRequest, code: str, *, error: str = "", status: int = 200) -> HttpResponse:
    view = _view(code)
    names = (pgettext("practice", "Player"), pgettext("practice", "Computer"))
    shown = shown_round(view.seen, view.shown, names)
    context: dict[str, Any] = {
        "view": view,
        "last": view.shown.frames[-1],
        "name": RULESETS[view.ruleset].name,
        "level": practice.level_name(view.level),
        "rules": practice.options_in_words(view.options),
        "words": practice.aloud(),
        "board": board_html(shown, marked=False) if shown.picture else "",
        "laid": [one.tile for one in view.shown.trail],
        "ends": practice.ends(view),
        "events": practice.told(view)[::-1],
        "error": error,
        "chosen": request.POST.get("tile", "") if error else "",
        "area": "play",
    }
    if view.state == "over":
        context |= {
            "label": labels.VERDICTS[view.status],
            "replay": replay_of_text(view.result, names, request.GET.get("rounds", "")),
            "wins": practice.wins(view),
            "lines": view.result.splitlines(),
            "address": absolute(request, request.path),
        }
    return render(request, "play/table.html", context, status=status)
