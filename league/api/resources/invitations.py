"""Sign-up settings of a draft, and its invitations."""

from typing import Any, ClassVar

from django.db.models import QuerySet
from django.http import HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from league.accounts.graphemes import points
from league.accounts.lettered import MostLetters
from league.accounts.permissions import Asker
from league.api.base.fields import PlayerBrief, brief
from league.api.base.idempotency import secret_of
from league.api.base.staff import DoneBy, ManagedView, given, in_its_time, rows_of_staff
from league.api.base.views import ListView
from league.competitions.models import Competition, Invitation
from league.competitions.models.sign_up import LONGEST_FOR
from league.competitions.registration.admission import applications
from league.competitions.registration.opening import (
    INVITED_FOR_DAYS,
    MOST_DAYS,
    MOST_PLACES,
    MOST_USES,
    RegistrationTerms,
    counted_invitations,
    digest_of,
    invite,
    revoke_invitation,
    set_registration,
    takes_sign_ups,
)
from league.web.shared.absolute_url import absolute

TERMS = {"who": "open", "admission": "by_hand", "closes_at": "2026-12-01T20:00:00Z", "places": 32}


class TermsBody(serializers.Serializer):
    """All of it is stored: what is left out is as it is when a draft is new."""

    who = serializers.ChoiceField(Competition.Opening.values, help_text=_("Who may sign up by themselves."))
    admission = serializers.ChoiceField(
        Competition.Admission.values, required=False, help_text=_("What becomes of a sign-up.")
    )
    closes_at = serializers.DateTimeField(
        required=False, allow_null=True, help_text=_("Null: until the draw is published.")
    )
    places = serializers.IntegerField(
        required=False, min_value=0, max_value=MOST_PLACES, help_text=_("0 is as many as come.")
    )


class TermsFields(serializers.Serializer):
    who = serializers.ChoiceField(Competition.Opening.values)
    admission = serializers.ChoiceField(Competition.Admission.values)
    closes_at = serializers.DateTimeField(allow_null=True)
    places = serializers.IntegerField(help_text=_("0 is as many as come. Beyond them there is a waiting list."))
    open = serializers.BooleanField(help_text=_("Whether somebody can sign up now, perhaps with an invitation only."))
    taken = serializers.IntegerField(help_text=_("How many are registered."))
    waiting = serializers.IntegerField(help_text=_("How many sign-ups wait for an answer."))
    queue = serializers.IntegerField(help_text=_("How many of them are on the waiting list."))
    left = PlayerBrief(many=True, help_text=_("Registered, and have withdrawn their sign-up since the draw was made."))
    page = serializers.CharField(help_text=_("Address of the page where everybody may sign up while it is open."))


class InvitationBody(serializers.Serializer):
    whom = serializers.CharField(
        required=False,
        allow_blank=True,
        max_length=points(LONGEST_FOR),
        validators=[MostLetters(LONGEST_FOR)],
        help_text=_("For the organizers to remember."),
    )
    uses = serializers.IntegerField(required=False, min_value=1, max_value=MOST_USES, help_text=_("1 unless told."))
    days = serializers.IntegerField(
        required=False,
        min_value=1,
        max_value=MOST_DAYS,
        help_text=_("It is valid for so many; %(days)d unless told.") % {"days": INVITED_FOR_DAYS},
    )


class InvitationFields(serializers.Serializer):
    id = serializers.IntegerField()
    whom = serializers.CharField(allow_blank=True)
    uses = serializers.IntegerField(help_text=_("For so many people."))
    used = serializers.IntegerField(help_text=_("So many have signed up by it, whatever became of it."))
    works = serializers.SerializerMethodField(help_text=_("Whether somebody can sign up by it now."))
    made_at = serializers.DateTimeField()
    made_by = DoneBy()
    expires_at = serializers.DateTimeField()
    revoked_at = serializers.DateTimeField(allow_null=True)
    revoked_by = DoneBy(allow_null=True)

    def get_works(self, one: Invitation) -> bool:
        return one.revoked_at is None and one.expires_at > timezone.now() and one.used < one.uses


class InvitedFields(InvitationFields):
    link = serializers.CharField(help_text=_("Told this once: whoever has it may sign up. It ends with the secret."))


