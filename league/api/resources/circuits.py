"""Circuits: settings, evenings and ranking."""

from typing import Any

from django.http import Http404
from django.utils.translation import gettext_lazy as _
from django_filters import FilterSet
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from league.api.base.fields import LeagueBrief, Link, PlayerBrief, RowNumber
from league.api.base.filters import WordFilter
from league.api.base.serializers import Fields
from league.api.base.views import ListView, RowsView
from league.competitions.models import Circuit
from league.competitions.queries.circuits import CircuitLine, circuit_page, with_evenings
from league.competitions.standings.tiebreaks.figures import plain


class CircuitEvening(Fields):
    slug = serializers.SlugField()
    name = serializers.CharField()
    starts_at = serializers.DateTimeField(allow_null=True)
    counts = serializers.BooleanField(source="over", help_text=_("Whether the evening is finished."))
    competition = Link("api:competition", league="league.slug", slug="slug")


class CircuitFields(Fields):
    """A circuit: several competitions of a league with one ranking by points a place."""

    league = LeagueBrief()
    slug = serializers.SlugField(help_text=_("Address of the circuit within its league."))
    name = serializers.CharField()
    points_by = serializers.ChoiceField(
        choices=Circuit.Points.values,
        help_text=_(
            "Points of a place: from the list `points`; 1 for the last place and 1 more for each before it "
            "(`entrants`); the same as hundredths of the entrants (`percent`)."
        ),
    )
    points = serializers.ListField(
        child=serializers.IntegerField(), help_text=_("From the first place on; further places get 0.")
    )
    counted = serializers.IntegerField(help_text=_("Best evenings of each entrant that count; 0 for all."))
    evenings = CircuitEvening(source="competitions", many=True, help_text=_("In order."))
    ranking = Link("api:circuit-ranking", league="league.slug", slug="slug")
    url = Link("api:circuit", league="league.slug", slug="slug")
    page = Link("circuits:detail", league_slug="league.slug", slug="slug")


class CircuitScore(Fields):
    evening = serializers.SlugField()
    place = serializers.IntegerField(help_text=_("First of the places that are shared."))
    to = serializers.IntegerField(help_text=_("Last of the places that are shared."))
    points = RowNumber(help_text=_("Rounded to two decimals; `exact` is not rounded."))
    exact = serializers.CharField(help_text=_("Whole, or a fraction such as 17/2."))
    counts = serializers.BooleanField(help_text=_("Whether it is among the best evenings of the entrant."))


class CircuitRankingRow(Fields):
    """A row of the ranking. Entrants level in everything share a rank."""

    rank = serializers.IntegerField()
    player = PlayerBrief()
    points = RowNumber(help_text=_("Rounded to two decimals; `exact` is not rounded."))
    exact = serializers.CharField(help_text=_("Whole, or a fraction such as 17/2."))
    won = serializers.IntegerField(help_text=_("Evenings won, without shared first places."))
    scores = CircuitScore(many=True, help_text=_("Finished evenings of the entrant, in order."))


class CircuitFilters(FilterSet):
    league = WordFilter(field_name="league__slug", label=_("Address of a league."))


class CircuitList(ListView):
    serializer_class = CircuitFields
    filterset_class = CircuitFilters
    rows = with_evenings

    @extend_schema(
        operation_id="circuits",
        summary=_("Circuits"),
        description=_("Latest first. Drafts are among the evenings for the staff of the league only."),
    )
    def get(self, request: Request, *args: object, **kwargs: object) -> Response:
        return super().get(request, *args, **kwargs)


class CircuitDetail(RowsView):
    serializer_class = CircuitFields
    rows = with_evenings

    @extend_schema(operation_id="circuit", summary=_("One circuit with its evenings"))
    def get(self, request: Request, league: str, slug: str) -> Response:
        return Response(self.get_serializer(self.row(league__slug=league, slug=slug)).data)


class CircuitRanking(ListView):
    serializer_class = CircuitRankingRow
    rows = with_evenings

    def filter_queryset(self, _rows: object) -> list[CircuitLine]:
        try:
            page = circuit_page(self.request.user, self.kwargs["league"], self.kwargs["slug"])
        except Circuit.DoesNotExist as absent:
            raise Http404 from absent
        self.evenings = [one.slug for one in page.counting]
        return page.lines

    def entries(self, page: list[CircuitLine]) -> list[dict[str, Any]]:
        return [_entry(line, self.evenings) for line in page]

    @extend_schema(
        operation_id="circuit-ranking",
        summary=_("Ranking of a circuit"),
        description=_(
            "By the final places of its finished evenings. Level on points: more evenings won, then the best single "
            "places of all evenings."
        ),
    )
    def get(self, request: Request, *args: object, **kwargs: object) -> Response:
        return super().get(request, *args, **kwargs)


def _entry(line: CircuitLine, evenings: list[str]) -> dict[str, Any]:
    row = line.row
    scores = [
        {
            "evening": evenings[at],
            "place": score.place.first,
            "to": score.place.last,
            "points": plain(score.points),
            "exact": str(score.points),
            "counts": score.counts,
        }
        for at, score in sorted(row.scores.items())
    ]
    told = {"rank": row.rank, "points": plain(row.points), "exact": str(row.points), "won": row.won}
    return told | {"player": line.entrant, "scores": scores}
