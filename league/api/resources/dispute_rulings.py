"""Rulings on disputes: facts, preview, ruling, second official, ruling texts, the rulings of a league."""

from typing import Any

from django.db.models import QuerySet
from django.http import Http404, HttpResponse
from django.utils.translation import gettext_lazy as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from league.accounts.graphemes import points
from league.accounts.models import LONGEST_NAME, League
from league.api.base.views import ListView
from league.api.models import TokenScope
from league.api.resources.amendments import EffectFields, OutlookFields
from league.api.resources.dispute_fields import COPIED, ActedFields, DisputeFields
from league.api.resources.disputes import LARGEST, ActBody, CaseAct, DisputeView
from league.api.resources.files import AnyRenderer
from league.api.resources.leagues import LeagueList
from league.disputes import deciders, facts, ruling
from league.disputes.models import Dispute, SealedRuling
from league.disputes.queries import case_view, public_rulings
from league.disputes.reasons import words_in_force
from league.disputes.ruling import WantedRuling
from league.matches.models import Amendment
from referee.rulings.court import FactFound
from referee.rulings.text import write_ruling

BODY = {"outcome": "call", "reason": "Nobody heard the ten.", "seen": 4}
EXAMPLES = [OpenApiExample("the call is corrected", value=BODY, request_only=True)]


class SeenBody(ActBody):
    seen = serializers.IntegerField(
        required=False,
        min_value=0,
        max_value=LARGEST,
        help_text=_("Number of the last entry that was read; 409 “decided-meanwhile” after a later one."),
    )


class FactsBody(SeenBody):
    answer = serializers.ChoiceField(
        [one.value for one in FactFound], allow_null=True, help_text=_("Null where the proposal has no question.")
    )

    def words(self) -> dict[str, Any]:
        answer = self.validated_data["answer"]
        return super().words() | {"answer": FactFound(answer) if answer else None}


class RulingBody(ActBody):
    outcome = serializers.ChoiceField(
        Dispute.Outcome.values, help_text=_("In an appeal “dismissed” leaves the first ruling with its outcome.")
    )
    reason = serializers.CharField(max_length=200, help_text=_("Shown publicly with the ruling."))
    scores = serializers.ListField(
        child=serializers.IntegerField(min_value=0, max_value=LARGEST),
        required=False,
        max_length=6,
        help_text=_("Of a result ruled: in the order of the sides."),
    )
    winner = serializers.IntegerField(required=False, allow_null=True, help_text=_("Number of a side."))
    ended = serializers.ChoiceField(["target", "bell", "overtime", "forfeit"], required=False)
    later = serializers.ChoiceField(
        Amendment.Later.values,
        required=False,
        help_text=_("Dependent matches that have begun: keep them as played, or void and replay them."),
    )

    def words(self) -> dict[str, Any]:
        given = super().words()
        said = {name: given.pop(name) for name in RULING if name in given}
        said["outcome"], said["scores"] = Dispute.Outcome(said["outcome"]), tuple(said.get("scores", ()))
        return {"wanted": WantedRuling(**said), **given}


RULING = ("outcome", "reason", "scores", "winner", "ended", "later")


class ConfirmRulingBody(SeenBody):
    seen_effect = serializers.CharField(
        required=False, max_length=64, help_text=_("Digest of the previewed effect; refused if the effect differs.")
    )
    typed = serializers.CharField(
        required=False,
        max_length=points(LONGEST_NAME),
        help_text=_("Name of the competition, as confirmation; needed if matches become void."),
    )


class GivenRulingBody(RulingBody, ConfirmRulingBody):
    pass


class RejectionBody(SeenBody):
    reason = serializers.CharField(required=False, max_length=200)


class RulingOutlookFields(serializers.Serializer):
    """A ruling before it is saved."""

    message = serializers.CharField(
        source="says", allow_blank=True, help_text=_("Reason by the proposal, in a sentence, in English.")
    )
    text = serializers.CharField(allow_blank=True, help_text=_("The ruling text; empty where the log stays as it is."))
    effect = EffectFields(allow_null=True, help_text=_("Changed and unchanged parts; null if no result changes."))
    outlooks = OutlookFields(allow_null=True, help_text=_("Choices of an amendment of an official result."))
    seen_effect = serializers.CharField(
        source="digest", allow_blank=True, help_text=_("Digest of this effect: send it back as “seen_effect”.")
    )
    waits = serializers.BooleanField(help_text=_("Another official has to confirm it."))
    appeal = serializers.BooleanField(help_text=_("Somebody is left to hear an appeal."))


class RulingRowFields(DisputeFields):
    """A public ruling."""

    reason = serializers.CharField(help_text=_("Reason of the ruling."))
    players = serializers.ListField(child=serializers.CharField(), help_text=_("Names as shown to the public."))


class CourtAct(CaseAct):
    act_scope = TokenScope.CONFIRM
    limit = "confirm"


class TakenCase(CourtAct):
    @extend_schema(
        operation_id="take_case",
        summary=_("Take a case"),
        request=SeenBody,
        responses={200: ActedFields},
        description=_("By an official who does not play in the match. The judge of the case reads the statements."),
    )
    def post(self, request: Request, code: str) -> HttpResponse:
        return self.acted(code, deciders.take_case, SeenBody)


