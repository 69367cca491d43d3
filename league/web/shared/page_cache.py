"""Cache of public pages, valid until the next commit.

The database names the commits that a statement sees (`commits_seen.py`). Two requests that see the same commits see the
same rows, so the second gets the page of the first; after any commit of any process nobody gets the old page. No code
has to announce a change, so none can forget it.
"""

import re
import zlib
from collections.abc import Callable
from datetime import timedelta
from functools import wraps
from hashlib import sha256
from typing import Any

from django.conf import settings
from django.contrib.messages.storage.cookie import CookieStorage
from django.core.cache import cache
from django.db import connection
from django.http import HttpRequest, HttpResponse
from django.middleware.csrf import get_token
from django.utils import timezone
from django.utils.functional import empty
from django.utils.translation import get_language

from league.web.shared.commits_seen import commits_seen

# Events at whole minutes (a start, a closing time, midnight) are never late: no page is kept beyond its minute. Texts
# that count from a second ("as of 21:04:10") may be late by this.
KEPT = timedelta(seconds=5)
# Quotes in text written by people are escaped, so only a form's own field matches.
FIELD = b'name="csrfmiddlewaretoken" value="'
TOKEN = re.compile(re.escape(FIELD) + rb"([A-Za-z0-9]+)")
# Cookies of messages shown once, and of a visitor's session.
OWN_COOKIES = {settings.SESSION_COOKIE_NAME, CookieStorage.cookie_name}

View = Callable[..., HttpResponse]


def kept_page(view: View) -> View:
    """Cache a view's page for visitors with the same cookies who are not signed in.

    Only for pages without personal content; the view answers everybody else each time. The token in the forms of a page
    is the visitor's own.
    """

    @wraps(view)
    def answer(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        key = _key(request)
        if key is None:
            return view(request, *args, **kwargs)
        kept, now = cache.get(key), timezone.now()
        if kept is not None and timedelta() <= now - kept[0] < KEPT and now.minute == kept[0].minute:
            return _given(request, *kept[1:])
        response = view(request, *args, **kwargs)
        if _is_for_anybody(request, response) and (body := _without_tokens(response.content)):
            cache.set(key, (now, zlib.compress(body, level=1), dict(response.headers)), KEPT.seconds)
        return response

    return answer


def of_this_second(response: HttpResponse) -> HttpResponse:
    """Mark a page that shows the current time, so that it is never cached."""
    response.tells_the_time = True
    return response


def _key(request: HttpRequest) -> str | None:
    if request.method != "GET" or not OWN_COOKIES.isdisjoint(request.COOKIES) or request.user.is_authenticated:
        return None
    seen = commits_seen()
    if seen is None:
        return None
    database = connection.settings_dict
    cookies = sorted((name, said) for name, said in request.COOKIES.items() if name != settings.CSRF_COOKIE_NAME)
    which = (database["HOST"], database["PORT"], database["NAME"], seen, request.build_absolute_uri(), get_language())
    return f"page:{sha256(repr((which, cookies)).encode()).hexdigest()}"


def _is_for_anybody(request: HttpRequest, response: HttpResponse) -> bool:
    """Whether a page is for anybody: no visitor's cookie, session or nonce, no clock."""
    nonce = getattr(request, "csp_nonce", None)
    return (
        response.status_code == 200
        and not response.streaming
        and not response.cookies
        and not hasattr(response, "tells_the_time")
        and not request.session.modified
        and (nonce is None or nonce._wrapped is empty)
    )


def _without_tokens(page: bytes) -> bytes | None:
    """Return the page without its tokens, or None if a token is outside a form field."""
    bare = TOKEN.sub(FIELD, page)
    return None if any(token in bare for token in set(TOKEN.findall(page))) else bare


def _given(request: HttpRequest, body: bytes, headers: dict[str, str]) -> HttpResponse:
    field = FIELD + get_token(request).encode() + b'"'
    return HttpResponse(zlib.decompress(body).replace(FIELD + b'"', field), headers=headers)
