"""Online game: invitation, deal, table, and what follows. Forms alone are enough to play; scripts add clicks, drags and
keys (practice.js), and fetch the table when it changes (online.js).
"""

from collections.abc import Callable, Mapping
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from games.moves import SEATS
from games.rulesets import RULESETS
from league.accounts.codes import new_seat_key
from league.errors import NotAllowed, Refused
from league.play.models import OnlineGame
from league.play.online import services
from league.play.online.acts import OnlineAct
from league.play.online.fixtures import link_of
from league.play.online.queries import OWN_TURN, OnlineHand, OnlineView, asked_game, online_view, version_of
from league.play.online.sweep import ask
from league.play.shared_reviews import is_public
from league.web.matches.replay import replay_of_text, shown_round
from league.web.matches.replay_html import board_html
from league.web.play.seat_cookie import key_in, remember_key, remember_seat
from league.web.play.uno_hand import colour_choices, uno_hand, uno_places
from league.web.shared.absolute_url import absolute
from league.web.words import labels
from league.web.words.games import online, practice
from referee.deal_check import SECRET

SEAT_NUMBERS = tuple(map(str, range(len(SEATS))))
CONFLICTS = {"stale-table", "game-over", "not-dealt", "no-free-seat", "agreed-already", "not-over", "seat-is-fixed"}
"""Refusals because the game is not as the page has it (409)."""


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def game(request: HttpRequest, code: str) -> HttpResponse:
    """Show the game; a POST does something in it."""
    if request.method != "POST":
        return _page(request, code)
    try:
        return POSTS.get(request.POST.get("do", ""), _act)(request, code)
    except OnlineGame.DoesNotExist:
        raise Http404 from None
    except Refused as refused:
        status = 403 if isinstance(refused, NotAllowed) else 409 if refused.code in CONFLICTS else 422
        return _page(request, code, error=str(refused), status=status)


@require_safe
@never_cache
def news(request: HttpRequest, code: str) -> HttpResponse:
    """Send the version of the game, and note that the page of a seat is there."""
    found, now = _game(code), timezone.now()
    ask(found, key_in(request), now)
    if found.due_at is not None and found.due_at <= now:
        found = _game(code)
    return HttpResponse(version_of(found, now), content_type="text/plain; charset=utf-8")


@require_safe
@never_cache
def log(request: HttpRequest, code: str) -> HttpResponse:
    """Send the log of a finished game, which opens its deal."""
    view = online_view(_game(code), "", timezone.now())
    if not view.result:
        raise Http404
    return HttpResponse(view.result, content_type="text/plain; charset=utf-8")


@require_safe
@never_cache
def seat(request: HttpRequest, code: str, key: str) -> HttpResponse:
    """Give the seat of a key to this browser too."""
    found = next((one for one in _game(code).seated() if one.key == key), None)
    if found is None:
        raise Http404
    return remember_seat(redirect("play:online_game", code), found)


# ---- Posts


def _act(request: HttpRequest, code: str) -> HttpResponse:
    line = _number(request.POST.get("line", ""))
    services.act(code, key_in(request), -1 if line is None else line, _asked(request))
    return redirect("play:online_game", code)


def _join(request: HttpRequest, code: str) -> HttpResponse:
    key = key_in(request)
    sent = (request.POST.get("name", ""), request.POST.get("words", ""))
    taken = services.join_the_deal(code, *sent, key if len(key) == len(new_seat_key()) else "")
    return remember_seat(redirect("play:online_game", code), taken)


def _leave_seat(request: HttpRequest, code: str) -> HttpResponse:
    services.leave_seat(code, key_in(request))
    return redirect("play:online_game", code)


def _agree(request: HttpRequest, code: str) -> HttpResponse:
    services.agree_to_deal(code, key_in(request), request.POST.get("words", ""))
    return redirect("play:online_game", code)


def _greet(request: HttpRequest, code: str) -> HttpResponse:
    services.greet(code, key_in(request), request.POST.get("greeting", ""))
    return redirect("play:online_game", code)


def _mute(request: HttpRequest, code: str) -> HttpResponse:
    services.mute(code, key_in(request), request.POST.get("muted") == "1")
    return redirect("play:online_game", code)


def _rematch(request: HttpRequest, code: str) -> HttpResponse:
    again = services.play_again(code, key_in(request))
    return remember_seat(redirect("play:online_game", again.game.code), again)


