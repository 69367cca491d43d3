"""Base views: authentication, limits, visible rows and representation."""

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any, ClassVar

from django.contrib.auth.models import AnonymousUser
from django.db.models import QuerySet
from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from django.utils.cache import patch_vary_headers
from django.utils.decorators import method_decorator
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import conditional_page
from rest_framework.generics import GenericAPIView
from rest_framework.permissions import SAFE_METHODS
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from league.accounts.permissions import Asker
from league.api.base.idempotency import Act, once
from league.api.base.problems import Malformed
from league.api.models import TokenScope
from league.competitions.models import Competition
from league.competitions.visibility import refuse_if_cancelled

Rows = Callable[[Asker], QuerySet[Any]]


# Answers to reading requests carry an ETag; unchanged ones are a 304.
@method_decorator(conditional_page, name="dispatch")
class ApiView(APIView):
    """A view without rows of its own.

    `act_scope`: scope of a token for acts; None if an act changes nothing. `limit`: its own limit beside the general
    one (`settings.API_LIMITS`). `parameters`: allowed parameters of the query. `fields_of`: field of the body by code
    of the refusal.
    """

    act_scope: ClassVar[TokenScope | None] = None
    limit: ClassVar[str] = ""
    parameters: ClassVar[frozenset[str]] = frozenset()
    fields_of: ClassVar[Mapping[str, str]] = {}

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        if request.method not in SAFE_METHODS:
            check_body(request)  # before the CSRF check, which reads the body in its own way
        super().initial(request, *args, **kwargs)
        check_query(request, self.known_parameters())

    def known_parameters(self) -> Iterable[str]:
        return self.parameters

    def finalize_response(self, request: Request, response: HttpResponse, *args: Any, **kwargs: Any) -> HttpResponse:
        response = super().finalize_response(request, response, *args, **kwargs)
        patch_vary_headers(response, ["Authorization", "Cookie"])
        if request.method not in SAFE_METHODS:
            response["Cache-Control"] = "no-store"
        return response

    def once(self, act: Act, secret: str = "") -> HttpResponse:
        """Do an act once for one Idempotency-Key. `secret`: shown in the answer and not stored."""
        return once(self.request, act, self.handle_exception, secret)


class RowsView(ApiView, GenericAPIView):
    """A view of the rows that `rows` gives for the asker.

    Invisible rows are absent.
    """

    rows: ClassVar[Rows]

    def get_queryset(self) -> QuerySet[Any]:
        # The schema generator calls this without a request.
        asker = self.request.user if getattr(self, "request", None) else AnonymousUser()
        return type(self).rows(asker)

    def row(self, **by: object) -> Any:
        """Return one row.

        Raises Http404 both for a missing row and for an invisible one; Cancelled for a cancelled competition.
        """
        found = get_object_or_404(self.get_queryset(), **by)
        return refuse_if_cancelled(found) if isinstance(found, Competition) else found


class ListView(RowsView):
    """A page of rows. `entries` makes the input of the serializer."""

    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        page = self.paginate_queryset(self.filter_queryset(self.get_queryset()))
        return self.get_paginated_response(self.get_serializer(self.entries(page), many=True).data)

    def entries(self, page: list[Any]) -> list[Any]:
        return page

    def known_parameters(self) -> Iterable[str]:
        filters = getattr(self, "filterset_class", None)
        return {*self.parameters, "page", "page_size", *(filters.base_filters if filters else ())}


def check_query(request: Request, known: Iterable[str]) -> None:
    """Refuse unknown parameters: a misspelt filter would answer with everything.

    Raises Malformed `bad-parameter`.
    """
    errors = []
    for name, values in request.query_params.lists():
        say = partial(lambda name, detail: errors.append({"parameter": name, "detail": str(detail)}), name)
        if name not in known:
            say(_("there is no such parameter here"))
        elif len(values) > 1:
            say(_("given more than once"))
        elif not values[0]:
            say(_("has no value"))
    if errors:
        raise Malformed("bad-parameter", "", errors=errors)


def check_body(request: Request) -> None:
    """Raises Malformed `length-required`; RequestDataTooBig over `settings.DATA_UPLOAD_MAX_MEMORY_SIZE`."""
    if "HTTP_TRANSFER_ENCODING" in request.META:
        raise Malformed("length-required", _("Send the body with a Content-Length, not in chunks."))
    # Read here, so that the parser and the fingerprint see the same bytes.
    request._request.body  # noqa: B018
