"""The gate of the pages that run a league."""

from collections.abc import Callable
from functools import wraps

from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.utils import timezone

from league.accounts.models import League
from league.accounts.permissions import Act, check_may
from league.errors import NotAllowed
from league.web.matches import LONGEST_KEY

View = Callable[..., HttpResponse]


def of_league(act: Act) -> Callable[[View], View]:
    """The view gets the league in the place of `league_slug`, and runs in its time zone.

    Whoever has no role in the league finds nothing (404); whoever's role does not allow `act` is refused (403);
    whoever is not signed in is asked to.
    """

    def decorate(view: View) -> View:
        @login_required
        @wraps(view)
        def answer(request: HttpRequest, league_slug: str, *args: object, **kwargs: object) -> HttpResponse:
            league = League.objects.filter(slug=league_slug, roles__user=request.user).first()
            if league is None:
                raise Http404
            try:
                check_may(request.user, act, league)
            except NotAllowed as refused:
                raise PermissionDenied(str(refused)) from refused
            with timezone.override(league.time_zone):
                return view(request, league, *args, **kwargs)

        return answer

    return decorate


def id_of(text: str) -> int:
    """A key from a form; what is none is nobody's."""
    return int(text) if text.isdecimal() and len(text) <= LONGEST_KEY else 0
