"""Public pages that are made once for all who look at them before anything changes.

PostgreSQL tells which transactions a statement sees. Two looks that see the same ones see the same rows, so the second
is given the page of the first; after any commit, of whatever process, nobody is given the old one. Nothing has to say
that it changed something, and so nothing can forget to.
"""

import re
import zlib
from collections.abc import Callable
from functools import wraps
from hashlib import sha256
from typing import Any

from django.conf import settings
from django.contrib.messages.storage.cookie import CookieStorage
from django.core.cache import cache
from django.db import connection
from django.http import HttpRequest, HttpResponse
from django.middleware.csrf import get_token
from django.utils.functional import empty
from django.utils.translation import get_language

# What a page says of the time ("in 6 min", "as of 21:04:10") may be late by this.
KEPT_S = 5
# The quotes of what people wrote are escaped, so only a form's own field looks like this.
FIELD = b'name="csrfmiddlewaretoken" value="'
TOKEN = re.compile(re.escape(FIELD) + rb"([A-Za-z0-9]+)")
# What is told once, or kept of a visitor on the site.
OWN_COOKIES = {settings.SESSION_COOKIE_NAME, CookieStorage.cookie_name}

View = Callable[..., HttpResponse]


def kept_page(view: View) -> View:
    """Only for what is the same for everybody who is not signed in and has the same cookies; others are answered by the
    view each time. The token in the forms of a page is the visitor's own.
    """

    @wraps(view)
    def answer(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        key = _key(request)
        if key is None:
            return view(request, *args, **kwargs)
        kept = cache.get(key)
        if kept is not None:
            return _given(request, *kept)
        response = view(request, *args, **kwargs)
        if _is_for_anybody(request, response) and (body := _without_tokens(response.content)):
            cache.set(key, (zlib.compress(body, level=1), dict(response.headers)), KEPT_S)
        return response

    return answer


def of_this_second(response: HttpResponse) -> HttpResponse:
    """Says of a page that it tells the time, so that nobody is given it later."""
    response.tells_the_time = True
    return response


def _key(request: HttpRequest) -> str | None:
    if request.method != "GET" or not OWN_COOKIES.isdisjoint(request.COOKIES) or request.user.is_authenticated:
        return None
    seen = _transactions_seen()
    if seen is None:
        return None
    database = connection.settings_dict
    cookies = sorted((name, said) for name, said in request.COOKIES.items() if name != settings.CSRF_COOKIE_NAME)
    which = (database["HOST"], database["PORT"], database["NAME"], seen, request.build_absolute_uri(), get_language())
    return f"page:{sha256(repr((which, cookies)).encode()).hexdigest()}"


def _transactions_seen() -> str | None:
    """As PostgreSQL writes a snapshot: it has another text once any transaction that wrote has ended. None in a
    transaction, which sees besides what it wrote itself, and on SQLite, which has no such text.
    """
    if connection.vendor != "postgresql" or connection.in_atomic_block:
        return None
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_current_snapshot()::text")
        return str(cursor.fetchone()[0])


def _is_for_anybody(request: HttpRequest, response: HttpResponse) -> bool:
    """Not what was made for one visitor, with a cookie, a session or a nonce, or for one moment."""
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
    """None where a token stands outside of the field of a form."""
    bare = TOKEN.sub(FIELD, page)
    return None if any(token in bare for token in set(TOKEN.findall(page))) else bare


def _given(request: HttpRequest, body: bytes, headers: dict[str, str]) -> HttpResponse:
    field = FIELD + get_token(request).encode() + b'"'
    return HttpResponse(zlib.decompress(body).replace(FIELD + b'"', field), headers=headers)
