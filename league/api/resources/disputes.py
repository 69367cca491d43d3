"""Disputes: list, one case, protests and the acts of the sides."""

from collections.abc import Callable
from typing import Any

from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext_lazy as _
from django_filters import ChoiceFilter, FilterSet
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from league.api.base.filters import InstantFilter, KeyFilter, WordFilter
from league.api.base.parsers import StrictJson
from league.api.base.views import ListView, RowsView
from league.api.models import TokenScope
from league.api.resources.dispute_fields import COPIED, ActedFields, CaseFields, DisputeFields, case_input
from league.api.resources.games import visible_games
from league.disputes import deciders
from league.disputes.models import Dispute, DisputeEntry
from league.disputes.protests import agreeing, appealing, effects, protesting, statements
from league.disputes.protests.photos import looked
from league.disputes.queries import case_view, visible_disputes
from league.matches.models import Game, Record

BODY = {"kind": "count", "line": 12, "sentence": "Bo said nothing before my next tile."}
EXAMPLES = [OpenApiExample("a count that nobody heard", value=BODY, request_only=True)]
LARGEST = 32767


class ActBody(serializers.Serializer):
    def words(self) -> dict[str, Any]:
        """Return the members as the service takes them."""
        return dict(self.validated_data)


class SideBody(ActBody):
    side = serializers.IntegerField(
        required=False, min_value=1, max_value=6, help_text=_("For the desk: the side in whose name it acts.")
    )


class ProtestBody(SideBody):
    kind = serializers.ChoiceField(Dispute.Kind.values, help_text=_("Matter of the protest."))
    sentence = serializers.CharField(
        max_length=protesting.LONGEST_SENTENCE, help_text=_("For the judge of the case only.")
    )
    record = serializers.IntegerField(
        required=False, min_value=1, help_text=_("Number of a record of the game; else that of the current result.")
    )
    line = serializers.IntegerField(required=False, min_value=1, max_value=LARGEST, help_text=_("Line of a log."))
    filed_line = serializers.IntegerField(
        required=False, min_value=1, max_value=LARGEST, help_text=_("Last line before a protest at the table.")
    )
    hand = serializers.IntegerField(
        required=False, min_value=1, max_value=LARGEST, help_text=_("Hand of a card or tally, with its column.")
    )
    column = serializers.ChoiceField(["play", "muggins", "penalties", "bonus"], required=False)
    number = serializers.IntegerField(
        required=False,
        min_value=0,
        max_value=LARGEST,
        help_text=_("Points that were announced, or that the column should have."),
    )
    against = serializers.IntegerField(
        required=False, min_value=1, max_value=6, help_text=_("Side of a catch, or with the points of the column.")
    )
    miswritten = serializers.BooleanField(
        required=False, help_text=_("Error of writing: it outlives a settled hand and a confirmation.")
    )

    def point(self) -> protesting.Point:
        """Return the matter and its place."""
        apart = {"sentence", "record", "side"}
        given = {name: value for name, value in self.validated_data.items() if name not in apart}
        return protesting.Point(**given | {"kind": Dispute.Kind(given["kind"])})


class FirstAnswerFields(serializers.Serializer):
    """The first answer: the rules still allow the protest."""

    reason = serializers.CharField(allow_blank=True, help_text=_("In a sentence, in English."))
    rule = serializers.CharField(allow_blank=True, help_text=_("Id of the rule: udl.muggins."))


class StatementBody(SideBody):
    text = serializers.CharField(max_length=protesting.LONGEST_SENTENCE)


class AppealBody(SideBody):
    sentence = serializers.CharField(max_length=protesting.LONGEST_SENTENCE)


class OfferBody(ActBody):
    """An outcome for the other side; without scores the record stands."""

    scores = serializers.ListField(
        child=serializers.IntegerField(min_value=0, max_value=LARGEST),
        required=False,
        max_length=6,
        help_text=_("In the order of the sides."),
    )
    winner = serializers.IntegerField(required=False, allow_null=True, help_text=_("Number of a side."))
    ended = serializers.ChoiceField(["target", "bell", "overtime", "forfeit"], required=False)


class AgreementBody(ActBody):
    offer = serializers.IntegerField(
        source="number", min_value=1, max_value=LARGEST, help_text=_("Number of the entry of the offer.")
    )


