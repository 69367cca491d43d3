"""The gate of the pages that run a league, and its clock."""

from collections.abc import Callable
from functools import wraps

from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from league.accounts.permissions import Act
from league.web.matches.detail import LONGEST_KEY
from league.web.shared.access import Inside, door

View = Callable[..., HttpResponse]


def of_league(act: Act) -> Callable[[View], View]:
    """The view gets the league in the place of `league_slug`, and runs in its time zone; `door` says who may."""

    def decorate(view: View) -> View:
        @door(act)
        def in_its_time(request: HttpRequest, here: Inside, *args: object, **kwargs: object) -> HttpResponse:
            with timezone.override(here.league.time_zone):
                return view(request, here.league, *args, **kwargs)

        @wraps(view)
        def answer(request: HttpRequest, league_slug: str, slug: str = "", **kwargs: object) -> HttpResponse:
            return in_its_time(request, league_slug, *([slug] if slug else []), **kwargs)

        return answer

    return decorate


def id_of(text: str) -> int:
    """A key from a form; what is none is nobody's."""
    return int(text) if text.isdecimal() and len(text) <= LONGEST_KEY else 0
