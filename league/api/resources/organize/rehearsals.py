"""Rehearsals: a competition played through with invented players, and its report."""

from typing import Any, ClassVar

from django.db.models import QuerySet
from django.http import HttpResponse
from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from league.accounts.permissions import Asker
from league.api.base.fields import Link
from league.api.base.staff import DoneBy, ManagedView, rows_of_staff
from league.api.base.views import ListView
from league.api.resources.organize.admissions import ChangedFields
from league.competitions.models import Rehearsal
from league.rehearsals.evening import Mishaps
from league.rehearsals.services import (
    MOST_ENTRANTS,
    MOST_SEED,
    ToRehearse,
    ask_to_rehearse,
    progress_of,
    remove,
    wishes_of,
)

MOST_ROUNDS = 999
BODY = {"entrants": 8, "seed": 7, "mishaps": {"no_show": True, "withdraw_after": 2}}


class MishapsFields(serializers.Serializer):
    """Mishaps to rehearse."""

    no_show = serializers.BooleanField(required=False, help_text=_("A no-show at the first match."))
    late_entry = serializers.BooleanField(required=False, help_text=_("A late entry after the publication."))
    level_game = serializers.BooleanField(required=False, help_text=_("A game is entered with a level score."))
    protest = serializers.BooleanField(required=False, help_text=_("The two sides of a match enter different scores."))
    withdraw_after = serializers.IntegerField(
        required=False,
        min_value=0,
        max_value=MOST_ROUNDS,
        help_text=_("A withdrawal after this round; 0: none."),
    )


class RehearsalBody(serializers.Serializer):
    entrants = serializers.IntegerField(min_value=2, max_value=MOST_ENTRANTS)
    seed = serializers.IntegerField(
        required=False, min_value=0, max_value=MOST_SEED, help_text=_("The same seed repeats the same event.")
    )
    mishaps = MishapsFields(required=False)

    def asked(self) -> ToRehearse:
        said = self.validated_data
        return ToRehearse(said["entrants"], said.get("seed"), Mishaps(**said.get("mishaps", {})))


class RehearsalFields(serializers.Serializer):
    id = serializers.IntegerField()
    state = serializers.ChoiceField(["waiting", "done", "refused"])
    progress = serializers.IntegerField(help_text=_("Per cent, of a waiting or running rehearsal."))
    entrants = serializers.IntegerField()
    seed = serializers.IntegerField()
    mishaps = MishapsFields()
    asked_at = serializers.DateTimeField()
    asked_by = DoneBy()
    done_at = serializers.DateTimeField(allow_null=True)
    code = serializers.CharField(source="refused_code", allow_blank=True, help_text=_("Code of the refusal."))
    detail = serializers.CharField(source="refused", allow_blank=True, help_text=_("The same as a sentence."))
    url = Link("api:rehearsal", rehearsal_id="id")


class RehearsalReport(RehearsalFields):
    report = serializers.DictField(
        help_text=_(
            "Rounds with times, tables, scores and standings, the final places, and the events with refusals; empty"
            " until it is played."
        )
    )


def seen_rehearsals(asker: Asker) -> QuerySet[Rehearsal]:
    return rows_of_staff(Rehearsal.objects.order_by("-pk"), asker).select_related("competition__league", "asked_by")


def told(job: Rehearsal) -> Rehearsal:
    """Add the members that no column holds."""
    job.state = "waiting" if job.done_at is None else "refused" if job.refused_code else "done"
    job.progress = progress_of(job.pk) if job.done_at is None else 100
    job.mishaps = wishes_of(job)
    return job


class CompetitionRehearsals(ManagedView, ListView):
    serializer_class = RehearsalFields
    fields_of: ClassVar[dict[str, str]] = {
        "bad-entrants": "entrants",
        "rehearsal-too-large": "entrants",
        "bad-seed": "seed",
    }

    def filter_queryset(self, _rows: object) -> QuerySet[Rehearsal]:
        return seen_rehearsals(self.request.user).filter(competition=self.managed()).defer("report")

    def entries(self, page: list[Rehearsal]) -> list[Rehearsal]:
        return [told(job) for job in page]

    @extend_schema(
        operation_id="rehearsals",
        summary=_("Rehearsals of a competition"),
        description=_("For its managers. Latest first."),
    )
    def get(self, request: Request, *args: object, **kwargs: object) -> Response:
        return super().get(request, *args, **kwargs)

    @extend_schema(
        operation_id="rehearse",
        summary=_("Rehearse a competition"),
        request=RehearsalBody,
        examples=[OpenApiExample("eight players, two mishaps", value=BODY, request_only=True)],
        responses={201: RehearsalReport, 202: RehearsalReport},
        description=_(
            "Plays the competition from the draw to the end with invented players; only the report is kept. 201 "
            "with the report, or 202: ask the address in Location again. A running rehearsal is returned instead of"
            " a new one."
        ),
    )
    def post(self, request: Request, league: str, slug: str) -> HttpResponse:
        return self.once(lambda: self._rehearse(request))

    def _rehearse(self, request: Request) -> Response:
        competition = self.managed()
        body = RehearsalBody(data=request.data)
        body.is_valid(raise_exception=True)
        job = told(ask_to_rehearse(competition, body.asked(), user=request.user))
        shown: dict[str, Any] = RehearsalReport(job, context=self.get_serializer_context()).data
        code = status.HTTP_202_ACCEPTED if job.done_at is None else status.HTTP_201_CREATED
        return Response(shown, status=code, headers={"Location": shown["url"]})


class RehearsalDetail(ManagedView):
    serializer_class = RehearsalReport
    rows = seen_rehearsals

    @extend_schema(operation_id="rehearsal", summary=_("One rehearsal"), description=_("With its report."))
    def get(self, request: Request, rehearsal_id: int) -> Response:
        job = self.row(pk=rehearsal_id)
        self.allowed(job.competition)
        return Response(self.get_serializer(told(job)).data)


class RehearsalRemoval(ManagedView):
    serializer_class = ChangedFields
    rows = seen_rehearsals

    @extend_schema(
        operation_id="remove_rehearsal",
        summary=_("Remove a rehearsal"),
        request=None,
        responses={200: ChangedFields},
        description=_("Erases it completely."),
    )
    def post(self, request: Request, rehearsal_id: int) -> HttpResponse:
        return self.once(lambda: self._remove(rehearsal_id))

    def _remove(self, rehearsal_id: int) -> Response:
        job = self.row(pk=rehearsal_id)
        self.allowed(job.competition)
        return Response(self.get_serializer({"changed": int(remove(job, user=self.request.user))}).data)
