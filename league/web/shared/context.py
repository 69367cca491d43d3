"""Template context of every page."""

from django.conf import settings
from django.http import HttpRequest
from django.utils.translation import get_language_info

from league.accounts.permissions import STAFF, leagues_where
from league.prepared_statements import FixedSelect, GivenUser
from league.web.shared.themes import Theme, theme_of


def site(request: HttpRequest) -> dict[str, object]:
    """Return the context of the site.

    `languages`: (code, its own name) of each language, empty for a single language; `has_https`: whether the site also
    answers https (`serve --lan`); `has_mail`: whether it can send mail; `organizes`: whether the user is staff of a
    league, queried only if shown; `streams`: whether pages follow a stream; `theme`: the choice from `themes`.
    """
    languages = [(code, get_language_info(code)["name_local"]) for code, _ in settings.LANGUAGES]
    return {
        "languages": languages if len(languages) > 1 else [],
        "has_https": bool(settings.HTTPS_PORT),
        "has_mail": settings.HAS_MAIL,
        "theme": theme_of(request),
        "themes": list(Theme),
        "streams": settings.STREAMS,
        "organizes": lambda: _organizes(request),
    }


def _organizes(request: HttpRequest) -> bool:
    user = getattr(request, "user", None)
    return bool(user and user.is_authenticated and _STAFF_OF.rows(user=user.pk))


_STAFF_OF = FixedSelect(lambda: leagues_where(GivenUser(), STAFF).order_by()[:1])  # type: ignore[arg-type]
