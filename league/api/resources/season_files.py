"""Files of a season: the same as on its pages, if visible to the asker."""

from django.http import Http404, HttpResponse
from django.utils.translation import gettext_lazy as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from league.api.base.fields import Link
from league.api.base.views import RowsView
from league.api.resources.files import AnyRenderer, type_of
from league.competitions.import_export.season_exporting import NAMES, season_files
from league.competitions.seasons.queries import visible_seasons
from league.web.seasons.exports import TOLD, season_value


class SeasonFileFields(serializers.Serializer):
    name = serializers.CharField()
    about = serializers.CharField(help_text=_("Description of the content."))
    type = serializers.CharField(help_text=_("Media type."))
    url = Link("api:season_file", league="league", slug="slug", name="name")


class SeasonFileList(RowsView):
    serializer_class = SeasonFileFields
    # Ten files.
    pagination_class = None
    rows = visible_seasons

    @extend_schema(
        operation_id="season_files",
        summary=_("Files of a season"),
        responses={200: SeasonFileFields(many=True)},
        description=_("Each file covers all divisions; a division also has its own files as a competition."),
    )
    def get(self, request: Request, league: str, slug: str) -> Response:
        self.row(league__slug=league, slug=slug)
        found = [
            {"name": name, "about": TOLD[name], "type": type_of(name), "league": league, "slug": slug} for name in NAMES
        ]
        return Response(self.get_serializer(found, many=True).data)


class SeasonFileDetail(RowsView):
    serializer_class = SeasonFileFields
    renderer_classes = (AnyRenderer,)
    rows = visible_seasons

    @extend_schema(
        operation_id="season_file",
        summary=_("One file of a season"),
        responses={
            (200, "application/json"): OpenApiTypes.OBJECT,
            (200, "text/csv"): OpenApiTypes.STR,
            (200, "application/zip"): OpenApiTypes.BINARY,
        },
        description=_(
            "season.json can be imported into another league. Tables are CSV (RFC 4180, UTF-8); a text that a "
            "spreadsheet would compute has an apostrophe before it."
        ),
    )
    def get(self, request: Request, league: str, slug: str, name: str) -> HttpResponse:
        if name not in NAMES:
            raise Http404
        raw = season_files(season_value(request.user, league, slug))[name]()
        return HttpResponse(raw, content_type=type_of(name), headers={"X-Content-Type-Options": "nosniff"})
