"""Pagination of lists, with links to the neighbouring pages, and query parameters."""

from collections.abc import Sequence
from typing import Any

from django.db.models import QuerySet
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from rest_framework.pagination import PageNumberPagination
from rest_framework.request import Request

from league.api.base.problems import Malformed

LAST_PAGE = 100_000


class Pages(PageNumberPagination):
    """`?page=2&page_size=20`. A page behind the last one is a 404."""

    page_size = 50
    max_page_size = 100
    page_size_query_param = "page_size"
    page_query_description = _("Page number, from 1.")
    page_size_query_description = _("Rows per page, at most 100.")

    def paginate_queryset(self, queryset: QuerySet[Any], request: Request, view: object = None) -> Sequence[Any]:
        self.number = whole(request, "page", 1, LAST_PAGE)
        return super().paginate_queryset(queryset, request, view)

    def get_page_number(self, request: Request, paginator: object) -> int:
        return self.number

    def get_page_size(self, request: Request) -> int:
        return whole(request, "page_size", self.page_size, self.max_page_size)

    def get_schema_operation_parameters(self, view: object) -> list[dict[str, Any]]:
        return [
            {"name": name, "in": "query", "required": False, "description": str(description), "schema": schema}
            for name, schema, description in self.described()
        ]

    def described(self) -> list[tuple[str, dict[str, Any], Promise]]:
        """Name, schema and description of its parameters."""
        names = {"page": (1, LAST_PAGE, self.page_query_description)}
        names["page_size"] = (self.page_size, self.max_page_size, self.page_size_query_description)
        return [
            (name, {"type": "integer", "minimum": 1, "maximum": most, "default": default}, description)
            for name, (default, most, description) in names.items()
        ]


class TablePages(Pages):
    """Larger pages for rows of a table, which usually fits on one page."""

    page_size = Pages.max_page_size


def whole(request: Request, name: str, default: int, most: int) -> int:
    """Return a number of the query from 1 to `most`. Raises Malformed `bad-parameter`."""
    text = request.query_params.get(name)
    if text is None:
        return default
    if text.isascii() and text.isdecimal() and len(text) <= len(str(most)) and 1 <= int(text) <= most:
        return int(text)
    wanted = _("a whole number from 1 to %(most)d") % {"most": most}
    raise Malformed("bad-parameter", "", errors=[{"parameter": name, "detail": str(wanted)}])


def one_of(request: Request, name: str, values: Sequence[str]) -> str:
    """Return a word of the query, by default the first. Raises Malformed `bad-parameter`."""
    word = request.query_params.get(name, values[0])
    if word in values:
        return word
    wanted = _("one of %(values)s") % {"values": ", ".join(values)}
    raise Malformed("bad-parameter", "", errors=[{"parameter": name, "detail": str(wanted)}])


def truth(request: Request, name: str) -> bool:
    """Return `true` or `1`, `false` or `0`; by default false. Raises Malformed `bad-parameter`."""
    return one_of(request, name, ("false", "true", "0", "1")) in {"true", "1"}
