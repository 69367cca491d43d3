"""Show of a competition: a hall screen that cycles pairings, clocks, standings, calls and bracket."""

from collections.abc import Sequence
from typing import Any
from urllib.parse import urlencode

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone

from league.accounts.models import League
from league.competitions.models import Competition
from league.competitions.queries.hall import hall
from league.competitions.queries.hall_tables import NotReady
from league.competitions.visibility import seen_competition
from league.matches.clock.state import since_epoch
from league.web.screens.dials import dial
from league.web.screens.scenes import OUTSIDER, SCENES, Evening, SceneName, ScenePage, evening_of
from league.web.shared.absolute_url import absolute, public_code

SECONDS = {
    SceneName.CALLS: 12,
    SceneName.PAIRINGS: 12,
    SceneName.CLOCKS: 12,
    SceneName.STANDINGS: 20,
    SceneName.BRACKET: 20,
}


def page(request: HttpRequest, league: League, slug: str) -> HttpResponse:
    """Show a page of a scene, as the public sees it.

    `?at=` names the scene and `?page=` its page; with `?show=` the screen stays with that scene. The number of
    statements does not grow with rounds, matches and places.
    """
    try:
        competition = seen_competition(OUTSIDER, league.slug, slug)
    except Competition.DoesNotExist as absent:
        raise Http404 from absent
    found = hall(OUTSIDER, league, timezone.now(), slug=slug)
    evening = evening_of(competition, found)
    scenes = evening.scenes
    fixed = _named(request, "show")
    scene = fixed or _current(scenes, _named(request, "at"))
    shown = SCENES[scene](evening, request)
    return render(request, "screens/show.html", _context(request, evening, scenes, scene, shown))


def _named(request: HttpRequest, parameter: str) -> SceneName | None:
    asked = request.GET.get(parameter, "")
    return SceneName(asked) if asked in list(SceneName) else None


def _current(scenes: Sequence[SceneName], asked: SceneName | None) -> SceneName:
    """Return the scene asked for, or the next one that has something to show."""
    order = list(SceneName)
    first = order.index(asked) if asked else 0
    return next(one for one in order[first:] + order[:first] if one in scenes)


def _context(
    request: HttpRequest, evening: Evening, scenes: Sequence[SceneName], scene: SceneName, shown: ScenePage
) -> dict[str, Any]:
    competition, found = evening.competition, evening.hall
    fixed = "show" if _named(request, "show") else "at"
    after = scene if fixed == "show" or shown.following else _after(scenes, scene)
    follow = absolute(request, reverse("competitions:detail", args=[competition.league.slug, competition.slug]))
    size, code = public_code(follow)
    return shown.context | {
        "league": competition.league,
        "competition": competition,
        "scene": scene.value,
        "template": f"screens/show_{scene}.html",
        "shown": shown,
        "main": dial(found.main, "main") if found.main else None,
        "over": sum(one.why_not is NotReady.PLAYED for one in found.tables),
        "tables": len(found.tables),
        "following": _address(competition, **{fixed: after.value}, **shown.following),
        "here": "" if {"at", "show"} & request.GET.keys() else _address(competition, at=scene.value),
        "only": _address(competition, show=scene.value) if fixed == "at" else "",
        "all": _address(competition),
        "called": max((since_epoch(one.match.called_at) for one in found.calls if one.match), default=0),
        "to_calls": _address(competition, at=SceneName.CALLS.value) if fixed == "at" else "",
        "seconds": SECONDS[scene],
        "size": size,
        "path": code,
        "now": found.now,
        "now_ms": since_epoch(found.now),
    }


def _after(scenes: Sequence[SceneName], scene: SceneName) -> SceneName:
    return scenes[(scenes.index(scene) + 1) % len(scenes)]


def _address(competition: Competition, **changes: object) -> str:
    """Return the address of another scene or page."""
    return f"?{urlencode({'competition': competition.slug, **changes})}"