class EffectBody(ActBody):
    effect = serializers.ChoiceField(Dispute.Effect.values)
    minutes = serializers.IntegerField(
        required=False, min_value=0, max_value=LARGEST, help_text=_("Of a hold; without them until the ruling.")
    )


class DisputeFilters(FilterSet):
    league = WordFilter(field_name="match__league__slug", label=_("Address of a league."))
    match = KeyFilter(field_name="match", label=_("Number of a match."))
    game = WordFilter(field_name="game__code", label=_("Code of a game."))
    state = ChoiceFilter(choices=Dispute.State.choices)
    since = InstantFilter(field_name="raised_at", lookup_expr="gte", label=_("Filed at this time or later."))


class DisputeList(ListView):
    serializer_class = DisputeFields
    filterset_class = DisputeFilters

    @staticmethod
    def rows(asker):
        return visible_disputes(asker).select_related(None).select_related("game").order_by("-raised_at", "-pk")

    @extend_schema(operation_id="disputes", summary=_("Disputes"), description=_("Latest first."))
    def get(self, request: Request, *args: object, **kwargs: object) -> Response:
        return super().get(request, *args, **kwargs)


class DisputeView(RowsView):
    """A view of one dispute, answered as the asker may see it."""

    serializer_class = CaseFields
    rows = visible_disputes

    def case(self, code: str) -> Response:
        view = case_view(self.row(code=code.upper()).code, self.request.user)
        looked(view)
        return Response(self.get_serializer(case_input(view, self.address(view.dispute))).data)

    def address(self, dispute: Dispute) -> Callable[[DisputeEntry], str]:
        def made(entry: DisputeEntry) -> str:
            name = "api:photo" if entry.kind == DisputeEntry.Kind.PHOTO else "api:ruling-text"
            path = reverse(name, kwargs={"code": dispute.code, "number": entry.number})
            return self.request.build_absolute_uri(path)

        return made


def acted_input(dispute: Dispute) -> dict[str, Any]:
    """Return the input of `ActedFields`. One statement."""
    seen = dispute.entries.order_by("-number").values_list("number", flat=True).first()
    return {**{name: getattr(dispute, name) for name in COPIED}, "seen": seen}


class CaseAct(DisputeView):
    """An act in a dispute, answered without its words."""

    serializer_class = ActedFields
    parser_classes = (StrictJson,)
    act_scope = TokenScope.SUBMIT
    limit = "submit"

    def acted(self, code: str, act: Callable[..., Any], body: type[ActBody] | None = None) -> HttpResponse:
        return self.once(lambda: self._acted(code, act, body))

    def _acted(self, code: str, act: Callable[..., Any], body: type[ActBody] | None) -> Response:
        found = self.row(code=code.upper())
        act(found, self.request.user, **(self.read(body) if body else {}))
        now = acted_input(self.get_queryset().get(pk=found.pk))
        return Response(self.get_serializer(now).data)

    def read(self, body: type[ActBody]) -> dict[str, Any]:
        read = body(data=self.request.data)
        read.is_valid(raise_exception=True)
        return read.words()


class DisputeDetail(DisputeView):
    @extend_schema(
        operation_id="dispute",
        summary=_("One dispute"),
        description=_(
            "As the asker may see it: statements for the judge of the case, the proposal after the facts for "
            "officials and with the ruling for the sides. A look at the statements is logged."
        ),
    )
    def get(self, request: Request, code: str) -> Response:
        return self.case(code)


# ---- Protests


class ProtestView(RowsView):
    parser_classes = (StrictJson,)
    act_scope = TokenScope.SUBMIT
    limit = "submit"
    rows = visible_games

    def protested(self, code: str, act: Callable[..., Any], *words: str) -> Any:
        """Do an act with the body of a protest; `words`: names of members that it takes in their order."""
        game = self.row(code=code.upper())
        body = ProtestBody(data=self.request.data)
        body.is_valid(raise_exception=True)
        given = body.validated_data
        record = record_of(game, given.get("record"))
        said = [given[name] for name in words]
        return act(game, self.request.user, body.point(), *said, record=record, side=given.get("side"))


def record_of(game: Game, number: int | None) -> Record | None:
    """Return a record of the game. Raises ValidationError for another number."""
    if number is None:
        return None
    found = game.records.select_related("sealed", "score_sheet").filter(pk=number).first()
    if found is None:
        raise serializers.ValidationError({"record": _("This game has no such record.")})
    return found


