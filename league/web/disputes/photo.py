"""Photo of a case, for its judge, confirmer and appeal body."""

from django.http import Http404, HttpRequest, HttpResponse


def show(request: HttpRequest, code: str, number: int) -> HttpResponse:
    raise Http404