def seen_invitations(asker: Asker) -> QuerySet[Invitation]:
    rows = rows_of_staff(counted_invitations(), asker)
    return rows.select_related("competition__league", "made_by", "revoked_by").order_by("-made_at", "-pk")


class CompetitionRegistration(ManagedView):
    serializer_class = TermsFields
    fields_of: ClassVar[dict[str, str]] = {"bad-hour": "closes_at", "bad-places": "places"}

    @extend_schema(
        operation_id="registration",
        summary=_("Who may sign up"),
        description=_("For those who manage the competition: what was decided, and how it stands."),
    )
    def get(self, request: Request, league: str, slug: str) -> Response:
        return self._told(self.managed())

    @extend_schema(
        operation_id="set_registration",
        summary=_("Decide who may sign up"),
        request=TermsBody,
        examples=[OpenApiExample("open to all, 32 places", value=TERMS, request_only=True)],
        responses={200: TermsFields},
        description=_("Of a draft. Who has signed up stays, and in the same order."),
    )
    def post(self, request: Request, league: str, slug: str) -> HttpResponse:
        return self.once(lambda: self._set(request))

    def _set(self, request: Request) -> Response:
        competition, said = self.managed(), dict(given(TermsBody, request))
        terms = RegistrationTerms(registration=said.pop("who"), **said)
        return self._told(set_registration(competition, terms, user=request.user))

    def _told(self, competition: Competition) -> Response:
        with in_its_time(competition.league):
            found = applications(competition, user=self.request.user)
        told: dict[str, Any] = {
            "who": competition.registration,
            "admission": competition.admission,
            "closes_at": competition.registration_closes_at,
            "places": competition.places,
            "open": takes_sign_ups(competition, timezone.now()),
            "taken": found.places.taken,
            "waiting": found.places.waiting,
            "queue": found.places.queue,
            "left": [brief(row.entrant) for row in found.left],
            "page": absolute(
                self.request, reverse("competitions:sign_up", args=[competition.league.slug, competition.slug])
            ),
        }
        return Response(self.get_serializer(told).data)


class CompetitionInvitations(ManagedView, ListView):
    serializer_class = InvitationFields
    fields_of: ClassVar[dict[str, str]] = {"bad-invitation": "uses"}

    def filter_queryset(self, _rows: object) -> QuerySet[Invitation]:
        return seen_invitations(self.request.user).filter(competition=self.managed())

    @extend_schema(
        operation_id="invitations",
        summary=_("Invitations"),
        description=_("For those who manage the competition; the latest first. Their links are not told again."),
    )
    def get(self, request: Request, *args: object, **kwargs: object) -> Response:
        return super().get(request, *args, **kwargs)

    @extend_schema(
        operation_id="invite",
        summary=_("Make an invitation"),
        request=InvitationBody,
        examples=[OpenApiExample("for a club", value={"whom": "Hill Club", "uses": 8}, request_only=True)],
        responses={201: InvitedFields},
        description=_("A link with which so many people may sign up for a draft. Only its SHA-256 is kept."),
    )
    def post(self, request: Request, league: str, slug: str) -> HttpResponse:
        secret = secret_of(request)
        return self.once(lambda: self._invite(request, secret), secret)

    def _invite(self, request: Request, secret: str) -> Response:
        competition, said = self.managed(), given(InvitationBody, request)
        invite(competition, user=request.user, secret=secret, **said)
        made = seen_invitations(request.user).get(digest=digest_of(secret))
        made.link = absolute(request, reverse("sign_ups:invited", args=[secret]))
        shown = InvitedFields(made, context=self.get_serializer_context())
        return Response(shown.data, status=status.HTTP_201_CREATED)


class InvitationRevocation(ManagedView):
    serializer_class = InvitationFields
    rows = seen_invitations

    @extend_schema(
        operation_id="revoke_invitation",
        summary=_("Revoke an invitation"),
        request=None,
        responses={200: InvitationFields},
        description=_("The link opens nothing from now on; who signed up by it stays."),
    )
    def post(self, request: Request, invitation_id: int) -> HttpResponse:
        return self.once(lambda: self._revoke(invitation_id))

    def _revoke(self, invitation_id: int) -> Response:
        found = self.row(pk=invitation_id)
        self.allowed(found.competition)
        revoke_invitation(found, user=self.request.user)
        return Response(self.get_serializer(self.row(pk=invitation_id)).data)
