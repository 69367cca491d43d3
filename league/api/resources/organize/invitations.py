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
    """All settings at once; a missing field gets the value of a new draft."""

    who = serializers.ChoiceField(Competition.Opening.values, help_text=_("People who may sign up."))
    admission = serializers.ChoiceField(
        Competition.Admission.values, required=False, help_text=_("Handling of a sign-up.")
    )
    closes_at = serializers.DateTimeField(
        required=False, allow_null=True, help_text=_("End of registration; null: the publication of the draw.")
    )
    places = serializers.IntegerField(required=False, min_value=0, max_value=MOST_PLACES, help_text=_("0: unlimited."))


class TermsFields(serializers.Serializer):
    who = serializers.ChoiceField(Competition.Opening.values)
    admission = serializers.ChoiceField(Competition.Admission.values)
    closes_at = serializers.DateTimeField(allow_null=True)
    places = serializers.IntegerField(help_text=_("Number of places, then a waiting list; 0: unlimited."))
    open = serializers.BooleanField(help_text=_("Sign-up is possible now, perhaps with an invitation only."))
    taken = serializers.IntegerField(help_text=_("Number of registered entrants."))
    waiting = serializers.IntegerField(help_text=_("Number of waiting sign-ups."))
    queue = serializers.IntegerField(help_text=_("Number of these on the waiting list."))
    left = PlayerBrief(
        many=True, help_text=_("Number of registered entrants whose sign-up was withdrawn after the draw.")
    )
    page = serializers.CharField(help_text=_("Address of the public sign-up page."))


class InvitationBody(serializers.Serializer):
    whom = serializers.CharField(
        required=False,
        allow_blank=True,
        max_length=points(LONGEST_FOR),
        validators=[MostLetters(LONGEST_FOR)],
        help_text=_("Note for the organizers."),
    )
    uses = serializers.IntegerField(required=False, min_value=1, max_value=MOST_USES, help_text=_("1 by default."))
    days = serializers.IntegerField(
        required=False,
        min_value=1,
        max_value=MOST_DAYS,
        help_text=_("Days of validity; %(days)d by default.") % {"days": INVITED_FOR_DAYS},
    )


class InvitationFields(serializers.Serializer):
    id = serializers.IntegerField()
    whom = serializers.CharField(allow_blank=True)
    uses = serializers.IntegerField(help_text=_("Most sign-ups with it."))
    used = serializers.IntegerField(help_text=_("Number of sign-ups with it, in any state."))
    works = serializers.SerializerMethodField(help_text=_("It can be used now."))
    made_at = serializers.DateTimeField()
    made_by = DoneBy()
    expires_at = serializers.DateTimeField()
    revoked_at = serializers.DateTimeField(allow_null=True)
    revoked_by = DoneBy(allow_null=True)

    def get_works(self, one: Invitation) -> bool:
        return one.revoked_at is None and one.expires_at > timezone.now() and one.used < one.uses


class InvitedFields(InvitationFields):
    link = serializers.CharField(
        help_text=_("Shown only once. Everybody with this link may sign up. It ends with the secret.")
    )


def seen_invitations(asker: Asker) -> QuerySet[Invitation]:
    rows = rows_of_staff(counted_invitations(), asker)
    return rows.select_related("competition__league", "made_by", "revoked_by").order_by("-made_at", "-pk")


class CompetitionRegistration(ManagedView):
    serializer_class = TermsFields
    fields_of: ClassVar[dict[str, str]] = {"bad-hour": "closes_at", "bad-places": "places"}

    @extend_schema(
        operation_id="registration",
        summary=_("Sign-up settings"),
        description=_("For managers of the competition: settings and present numbers."),
    )
    def get(self, request: Request, league: str, slug: str) -> Response:
        return self._told(self.managed())

    @extend_schema(
        operation_id="set_registration",
        summary=_("Change the sign-up settings"),
        request=TermsBody,
        examples=[OpenApiExample("open to all, 32 places", value=TERMS, request_only=True)],
        responses={200: TermsFields},
        description=_("Of a draft. Existing sign-ups stay, in the same order."),
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
        description=_("For managers of the competition. Latest first, without their links."),
    )
    def get(self, request: Request, *args: object, **kwargs: object) -> Response:
        return super().get(request, *args, **kwargs)

    @extend_schema(
        operation_id="invite",
        summary=_("Make an invitation"),
        request=InvitationBody,
        examples=[OpenApiExample("for a club", value={"whom": "Hill Club", "uses": 8}, request_only=True)],
        responses={201: InvitedFields},
        description=_("A link for a number of sign-ups to a draft. Only its SHA-256 is stored."),
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
        description=_("The link stops working; sign-ups made with it stay."),
    )
    def post(self, request: Request, invitation_id: int) -> HttpResponse:
        return self.once(lambda: self._revoke(invitation_id))

    def _revoke(self, invitation_id: int) -> Response:
        found = self.row(pk=invitation_id)
        self.allowed(found.competition)
        revoke_invitation(found, user=self.request.user)
        return Response(self.get_serializer(self.row(pk=invitation_id)).data)