class SteppingBack(CourtAct):
    @extend_schema(
        operation_id="step_back",
        summary=_("Step back from a case"),
        request=None,
        responses={200: ActedFields},
        description=_("By the judge of the case before the ruling. Somebody else finds the facts again."),
    )
    def post(self, request: Request, code: str) -> HttpResponse:
        return self.acted(code, deciders.step_back)


class Facts(CourtAct):
    @extend_schema(
        operation_id="find_facts",
        summary=_("Find the facts"),
        request=FactsBody,
        responses={200: ActedFields},
        description=_("The answer to the question of the proposal. Afterwards officials read the proposal."),
    )
    def post(self, request: Request, code: str) -> HttpResponse:
        return self.acted(code, facts.find_facts, FactsBody)


class RulingOutlook(CaseAct):
    serializer_class = RulingOutlookFields
    act_scope = TokenScope.CONFIRM
    limit = "confirm"

    @extend_schema(
        operation_id="preview_ruling",
        summary=_("Preview a ruling"),
        request=RulingBody,
        examples=EXAMPLES,
        responses={200: RulingOutlookFields},
        description=_("Stores nothing and notifies nobody. With the permission to give it, after the facts."),
    )
    def post(self, request: Request, code: str) -> Response:
        found = self.row(code=code.upper())
        preview = ruling.preview(found, request.user, **self.read(RulingBody))
        return Response(self.get_serializer(_outlook_input(preview)).data)


def _outlook_input(preview: ruling.RulingPreview) -> dict[str, Any]:
    decided = preview.decided
    return {
        "says": decided.says.text if decided.says is not None else "",
        "text": write_ruling(decided.ruling) if decided.ruling is not None else "",
        "effect": preview.effect,
        "outlooks": preview.outlooks,
        "digest": preview.digest,
        "waits": preview.waits,
        "appeal": preview.appeal,
    }


class GivenRuling(CourtAct):
    @extend_schema(
        operation_id="rule",
        summary=_("Give a ruling"),
        request=GivenRulingBody,
        examples=EXAMPLES,
        responses={200: ActedFields},
        description=_(
            "By an official who does not play in the match, after the facts. It waits for a second official if it "
            "changes a result and the league asks for two. 409 “decided-meanwhile” if somebody else was first."
        ),
    )
    def post(self, request: Request, code: str) -> HttpResponse:
        return self.acted(code, ruling.rule, GivenRulingBody)


class RulingConfirmation(CourtAct):
    @extend_schema(
        operation_id="confirm_ruling",
        summary=_("Confirm a ruling"),
        request=ConfirmRulingBody,
        responses={200: ActedFields},
        description=_("By another official who does not play in the match."),
    )
    def post(self, request: Request, code: str) -> HttpResponse:
        return self.acted(code, ruling.confirm_ruling, ConfirmRulingBody)


class RulingRejection(CourtAct):
    @extend_schema(
        operation_id="reject_ruling",
        summary=_("Reject a ruling, or take back the own one"),
        request=RejectionBody,
        responses={200: ActedFields},
        description=_("While it waits for the second official. Facts and ruling are open again."),
    )
    def post(self, request: Request, code: str) -> HttpResponse:
        return self.acted(code, ruling.reject_ruling, RejectionBody)


# ---- Public rulings


class RulingList(ListView):
    serializer_class = RulingRowFields
    rows = LeagueList.rows

    def filter_queryset(self, queryset: QuerySet[League]) -> QuerySet[Dispute]:
        return public_rulings(self.row(slug=self.kwargs["slug"]))

    def entries(self, page: list[Dispute]) -> list[Any]:
        told = words_in_force(page)
        return [
            {
                **{name: getattr(one, name) for name in COPIED},
                "reason": told.get(one.pk, ""),
                "players": [str(side) for side in one.match.sides.all()],
            }
            for one in page
        ]

    @extend_schema(
        operation_id="rulings",
        summary=_("Rulings of a league"),
        description=_("Latest first. Without rulings about conduct, and of matches with minors."),
    )
    def get(self, request: Request, *args: object, **kwargs: object) -> Response:
        return super().get(request, *args, **kwargs)


class RulingTextFile(DisputeView):
    renderer_classes = (AnyRenderer,)

    @extend_schema(
        operation_id="ruling_text",
        summary=_("The text of a ruling"),
        responses={(200, "text/plain"): OpenApiTypes.STR},
        description=_("A file that ends in .ruling, as `python -m referee verify OLD RULING` reads it."),
    )
    def get(self, request: Request, code: str, number: int) -> HttpResponse:
        view = case_view(self.row(code=code.upper()).code, request.user)
        found = [one for one in view.entries if one.number == number and one.data]
        sealed = SealedRuling.objects.filter(entry__in=found).first()
        if sealed is None:
            raise Http404
        name = f"{view.dispute.code}-{number}.ruling"
        headers = {"X-Content-Type-Options": "nosniff", "Content-Disposition": f'attachment; filename="{name}"'}
        return HttpResponse(sealed.text, content_type="text/plain; charset=utf-8", headers=headers)
