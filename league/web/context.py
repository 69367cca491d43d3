"""What every page knows."""

from django.conf import settings
from django.http import HttpRequest
from django.utils.translation import get_language_info


def site(request: HttpRequest) -> dict[str, object]:
    """`languages`: (code, its own name) of each language to choose from, empty where there is only one. `has_mail`:
    whether the site can send mail.
    """
    languages = [(code, get_language_info(code)["name_local"]) for code, _ in settings.LANGUAGES]
    return {"languages": languages if len(languages) > 1 else [], "has_mail": settings.HAS_MAIL}
