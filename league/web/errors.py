"""Pages for what went wrong. They stay readable when the database does not answer, so they ask it nothing."""

from http import HTTPStatus

from django.http import HttpRequest, HttpResponse
from django.template import loader


def _page(request: HttpRequest, status: HTTPStatus, **context: object) -> HttpResponse:
    return HttpResponse(loader.render_to_string(f"{status:d}.html", context), status=status)


def bad_request(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    return _page(request, HTTPStatus.BAD_REQUEST)


def forbidden(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """`exception` carries the sentence of a refusal where a service gave one."""
    return _page(request, HTTPStatus.FORBIDDEN, reason=str(exception or ""))


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    return _page(request, HTTPStatus.FORBIDDEN, stale_form=True)


def not_found(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    return _page(request, HTTPStatus.NOT_FOUND)


def server_error(request: HttpRequest) -> HttpResponse:
    return _page(request, HTTPStatus.INTERNAL_SERVER_ERROR)
