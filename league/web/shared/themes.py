"""Theme of the site, kept in a cookie.

With a cookie a visitor without an account has it too, and the page is right from its first byte, without a script.
"""

from django.conf import settings
from django.db.models import TextChoices
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import pgettext_lazy
from django.views.decorators.http import require_POST

COOKIE = "theme"
YEAR = 365 * 24 * 3600


class Theme(TextChoices):
    """Theme by its `data-theme` value for tokens.css; AUTOMATIC has none."""

    AUTOMATIC = "", pgettext_lazy("theme", "Automatic")
    LIGHT = "light", pgettext_lazy("theme", "Light")
    DARK = "dark", pgettext_lazy("theme", "Dark")
    CONTRAST = "contrast", pgettext_lazy("theme", "High contrast")
    HALL = "hall", pgettext_lazy("theme", "Hall")

    @property
    def scheme(self) -> str:
        """Value for the page's `color-scheme`.

        It styles fields, bars and the blank page before any style sheet.
        """
        return {"": "light dark", "light": "light", "hall": "light"}.get(self.value, "dark")


def theme_of(request: HttpRequest) -> Theme:
    """Return the chosen theme; automatic without a choice, or for an unknown theme."""
    said = request.COOKIES.get(COOKIE, "")
    return Theme(said) if said in Theme.values else Theme.AUTOMATIC


@require_POST
def choose(request: HttpRequest) -> HttpResponse:
    """Set the theme and redirect to `next`, if that is a page of this site.

    An unknown theme changes nothing.
    """
    back = request.POST.get("next", "")
    if not url_has_allowed_host_and_scheme(back, {request.get_host()}, require_https=request.is_secure()):
        back = "/"
    response = HttpResponseRedirect(back)
    said = request.POST.get("theme")
    if said == Theme.AUTOMATIC:
        response.delete_cookie(COOKIE, samesite="Lax")
    elif said in Theme.values:
        response.set_cookie(
            COOKIE, said, max_age=YEAR, secure=settings.SESSION_COOKIE_SECURE, httponly=True, samesite="Lax"
        )
    return response
