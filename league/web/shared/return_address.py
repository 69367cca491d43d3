"""Return address of a form: the page from which it was sent."""

from django.http import HttpRequest
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme, urlencode

from league.matches import permissions
from league.matches.models import Game
from league.matches.results.standing import official_result


def next_page(request: HttpRequest, default: str) -> str:
    """Return `next` of the form, else of the address, if it is the path of a page of this site, else the default."""
    back = request.POST.get("next", request.GET.get("next", ""))
    here = back.startswith("/") and url_has_allowed_host_and_scheme(
        back, {request.get_host()}, require_https=request.is_secure()
    )
    return back if here else default


def correction_of(match_id: int, number: int, *, back: str) -> str:
    """Return the address of the correction of a game's result, which returns to the page `back`."""
    return f"{reverse('matches:amend', args=[match_id, number])}?{urlencode({'next': back})}"


def own_correction(request: HttpRequest, game: Game, *, back: str) -> str:
    """Return the address at which the asker corrects an official result, else an empty text."""
    if official_result(game) is None or permissions.why_not_amend(permissions.actor(request.user, game.match)):
        return ""
    return correction_of(game.match_id, game.number, back=back)
