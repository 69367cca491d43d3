"""Tile pad: every play of a game, tapped, becomes a log that the referee judges.

Its taps go to the addresses of the score pad (league/web/matches/pad.py).
"""

import json
from functools import cache
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.templatetags.static import static
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import pgettext
from django.views.decorators.http import require_safe

from games.device import MOST_SEATS, device_rules, has_device_rules, kinds_of_tiles
from games.ruleset import Announce, Matching, Ruleset, StartTie
from league import qr
from league.errors import NotAllowed
from league.matches import permissions
from league.matches.models import Side
from league.players.models import PEOPLE
from league.web.components.tiles import PRINTED
from league.web.matches.pad import (
    Sitting,
    edition_mark,
    match_page,
    shared_context,
    shared_facts,
    sitting_of,
    worker_keeping,
)
from league.web.shared.absolute_url import absolute
from league.web.words.games.halves import KINDS
from league.web.words.games.tile_pad import words

SCRIPT = "pad/tiles.js"
PADS = ("fold", "store", "link", "face", "core")
TILES = ("colour_rules", "tile_rules", "tile_fold", "tile_keys", "tile_face", "two_phones")
PARTS = tuple(f"pad/{part}.js" for part in (*(f"pad_{part}" for part in PADS), *TILES))
STYLES = ("base/tokens.css", "base/site.css", "pad/pad.css", "pad/tiles.css")
FOLDED_TRIANGLE = ("66656463626160", "55545352515000", "44434241401110", "33323130222120")
"""The 28 keys in four rows; none ever moves (SCREENS.md B-8)."""


@require_safe
@login_required
def page(request: HttpRequest, match_id: int, number: int) -> HttpResponse:
    try:
        return tiles_page(request, sitting_of(request, match_id, number, "matches:tiles"))
    except NotAllowed as refused:
        raise PermissionDenied(str(refused)) from refused


def tiles_page(request: HttpRequest, here: Sitting) -> HttpResponse:
    """Show the tile pad. Raises NotAllowed for somebody who may not hand in a log."""
    if refusal := permissions.why_not_submit(here.one):
        raise refusal
    sides = list(Side.objects.filter(match=here.game.match).select_related(*PEOPLE).order_by("number"))
    if not has_device_rules(here.rules, len(sides)):
        messages.info(request, why_no_tile_pad(len(sides)))
        return redirect(match_page(here))
    names = [str(side.player_of(here.game.number)) for side in sides]
    return render(request, "matches/tiles.html", _context(request, here, names))


def why_no_tile_pad(seats: int) -> str:
    """Return why a game has no tile pad (`has_device_rules`)."""
    if seats > MOST_SEATS:
        return _("The tile pad has room for four names. Write the log as text, or enter the score.")
    return _("The tile pad does not open a dead end again. Write the log as text, or enter the score.")


def _context(request: HttpRequest, here: Sitting, names: list[str]) -> dict[str, Any]:
    rules = here.rules
    marked = rules.matching is Matching.MARKINGS
    return shared_context(here, names) | {
        "heading": pgettext("heading", "Tile pad"),
        "keys": [
            (f"{row[at]}-{row[at + 1]}", _spoken(row[at], row[at + 1]))
            for row in FOLDED_TRIANGLE
            for at in range(0, 14, 2)
            if not marked
        ],
        "lots": not marked or rules.start_tie is StartTie.LOT,
        "kinds": [(kind, PRINTED.get(kind, kind), KINDS.get(kind, kind)) for kind in kinds_of_tiles(rules)],
        "auto": rules.announce is Announce.AUTO,
        "given": json.dumps(_given(request, here, rules, names)),
        "words": json.dumps(words() | {"printed": PRINTED, "kinds": {kind: str(word) for kind, word in KINDS.items()}}),
        "script": static(f"web/{SCRIPT}") + edition(),
        "styles": [static(f"web/{name}") + edition() for name in STYLES],
        "code": _code_of_the_other(request, here),
    }


def _code_of_the_other(request: HttpRequest, here: Sitting) -> dict[str, Any]:
    """Return the address that the other player opens, and its QR code."""
    address = absolute(request, reverse("pads:begin", args=[here.game.match.door]))
    size, path = qr.path(address)
    return {"address": address, "size": size, "path": path}


def _spoken(high: str, low: str) -> str:
    return pgettext("tile pad", "%(high)s %(low)s") % {"high": high, "low": low}


def _given(request: HttpRequest, here: Sitting, rules: Ruleset, names: list[str]) -> dict[str, Any]:
    """Return the script's facts.

    `neutral`: the scorer plays for no side, and may see true sums; `seat`: that of a player of two, who can enter it
    alone (tally/two_phones.py).
    """
    two = len(names) == 2 and rules.matching is Matching.PIPS
    return shared_facts(request, here, names) | {
        "rules": device_rules(rules, len(names)),
        "neutral": not here.one.plays,
        "seat": here.one.side - 1 if here.one.side and two else None,
    }


@require_safe
def worker(request: HttpRequest, match_id: int, number: int) -> HttpResponse:
    """Serve the worker of the tile pad, the same for everybody."""
    return worker_of(reverse("matches:tiles", args=[match_id, number]))


def worker_of(base: str) -> HttpResponse:
    return worker_keeping(base, edition(), (SCRIPT, *STYLES), PARTS)


@cache
def edition() -> str:
    return edition_mark(SCRIPT, *PARTS, *STYLES)
