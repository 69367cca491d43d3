"""Muggins check: a question about one play, answered as a verdict, never stored."""

from typing import Any

from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from games.claims import Why
from games.moves import SEATS
from league.api.base.parsers import StrictJson
from league.api.base.views import ApiView
from league.api.resources.games import TextField
from league.api.resources.rulesets import RuleFields
from league.web.help import muggins_answer
from league.web.words.rules import rule_text
from referee.questions.open_ends import QuestionError
from referee.questions.question import OPTIONS, Answer, Owner, Question, Warn, answer
from referee.questions.record import MOST_POINTS, MOST_TENTHS, Moment

MOMENTS = [moment.value for moment in Moment]
MOST_SAID = 12
TILE = r"^[0-6]-[0-6]\Z"


class WholeNumber(serializers.IntegerField):
    """Number only: the framework's own field also takes texts."""

    def to_internal_value(self, data: object) -> int:
        if isinstance(data, bool) or not isinstance(data, int):
            self.fail("invalid")
        return super().to_internal_value(data)


class Seconds(serializers.FloatField):
    def __init__(self, **more: Any) -> None:
        most = MOST_TENTHS / 10
        super().__init__(min_value=0, max_value=most, required=False, allow_null=True, **more)

    def to_internal_value(self, data: object) -> float:
        if isinstance(data, bool) or not isinstance(data, int | float):
            self.fail("invalid")
        return super().to_internal_value(data)


class Truth(serializers.BooleanField):
    def to_internal_value(self, data: object) -> bool:
        if not isinstance(data, bool):
            self.fail("invalid", input=data)
        return data


class BoardTile(serializers.Serializer):
    tile = serializers.RegexField(TILE, help_text=_("A tile of the double-six set: 6-3."))
    on = serializers.RegexField(
        TILE, required=False, allow_null=True, help_text=_("The tile that it was joined to; null for the lead.")
    )


class SpokenFields(serializers.Serializer):
    seat = serializers.ChoiceField(list(muggins_answer.LETTERS))
    says = serializers.ChoiceField([muggins_answer.POINTS, muggins_answer.MUGGINS])
    points = WholeNumber(
        min_value=0, max_value=MOST_POINTS, required=False, allow_null=True, help_text=_("The number announced.")
    )
    when = serializers.ChoiceField(
        MOMENTS,
        help_text=_("Time between two other events; “next” and “second” are completed turns after the tile."),
    )
    seconds = Seconds(help_text=_("Seconds since the tile was down; after the bell, since the bell."))
    together = Truth(default=False, help_text=_("Called at the same moment as the previous call."))


class QuestionFields(serializers.Serializer):
    ruleset = serializers.ChoiceField(muggins_answer.SYSTEMS, default="udl")
    options = serializers.DictField(
        child=TextField(max_length=40),
        required=False,
        help_text=_("House rules, as in a log's tags: %(keys)s.") % {"keys": ", ".join(OPTIONS)},
    )
    ends = TextField(
        required=False,
        max_length=80,
        help_text=_("Open ends after the play, doubles with both halves: “6-6 5 3”. Or give the board."),
    )
    board = BoardTile(
        many=True, required=False, max_length=muggins_answer.MOST_TILES, help_text=_("Tiles in the order of play.")
    )
    seats = WholeNumber(min_value=2, max_value=4, required=False, help_text=_("Number of players."))
    scorer = serializers.ChoiceField(
        list(muggins_answer.LETTERS), default="A", help_text=_("Seat that played the tile.")
    )
    said = SpokenFields(
        many=True, required=False, max_length=MOST_SAID, help_text=_("Announcements and calls, in order.")
    )
    reached = serializers.ChoiceField(
        MOMENTS,
        required=False,
        allow_null=True,
        help_text=_("Latest event of the game, if after the last announcement or call."),
    )
    bell_s = Seconds(help_text=_("Seconds from the tile to the bell."))


class SeatPoints(serializers.Serializer):
    seat = serializers.ChoiceField(list(muggins_answer.LETTERS))
    points = serializers.IntegerField()


