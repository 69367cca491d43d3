"""Middleware for every request and answer."""

import gzip
import re
from collections.abc import Callable
from http import HTTPStatus

from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse
from django.utils.cache import has_vary_header, patch_cache_control, patch_vary_headers
from whitenoise.middleware import WhiteNoiseMiddleware
from whitenoise.responders import StaticFile

TAKES_GZIP = re.compile(r"\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))")
COMPRESSIBLE = re.compile(r"(text/|image/svg\+xml|application/(javascript|json|manifest\+json))")


class StaticFilesMiddleware(WhiteNoiseMiddleware):
    """WhiteNoise that also compresses files of an embedded site.

    They come from the folders of the code, without `.gz` files. Each is compressed at its first request and kept in
    memory.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        super().__init__(get_response)
        self.compressed: dict[str, tuple[str, bytes]] = {}

    def serve(self, static_file: StaticFile, request: HttpRequest) -> HttpResponse:
        answer = super().serve(static_file, request)
        kind = answer.headers.get("Content-Type", "")
        if not COMPRESSIBLE.match(kind) or answer.has_header("Content-Encoding"):
            return answer
        patch_vary_headers(answer, ["Accept-Encoding"])
        whole = answer.status_code == HTTPStatus.OK and request.method == "GET"
        if not whole or not TAKES_GZIP.search(request.headers.get("Accept-Encoding", "")):
            return answer
        headers = dict(answer.headers)
        body = self._compressed(request.path_info, answer)
        answer.close()
        headers |= {"Content-Encoding": "gzip", "Content-Length": str(len(body))}
        return HttpResponse(body, headers=headers)

    def _compressed(self, path: str, answer: HttpResponse) -> bytes:
        """Compress a file once for each ETag."""
        state = answer.headers.get("ETag", "")
        known, body = self.compressed.get(path, ("", b""))
        if not body or known != state:
            body = gzip.compress(b"".join(answer.streaming_content), mtime=0)
            self.compressed[path] = (state, body)
        return body


class RefuseNulMiddleware:
    """Answer 400 to U+0000 in a path, a query or a cookie.

    No database column takes it, and PostgreSQL would raise an error of its own.
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
    """Mark answers that depend on cookies as private: no shared cache may keep them."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if has_vary_header(response, "Cookie") and not response.has_header("Cache-Control"):
            patch_cache_control(response, private=True, no_cache=True)
        return response
