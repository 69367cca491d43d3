"""Games of matches, and submission of their logs."""

from typing import Any

from django.db.models import Exists, OuterRef, Prefetch, QuerySet
from django.http import HttpResponse
from django.utils.translation import gettext_lazy as _
from django_filters import FilterSet
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from games.rulesets import KEYS
from league.accounts.permissions import Asker
from league.api.base.fields import LeagueBrief, Link
from league.api.base.filters import KeyFilter, WordFilter, side_of
from league.api.base.parsers import LogText, StrictJson
from league.api.base.samples import SAMPLE_LOG
from league.api.base.serializers import Fields
from league.api.base.views import ListView, RowsView
from league.api.models import TokenScope
from league.api.resources.records import RecordFields, record_entry, visible_records
from league.api.resources.results import ResultFields
from league.matches.logs import submission
from league.matches.models import Game, Record, Result
from league.matches.visibility import hidden_matches


class GameFields(Fields):
    code = serializers.CharField(help_text=_("Value of the tag Game in a log."))
    number = serializers.IntegerField(help_text=_("Number of the game in its match."))
    league = LeagueBrief(source="match.league")
    match = serializers.IntegerField(source="match.pk")
    ruleset = serializers.ChoiceField(KEYS, source="match.ruleset")
    result = ResultFields(allow_null=True, help_text=_("The current result."))
    url = Link("api:game", code="code")
    records = Link("api:game-records", code="code")
    logs = Link("api:logs", code="code")


class GameFilters(FilterSet):
    league = WordFilter(field_name="match__league__slug", label=_("Address of a league."))
    match = KeyFilter(label=_("Number of a match."))
    player = WordFilter(method="of_player", label=_("Code of a player."))

    def of_player(self, games: QuerySet[Game], _name: str, code: str) -> QuerySet[Game]:
        return games.filter(match__in=side_of(code).values("match"))


def visible_games(asker: Asker) -> QuerySet[Game]:
    hidden = hidden_matches(asker).filter(pk=OuterRef("match"))
    return Game.objects.filter(~Exists(hidden)).select_related("match__league")


def game_entry(game: Game) -> dict[str, Any]:
    result = next(iter(game.current_results), None)
    return {"code": game.code, "number": game.number, "match": game.match, "result": result}


class GameList(ListView):
    serializer_class = GameFields
    filterset_class = GameFilters

    @staticmethod
    def rows(asker):
        current = Prefetch(
            "results", Result.objects.filter(current=True).select_related("amendment"), to_attr="current_results"
        )
        return visible_games(asker).prefetch_related(current).order_by("match", "number")

    def entries(self, page: list[Game]) -> list[dict[str, Any]]:
        return [game_entry(one) for one in page]

    @extend_schema(operation_id="games", summary=_("Games"), description=_("Games of matches that you can see."))
    def get(self, request: Request, *args: object, **kwargs: object) -> Response:
        return super().get(request, *args, **kwargs)


class GameDetail(RowsView):
    serializer_class = GameFields
    rows = GameList.rows

    @extend_schema(operation_id="game", summary=_("One game"))
    def get(self, request: Request, code: str) -> Response:
        return Response(self.get_serializer(game_entry(self.row(code=code.upper()))).data)


class TextField(serializers.CharField):
    """Text only: the framework's own field also takes numbers."""

    def to_internal_value(self, data: object) -> str:
        if not isinstance(data, str):
            self.fail("invalid")
        return super().to_internal_value(data)


class LogBody(serializers.Serializer):
    log = TextField(
        trim_whitespace=False, allow_blank=True, help_text=_("The log of one game in Domino Game Notation.")
    )


LOG_BODY = {"text/plain": {"type": "string"}, "application/json": LogBody}
LOG_EXAMPLES = [
    OpenApiExample("a log", value=SAMPLE_LOG, media_type="text/plain", request_only=True),
    OpenApiExample("a log in JSON", value={"log": SAMPLE_LOG}, media_type="application/json", request_only=True),
]


def log_of(request: Request) -> bytes:
    """The log's bytes, from either kind of body. Raises ValidationError."""
    if not request._request.body:  # the framework parses no empty body
        return b""
    if isinstance(request.data, bytes):
        return request.data
    body = LogBody(data=request.data)
    body.is_valid(raise_exception=True)
    return body.validated_data["log"].encode("utf-8", "surrogatepass")


class LogHandingIn(RowsView):
    serializer_class = RecordFields
    parser_classes = (LogText, StrictJson)
    act_scope = TokenScope.SUBMIT
    limit = "submit"
    rows = visible_games

    @extend_schema(
        operation_id="hand_in_log",
        summary=_("Submit the log of a game"),
        request=LOG_BODY,
        examples=LOG_EXAMPLES,
        responses={200: RecordFields, 201: RecordFields, 202: RecordFields},
        description=_(
            "By a player of the match or an official of its league. 202: stored, and being checked: ask its address"
            " again. 201: stored and checked. 200: the same log was submitted before."
        ),
    )
    def post(self, request: Request, code: str) -> HttpResponse:
        return self.once(lambda: self._hand_in(request, code))

    def _hand_in(self, request: Request, code: str) -> Response:
        game = self.row(code=code.upper())
        handed_in = submission.submit_log(game=game, user=request.user, raw=log_of(request))
        record = visible_records(request.user).get(pk=handed_in.record.pk)
        shown = self.get_serializer(record_entry(record, request.user)).data
        if record.state == Record.State.RECEIVED:
            answered, headers = status.HTTP_202_ACCEPTED, {"Retry-After": "1"}
        else:
            answered = status.HTTP_201_CREATED if handed_in.created else status.HTTP_200_OK
            headers = {}
        return Response(shown, status=answered, headers={"Location": shown["url"], **headers})
