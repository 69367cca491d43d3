"""Files of a competition: the same as on its pages, if visible to the asker."""

from django.http import Http404, HttpResponse
from django.utils.translation import gettext_lazy as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from league.api.base.fields import Link
from league.api.base.views import RowsView
from league.competitions.import_export.exporting import Value, competition_file
from league.competitions.models import Competition
from league.competitions.visibility import addressed_competitions
from league.web.competitions.exports import TOLD, TYPES, files_of


class FileFields(serializers.Serializer):
    name = serializers.CharField()
    about = serializers.CharField(help_text=_("Description of the content."))
    type = serializers.CharField(help_text=_("Media type."))
    url = Link("api:file", league="league", slug="slug", name="name")


class AnyRenderer(JSONRenderer):
    """Send a file unchanged for any requested type; a problem as JSON."""

    media_type = "*/*"
    format = "file"


def file_of(request: Request, league: str, slug: str) -> Value:
    try:
        return competition_file(request.user, league, slug)
    except Competition.DoesNotExist as absent:
        raise Http404 from absent


class FileList(RowsView):
    serializer_class = FileFields
    # At most eight files.
    pagination_class = None
    rows = addressed_competitions

    @extend_schema(
        operation_id="files",
        summary=_("Files of a competition"),
        responses={200: FileFields(many=True)},
        description=_("Knock-outs have no tournament report; only managers see payments."),
    )
    def get(self, request: Request, league: str, slug: str) -> Response:
        made = files_of(file_of(request, league, slug))
        found = [
            {"name": name, "about": told, "type": type_of(name), "league": league, "slug": slug}
            for name, told in TOLD.items()
            if name in made
        ]
        return Response(self.get_serializer(found, many=True).data)


class FileDetail(RowsView):
    serializer_class = FileFields
    renderer_classes = (AnyRenderer,)
    rows = addressed_competitions

    @extend_schema(
        operation_id="file",
        summary=_("One file of a competition"),
        responses={
            (200, "application/json"): OpenApiTypes.OBJECT,
            (200, "text/csv"): OpenApiTypes.STR,
            (200, "text/plain"): OpenApiTypes.STR,
            (200, "application/zip"): OpenApiTypes.BINARY,
        },
        description=_(
            "competition.json can be imported into another league. Tables are CSV (RFC 4180, UTF-8); a text that a "
            "spreadsheet would compute has an apostrophe before it."
        ),
    )
    def get(self, request: Request, league: str, slug: str, name: str) -> HttpResponse:
        made = files_of(file_of(request, league, slug))
        if name not in made:
            raise Http404
        return HttpResponse(made[name](), content_type=type_of(name), headers={"X-Content-Type-Options": "nosniff"})


def type_of(name: str) -> str:
    return TYPES[name.rpartition(".")[2]]
