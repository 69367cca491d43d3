"""Choice of the theme, kept in a cookie for a year."""

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.views.decorators.http import require_POST

from league.web.shared.return_address import next_page
from league.web.shared.themes import COOKIE, Theme

YEAR = 365 * 24 * 3600


@require_POST
def choose(request: HttpRequest) -> HttpResponse:
    """Set the theme and redirect to `next`, if that is a page of this site.

    An unknown theme changes nothing.
    """
    response = HttpResponseRedirect(next_page(request, "/"))
    said = request.POST.get("theme")
    if said == Theme.AUTOMATIC:
        response.delete_cookie(COOKIE, samesite="Lax")
    elif said in Theme.values:
        response.set_cookie(
            COOKIE, said, max_age=YEAR, secure=settings.SESSION_COOKIE_SECURE, httponly=True, samesite="Lax"
        )
    return response