POSTS: Mapping[str, Callable[[HttpRequest, str], HttpResponse]] = {
    "join": _join,
    "leave-seat": _leave_seat,
    "agree": _agree,
    "greet": _greet,
    "mute": _mute,
    "rematch": _rematch,
}


def _asked(request: HttpRequest) -> OnlineAct:
    """Read the act of a form: `catch-2` names a seat, `reopen-g9-g9` a doublet."""
    sent = request.POST
    do, _, about = sent.get("do", "play").partition("-")
    points, colour = _number(sent.get("points", "")), sent.get("colour", "")
    whom = int(about) if about in SEAT_NUMBERS else -1
    match do:
        case "deal" | "muggins" | "concede" | "claim" | "uno" | "four" | "challenge" | "leave":
            return OnlineAct(do)
        case "catch":
            return OnlineAct(do, whom=whom)
        case "draw":
            return OnlineAct(do, muggins="muggins" in sent)
        case "say":
            return OnlineAct(do, points=points)
        case "reopen":
            return OnlineAct(do, on=about, colour=colour)
    return OnlineAct("play", sent.get("tile", ""), sent.get("on", ""), points, "muggins" in sent, colour)


def _number(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 7 else None


# ---- The page


def _game(code: str) -> OnlineGame:
    try:
        return asked_game(code)
    except OnlineGame.DoesNotExist:
        raise Http404 from None


def _page(request: HttpRequest, code: str, *, error: str = "", status: int = 200) -> HttpResponse:
    found, now, key = _game(code), timezone.now(), key_in(request)
    ask(found, key, now)
    if found.due_at is not None and found.due_at <= now:
        found = _game(code)
    view = online_view(found, key, now)
    rules = RULESETS[view.ruleset].with_options(view.options)
    own = reverse("play:online_seat", args=[code, key]) if view.mine else ""
    context: dict[str, Any] = {
        "view": view,
        "name": rules.name,
        "target": rules.target,
        "rules": online.house_rules_in_words(view.options),
        "limits": online.limits_in_words(view, rules.clock_s),
        "error": error,
        "address": absolute(request, request.path),
        "own_address": absolute(request, own) if own else "",
        "greetings": online.GREETINGS,
        "fixture": link_of(found) if view.state in ("waiting", "over") else None,
        "area": "play",
    }
    if view.table is not None:
        context |= _table(request, view, view.table, error)
    if view.state == "over":
        context |= _over(request, view)
        context["review"] = not found.fixture and (view.mine is not None or is_public(found))
    response = render(request, "play/online.html", context, status=status)
    return remember_key(response, code, new_seat_key()) if view.free and not key else response


def _table(request: HttpRequest, view: OnlineView, hand: OnlineHand, error: str) -> dict[str, Any]:
    shown = shown_round(hand.seen, hand.shown, view.names)
    last = hand.shown.frames[-1]
    return {
        "hand": hand,
        "last": last,
        "plates": list(zip(view.seats, hand.scores, last.held, strict=True)),
        "status": online.status(view),
        "words": practice.aloud(),
        "board": board_html(shown, marked=hand.uno is not None) if shown.picture else "",
        "laid": [one.tile for one in hand.shown.trail],
        "late": None if hand.late is None else view.seats[hand.late],
        "ends": online.ends(hand),
        "events": online.told(view, hand)[::-1],
        "chosen": request.POST.get("tile", "") if error else "",
        "now": timezone.now(),
        **(_uno(request, view, hand, error) if hand.uno else {}),
    }


def _uno(request: HttpRequest, view: OnlineView, hand: OnlineHand, error: str) -> dict[str, Any]:
    others = [{"seat": one.number, "name": one.name} for one in view.seats if not one.mine]
    return {
        "tiles": uno_hand(hand.hand),
        "places": uno_places(hand.shown, hand.joins, hand.uno.doublets if hand.uno else ()),
        "opponents": others,
        "after": hand.uno.after if hand.uno and len(others) > 1 and view.state in (*OWN_TURN, "theirs") else None,
        "asks": online.asks(view, hand),
        "colours": colour_choices(),
        "coloured": request.POST.get("colour", "") if error else "",
    }


def _over(request: HttpRequest, view: OnlineView) -> dict[str, Any]:
    return {
        "label": labels.VERDICTS[view.status],
        "replay": replay_of_text(view.result, tuple(view.names), request.GET.get("rounds", "")),
        "wins": online.wins(view),
        "lines": view.result.splitlines(),
        "opened": f"[{SECRET} " in view.result,
    }
