"""Draws of a competition: make and publish."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from django.db.models import QuerySet
from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from league.accounts.permissions import Asker
from league.api.base.fields import Link
from league.api.base.staff import DoneBy, ManagedView, given, in_its_time, rows_of_staff, wrong_field
from league.api.base.views import ListView
from league.api.resources.organize.seeding import entrants_of
from league.competitions.cancelling import cancel
from league.competitions.draw.publishing import LONGEST_REASON, publish, publish_matchday
from league.competitions.draw.reopening import reopen
from league.competitions.job_progress import progress_of
from league.competitions.jobs import ask_to_draw
from league.competitions.models import LONGEST_CANCEL_REASON, Competition, DrawJob, Matchday

LONGEST_CODE = 40
MOST_ABSENT = 10_000
OF_COMPETITION = [
    one.value for one in (DrawJob.What.FIRST, DrawJob.What.HERE, DrawJob.What.NEXT, DrawJob.What.ANEW)
]  # a season is drawn as a whole, on its page


class DrawBody(serializers.Serializer):
    what = serializers.ChoiceField(
        OF_COMPETITION,
        help_text=_(
            "“first”: draw a draft. “here”: the same without absent entrants. “next”: the next round or stage. "
            "“anew”: redraw the draft round."
        ),
    )
    absent = serializers.ListField(
        child=serializers.CharField(max_length=LONGEST_CODE),
        required=False,
        max_length=MOST_ABSENT,
        help_text=_(
            "With “here”: codes of all entrants who are not checked in. Refused if a check-in changed meanwhile."
        ),
    )

    def validate(self, found: dict[str, Any]) -> dict[str, Any]:
        if (found["what"] == DrawJob.What.HERE) != ("absent" in found):
            raise wrong_field("absent", _("Give those who are absent with “here”, and nowhere else."))
        return found


class DrawFields(serializers.Serializer):
    id = serializers.IntegerField()
    what = serializers.ChoiceField(OF_COMPETITION)
    state = serializers.ChoiceField(["waiting", "done", "refused"])
    progress = serializers.IntegerField(help_text=_("Per cent, of a waiting or running draw."))
    made = serializers.IntegerField(allow_null=True, help_text=_("Number of the first drawn round."))
    asked_at = serializers.DateTimeField()
    asked_by = DoneBy()
    done_at = serializers.DateTimeField(allow_null=True)
    code = serializers.CharField(source="refused_code", allow_blank=True, help_text=_("Code of the refusal."))
    detail = serializers.CharField(source="refused", allow_blank=True, help_text=_("The same as a sentence."))
    url = Link("api:draw", draw_id="id")


class PublicationBody(serializers.Serializer):
    reason = serializers.CharField(
        required=False,
        max_length=LONGEST_REASON,
        help_text=_("Required if results of earlier rounds are missing. Shown publicly."),
    )


class PublicationFields(serializers.Serializer):
    changed = serializers.BooleanField(help_text=_("False if it was already published."))
    published_at = serializers.DateTimeField()


class ReopeningFields(serializers.Serializer):
    changed = serializers.BooleanField(help_text=_("False if it was a draft already."))


def seen_draws(asker: Asker) -> QuerySet[DrawJob]:
    return rows_of_staff(DrawJob.objects.order_by("-pk"), asker).select_related("competition__league", "asked_by")


def told(job: DrawJob) -> DrawJob:
    """Add the members that no column holds."""
    job.state = "waiting" if job.done_at is None else "refused" if job.refused_code else "done"
    job.progress = progress_of(job.pk) if job.done_at is None else 100
    return job


class CompetitionDraws(ManagedView, ListView):
    serializer_class = DrawFields

    def filter_queryset(self, _rows: object) -> QuerySet[DrawJob]:
        return seen_draws(self.request.user).filter(competition=self.managed())

    def entries(self, page: Sequence[DrawJob]) -> list[DrawJob]:
        return [told(job) for job in page]

    @extend_schema(
        operation_id="draws",
        summary=_("Requested draws"),
        description=_("For managers of the competition. Latest first."),
    )
    def get(self, request: Request, *args: object, **kwargs: object) -> Response:
        return super().get(request, *args, **kwargs)

    @extend_schema(
        operation_id="ask_to_draw",
        summary=_("Make a draw"),
        request=DrawBody,
        examples=[OpenApiExample("a draft", value={"what": "first"}, request_only=True)],
        responses={201: DrawFields, 202: DrawFields},
        description=_(
            "201 if the draw is finished: the state tells whether it was drawn or refused, with the reason. 202 if "
            "it runs in the background: ask the address in Location again. A running draw is returned instead of a "
            "new one."
        ),
    )
    def post(self, request: Request, league: str, slug: str) -> HttpResponse:
        return self.once(lambda: self._draw(request))

    def _draw(self, request: Request) -> Response:
        competition, said = self.managed(), given(DrawBody, request)
        absent = entrants_of(competition, "absent", said.get("absent", ()))
        with in_its_time(competition.league):
            job = ask_to_draw(competition, said["what"], user=request.user, absent=absent)
        shown = self.get_serializer(told(job)).data
        code = status.HTTP_202_ACCEPTED if job.done_at is None else status.HTTP_201_CREATED
        return Response(shown, status=code, headers={"Location": shown["url"]})


class DrawDetail(ManagedView):
    serializer_class = DrawFields
    rows = seen_draws

    @extend_schema(operation_id="draw", summary=_("One requested draw"))
    def get(self, request: Request, draw_id: int) -> Response:
        job = self.row(pk=draw_id)
        self.allowed(job.competition)
        return Response(self.get_serializer(told(job)).data)


class CompetitionPublication(ManagedView):
    serializer_class = PublicationFields

    @extend_schema(
        operation_id="publish_competition",
        summary=_("Publish a competition"),
        request=None,
        responses={200: PublicationFields},
        description=_("It becomes public, without undo. A repeated request changes nothing."),
    )
    def post(self, request: Request, league: str, slug: str) -> HttpResponse:
        return self.once(self._publish)

    def _publish(self) -> Response:
        competition = self.managed()
        done = publish(competition, user=self.request.user)
        at = Competition.objects.values_list("published_at", flat=True).get(pk=competition.pk)
        return Response(self.get_serializer({"changed": done, "published_at": at}).data)


class CompetitionReopening(ManagedView):
    serializer_class = ReopeningFields

    @extend_schema(
        operation_id="reopen_competition",
        summary=_("Reopen a published competition"),
        request=None,
        responses={200: ReopeningFields},
        description=_(
            "It becomes a draft again, with its draw, while no match has begun. Codes of printed cards stay valid "
            "where the next draw has the same players in the same place. Divisions of a season are not reopened."
        ),
    )
    def post(self, request: Request, league: str, slug: str) -> HttpResponse:
        return self.once(self._reopen)

    def _reopen(self) -> Response:
        return Response(self.get_serializer({"changed": reopen(self.managed(), user=self.request.user)}).data)


class CancellationBody(serializers.Serializer):
    reason = serializers.CharField(max_length=LONGEST_CANCEL_REASON, help_text=_("Shown publicly."))
    rated = serializers.BooleanField(default=True, help_text=_("False: its played matches do not count for ratings."))


class CancellationFields(serializers.Serializer):
    changed = serializers.BooleanField(help_text=_("False if it was already cancelled."))


class CompetitionCancellation(ManagedView):
    serializer_class = CancellationFields
    fields_of: ClassVar[Mapping[str, str]] = {"no-reason": "reason", "long-reason": "reason"}

    @extend_schema(
        operation_id="cancel_competition",
        summary=_("Cancel a published competition"),
        request=CancellationBody,
        responses={200: CancellationFields},
        description=_(
            "It leaves all lists and gives no places; each of its addresses answers 410 `cancelled`. Decided matches "
            "stay, open ones are dropped with their entries. It can't be undone."
        ),
    )
    def post(self, request: Request, league: str, slug: str) -> HttpResponse:
        return self.once(lambda: self._cancel(request))

    def _cancel(self, request: Request) -> Response:
        done = cancel(self.managed(), user=request.user, **given(CancellationBody, request))
        return Response(self.get_serializer({"changed": done}).data)


class RoundPublication(ManagedView):
    serializer_class = PublicationFields
    fields_of: ClassVar[Mapping[str, str]] = {"results-missing": "reason", "long-reason": "reason"}

    @extend_schema(
        operation_id="publish_round",
        summary=_("Publish a round"),
        request=PublicationBody,
        examples=[OpenApiExample("with every result", value={}, request_only=True)],
        responses={200: PublicationFields},
        description=_(
            "Publishes the next draft round, with the later ones of its stage unless rounds are published one by one. "
            "A repeated request changes nothing."
        ),
    )
    def post(self, request: Request, league: str, slug: str, number: int) -> HttpResponse:
        return self.once(lambda: self._publish(request, number))

    def _publish(self, request: Request, number: int) -> Response:
        competition, said = self.managed(), given(PublicationBody, request)
        day = get_object_or_404(Matchday, stage__competition=competition, number=number)
        done = publish_matchday(day, user=request.user, **said)
        at = Matchday.objects.values_list("published_at", flat=True).get(pk=day.pk)
        return Response(self.get_serializer({"changed": done, "published_at": at}).data)
