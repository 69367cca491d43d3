"""Middleware: errors outside the API's views become problem details, too."""

from collections.abc import Callable
from http import HTTPStatus

from django.http import HttpRequest, HttpResponse, JsonResponse

from league.api.base.problems import CONTENT_TYPE, problem

ROOT = "/api/v1/"
CODES = {
    HTTPStatus.BAD_REQUEST: "bad-request",
    HTTPStatus.FORBIDDEN: "no-permission",
    HTTPStatus.NOT_FOUND: "not-found",
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE: "too-large",
    HTTPStatus.INTERNAL_SERVER_ERROR: "internal",
}
KEPT = ("Retry-After", "Cache-Control")


class ProblemMiddleware:
    """Answer errors under /api/v1/ with problem details instead of the site's pages."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if not request.path.startswith(ROOT) or not response.get("Content-Type", "").startswith("text/html"):
            return response
        outage = getattr(response, "outage", None)
        code = outage.code if outage else CODES.get(response.status_code)
        if code is None:
            return response
        kept = {name: response[name] for name in KEPT if name in response}
        return JsonResponse(
            problem(request, code), status=response.status_code, content_type=CONTENT_TYPE, headers=kept
        )
