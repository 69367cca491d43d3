"""Score pad: its page, its offline service worker, and its taps."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, wraps
from http import HTTPStatus
from typing import Any
from uuid import UUID

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.middleware.csrf import get_token
from django.shortcuts import redirect, render
from django.templatetags.static import static
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import pgettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from games.moves import SEATS
from games.ruleset import Muggins, Ruleset, Spinner
from games.scorecard import awards_of_a_play
from games.settlement import terms
from league.disputes.calls.queries import last_call
from league.errors import NotAllowed, Refused
from league.matches import permissions
from league.matches.clock_acts import ClockAct
from league.matches.models import Game, Side
from league.matches.models.tally import TallyTap
from league.matches.queries import lists as queries
from league.matches.rules import rules_agreed
from league.matches.tally import hand_in as handing_in
from league.matches.tally.queries import TallyState, tally_state
from league.matches.tally.services import Keeper, StaleTally, keep_taps, keeper_of
from league.matches.tally.touches import BadTap, read_batch
from league.players.models import PEOPLE
from league.web.matches.clock import state_of
from league.web.matches.pad_end import done, take_word
from league.web.shared.guests import person_of
from league.web.shared.referee_strip import call_words
from league.web.shared.service_workers import edition_of, worker_script
from league.web.words.games.pad import unit_left, words

SCRIPT = "pad/pad.js"
PARTS = tuple(f"pad/pad_{part}.js" for part in ("fold", "store", "link", "face", "score", "core"))
STYLES = ("base/tokens.css", "base/site.css", "pad/pad.css")


@dataclass(frozen=True, slots=True)
class Sitting:
    """A visitor at the pad of a game.

    `base`: the page's address, prefix of its other addresses.
    """

    game: Game
    who: permissions.Visitor
    one: permissions.Actor
    base: str

    @property
    def keeper(self) -> Keeper:
        """The keeper of the tally. Raises NotAllowed."""
        return keeper_of(self.one)

    @property
    def rules(self) -> Ruleset:
        """Rules of the match. Raises Http404 if the agreed rules are unknown."""
        rules = rules_agreed(self.game.match.ruleset, self.game.match.options)
        if rules is None:
            raise Http404
        return rules

    def page(self, name: str) -> str:
        """Return the address of `keep`, `pad` or `tiles`; without an account that under the code."""
        match = self.game.match
        if self.one.user_id is None:
            return reverse(f"pads:{name}", args=[match.door, self.game.number])
        return reverse(f"matches:{name}", args=[match.pk, self.game.number])


def sitting_of(request: HttpRequest, match_id: int, number: int, view: str = "matches:pad") -> Sitting:
    """Return the sitting of a signed-in visitor at the pad with this page. Raises Http404, NotAllowed."""
    try:
        game = queries.game_of(request.user, match_id, number)
    except Game.DoesNotExist as absent:
        raise Http404 from absent
    return sat_down(game, person_of(request, game.match), reverse(view, args=[match_id, number]))


def sat_down(game: Game, who: permissions.Visitor, base: str) -> Sitting:
    """Return the sitting of any visitor. Raises NotAllowed."""
    here = Sitting(game, who, permissions.actor(who, game.match), base)
    if refusal := permissions.why_not_keep_tally(here.one):
        raise refusal
    return here


# --- The page ---


@require_safe
@login_required
def page(request: HttpRequest, match_id: int, number: int) -> HttpResponse:
    try:
        return pad_page(request, sitting_of(request, match_id, number))
    except NotAllowed as refused:
        raise PermissionDenied(str(refused)) from refused


def pad_page(request: HttpRequest, here: Sitting) -> HttpResponse:
    game, rules = here.game, here.rules
    sides = list(Side.objects.filter(match=game.match).select_related(*PEOPLE).order_by("number"))
    if len(sides) != 2:
        messages.info(request, _("The score pad is for two sides. Use the tile pad, or enter the scores."))
        return redirect(here.page("keep"))
    names = [str(side.entrant) for side in sides]
    context = shared_context(here, names) | {
        "heading": pgettext("heading", "Score pad"),
        "plates": [(seat, SEATS[seat], str(side.entrant), _partners(side)) for seat, side in enumerate(sides)],
        "of_pairs": any(side.entrant.is_pair for side in sides),
        "spinners": rules.spinner is not Spinner.NONE,
        "unit": unit_left(rules),
        "doubles": [f"{pips}-{pips}" for pips in range(7)],
        "given": json.dumps(_given(request, here, rules, names)),
        "words": json.dumps(words()),
        "script": static(f"web/{SCRIPT}") + edition(),
        "styles": [static(f"web/{name}") + edition() for name in STYLES],
    }
    return render(request, "matches/pad.html", context)


def shared_context(here: Sitting, names: list[str]) -> dict[str, Any]:
    """Return what the frame and the keys of every pad show."""
    rules = here.rules
    return {
        "game": here.game,
        "match": here.game.match,
        "halves": [(seat, SEATS[seat], name) for seat, name in enumerate(names)],
        "awards": awards_of_a_play(rules),
        "muggins": rules.muggins is not Muggins.OFF,
        "chips": rules.chips,
        "timed": bool(rules.clock_s),
        "digits": "1234567890",
        "signed_in": here.one.user_id is not None,
        "back": match_page(here),
        "referee": referee_page(here),
        "keep": here.page("keep"),
    }


def match_page(here: Sitting) -> str:
    """Return the page to confirm the result on; without an account the table's page."""
    match = here.game.match
    if here.one.user_id is None:
        return reverse("table:match", args=[match.door])
    return reverse("matches:detail", args=[match.pk])


