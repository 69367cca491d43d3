"""Theme of the site, kept in a cookie.

With a cookie a visitor without an account has it too, and the page is right from its first byte, without a script.
"""

from django.db.models import TextChoices
from django.http import HttpRequest
from django.utils.translation import pgettext_lazy

COOKIE = "theme"


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
