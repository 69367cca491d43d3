"""What every page knows."""

from django.conf import settings
from django.http import HttpRequest
from django.utils.translation import get_language_info

from league.accounts.permissions import STAFF, leagues_where
from league.web.shared.themes import Theme, theme_of


def site(request: HttpRequest) -> dict[str, object]:
    """`languages`: (code, its own name) of each language to choose from, empty where there is only one. `has_mail`:
    whether the site can send mail. `organizes`: whether the asker has a part in running a league, asked only where it
    is shown. `theme`: what was chosen of `themes`.
    """
    languages = [(code, get_language_info(code)["name_local"]) for code, _ in settings.LANGUAGES]
    return {
        "languages": languages if len(languages) > 1 else [],
        "has_mail": settings.HAS_MAIL,
        "theme": theme_of(request),
        "themes": list(Theme),
        "organizes": lambda: _organizes(request),
    }


def _organizes(request: HttpRequest) -> bool:
    user = getattr(request, "user", None)
    return bool(user and user.is_authenticated and leagues_where(user, STAFF).exists())
