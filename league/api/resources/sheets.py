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
    """true or false only: the framework's own field also takes words and numbers."""

    def to_internal_value(self, data: object) -> bool:
        if not isinstance(data, bool):
            self.fail("invalid", input=data)
        return data


class SheetBody(serializers.Serializer):
    kind = serializers.ChoiceField(
        [KnownBy.TALLY.value, KnownBy.CARD.value, KnownBy.SCORE.value], help_text=_("Kind of the record.")
    )
    sheet = serializers.DictField(
        help_text=_("Written content, numbers in the order of the sides; without the unwritten fields.")
    )
    signed = TruthField(default=False, help_text=_("For the desk: the card is signed by both sides."))
    insist = TruthField(
        default=False, help_text=_("Enter it even if it does not add up; an official decides the result.")
    )


class SheetAnswer(serializers.Serializer):
    """Outcome of an entry."""

    record = serializers.IntegerField(source="record.pk", help_text=_("The entered record, kept permanently."))
    under_review = serializers.BooleanField(help_text=_("Another entry of the game differs. Both are kept."))
    result = ResultFields(help_text=_("Current result of the game."))


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
            "By a player of the match, or by the desk of its league. An equal entry by the other side confirms it; "
            "a different one is kept beside it. 200: the same entry was made before."
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
