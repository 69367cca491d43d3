"""Keep score: one door to the tile pad, the score pad and the final score of a game."""

from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import pgettext
from django.views.decorators.http import require_http_methods

from games.device import has_device_rules
from league.errors import NotAllowed, Refused
from league.matches import permissions
from league.matches.models.tally import TallyTap
from league.matches.tally.step_down import step_down
from league.matches.tally.tile_log import is_scored, is_tiled
from league.web.matches.pad import Sitting, match_page, sitting_of
from league.web.matches.tiles import why_no_tile_pad


@dataclass(frozen=True, slots=True)
class Depth:
    """One way to keep a game's score.

    `in_use`: it is kept this way already; `why_not`: then without a link; `steps_down`: the address takes a POST.
    """

    name: str
    words: str
    address: str
    in_use: bool = False
    why_not: str = ""
    steps_down: bool = False


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def page(request: HttpRequest, match_id: int, number: int) -> HttpResponse:
    """Offer the ways to keep score: the score pad first to players, the tile pad first to everybody else."""
    try:
        return keep_page(request, sitting_of(request, match_id, number, "matches:keep"))
    except NotAllowed as refused:
        raise PermissionDenied(str(refused)) from refused


def keep_page(request: HttpRequest, here: Sitting) -> HttpResponse:
    """Show the ways; POST goes on with scores in a game that is kept by tiles. Raises NotAllowed."""
    if request.method == "POST":
        return _step_down(request, here)
    sides = [str(side.entrant) for side in here.game.match.sides.select_related("entrant").order_by("number")]
    context: dict[str, Any] = {
        "depths": _depths(here, len(sides)),
        "match": here.game.match,
        "game": here.game,
        "sides": sides,
        "back": match_page(here),
        "area": "competitions",
    }
    return render(request, "matches/keep.html", context)


def _depths(here: Sitting, sides: int) -> list[Depth]:
    taps = list(TallyTap.objects.filter(game=here.game).order_by("number"))
    tiled = is_tiled(taps)
    scored, two = is_scored(taps), sides == 2
    score_pad, tile_pad = _score_pad(here, in_use=scored, two=two), _tile_pad(here, sides, in_use=tiled)
    pads = [score_pad, tile_pad] if here.one.plays and two else [tile_pad, score_pad]
    if tiled:
        pads = [tile_pad, *([_only_scores(here)] if two else [])]
    elif scored:
        pads = [score_pad]
    return [*pads, *([_final_score(here)] if permissions.why_not_enter(here.one) is None else [])]


def _score_pad(here: Sitting, *, in_use: bool, two: bool) -> Depth:
    return Depth(
        pgettext("heading", "Score pad"),
        pgettext("keep score", "One tap for each score. The result is a checked tally."),
        here.page("pad"),
        in_use,
        "" if two else pgettext("keep score", "For two sides only."),
    )


def _tile_pad(here: Sitting, sides: int, *, in_use: bool) -> Depth:
    return Depth(
        pgettext("heading", "Tile pad"),
        pgettext(
            "keep score", "Every tile, about 30 taps a hand. The referee proves the result, and there is a replay."
        ),
        here.page("tiles"),
        in_use,
        _why_no_tiles(here, sides),
    )


def _only_scores(here: Sitting) -> Depth:
    return Depth(
        pgettext("heading", "Score pad"),
        pgettext(
            "keep score",
            "Go on with one tap for each score. The tiles so far are kept, and the scores of their hands are checked "
            "against them at the end. Not back to tiles.",
        ),
        here.page("keep"),
        steps_down=True,
    )


def _step_down(request: HttpRequest, here: Sitting) -> HttpResponse:
    try:
        step_down(here.game, here.keeper)
    except Refused as refused:
        if refused.code != "no-tiles":  # another phone was faster
            messages.error(request, str(refused))
            return redirect(here.page("keep"))
    return redirect(here.page("pad"))


def _why_no_tiles(here: Sitting, sides: int) -> str:
    if not has_device_rules(here.rules, sides):
        return why_no_tile_pad(sides)
    refusal = permissions.why_not_submit(here.one)
    return str(refusal) if refusal else ""


def _final_score(here: Sitting) -> Depth:
    return Depth(
        pgettext("heading", "Final score"),
        pgettext("keep score", "Only how the game ended."),
        match_page(here) if here.one.guest else reverse("matches:score", args=[here.game.match_id, here.game.number]),
    )