def referee_page(here: Sitting) -> str:
    """Return the page that calls the referee."""
    match = here.game.match
    if here.one.user_id is None:
        return reverse("table:referee", args=[match.door])
    return reverse("matches:referee", args=[match.pk])


def _partners(side: Side) -> list[str]:
    """Return the two names of a pair, for one line each."""
    return [str(player) for player in side.entrant.players] if side.entrant.is_pair else []


def _given(request: HttpRequest, here: Sitting, rules: Ruleset, names: list[str]) -> dict[str, Any]:
    """Return the script's facts about the game."""
    return shared_facts(request, here, names) | {
        "target": rules.target,
        "target_strict": rules.target_strict,
        "chips": rules.chips,
        "spinners": rules.spinner is not Spinner.NONE,
        "terms": terms(rules),
    }


def shared_facts(request: HttpRequest, here: Sitting, names: list[str]) -> dict[str, Any]:
    """Return the facts that every pad's script needs.

    `holds`: a player keeps the tally, so no sum is shown that a muggins call might still take. Both pads send their
    taps to one address.
    """
    match, rules, sends = here.game.match, here.rules, here.page("pad")
    return {
        "names": names,
        "timed": bool(rules.clock_s),
        "holds": rules.muggins is not Muggins.OFF and here.one.plays,
        "side": here.one.side and here.one.side - 1,
        "csrf": get_token(request),
        "addresses": {
            "page": here.base,
            "taps": f"{sends}taps/",
            "hand_in": f"{sends}hand-in/",
            "confirm": f"{sends}confirm/",
            "worker": f"{here.base}worker.js",
            "clock": reverse("matches:run_clock", args=[match.pk, here.game.number]),
            "match": reverse("matches:detail", args=[match.pk]),
        },
    }


# --- Service worker ---


@require_safe
def worker(request: HttpRequest, match_id: int, number: int) -> HttpResponse:
    """Serve the pad's service worker.

    Its address is under the page's, so that its scope is the page only. The same for everybody: it holds no name.
    """
    return worker_of(reverse("matches:pad", args=[match_id, number]))


def worker_of(base: str) -> HttpResponse:
    return worker_keeping(base, edition(), (SCRIPT, *STYLES), PARTS)


def worker_keeping(base: str, mark: str, files: tuple[str, ...], parts: tuple[str, ...]) -> HttpResponse:
    """Serve a pad's worker: it keeps the page at `base`, these files, and the parts of its script."""
    kept = [base, *(static(f"web/{name}") + mark for name in files)]
    # A module imports the others by their plain names, whatever the storage calls the files.
    kept += [f"{settings.STATIC_URL}web/{name}{mark}" for name in parts]
    return worker_script("pad/pad_worker.js", {"EDITION": mark, "KEPT": kept})


@cache
def edition() -> str:
    """Return `?e=…`; it changes with any file of the pad, so that editions never mix."""
    return edition_mark(SCRIPT, *PARTS, *STYLES)


def edition_mark(*files: str) -> str:
    return f"?e={edition_of((*files, 'pad/pad_worker.js'))}"


# --- Taps ---

View = Callable[..., HttpResponse]


def answers_in_json(view: View) -> View:
    """Answer a service's refusal as JSON for the script: `{"code", "detail"}`."""

    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        try:
            return view(request, *args, **kwargs)
        except NotAllowed as refused:
            status = HTTPStatus.UNAUTHORIZED if refused.code == "sign-in" else HTTPStatus.FORBIDDEN
            return _told(refused, status)
        except BadTap as refused:
            return _told(refused, HTTPStatus.UNPROCESSABLE_ENTITY, touch=refused.touch)
        except Refused as refused:
            return _told(refused, HTTPStatus.UNPROCESSABLE_ENTITY)

    return guarded


