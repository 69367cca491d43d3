"""Referee for any text; nothing is stored."""

from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from league.api.base.pagination import truth
from league.api.base.parsers import LogText, StrictJson
from league.api.base.views import ApiView
from league.api.resources.games import LOG_BODY, LOG_EXAMPLES, log_of
from league.api.resources.records import PLAYS
from league.api.resources.verdicts import VerdictFields
from league.matches.log_text import decode
from referee import verify_text


class Verdicts(serializers.Serializer):
    verdicts = VerdictFields(many=True, help_text=_("One per game, in order."))


class Verification(ApiView):
    parser_classes = (LogText, StrictJson)
    limit = "verify"
    parameters = frozenset({"plays"})

    @extend_schema(
        operation_id="verify",
        summary=_("Verify a text"),
        parameters=[PLAYS],
        request=LOG_BODY,
        examples=LOG_EXAMPLES,
        responses={200: Verdicts},
        description=_(
            "The verdict on every game of the text, as `python -m referee verify --json` gives it. Nothing is stored."
        ),
    )
    def post(self, request: Request) -> Response:
        with_plays = truth(request, "plays")
        found = [verdict.as_json(plays=with_plays) for verdict in verify_text(decode(log_of(request)))]
        return Response(Verdicts({"verdicts": found}).data)
