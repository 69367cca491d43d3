"""What holds for every request and answer, whatever the view."""

from collections.abc import Callable

from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse
from django.utils.cache import has_vary_header, patch_cache_control


class RefuseNulMiddleware:
    """U+0000 in a path, a query or a cookie is a 400: no database column takes it, and PostgreSQL would answer with an
    error of its own.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_view(self, request: HttpRequest, *_: object) -> None:
        query = request.META.get("QUERY_STRING", "")
        if "\x00" in request.path or "\x00" in query or "%00" in query:
            raise BadRequest("U+0000 in the address")
        if any("\x00" in value for value in request.COOKIES.values()):
            raise BadRequest("U+0000 in a cookie")


class PrivateMiddleware:
    """An answer that depends on who asks is for that asker's browser alone: no cache on the way may keep it."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if has_vary_header(response, "Cookie") and not response.has_header("Cache-Control"):
            patch_cache_control(response, private=True, no_cache=True)
        return response
