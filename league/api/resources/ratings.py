"""Ratings of a league, and a player's history with an explanation of each change."""

from typing import Any

from django.db.models import QuerySet
from django.http import Http404
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django_filters import ChoiceFilter, FilterSet
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from games.rulesets import KEYS
from league.accounts.models import League
from league.api.base.fields import APART, Link
from league.api.base.serializers import Fields
from league.api.base.views import ListView
from league.competitions.models import Rating
from league.competitions.ratings import queries as rating_pages


class RatedPlayer(Fields):
    """A player by code and public name."""

    code = serializers.CharField(help_text=_("Public code of the player; it never changes."))
    name = serializers.CharField(source="shown_name", help_text=_("Name as shown to the public."))
    apart = serializers.CharField(allow_blank=True, help_text=APART)


class StrengthFields(Fields):
    """A rating; the true strength is within `rating` ± 2 · `deviation` with 95 %."""

    rating = serializers.FloatField()
    deviation = serializers.FloatField()
    volatility = serializers.FloatField()


class RatingFields(Fields):
    ruleset = serializers.ChoiceField(KEYS)
    rank = serializers.IntegerField(help_text=_("Rank in the list of this ruleset; level players share it."))
    player = RatedPlayer()
    strength = StrengthFields(help_text=_("Rating of today; each full period without a game makes it less certain."))
    change = serializers.FloatField(help_text=_("Change of the rating in the last period with a game."))
    games = serializers.IntegerField(help_text=_("Number of rated games so far."))
    since = serializers.DateField(help_text=_("The first day of the last period with a game."))
    history = Link("api:rating", slug="league", ruleset="ruleset", code="player.code")


class RatedGameFields(Fields):
    match = serializers.IntegerField(source="match_id")
    number = serializers.IntegerField(help_text=_("Number of the game in its match."))
    opponent = RatedPlayer()
    strength = StrengthFields(help_text=_("Rating of the opponent at the beginning of the period."))
    expected = serializers.FloatField(help_text=_("Expected points, from 0 to 1."))
    points = serializers.FloatField(help_text=_("1 for a win, ½ without a winner, 0 for a loss."))


class RatingPeriod(Fields):
    first = serializers.DateField(help_text=_("The first day of the period."))
    last = serializers.DateField(help_text=_("The last day of the period."))
    pause = serializers.IntegerField(help_text=_("Number of full periods without a game before it."))
    before = StrengthFields()
    after = StrengthFields()
    games = RatedGameFields(many=True)


class RatingFilters(FilterSet):
    ruleset = ChoiceFilter(field_name="rating_list__ruleset", choices=[(key, key) for key in KEYS])


class RatingRows(ListView):
    serializer_class = RatingFields
    filterset_class = RatingFilters
    rows = rating_pages.ranked

    def filter_queryset(self, queryset: QuerySet[Rating]) -> QuerySet[Rating]:
        """Of the one league. Raises Http404 where there is no such league."""
        return super().filter_queryset(queryset.filter(rating_list__league=league_of(self.kwargs["slug"])))

    def entries(self, page: list[Rating]) -> list[dict[str, Any]]:
        now = timezone.now()
        return [_entry(rating_pages.rating_now(row, now)) for row in page]

    @extend_schema(
        operation_id="ratings",
        summary=_("Ratings of a league"),
        description=_("Glicko-2, a list for each ruleset; the strongest first."),
    )
    def get(self, request: Request, *args: object, **kwargs: object) -> Response:
        return super().get(request, *args, **kwargs)


class RatingPeriods(ListView):
    serializer_class = RatingPeriod
    rows = rating_pages.ranked

    def filter_queryset(self, queryset: QuerySet[Rating]) -> list[Rating]:
        """Every period of the one player in which there were games, the latest first."""
        league = league_of(self.kwargs["slug"])
        try:
            self.history = rating_pages.rating_history(
                self.request.user, league, self.kwargs["ruleset"], self.kwargs["code"], timezone.now()
            )
        except Rating.DoesNotExist as absent:
            raise Http404 from absent
        return self.history.rows[::-1]

    def entries(self, page: list[Rating]) -> list[rating_pages.PeriodExplained]:
        return rating_pages.explained(self.history, page)

    @extend_schema(
        operation_id="rating",
        summary=_("History of a rating"),
        description=_("Each period with games, latest first: opponents, expected and actual points."),
    )
    def get(self, request: Request, *args: object, **kwargs: object) -> Response:
        return super().get(request, *args, **kwargs)


def league_of(slug: str) -> League:
    try:
        return League.objects.get(slug=slug)
    except League.DoesNotExist as absent:
        raise Http404 from absent


def _entry(one: rating_pages.RatingNow) -> dict[str, Any]:
    return {
        "league": one.rating_list.league.slug,
        "ruleset": one.rating_list.ruleset,
        "rank": one.rank,
        "player": one.player,
        "strength": one.strength,
        "change": one.change,
        "games": one.played,
        "since": one.since,
    }
