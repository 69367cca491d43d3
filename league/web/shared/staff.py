"""Access and time zone of staff pages."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404
from django.utils import timezone

from league.accounts.models import League
from league.accounts.permissions import Act
from league.competitions.models import Competition
from league.competitions.visibility import refuse_if_cancelled
from league.errors import NotAllowed, Refused
from league.web.shared.access import Inside, door

View = Callable[..., HttpResponse]


def of_league(act: Act) -> Callable[[View], View]:
    """Restrict a view to an act, and run it in the league's time zone.

    The view gets the league in place of `league_slug`; `access.door` checks the act.
    """

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
    """Return a key from a form, 0 for anything else."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= LONGEST_KEY else 0


def competition_of(league: League, slug: str, *, even_cancelled: bool = False) -> Competition:
    """Return a competition of the league. Raises Http404, and Cancelled unless `even_cancelled`."""
    found = get_object_or_404(Competition.objects.select_related("league"), league=league, slug=slug)
    return found if even_cancelled else refuse_if_cancelled(found)


def sent_row(request: HttpRequest, name: str, rows: Any, **where: object) -> Any:
    """Return the row whose key the form names. Raises Http404."""
    return get_object_or_404(rows, pk=id_of(request.POST.get(name, "")), **where)


def carry_out(request: HttpRequest, done: Callable[[], object]) -> bool:
    """Run a service, show a refusal as a message; return whether it succeeded."""
    try:
        done()
    except NotAllowed as refused:
        raise PermissionDenied(str(refused)) from refused
    except Refused as refused:
        messages.error(request, str(refused))
        return False
    return True


LONGEST_KEY = 18
"""Digits of the largest number that every database accepts as a key."""


def number_in(sent: QueryDict, name: str) -> int | None:
    """Return a number of a query or a form; None for anything else, or above any key."""
    text = sent.get(name, "").strip()
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= LONGEST_KEY else None
