"""404 for unknown addresses under /api/v1/."""

from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from league.api.base.views import ApiView


@extend_schema(exclude=True)
class Nothing(ApiView):
    """The problem of a missing row, for every method."""

    def initial(self, request: Request, *args: object, **kwargs: object) -> Response:
        raise Http404
