"""The court: rules of a league, photos of a case, and its named judge."""

from typing import Any

from django.http import Http404, HttpResponse
from django.utils.translation import gettext_lazy as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from league.accounts.models import LONGEST_NAME, User
from league.api.base.parsers import PictureBytes
from league.api.base.views import RowsView
from league.api.resources.dispute_fields import ActedFields
from league.api.resources.dispute_rulings import CourtAct
from league.api.resources.disputes import ActBody, CaseAct, DisputeView, acted_input
from league.api.resources.files import AnyRenderer
from league.api.resources.leagues import LeagueList
from league.disputes.court_rules import rules_of_court
from league.disputes.models import CourtRules, Dispute, DisputePhoto
from league.disputes.protests.photos import add_photo, look_at_photo
from league.matches.models import NamedJudge
from league.matches.results import judges
from league.players.naming import fold

SIDES = frozenset({"1", "2", "3", "4", "5", "6"})


class CourtRulesFields(serializers.Serializer):
    """Rules of a league's court. Times in minutes."""

    minutes_in_hall = serializers.IntegerField(
        help_text=_("To protest after the result was shown, for a match with a table.")
    )
    minutes_elsewhere = serializers.IntegerField(help_text=_("To protest after the result was shown."))
    hold_minutes = serializers.IntegerField(help_text=_("Then play goes on under reserve; a final waits."))
    appeal_minutes = serializers.IntegerField(help_text=_("To appeal after the ruling."))
    hears = serializers.ChoiceField(
        CourtRules.Hears.values, help_text=_("Appeals go to the head referee or an owner, an owner, the parent league.")
    )
    proof = serializers.ChoiceField(
        CourtRules.Proof.values,
        help_text=_("If nobody can say what happened: points to nobody, the protester shows it, the hand is replayed."),
    )
    penalties = serializers.DictField(
        child=serializers.IntegerField(), help_text=_("Points by the code of a violation; empty: none.")
    )


class LeagueCourt(RowsView):
    serializer_class = CourtRulesFields
    rows = LeagueList.rows

    @extend_schema(
        operation_id="court_rules",
        summary=_("Rules of a league’s court"),
        description=_("The owner changes them on the page of the league."),
    )
    def get(self, request: Request, slug: str) -> Response:
        return Response(self.get_serializer(rules_of_court(self.row(slug=slug).pk)).data)


# ---- Photos


class PhotoUpload(CaseAct):
    parser_classes = (PictureBytes,)
    parameters = frozenset({"side"})

    @extend_schema(
        operation_id="add_photo",
        summary=_("Add a photo of a side"),
        request={
            "image/jpeg": OpenApiTypes.BINARY,
            "image/png": OpenApiTypes.BINARY,
            "image/webp": OpenApiTypes.BINARY,
        },
        parameters=[OpenApiParameter("side", int, description=_("For the desk: the side in whose name it acts."))],
        responses={201: ActedFields},
        description=_(
            "Before the ruling, three of each side. Place and device are removed from it. Only the judge of the case, "
            "the second official and the body of the appeal see it."
        ),
    )
    def post(self, request: Request, code: str) -> HttpResponse:
        return self.once(lambda: self._added(code))

    def _added(self, code: str) -> Response:
        asked = self.request.query_params.get("side")
        if asked is not None and asked not in SIDES:
            raise serializers.ValidationError({"side": _("Choose one of the two sides.")})
        raw = self.request.data if isinstance(self.request.data, bytes) else b""
        add_photo(self.row(code=code.upper()), self.request.user, raw, side=int(asked) if asked else None)
        now = acted_input(self.get_queryset().get(code=code.upper()))
        return Response(self.get_serializer(now).data, status=status.HTTP_201_CREATED)


class PhotoFile(DisputeView):
    renderer_classes = (AnyRenderer,)

    @extend_schema(
        operation_id="photo",
        summary=_("A photo of a case"),
        responses={(200, "image/jpeg"): OpenApiTypes.BINARY},
        description=_("For the judge of the case, the second official and the appeal. Each look is logged."),
    )
    def get(self, request: Request, code: str, number: int) -> HttpResponse:
        try:
            image = look_at_photo(self.row(code=code.upper()), number, request.user)
        except DisputePhoto.DoesNotExist:
            raise Http404 from None
        headers = {"X-Content-Type-Options": "nosniff", "Cache-Control": "private, no-store"}
        return HttpResponse(image, content_type="image/jpeg", headers=headers)


# ---- The named judge


class JudgeBody(ActBody):
    name = serializers.CharField(max_length=LONGEST_NAME, help_text=_("Whole name, or the code, of the member."))


class JudgeNaming(CourtAct):
    @extend_schema(
        operation_id="name_judge",
        summary=_("Name a judge"),
        request=JudgeBody,
        responses={200: ActedFields},
        description=_(
            "By the desk, where no official is free of the match: a member with an account who does not play in it. "
            "The judge decides this case once both sides accept."
        ),
    )
    def post(self, request: Request, code: str) -> HttpResponse:
        return self.acted(code, _named, JudgeBody)


class JudgeAcceptance(CaseAct):
    @extend_schema(
        operation_id="accept_judge",
        summary=_("Accept the named judge"),
        request=JudgeBody,
        responses={200: ActedFields},
        description=_("By each side. 409 “judge-changed” if somebody else is named meanwhile."),
    )
    def post(self, request: Request, code: str) -> HttpResponse:
        return self.acted(code, _accepted, JudgeBody)


def _named(dispute: Dispute, user: User, name: str) -> Any:
    return judges.name_judge(dispute.match, name, by=user)


def _accepted(dispute: Dispute, user: User, name: str) -> Any:
    named = NamedJudge.objects.select_related("player").filter(match=dispute.match_id).first()
    wanted = " ".join(name.split())
    same = named is not None and (fold(wanted) == named.player.folded or wanted.upper() == named.player.code)
    return judges.accept_judge(dispute.match, user, named.player_id if named and same else 0)
