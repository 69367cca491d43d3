"""Competitions and their final places."""

from typing import Any

from django.http import Http404
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django_filters import ChoiceFilter, FilterSet
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from games.rulesets import KEYS
from league.api.base.fields import LeagueBrief, Link, PlayerBrief
from league.api.base.filters import TruthFilter, WordFilter
from league.api.base.serializers import Fields
from league.api.base.views import ListView, RowsView
from league.competitions.draw.counts import with_counts
from league.competitions.draw_view import all_days
from league.competitions.entrant_names import placed
from league.competitions.formats.registry import SPECS
from league.competitions.models import Competition, Stage
from league.competitions.queries import lists as queries
from league.competitions.queries.final_places import RankedEntrant, named, ranked_entrants
from league.competitions.registration.opening import takes_sign_ups
from league.competitions.standings.tiebreaks.registry import TIE_BREAKS
from league.competitions.visibility import addressed_competitions, seen_competition, visible_competitions


class StageFields(Fields):
    number = serializers.IntegerField()
    format = serializers.ChoiceField(list(SPECS))
    seats = serializers.SerializerMethodField(help_text=_("Seats of a full table, in rounds at tables; else null."))
    place_points = serializers.SerializerMethodField(
        help_text=_("Points for each place at a table, from the first; else empty.")
    )
    challenge_reach = serializers.SerializerMethodField(
        help_text=_("Ladder: number of places up for a challenge; else null.")
    )
    challenge_days = serializers.SerializerMethodField(
        help_text=_("Ladder: days after which a challenge lapses; null if never.")
    )
    finished_at = serializers.DateTimeField(allow_null=True, help_text=_("Time of the last decision of a match."))

    def get_seats(self, stage: Stage) -> int | None:
        return stage.seats or None

    def get_challenge_reach(self, stage: Stage) -> int | None:
        return stage.challenge_reach if stage.is_ladder else None

    def get_challenge_days(self, stage: Stage) -> int | None:
        return (stage.challenge_days or None) if stage.is_ladder else None

    def get_place_points(self, stage: Stage) -> list[int]:
        return stage.points_by_place if stage.is_at_tables else []


class RegistrationFields(Fields):
    """Sign-up settings of a competition."""

    who = serializers.ChoiceField(Competition.Opening.values, source="registration")
    open = serializers.SerializerMethodField(
        help_text=_("Sign-up is possible now; with an invitation if `who` requires it.")
    )
    closes_at = serializers.DateTimeField(source="registration_closes_at", allow_null=True)
    places = serializers.IntegerField(help_text=_("Number of places, then a waiting list; 0: unlimited."))

    def get_open(self, competition: Competition) -> bool:
        return takes_sign_ups(competition, timezone.now())


class CompetitionFields(Fields):
    league = LeagueBrief()
    slug = serializers.SlugField(help_text=_("Address of the competition within its league."))
    name = serializers.CharField()
    ruleset = serializers.ChoiceField(KEYS)
    options = serializers.DictField(help_text=_("House rules that differ from the ruleset."))
    best_of = serializers.IntegerField(help_text=_("Most games of a match."))
    own_best_of = serializers.DictField(
        child=serializers.IntegerField(),
        help_text=_(
            "Most games where they differ: by `round_of_16`, `quarter_finals`, `semi_finals`, `third_place`, `final` "
            "of a knock-out, `winners`, `losers`, `winners_final`, `losers_final`, `final` of a double elimination."
        ),
    )
    clubs_apart = serializers.BooleanField(help_text=_("Club mates are kept apart where it is possible."))
    most_byes = serializers.IntegerField(help_text=_("Byes that a player may ask for, in a Swiss system."))
    pairs = serializers.BooleanField(help_text=_("Entrants are pairs, and partners share a seat."))
    stages = StageFields(many=True)
    tie_breaks = serializers.ListField(
        child=serializers.ChoiceField(list(TIE_BREAKS)), help_text=_("Tie-breaks, in this order.")
    )
    starts_at = serializers.DateTimeField(allow_null=True)
    published_at = serializers.DateTimeField(
        allow_null=True, help_text=_("Null for a draft, visible to the staff only.")
    )
    registration = RegistrationFields(source="*")
    players = serializers.IntegerField(source="draw_count.players")
    matches_total = serializers.IntegerField(source="draw_count.matches")
    matches_decided = serializers.IntegerField(source="draw_count.decided")
    url = Link("api:competition", league="league.slug", slug="slug")
    standings = Link("api:standings", league="league.slug", slug="slug")
    ranking = Link("api:ranking", league="league.slug", slug="slug")
    rounds = Link("api:rounds", league="league.slug", slug="slug")
    files = Link("api:files", league="league.slug", slug="slug")


class RankingRow(Fields):
    rank = serializers.IntegerField(help_text=_("Best of the places."))
    to = serializers.IntegerField(help_text=_("Last of the shared places; equal to `rank` if the place is not shared."))
    player = PlayerBrief()


class CompetitionFilters(FilterSet):
    league = WordFilter(field_name="league__slug", label=_("Address of a league."))
    ruleset = ChoiceFilter(choices=[(key, key) for key in KEYS])
    draft = TruthFilter(field_name="published_at", lookup_expr="isnull", label=_("Drafts only, or published only."))


class CompetitionList(ListView):
    serializer_class = CompetitionFields
    filterset_class = CompetitionFilters

    @staticmethod
    def rows(asker):
        return queries.latest_competitions(asker).prefetch_related("stages")

    def entries(self, page: list[Competition]) -> list[Competition]:
        return with_counts(page)

    @extend_schema(
        operation_id="competitions",
        summary=_("Competitions"),
        description=_("Published competitions, and drafts of leagues on whose staff you are. Latest published first."),
    )
    def get(self, request: Request, *args: object, **kwargs: object) -> Response:
        return super().get(request, *args, **kwargs)


def addressed(asker):
    return addressed_competitions(asker).prefetch_related("stages")


class CompetitionDetail(RowsView):
    serializer_class = CompetitionFields
    rows = addressed

    @extend_schema(operation_id="competition", summary=_("One competition"))
    def get(self, request: Request, league: str, slug: str) -> Response:
        [entry] = with_counts([self.row(league__slug=league, slug=slug)])
        return Response(self.get_serializer(entry).data)


class RankingList(ListView):
    serializer_class = RankingRow
    rows = visible_competitions

    def filter_queryset(self, _rows: object) -> list[RankedEntrant]:
        try:
            self.competition = seen_competition(self.request.user, self.kwargs["league"], self.kwargs["slug"])
        except Competition.DoesNotExist as absent:
            raise Http404 from absent
        stages = list(self.competition.stages.all())
        return ranked_entrants(self.competition, stages, list(all_days(self.competition)))

    def entries(self, page: list[RankedEntrant]) -> list[dict[str, Any]]:
        people = placed(self.competition, only=[one.entrant_id for one in page])
        return [{"rank": one.first, "to": one.last, "player": one.entrant} for one in named(page, people)]

    @extend_schema(
        operation_id="ranking",
        summary=_("Final places of a competition"),
        description=_(
            "All entrants, from the first place, by official results. In a knock-out each has a place from the last "
            "loss on, and entrants who go out in the same round share their places. Behind it follow those who did not "
            "qualify. In other formats the places are those of the table at its end, in a ladder the present ones."
        ),
    )
    def get(self, request: Request, *args: object, **kwargs: object) -> Response:
        return super().get(request, *args, **kwargs)
