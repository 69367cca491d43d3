"""Own sign-ups for a competition: make, read, withdraw."""

from collections.abc import Mapping
from typing import Any

from django.db.models import Q, QuerySet
from django.http import HttpResponse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from league.accounts.graphemes import points
from league.accounts.lettered import MostLetters
from league.accounts.permissions import ALLOWED, Act, Asker, leagues_where
from league.api.base.fields import LeagueBrief, Link
from league.api.base.idempotency import secret_of
from league.api.base.parsers import StrictJson
from league.api.base.staff import in_its_time, wrong_field
from league.api.base.views import ListView, RowsView
from league.api.models import TokenScope
from league.competitions.models import Applicant, Competition, Invitation
from league.competitions.models.sign_up import LONGEST_CONTACT, LONGEST_NAMES, LONGEST_WORD
from league.competitions.registration.opening import digest_of, invitation_of
from league.competitions.registration.sign_ups import (
    Introduction,
    SignUpStanding,
    apply_as_player,
    apply_by_name,
    own_applicants,
    standing_of,
    standings_of,
    withdraw_application,
)
from league.competitions.visibility import visible_competitions
from league.players.models import LONGEST_CLUB, PEOPLE, Player
from league.players.queries import players_of

LONGEST_SECRET = 60
BODY = {"name": "Cy Diaz", "club": "Harbour", "word": "I bring a set."}
EXAMPLES = [
    OpenApiExample("by name", value=BODY, request_only=True),
    OpenApiExample("as a player of the account", value={"player": "7KQ2M0ZX"}, request_only=True),
]


class SignUpBody(serializers.Serializer):
    """Either `player`, or `name` with the other fields."""

    player = serializers.CharField(
        required=False, max_length=LONGEST_SECRET, help_text=_("Code of a player of this account.")
    )
    name = serializers.CharField(
        required=False,
        max_length=points(LONGEST_NAMES),
        validators=[MostLetters(LONGEST_NAMES)],
        help_text=_("Name of a person without a player yet. An organizer chooses the player."),
    )
    partner = serializers.CharField(
        required=False,
        max_length=points(LONGEST_NAMES),
        validators=[MostLetters(LONGEST_NAMES)],
        help_text=_("Full name of the partner, only in a competition of pairs."),
    )
    born = serializers.IntegerField(required=False, min_value=1, max_value=9999, help_text=_("Year."))
    partner_born = serializers.IntegerField(required=False, min_value=1, max_value=9999, help_text=_("Year."))
    club = serializers.CharField(
        required=False,
        max_length=points(LONGEST_CLUB),
        validators=[MostLetters(LONGEST_CLUB)],
        help_text=_("Club; for a pair the same for both."),
    )
    contact = serializers.CharField(
        required=False, max_length=LONGEST_CONTACT, help_text=_("For the organizers. Erased a month after the draw.")
    )
    word = serializers.CharField(required=False, max_length=LONGEST_WORD, help_text=_("Message to the organizers."))
    invitation = serializers.CharField(
        required=False, max_length=LONGEST_SECRET, help_text=_("Secret at the end of the invitation link.")
    )

    def validate(self, found: dict[str, Any]) -> dict[str, Any]:
        if ("player" in found) == ("name" in found):
            raise wrong_field("player", _("Give a player of your account, or else a name."))
        beside = set(found) - {"player", "partner", "partner_born", "invitation"}
        if "player" in found and beside:
            raise wrong_field(min(beside), _("This is known of a player already."))
        return found


class SignUpFields(serializers.Serializer):
    """State of a sign-up."""

    id = serializers.IntegerField(source="applicant.pk")
    league = LeagueBrief(source="applicant.competition.league")
    competition = serializers.SlugField(source="applicant.competition.slug")
    name = serializers.CharField(help_text=_("Name as written; after the choice of the player, as in the draw."))
    state = serializers.ChoiceField(Applicant.State.values, source="applicant.state")
    queue = serializers.IntegerField(help_text=_("Position on the waiting list; 0 if a place is free."))
    plays = serializers.BooleanField(help_text=_("The player or pair is registered now."))
    made_at = serializers.DateTimeField(source="applicant.made_at")
    decided_at = serializers.DateTimeField(source="applicant.decided_at", allow_null=True)
    url = Link("api:sign-up", sign_up_id="applicant.pk")


