"""Results of games, and their confirmation."""

from django.db.models import Exists, OuterRef, QuerySet
from django.http import HttpResponse
from django.utils.translation import gettext_lazy as _
from django_filters import ChoiceFilter, FilterSet
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from league.accounts.permissions import Asker
from league.api.base.fields import Link
from league.api.base.filters import InstantFilter, KeyFilter, StableOrdering, TruthFilter, WordFilter, side_of
from league.api.base.parsers import StrictJson
from league.api.base.serializers import Fields
from league.api.base.views import ListView, RowsView
from league.api.models import TokenScope
from league.api.resources.verdicts import ENDS
from league.matches.logs import submission
from league.matches.models import KnownBy, Result
from league.matches.queries.lines import by_side
from league.matches.visibility import hidden_matches


class SidePoints(Fields):
    side = serializers.IntegerField()
    points = serializers.IntegerField()


class AmendmentBrief(Fields):
    """Amendment that replaced an official result by another one."""

    id = serializers.IntegerField()
    reason = serializers.CharField()
    old_result = serializers.IntegerField(source="old_id", help_text=_("The former official result, kept permanently."))
    at = serializers.DateTimeField(source="closed_at")
    alone = serializers.BooleanField(
        help_text=_(
            "Proposed and confirmed by the same official: the league needs no confirmation, or one official is enough."
        )
    )


class ResultFields(Fields):
    id = serializers.IntegerField()
    game = serializers.CharField(source="game.code", help_text=_("Code of the game."))
    match = serializers.IntegerField(source="game.match_id")
    record = serializers.IntegerField(source="record_id", help_text=_("Number of its record."))
    scores = serializers.SerializerMethodField()
    winner = serializers.IntegerField(
        allow_null=True, help_text=_("Number of the winning side; null without a winner.")
    )
    ended = serializers.ChoiceField(["", *ENDS])
    state = serializers.ChoiceField(Result.State.values)
    known_by = serializers.ChoiceField(
        KnownBy.values, help_text=_("Source of the result: a log, a checked tally or card, a score, or a ruling.")
    )
    confirmed_how = serializers.ChoiceField(
        ["", *Result.Confirmation.values],
        help_text=_("Means of the confirmation; empty before it, and in a league without confirmation."),
    )
    under_review = serializers.BooleanField(source="contested", help_text=_("Two entries differ, or a side disagrees."))
    needs_decision = serializers.BooleanField(help_text=_("An official must decide the result."))
    decided = serializers.BooleanField(help_text=_("An official decided it."))
    current = serializers.BooleanField(help_text=_("False after its replacement by a later log."))
    amendment = AmendmentBrief(
        allow_null=True, default=None, help_text=_("Its amendment of an earlier official result.")
    )
    entered_at = serializers.DateTimeField()
    confirmed_at = serializers.DateTimeField(allow_null=True)
    url = Link("api:result", result_id="id")

    @extend_schema(responses=SidePoints(many=True))
    def get_scores(self, result: Result) -> list[dict[str, int]]:
        return [{"side": side, "points": points} for side, points in sorted(by_side(result.scores).items())]


class ResultFilters(FilterSet):
    league = WordFilter(field_name="game__match__league__slug", label=_("Address of a league."))
    match = KeyFilter(field_name="game__match", label=_("Number of a match."))
    player = WordFilter(method="of_player", label=_("Code of a player."))
    state = ChoiceFilter(choices=Result.State.choices)
    needs_decision = TruthFilter()
    since = InstantFilter(field_name="entered_at", lookup_expr="gte", label=_("Entered at this time or later."))
    until = InstantFilter(field_name="entered_at", lookup_expr="lt", label=_("Entered before this time."))
    ordering = StableOrdering(entered_at="entered_at", id="pk")

    def of_player(self, results: QuerySet[Result], _name: str, code: str) -> QuerySet[Result]:
        return results.filter(Exists(side_of(code).filter(match=OuterRef("game__match"))))


def visible_results(asker: Asker) -> QuerySet[Result]:
    hidden = hidden_matches(asker).filter(games=OuterRef("game"))
    return Result.objects.filter(~Exists(hidden)).select_related("game__match", "record", "amendment")


class ResultList(ListView):
    serializer_class = ResultFields
    filterset_class = ResultFilters

    @staticmethod
    def rows(asker):
        shown = visible_results(asker).filter(current=True).select_related(None)
        return shown.select_related("game", "amendment").order_by("-entered_at", "-pk")

    @extend_schema(operation_id="results", summary=_("Results"), description=_("Current results, latest first."))
    def get(self, request: Request, *args: object, **kwargs: object) -> Response:
        return super().get(request, *args, **kwargs)


class ResultDetail(RowsView):
    serializer_class = ResultFields
    rows = visible_results

    @extend_schema(operation_id="result", summary=_("One result"))
    def get(self, request: Request, result_id: int) -> Response:
        return Response(self.get_serializer(self.row(pk=result_id)).data)


class Confirmation(RowsView):
    serializer_class = ResultFields
    parser_classes = (StrictJson,)
    act_scope = TokenScope.CONFIRM
    limit = "confirm"
    rows = visible_results

    @extend_schema(
        operation_id="confirm_result",
        summary=_("Confirm a result"),
        request=None,
        responses={200: ResultFields},
        description=_(
            "Makes it official. By the side that did not submit it, or by an official; a result that needs a "
            "decision by an official of neither side."
        ),
    )
    def post(self, request: Request, result_id: int) -> HttpResponse:
        return self.once(lambda: self._confirm(request, result_id))

    def _confirm(self, request: Request, result_id: int) -> Response:
        result = submission.confirm_result(result=self.row(pk=result_id), user=request.user)
        return Response(self.get_serializer(self.row(pk=result.pk)).data)
