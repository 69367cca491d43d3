"""Pagination of lists."""

from collections.abc import Sequence
from typing import Any

from django.core.paginator import Page, Paginator
from django.db.models import QuerySet
from django.http import HttpRequest


def page_of(
    request: HttpRequest, rows: QuerySet[Any] | Sequence[Any], size: int, first: int = 1, *, name: str = "page"
) -> Page:
    """Return the page number `?page=`, else page `first`.

    An invalid number gives the nearest page. `name`: the parameter of a second list on a page.
    """
    return Paginator(rows, size).get_page(request.GET.get(name, first))
