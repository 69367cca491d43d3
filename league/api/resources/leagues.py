"""Leagues."""

from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from league.api.base.fields import Link
from league.api.base.serializers import Fields
from league.api.base.views import ListView, RowsView
from league.competitions.queries import lists as queries


class LeagueFields(Fields):
    slug = serializers.SlugField(help_text=_("Address of the league."))
    name = serializers.CharField()
    place = serializers.CharField(allow_blank=True, help_text=_("Meeting place."))
    web = serializers.CharField(
        source="contact_web", allow_blank=True, help_text=_("Its own website; further contacts are on its page here.")
    )
    part_of = serializers.SlugField(source="parent.slug", default=None, allow_null=True, help_text=_("Parent league."))
    time_zone = serializers.CharField(help_text=_("Name in the IANA database: Europe/Lisbon."))
    confirmation_required = serializers.BooleanField(
        help_text=_("Off for casual nights: what a log proves is confirmed at once.")
    )
    officials_needed = serializers.IntegerField(
        help_text=_("Officials needed for a forfeit, a ruling, an amendment or an official’s entry: 1 or 2.")
    )
    players = serializers.IntegerField(source="player_count", help_text=_("Number of members today."))
    competitions = serializers.IntegerField(
        source="competition_count", help_text=_("Number of competitions that you can see.")
    )
    notices = Link("api:notices", slug="slug")
    url = Link("api:league", slug="slug")


class LeagueList(ListView):
    serializer_class = LeagueFields

    @staticmethod
    def rows(asker):
        return queries.leagues(asker).select_related("parent")

    @extend_schema(operation_id="leagues", summary=_("All leagues"), description=_("Sorted by name."))
    def get(self, request: Request, *args: object, **kwargs: object) -> Response:
        return super().get(request, *args, **kwargs)


class LeagueDetail(RowsView):
    serializer_class = LeagueFields
    rows = LeagueList.rows

    @extend_schema(operation_id="league", summary=_("One league"))
    def get(self, request: Request, slug: str) -> Response:
        return Response(self.get_serializer(self.row(slug=slug)).data)