class GameProtest(ProtestView):
    serializer_class = ActedFields

    @extend_schema(
        operation_id="protest",
        summary=_("Protest"),
        request=ProtestBody,
        examples=EXAMPLES,
        responses={201: ActedFields},
        description=_(
            "By a player of the match, an official, or the desk in the name of a side. A further protest joins the "
            "open dispute of the match. 422 “not-admitted” if the rules do not allow it any more."
        ),
    )
    def post(self, request: Request, code: str) -> HttpResponse:
        return self.once(lambda: self._protest(code))

    def _protest(self, code: str) -> Response:
        made = self.protested(code, protesting.protest, "sentence")
        now = acted_input(visible_disputes(self.request.user).get(pk=made.pk))
        return Response(self.get_serializer(now).data, status=status.HTTP_201_CREATED)


class ProtestOutlook(ProtestView):
    serializer_class = FirstAnswerFields

    @extend_schema(
        operation_id="preview_protest",
        summary=_("Ask whether a protest is still allowed"),
        request=ProtestBody,
        examples=EXAMPLES,
        responses={200: FirstAnswerFields},
        description=_("Stores nothing and notifies nobody. Refused as the protest would be."),
    )
    def post(self, request: Request, code: str) -> Response:
        found = self.protested(code, protesting.first_answer)
        reason = found.reason.text if found.reason is not None else ""
        return Response(self.get_serializer({"reason": reason, "rule": found.rule}).data)


# ---- Acts of the sides


class SideStatement(CaseAct):
    @extend_schema(
        operation_id="state",
        summary=_("Give the statement of a side"),
        request=StatementBody,
        responses={200: ActedFields},
        description=_("Once for each side, before the ruling. The other side does not read it."),
    )
    def post(self, request: Request, code: str) -> HttpResponse:
        return self.acted(code, statements.give_statement, StatementBody)


class SideOffer(CaseAct):
    @extend_schema(
        operation_id="offer",
        summary=_("Propose an outcome to the other side"),
        request=OfferBody,
        responses={200: ActedFields},
        description=_("Before the ruling. A later offer replaces it."),
    )
    def post(self, request: Request, code: str) -> HttpResponse:
        return self.acted(code, agreeing.offer, OfferBody)


class Agreement(CaseAct):
    @extend_schema(
        operation_id="agree",
        summary=_("Accept the outcome that the other side proposed"),
        request=AgreementBody,
        responses={200: ActedFields},
        description=_("The dispute is closed as agreed, and the result follows."),
    )
    def post(self, request: Request, code: str) -> HttpResponse:
        return self.acted(code, agreeing.accept_offer, AgreementBody)


class ProtestWithdrawal(CaseAct):
    @extend_schema(
        operation_id="withdraw_protest",
        summary=_("Withdraw a protest"),
        request=SideBody,
        responses={200: ActedFields},
        description=_("By the side or the official that filed it, before the ruling."),
    )
    def post(self, request: Request, code: str) -> HttpResponse:
        return self.acted(code, agreeing.withdraw, SideBody)


class JudgeRefusal(CaseAct):
    @extend_schema(
        operation_id="refuse_judge",
        summary=_("Refuse the judge of the case"),
        request=SideBody,
        responses={200: ActedFields},
        description=_("Once for each side, after the judge took the case and before the ruling."),
    )
    def post(self, request: Request, code: str) -> HttpResponse:
        return self.acted(code, deciders.refuse_decider, SideBody)


class ChosenEffect(CaseAct):
    @extend_schema(
        operation_id="choose_effect",
        summary=_("Let play go on, or hold the next matches"),
        request=EffectBody,
        responses={200: ActedFields},
        description=_("By the desk, until the ruling."),
    )
    def post(self, request: Request, code: str) -> HttpResponse:
        return self.acted(code, effects.choose_effect, EffectBody)


class AppealFiling(CaseAct):
    @extend_schema(
        operation_id="appeal",
        summary=_("Appeal against a ruling"),
        request=AppealBody,
        responses={200: ActedFields},
        description=_("Once, in time, to somebody who did not decide. The ruling stands until then."),
    )
    def post(self, request: Request, code: str) -> HttpResponse:
        return self.acted(code, appealing.appeal, AppealBody)
