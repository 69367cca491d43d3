"""Error pages. They work without the database, so they make no query.

Only the refusal makes queries: it names the signed-in user, and the database has just answered.
"""

import logging
import sys
from collections.abc import Callable
from http import HTTPStatus

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template import loader
from django.utils.cache import patch_vary_headers

from league.outages import Outage, outage_of
from league.web.shared.themes import theme_of

log = logging.getLogger(__name__)


def _page(request: HttpRequest, status: HTTPStatus, **context: object) -> HttpResponse:
    html = loader.render_to_string(f"{status:d}.html", {"theme": theme_of(request), **context})
    response = HttpResponse(html, status=status)
    patch_vary_headers(response, ["Cookie"])
    return response


def _refusal(request: HttpRequest, **context: object) -> HttpResponse:
    return render(request, "403.html", context, status=HTTPStatus.FORBIDDEN)


def bad_request(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    return _page(request, HTTPStatus.BAD_REQUEST)


def forbidden(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """Answer 403; `exception` has a service's sentence of refusal if there is any."""
    return _refusal(request, reason=str(exception or ""))


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    return _refusal(request, stale_form=True)


def not_found(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    return _page(request, HTTPStatus.NOT_FOUND)


def server_error(request: HttpRequest) -> HttpResponse:
    """Answer a fault.

    Errors of a session after the view reach this handler, not `OutageMiddleware`.
    """
    if outage := outage_of(sys.exc_info()[1]):
        return unavailable(request, outage)
    return _page(request, HTTPStatus.INTERNAL_SERVER_ERROR)


def unavailable(request: HttpRequest, outage: Outage) -> HttpResponse:
    """Answer an outage of the database or the disk.

    For API clients `league.api.base.middleware` turns the answer into a problem document.
    """
    page = _page(request, HTTPStatus.SERVICE_UNAVAILABLE, reason=outage.sentence)
    page.headers["Retry-After"] = str(outage.wait)
    page.headers["Cache-Control"] = "no-store"
    page.outage = outage
    return page


class OutageMiddleware:
    """Answer every request by 503 while the database is away or the disk full."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        outage = outage_of(error)
        if outage is None:
            return None
        log.error("%s %s: %s", request.method, request.path, error)
        return unavailable(request, outage)


class FormAddressMiddleware:
    """Show a page instead of an empty answer to a GET of a form-only address.

    This happens after a reload, or from a bookmark.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if request.method != "GET" or response.status_code != HTTPStatus.METHOD_NOT_ALLOWED or response.content:
            return response
        page = _page(request, HTTPStatus.METHOD_NOT_ALLOWED)
        page["Allow"] = response["Allow"]
        return page
