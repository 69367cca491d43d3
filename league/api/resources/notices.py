"""Official notices of a league, read-only."""

from typing import Any

from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _
from django_filters import BooleanFilter, FilterSet
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from league.api.base.fields import Link
from league.api.base.filters import WordFilter
from league.api.base.views import ListView
from league.api.resources.ratings import league_of
from league.competitions.models import NoticeVersion
from league.competitions.notices import visible_notices


class NoticeFields(serializers.Serializer):
    """Present version of a notice, or the last one of a withdrawn notice."""

    id = serializers.IntegerField(source="notice_id")
    title = serializers.CharField()
    text = serializers.CharField(help_text=_("Plain text; an empty line separates paragraphs."))
    competition = serializers.SlugField(
        source="notice.competition.slug",
        default=None,
        allow_null=True,
        help_text=_("Address of its competition; null for a notice about the league."),
    )
    version = serializers.IntegerField(source="number", help_text=_("From 1; higher after an amendment."))
    published_at = serializers.DateTimeField(help_text=_("Publication of this version."))
    published_by = serializers.CharField(help_text=_("Name as shown to the public."))
    withdrawn_at = serializers.DateTimeField(
        source="notice.withdrawn_at", allow_null=True, help_text=_("Time of the withdrawal.")
    )
    withdrawn_reason = serializers.CharField(source="notice.withdrawn_reason", allow_blank=True)
    page = Link("notices:detail", slug="notice.league.slug", notice_id="notice_id")


class NoticeFilters(FilterSet):
    competition = WordFilter(field_name="notice__competition__slug", label=_("Address of a competition."))
    withdrawn = BooleanFilter(
        field_name="notice__withdrawn_at",
        lookup_expr="isnull",
        exclude=True,
        label=_("Only withdrawn notices, or none of them."),
    )


class NoticeList(ListView):
    serializer_class = NoticeFields
    filterset_class = NoticeFilters
    rows = visible_notices

    def filter_queryset(self, queryset: QuerySet[NoticeVersion]) -> QuerySet[NoticeVersion]:
        """Return notices of one league. Raises Http404 for an unknown league."""
        return super().filter_queryset(queryset.filter(notice__league=league_of(self.kwargs["slug"])))

    @extend_schema(
        operation_id="notices",
        summary=_("Notices of a league"),
        description=_("Newest first, including withdrawn ones."),
    )
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        return super().get(request, *args, **kwargs)
