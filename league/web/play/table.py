"""Practice table: the hand, the table, and what happened. Forms alone are enough to play; a script adds clicks,
drags and keys (static/web/play/practice.js).
"""

from collections.abc import Sequence
from typing import Any

from allauth.core.internal.ratelimit import get_ip
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from games.rulesets import RULESETS
from league.accounts import attempts
from league.errors import Refused
from league.play.acts import PracticeAct
from league.play.hints import Hint, hints
from league.play.models import PracticeGame
from league.play.queries import PracticeView, practice_view
from league.play.services import act
from league.web.matches.replay import replay_of_text, shown_round
from league.web.matches.replay_html import board_html
from league.web.play.uno_hand import colour_choices, uno_hand, uno_places
from league.web.shared.absolute_url import absolute
from league.web.words import labels
from league.web.words.games import practice, practice_events, practice_review, practice_uno

STATUS = {"stale-table": 409, "illegal-move": 422}


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def table(request: HttpRequest, code: str) -> HttpResponse:
    """Show the table; a POST makes a move."""
    if request.method != "POST":
        return _page(request, code)
    try:
        if request.POST.get("do") == "hint":
            if attempts.count(attempts.HINT, "address", get_ip(request)):
                error = _("Too many hints were asked for from here. Please wait some minutes.")
                return _page(request, code, error=error, status=429)
            return _page(request, code, hint=hints(code, _line(request)))
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
    do, _, about = sent.get("do", "play").partition("-")
    return PracticeAct(
        do,
        tile=sent.get("tile", ""),
        on=about if do == "reopen" else sent.get("on", ""),
        points=_number(sent.get("points", "")),
        muggins="muggins" in sent,
        colour=sent.get("colour", ""),
        whom=int(about) if about in ("1", "2", "3") else -1,
    )


def _number(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 4 else None


def _view(code: str) -> PracticeView:
    try:
        return practice_view(code)
    except PracticeGame.DoesNotExist:
        raise Http404 from None


def _page(
    request: HttpRequest, code: str, *, error: str = "", hint: Sequence[Hint] = (), status: int = 200
) -> HttpResponse:
    view = _view(code)
    names = practice.names_of(view.seats)
    shown = shown_round(view.seen, view.shown, names)
    context: dict[str, Any] = {
        "view": view,
        "last": view.shown.frames[-1],
        "name": RULESETS[view.ruleset].name,
        "level": practice.level_name(view.level),
        "rules": practice.options_in_words(view.options),
        "words": practice.aloud(),
        "plates": practice.plates(view),
        "asks": practice.asks(view),
        "score": practice.score_aloud(view),
        "board": board_html(shown, marked=not view.seen.counts) if shown.picture else "",
        "laid": [one.tile for one in view.shown.trail],
        "ends": practice.ends(view),
        "events": (practice_uno if view.uno else practice_events).told(view)[::-1],
        "error": error,
        "chosen": hint[0].tile if hint else request.POST.get("tile", "") if error else "",
        "coloured": hint[0].colour if hint else request.POST.get("colour", "") if error else "",
        "hint": practice_review.hint(hint),
        "area": "play",
    }
    if view.uno:
        context["hand"] = uno_hand(view.hand)
        context["places"] = uno_places(view.shown, view.joins, view.uno.doublets)
        context["opponents"] = context["plates"][1:]
        context["colours"] = colour_choices()
    if view.state == "over":
        context |= {
            "label": labels.VERDICTS[view.status],
            "replay": replay_of_text(view.result, names, request.GET.get("rounds", "")),
            "wins": practice.wins(view),
            "lines": view.result.splitlines(),
            "address": absolute(request, request.path),
        }
    return render(request, "play/table.html", context, status=status)