def _told(refused: Refused, status: HTTPStatus, **more: object) -> JsonResponse:
    return JsonResponse({"code": refused.code, "detail": str(refused), **more}, status=status)


@require_http_methods(["GET", "POST"])
@answers_in_json
def taps(request: HttpRequest, match_id: int, number: int) -> HttpResponse:
    return tell_and_keep(request, sitting_of(request, match_id, number))


def tell_and_keep(request: HttpRequest, here: Sitting) -> HttpResponse:
    """Answer the taps and the keeping pad, after keeping a batch.

    GET `?after=12&pad=…`: the taps since, and the pad that keeps the tally. POST a batch
    (league/matches/tally/touches.py): the same, after it is kept; 409 with the same if another pad keeps the tally.
    """
    if request.method == "GET":
        return _state(request, here, _after(request), _uuid(request.GET.get("pad", "")))
    batch = read_batch(request.body)
    status = HTTPStatus.OK
    try:
        keep_taps(here.game, here.keeper, batch)
    except StaleTally:
        status = HTTPStatus.CONFLICT
    return _state(request, here, batch.after, batch.pad, status)


@require_POST
@answers_in_json
def hand_in(request: HttpRequest, match_id: int, number: int) -> HttpResponse:
    return take_in(request, sitting_of(request, match_id, number))


def take_in(request: HttpRequest, here: Sitting) -> HttpResponse:
    """Hand in the tally's result.

    POST `{"pad", "after", "insist"}`. 409 if it differs from the result that the pad showed.
    """
    batch = read_batch(request.body)
    try:
        handing_in.hand_in(here.game, here.who, pad=batch.pad, after=batch.after, insist=batch.insist)
    except StaleTally:
        return _state(request, here, batch.after, batch.pad, HTTPStatus.CONFLICT)
    return _state(request, here, batch.after, batch.pad)


@require_POST
@answers_in_json
def confirm(request: HttpRequest, match_id: int, number: int) -> HttpResponse:
    return hear_side(request, sitting_of(request, match_id, number))


def hear_side(request: HttpRequest, here: Sitting) -> HttpResponse:
    """Take the word of a side about the result (`pad_end.read_word`), and answer with the state.

    `?after=12&pad=…` as for the taps; `told` of the answer: what to tell the side.
    """
    told = take_word(request, here.game, here.who, here.one)
    return _state(request, here, _after(request), _uuid(request.GET.get("pad", "")), told=told)


def _state(
    request: HttpRequest,
    here: Sitting,
    after: int,
    pad: UUID | None,
    status: HTTPStatus = HTTPStatus.OK,
    told: str = "",
) -> JsonResponse:
    now = timezone.now()
    found = tally_state(here.game, now)
    answer = JsonResponse(
        {
            "taps": [_tap(tap, found) for tap in found.taps[after:]],
            "last": found.last,
            "keeper": found.keeping
            and {
                "mine": found.keeping.is_kept_by(pad),
                "seat": found.keeping.seat_of(pad),
                "seats": sorted(found.keeping.seats),
                "name": found.keeping.name,
                "since": found.keeping.since.isoformat(),
            },
            "clock": _clock(found, here.one),
            "closed": found.closed,
            "scored": found.scored,
            "done": done(found, here.game, here.one),
            "told": told,
            "call": call_words(last_call(here.game.match_id, now), now),
            "csrf": get_token(request),
        },
        status=status,
    )
    answer["Cache-Control"] = "no-store"
    return answer


def _tap(tap: TallyTap, found: TallyState) -> dict[str, Any]:
    return {
        "n": tap.number,
        "id": str(tap.touch),
        "kind": tap.kind,
        "seat": tap.seat,
        "points": tap.points,
        "spinner": tap.spinner,
        "ended": tap.ended or None,
        "winner": tap.winner,
        "left": tap.left,
        "line": tap.line,
        "of": str(found.touches[tap.of]) if tap.of else None,
        "clock_ms": tap.clock_ms,
        "at": int(tap.tapped_at.timestamp() * 1000),
        "mono": tap.mono_ms,
        "ruled": str(tap.by) if tap.ruled else None,
        "side": tap.for_side,
    }


def _clock(found: TallyState, one: permissions.Actor) -> dict[str, Any] | None:
    if found.clock is None:
        return None
    may = permissions.why_not_run_clock(one, ClockAct.PAUSE) is None
    return state_of(found.clock) | {"length_ms": found.clock.reading.length_ms, "may": may}


def _after(request: HttpRequest) -> int:
    text = request.GET.get("after", "")
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= 9 else 0


def _uuid(text: str) -> UUID | None:
    try:
        return UUID(text)
    except ValueError:
        return None