class SignedUpFields(SignUpFields):
    page = serializers.CharField(
        allow_null=True,
        help_text=_(
            "Address of a page to manage the sign-up without an account, shown only once. Null if this player had "
            "signed up before."
        ),
    )


def seen_sign_ups(asker: Asker) -> QuerySet[Applicant]:
    """Return the asker's sign-ups, and those of leagues whose competitions the asker manages."""
    managed = leagues_where(asker, ALLOWED[Act.MANAGE_COMPETITIONS])
    rows = Applicant.objects.filter(Q(user_id=asker.pk, user__isnull=False) | Q(competition__league__in=managed))
    return rows.select_related("competition__league", "player", *PEOPLE)


class OwnSignUps(ListView):
    serializer_class = SignUpFields
    rows = own_applicants

    def entries(self, page: list[Applicant]) -> list[SignUpStanding]:
        shown = self.get_queryset().filter(pk__in=[row.pk for row in page])
        return standings_of(shown)

    @extend_schema(
        operation_id="sign_ups",
        summary=_("Your sign-ups"),
        description=_("Sign-ups of the account, latest first, without withdrawn ones."),
    )
    def get(self, request: Request, *args: object, **kwargs: object) -> Response:
        return super().get(request, *args, **kwargs)


class SignUpDetail(RowsView):
    serializer_class = SignUpFields
    rows = seen_sign_ups

    @extend_schema(
        operation_id="sign_up",
        summary=_("One sign-up"),
        description=_("For the account that signed up, and for managers of the competition."),
    )
    def get(self, request: Request, sign_up_id: int) -> Response:
        return Response(self.get_serializer(standing_of(self.row(pk=sign_up_id))).data)


class SignUpWithdrawal(RowsView):
    serializer_class = SignUpFields
    parser_classes = (StrictJson,)
    act_scope = TokenScope.TAKE_PART
    limit = "submit"

    @staticmethod
    def rows(asker: Asker) -> QuerySet[Applicant]:
        return seen_sign_ups(asker).filter(user=asker.pk, user__isnull=False)

    @extend_schema(
        operation_id="withdraw_sign_up",
        summary=_("Withdraw a sign-up"),
        request=None,
        responses={200: SignUpFields},
        description=_(
            "By the account that signed up. Before the draw a registered player is removed too; later an organizer "
            "does it. A refused or withdrawn sign-up stays unchanged."
        ),
    )
    def post(self, request: Request, sign_up_id: int) -> HttpResponse:
        return self.once(lambda: self._withdraw(sign_up_id))

    def _withdraw(self, sign_up_id: int) -> Response:
        withdraw_application(self.row(pk=sign_up_id))
        return Response(self.get_serializer(standing_of(self.row(pk=sign_up_id))).data)


def competitions_to_enter(asker: Asker, invitation: str) -> QuerySet[Competition]:
    """Return the competitions whose sign-up page the asker could open, perhaps with an invitation."""
    link = None
    try:
        link = invitation_of(invitation, timezone.now()) if invitation else None
    except Invitation.DoesNotExist:
        link = None
    open_to_all = Q(registration=Competition.Opening.OPEN)
    invited = Q(pk=link.competition_id) if link else Q(pk__in=[])
    seen = visible_competitions(asker).values("pk")
    return Competition.objects.filter(open_to_all | invited | Q(pk__in=seen)).select_related("league")


def sign_oneself_up(request: Request, competition: Competition, said: Mapping[str, Any]) -> tuple[Applicant, str]:
    """Return the sign-up and the secret of its page; empty if the player had signed up before."""
    secret, told = secret_of(request), dict(said)
    invitation, code = told.pop("invitation", ""), told.pop("player", "")
    more = {"user": request.user, "secret": secret, "invitation": invitation}
    with in_its_time(competition.league):
        if code:
            made = apply_as_player(competition, _own_player(request, code), **more, **told)
        else:
            made = apply_by_name(competition, Introduction(**told), **more)
    return made, secret if made.digest == digest_of(secret) else ""


def _own_player(request: Request, code: str) -> Player:
    found = next((one for one in players_of(request.user) if one.code == code.upper()), None)
    if found is None:
        raise wrong_field("player", _("This player is not linked to your account."))
    return found
