"""Seasons, their divisions, and the dates of their rounds."""

from django.db.models import Prefetch
from django.utils.translation import gettext_lazy as _
from django_filters import FilterSet
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from league.api.base.fields import LeagueBrief, Link
from league.api.base.filters import WordFilter
from league.api.base.serializers import Fields
from league.api.base.views import ListView, RowsView
from league.competitions.draw.counts import draw_counts
from league.competitions.models import Division, PlayOff, Season
from league.competitions.seasons.queries import visible_seasons
from league.competitions.visibility import visible_competitions


class DivisionFields(Fields):
    """A division with its numbers of promoted and relegated places.

    `play_off`: places in a play-off against as many of the division above.
    """

    level = serializers.IntegerField(help_text=_("1 for the top division."))
    name = serializers.CharField()
    promote = serializers.IntegerField()
    play_off = serializers.IntegerField()
    relegate = serializers.IntegerField()
    players = serializers.IntegerField(source="draw_count.players")
    matches_total = serializers.IntegerField(source="draw_count.matches")
    matches_decided = serializers.IntegerField(source="draw_count.decided")
    competition = Link("api:competition", league="competition.league.slug", slug="competition.slug")
    standings = Link("api:standings", league="competition.league.slug", slug="competition.slug")
    rounds = Link("api:rounds", league="competition.league.slug", slug="competition.slug")


class SeasonDateFields(Fields):
    number = serializers.IntegerField(help_text=_("Number of the round in every division."))
    starts_at = serializers.DateTimeField()


class PlayOffFields(Fields):
    upper_level = serializers.IntegerField(source="upper.level", help_text=_("Division of the place at stake."))
    number = serializers.IntegerField()
    competition = Link("api:competition", league="competition.league.slug", slug="competition.slug")


class SeasonFields(Fields):
    league = LeagueBrief()
    slug = serializers.SlugField(help_text=_("Address of the season within its league."))
    name = serializers.CharField()
    starts_on = serializers.DateField()
    ends_on = serializers.DateField(allow_null=True)
    follows = serializers.SlugField(
        source="follows.slug", default=None, allow_null=True, help_text=_("Previous season.")
    )
    published_at = serializers.DateTimeField(
        allow_null=True, help_text=_("Null for a draft, visible to the staff only.")
    )
    closed_at = serializers.DateTimeField(allow_null=True)
    divisions = DivisionFields(many=True, help_text=_("From the top down."))
    dates = SeasonDateFields(many=True)
    play_offs = PlayOffFields(many=True)
    url = Link("api:season", league="league.slug", slug="slug")


def with_counts(page: list[Season]) -> list[Season]:
    """Return the same rows, each division with `draw_count`, each season with all its play-offs from the top down."""
    divisions = [division for season in page for division in season.divisions.all()]
    counts = draw_counts([one.competition_id for one in divisions])
    for division in divisions:
        division.draw_count = counts[division.competition_id]
    for season in page:
        season.play_offs = [one for division in season.divisions.all() for one in division.play_offs.all()]
    return page


class SeasonRows(RowsView):
    """Queryset and input of both views of seasons."""

    serializer_class = SeasonFields

    @staticmethod
    def rows(asker):
        play_offs = PlayOff.objects.filter(competition__in=visible_competitions(asker))
        play_offs = play_offs.select_related("upper", "competition__league").order_by("number", "pk")
        return (
            visible_seasons(asker)
            .select_related("follows")
            .prefetch_related(
                Prefetch("divisions", Division.objects.select_related("competition__league").order_by("level")),
                Prefetch("divisions__play_offs", play_offs),
                "dates",
            )
            .order_by("-starts_on", "-pk")
        )


class SeasonFilters(FilterSet):
    league = WordFilter(field_name="league__slug", label=_("Address of a league."))


class SeasonList(SeasonRows, ListView):
    filterset_class = SeasonFilters

    def entries(self, page: list[Season]) -> list[Season]:
        return with_counts(page)

    @extend_schema(
        operation_id="seasons",
        summary=_("Seasons"),
        description=_("Published seasons, and drafts of leagues on whose staff you are. Latest first."),
    )
    def get(self, request: Request, *args: object, **kwargs: object) -> Response:
        return super().get(request, *args, **kwargs)


class SeasonDetail(SeasonRows):
    @extend_schema(operation_id="season", summary=_("One season with its divisions and dates"))
    def get(self, request: Request, league: str, slug: str) -> Response:
        [entry] = with_counts([self.row(league__slug=league, slug=slug)])
        return Response(self.get_serializer(entry).data)
