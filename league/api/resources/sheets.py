"""Entry of a tally, a card or a bare score."""

from typing import Any

from django.http import HttpResponse
from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from league.api.base.parsers import StrictJson
from league.api.base.views import RowsView
from league.api.models import TokenScope
from league.api.resources.games import visible_games
from league.api.resources.results import ResultFields
from league.matches.models import KnownBy, Result
from league.matches.results.entering import enter_sheet

SHEET = {
    "scores": [150, 95],
    "ended": "target",
    "rounds": [
        {"spinner": "6-6", "ended": "domino", "winner": 0, "totals": [85, 40]},
        {"spinner": "none", "totals": [150, 95]},
    ],
}
EXAMPLES = [
    OpenApiExample("a card", value={"kind": "card", "sheet": SHEET, "signed": False}, request_only=True),
    OpenApiExample("a score", value={"kind": "score", "sheet": {"scores": [150, 95]}}, request_only=True),
]


class TruthField(serializers.BooleanField):
    """true or false and nothing else: the framework's own field takes words and numbers too."""

    def to_internal_value(self, data: object) -> bool:
        if not isinstance(data, bool):
            self.fail("invalid", input=data)
        return data


class SheetBody(serializers.Serializer):
    kind = serializers.ChoiceField(
        [KnownBy.TALLY.value, KnownBy.CARD.value, KnownBy.SCORE.value], help_text=_("How the game is known by it.")
    )
    sheet = serializers.DictField(
        help_text=_("What it says, numbers in the order of the sides; what was not written is left out.")
    )
    signed = TruthField(default=False, help_text=_("By the desk: the card bears the signatures of both sides."))
    insist = TruthField(
        default=False, help_text=_("Enter it although it does not add up; an official decides what counts.")
    )


class SheetAnswer(serializers.Serializer):
    """What the entry came to."""

    record = serializers.IntegerField(source="record.pk", help_text=_("What was entered; kept for ever."))
    under_review = serializers.BooleanField(help_text=_("Somebody else entered something different. Both are kept."))
    result = ResultFields(help_text=_("What stands for the game now."))


class SheetEntry(RowsView):
    serializer_class = SheetAnswer
    parser_classes = (StrictJson,)
    act_scope = TokenScope.SUBMIT
    limit = "submit"
    rows = visible_games

    @extend_schema(
        operation_id="enter_sheet",
        summary=_("Enter a tally, a card or a score"),
        request=SheetBody,
        examples=EXAMPLES,
        responses={200: SheetAnswer, 201: SheetAnswer},
        description=_(
            "By a player of the match, or by whoever runs the desk of its league. The same entry by the other side "
            "confirms it; another one stands beside it. 200: the same was entered before."
        ),
    )
    def post(self, request: Request, code: str) -> HttpResponse:
        return self.once(lambda: self._enter(request, code))

    def _enter(self, request: Request, code: str) -> Response:
        game = self.row(code=code.upper())
        body = SheetBody(data=request.data)
        body.is_valid(raise_exception=True)
        given: dict[str, Any] = body.validated_data
        entered = enter_sheet(
            game,
            request.user,
            given["sheet"],
            kind=KnownBy(given["kind"]),
            signed=given["signed"],
            insist=given["insist"],
        )
        standing = Result.objects.select_related("game__match", "record__verdict", "amendment").get(
            pk=entered.result.pk
        )
        shown = {"record": entered.record, "under_review": entered.contested, "result": standing}
        answered = status.HTTP_201_CREATED if entered.created else status.HTTP_200_OK
        return Response(self.get_serializer(shown).data, status=answered)