class CallFields(SeatPoints):
    upheld = serializers.BooleanField()
    why = serializers.ChoiceField(
        [why.value for why in Why], allow_null=True, help_text=_("Null if the rules have no muggins call.")
    )
    sentence = serializers.CharField()


class WarningFields(serializers.Serializer):
    code = serializers.ChoiceField([warning.value for warning in Warn])
    sentence = serializers.CharField()


class AnswerFields(serializers.Serializer):
    terms = serializers.ListField(child=serializers.IntegerField(), help_text=_("The summands of the count."))
    sum = serializers.CharField(help_text=_("The count as a sum: 6+6+5+3."))
    count = serializers.IntegerField()
    worth = serializers.IntegerField(help_text=_("Points of the play."))
    announced = serializers.IntegerField(allow_null=True, help_text=_("Number announced in time."))
    owner = serializers.ChoiceField([owner.value for owner in Owner])
    awarded = SeatPoints(many=True, help_text=_("Points of each seat without a further announcement or call."))
    left = serializers.IntegerField(help_text=_("Points not awarded."))
    may_announce = serializers.BooleanField(help_text=_("An announcement of the scorer would still count."))
    may_call = serializers.ListField(
        child=serializers.ChoiceField(list(muggins_answer.LETTERS)), help_text=_("Seats whose call would still count.")
    )
    calls = CallFields(many=True)
    warnings = WarningFields(many=True)
    sentence = serializers.CharField(help_text=_("The answer as a sentence."))
    rules = RuleFields(many=True, help_text=_("Rules behind the answer."))
    record = serializers.CharField(help_text=_("The judged log; `verify` gives the same verdict."))


EXAMPLE = {
    "ruleset": "udl",
    "ends": "6-6 5 3",
    "said": [
        {"seat": "A", "says": "points", "points": 15, "when": "with-tile"},
        {"seat": "B", "says": "muggins", "when": "after-next"},
    ],
}


def answer_entry(question: Question, found: Answer) -> dict[str, Any]:
    return {
        "terms": found.terms,
        "sum": "+".join(map(str, found.terms)),
        "count": found.count,
        "worth": found.worth,
        "announced": found.announced,
        "owner": found.owner.value,
        "awarded": [{"seat": SEATS[seat], "points": points} for seat, points in found.awarded.items()],
        "left": found.left,
        "may_announce": found.may_announce,
        "may_call": [SEATS[seat] for seat in found.may_call],
        "calls": [
            {
                "seat": SEATS[call.seat],
                "points": call.points,
                "upheld": call.upheld,
                "why": call.why.value if call.why else None,
                "sentence": muggins_answer.call_sentence(question, call),
            }
            for call in found.calls
        ],
        "warnings": [
            {"code": one.value, "sentence": muggins_answer.warning_sentence(question, one)} for one in found.warnings
        ],
        "sentence": " ".join(
            [muggins_answer.verdict_sentence(question, found), *muggins_answer.further_sentences(question, found)]
        ),
        "rules": [{"id": one.id, "number": one.number, "text": rule_text(one)} for one in found.rules],
        "record": found.notation,
    }


class MugginsQuestion(ApiView):
    parser_classes = (StrictJson,)
    limit = "verify"

    @extend_schema(
        operation_id="muggins",
        summary=_("Settle a muggins call"),
        request=QuestionFields,
        examples=[OpenApiExample("a call after too low a number", value=EXAMPLE, request_only=True)],
        responses={200: AnswerFields},
        description=_(
            "One play with its announcements and calls: answers with the sum, the points and their owners, as a "
            "verdict on the same play. Nothing is stored."
        ),
    )
    def post(self, request: Request) -> Response:
        asked = QuestionFields(data=request.data)
        asked.is_valid(raise_exception=True)
        try:
            question = muggins_answer.question_of(asked.validated_data)
            found = answer(question)
        except QuestionError as error:
            raise serializers.ValidationError({error.field: [muggins_answer.refusal(error)]}) from error
        return Response(AnswerFields(answer_entry(question, found)).data)
