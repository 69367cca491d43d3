"""Admission: list the sign-ups, accept them, refuse them."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.db.models import QuerySet
from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import OpenApiExample, OpenApiParameter, extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from league.accounts.permissions import Asker
from league.api.base.fields import PartnerBrief
from league.api.base.idempotency import secret_of
from league.api.base.pagination import one_of
from league.api.base.staff import DoneBy, ManagedView, RowKey, given, in_its_time, rows_of_staff, wrong_field
from league.api.base.views import ListView
from league.api.models import TokenScope
from league.api.resources.sign_ups import (
    EXAMPLES,
    SignedUpFields,
    SignUpBody,
    SignUpFields,
    competitions_to_enter,
    sign_oneself_up,
)
from league.competitions.models import Competition
from league.competitions.models.sign_up import Applicant
from league.competitions.registration.admission import (
    NEW,
    Application,
    accept_all,
    accept_sign_ups,
    applications,
    reconsider_sign_up,
    refuse_sign_ups,
    take_out_who_left,
)
from league.competitions.registration.sign_ups import FIELD_OF, standing_of
from league.players.models import PEOPLE, Player
from league.players.pasting import PastedLine, PasteNote
from league.web.shared.absolute_url import absolute

STATES = tuple(Applicant.State.values)
MOST_ANSWERED = 1000
LONGEST_CODE = 40
ANSWER = {"sign_ups": [{"id": 3}, {"id": 4, "who": "new"}]}


class WhoIsMeant(serializers.Serializer):
    """A person of a sign-up: the single player, or one partner of a pair."""

    name = serializers.CharField()
    note = serializers.ChoiceField(
        [one.value for one in PasteNote], help_text=_("Match of the name with the players of the league.")
    )
    player = PartnerBrief(allow_null=True, help_text=_("The known player, with the full name; null if not known."))
    undecided = serializers.BooleanField(help_text=_("An organizer must choose the player, or refuse the sign-up."))
    candidates = PartnerBrief(many=True, help_text=_("Other possible players, with their full names."))
    may_be_new = serializers.BooleanField(help_text=_("“new” is possible: a new player with this name."))


class ApplicationFields(serializers.Serializer):
    """A sign-up for its organizers. `people` is empty once it is answered."""

    id = serializers.IntegerField()
    state = serializers.ChoiceField(STATES)
    name = serializers.CharField(allow_blank=True)
    partner = serializers.CharField(allow_blank=True)
    club = serializers.CharField(allow_blank=True)
    born = serializers.IntegerField(allow_null=True, help_text=_("Year."))
    partner_born = serializers.IntegerField(allow_null=True, help_text=_("Year."))
    contact = serializers.CharField(allow_blank=True)
    word = serializers.CharField(allow_blank=True)
    invitation = serializers.IntegerField(
        allow_null=True, help_text=_("Number of the invitation used; null without one.")
    )
    number = serializers.IntegerField(
        allow_null=True, help_text=_("Position by arrival among the waiting sign-ups; null if answered.")
    )
    queue = serializers.IntegerField(help_text=_("Position on the waiting list; 0 if a place is free."))
    people = WhoIsMeant(many=True, help_text=_("One player, or the two partners of a pair."))
    twin = serializers.IntegerField(allow_null=True, help_text=_("Number of an earlier sign-up with the same name."))
    registered = serializers.BooleanField(help_text=_("This player or pair is already registered."))
    elsewhere = serializers.CharField(
        allow_null=True, help_text=_("Another pair in which one of the two already plays.")
    )
    undecided = serializers.BooleanField(help_text=_("Cannot be accepted as it is: a player is not clear."))
    made_at = serializers.DateTimeField()
    decided_at = serializers.DateTimeField(allow_null=True)
    decided_by = DoneBy(
        allow_null=True, help_text=_("Official who answered; null for an automatic answer or a withdrawal.")
    )


class AcceptedSignUp(serializers.Serializer):
    id = RowKey()
    who = serializers.CharField(
        required=False,
        max_length=LONGEST_CODE,
        help_text=_("Player, if it differs from the list: the code of a candidate, or “new”."),
    )
    partner = serializers.CharField(required=False, max_length=LONGEST_CODE, help_text=_("The same for the partner."))


class AcceptanceBody(serializers.Serializer):
    """Either `sign_ups` or `all`."""

    sign_ups = AcceptedSignUp(many=True, required=False, max_length=MOST_ANSWERED, allow_empty=False)
    all = serializers.BooleanField(
        required=False, help_text=_("Accept every clear sign-up, in order of arrival, while places are free.")
    )

    def validate(self, found: dict[str, Any]) -> dict[str, Any]:
        if ("sign_ups" in found) == found.get("all", False):
            raise wrong_field("sign_ups", _("Name those who are let in, or else say “all”."))
        return found


class AdmittedFields(serializers.Serializer):
    entered = serializers.IntegerField(help_text=_("Number of new registrations."))
    before = serializers.IntegerField(help_text=_("Number already registered before; their sign-ups are answered."))
    unclear = serializers.ListField(
        child=serializers.CharField(), help_text=_("With “all”: names whose player must be chosen first.")
    )
    waiting = serializers.IntegerField(help_text=_("Number still waiting."))


class RefusalBody(serializers.Serializer):
    sign_ups = serializers.ListField(child=RowKey(), allow_empty=False, max_length=MOST_ANSWERED)


class ChangedFields(serializers.Serializer):
    changed = serializers.IntegerField(help_text=_("Number changed; 0 if it was done before."))


class CompetitionSignUps(ManagedView, ListView):
    serializer_class = ApplicationFields
    act_scope = TokenScope.TAKE_PART
    parameters = frozenset({"state"})
    fields_of = FIELD_OF

    def filter_queryset(self, _rows: object) -> Sequence[Application | Applicant]:
        competition, state = self.managed(), one_of(self.request, "state", STATES)
        if state == Applicant.State.WAITING:
            with in_its_time(competition.league):
                return applications(competition, user=self.request.user).waiting
        rows = competition.applicants.filter(state=state).select_related("player", *PEOPLE, "decided_by")
        return rows.order_by("-decided_at", "-pk")

    def entries(self, page: list[Application | Applicant]) -> list[dict[str, Any]]:
        return [_waiting(one) if isinstance(one, Application) else _answered(one) for one in page]

    @extend_schema(
        operation_id="competition_sign_ups",
        summary=_("Sign-ups for a competition"),
        parameters=[
            OpenApiParameter("state", enum=STATES, default=STATES[0], description=_("Only sign-ups in this state."))
        ],
        description=_(
            "For managers of the competition. Waiting sign-ups in order of arrival, with their possible players; "
            "answered ones latest first."
        ),
    )
    def get(self, request: Request, *args: object, **kwargs: object) -> Response:
        return super().get(request, *args, **kwargs)

    @extend_schema(
        operation_id="sign_up_oneself",
        summary=_("Sign up"),
        request=SignUpBody,
        examples=EXAMPLES,
        responses={201: SignedUpFields, 200: SignedUpFields},
        description=_(
            "By an account: as one of its players, or by name. For a draft with open registration, or with an "
            "invitation. 200 if this player had signed up before. People without an account sign up on the page."
        ),
    )
    def post(self, request: Request, league: str, slug: str) -> HttpResponse:
        return self.once(lambda: self._sign_up(request), secret_of(request))

    def _sign_up(self, request: Request) -> Response:
        said = given(SignUpBody, request)
        open_here = competitions_to_enter(request.user, said.get("invitation", ""))
        competition = get_object_or_404(open_here, league__slug=self.kwargs["league"], slug=self.kwargs["slug"])
        made, secret = sign_oneself_up(request, competition, said)
        page = absolute(request, reverse("sign_ups:mine", args=[secret])) if secret else None
        shown = SignedUpFields(context=self.get_serializer_context()).to_representation(standing_of(made))
        return Response(shown | {"page": page}, status=status.HTTP_201_CREATED if secret else status.HTTP_200_OK)


def _waiting(one: Application) -> dict[str, Any]:
    row = one.applicant
    return _plain(row) | {
        "number": one.number,
        "queue": one.queue,
        "people": [_meant(one, person) for person in one.people],
        "twin": one.twin,
        "registered": one.registered,
        "elsewhere": one.elsewhere.full_name if one.elsewhere else None,
        "undecided": one.undecided,
        "decided_by": None,
    }


def _answered(row: Applicant) -> dict[str, Any]:
    told = {"number": None, "queue": 0, "people": [], "twin": None, "elsewhere": None, "undecided": False}
    return _plain(row) | told | {"registered": False, "decided_by": row.decided_by}


def _plain(row: Applicant) -> dict[str, Any]:
    """Return the fields with full names, for the managers of the competition."""
    same = ("state", "club", "born", "partner_born", "contact", "word", "made_at", "decided_at")
    return {name: getattr(row, name) for name in same} | {
        "id": row.pk,
        "name": (row.player.name or row.player.code) if row.player else row.name,
        "partner": row.partner_name,
        "invitation": row.invitation_id,
    }


def _meant(one: Application, person: PastedLine) -> dict[str, Any]:
    return {
        "name": person.name,
        "note": person.note.value,
        "player": _known(person.player) if person.player else None,
        "undecided": person.undecided,
        "candidates": [_known(player) for player in one.candidates(person)],
        "may_be_new": one.may_be_new(person),
    }


def _known(player: Player) -> dict[str, str]:
    return {"code": player.code, "name": player.name or player.code, "apart": player.apart}


class SignUpAcceptance(ManagedView):
    serializer_class = AdmittedFields
    fields_of: Mapping[str, str] = dict.fromkeys(
        ("sign-ups-unclear", "wrong-choice", "other-plan", "no-places"), "sign_ups"
    )

    @extend_schema(
        operation_id="accept_sign_ups",
        summary=_("Accept sign-ups"),
        request=AcceptanceBody,
        examples=[OpenApiExample("two of them", value=ANSWER, request_only=True)],
        responses={200: AdmittedFields},
        description=_(
            "All of the named sign-ups or none. They are registered in order of arrival, and the draw of the draft "
            "is removed. Answered sign-ups stay unchanged."
        ),
    )
    def post(self, request: Request, league: str, slug: str) -> HttpResponse:
        return self.once(lambda: self._accept(request))

    def _accept(self, request: Request) -> Response:
        competition, said = self.managed(), given(AcceptanceBody, request)
        unclear: Sequence[str] = ()
        with in_its_time(competition.league):
            if said.get("all"):
                done = accept_all(competition, user=request.user)
                admitted, unclear = done.admitted, done.unclear
            else:
                admitted = _accepted(competition, said["sign_ups"], request)
        waiting = competition.applicants.filter(state=Applicant.State.WAITING).count()
        told = {"entered": len(admitted.entered), "before": admitted.before, "unclear": unclear, "waiting": waiting}
        return Response(self.get_serializer(told).data)


def _accepted(competition: Competition, named: Sequence[Mapping[str, Any]], request: Request) -> Any:
    ids = [one["id"] for one in named]
    check_sign_ups(competition, ids)
    who, partners = ({one["id"]: _chosen(one[name]) for one in named if one.get(name)} for name in ("who", "partner"))
    return accept_sign_ups(competition, ids, user=request.user, who=who, partners=partners)


def _chosen(said: str) -> str:
    return NEW if said.casefold() == NEW else said.upper()


def check_sign_ups(competition: Competition, ids: Sequence[int]) -> None:
    """Raises ValidationError for numbers of no sign-up here."""
    known = set(competition.applicants.filter(pk__in=ids).values_list("pk", flat=True))
    if strange := [one for one in ids if one not in known]:
        raise wrong_field(
            "sign_ups", _("There are no such sign-ups here: %(ids)s.") % {"ids": ", ".join(map(str, strange[:8]))}
        )


class SignUpRefusal(ManagedView):
    serializer_class = ChangedFields

    @extend_schema(
        operation_id="refuse_sign_ups",
        summary=_("Refuse sign-ups"),
        request=RefusalBody,
        responses={200: ChangedFields},
        description=_("Refuses the waiting ones among the named sign-ups."),
    )
    def post(self, request: Request, league: str, slug: str) -> HttpResponse:
        return self.once(lambda: self._refuse(request))

    def _refuse(self, request: Request) -> Response:
        competition, ids = self.managed(), given(RefusalBody, request)["sign_ups"]
        check_sign_ups(competition, ids)
        count = refuse_sign_ups(competition, ids, user=request.user)
        return Response(self.get_serializer({"changed": count}).data)


class SignUpDepartures(ManagedView):
    serializer_class = ChangedFields

    @extend_schema(
        operation_id="take_out_who_left",
        summary=_("Remove withdrawn players"),
        request=None,
        responses={200: ChangedFields},
        description=_(
            "Removes the registrations whose sign-ups were withdrawn after the draw; the draw of the draft is removed."
        ),
    )
    def post(self, request: Request, league: str, slug: str) -> HttpResponse:
        return self.once(self._take_out)

    def _take_out(self) -> Response:
        count = take_out_who_left(self.managed(), user=self.request.user)
        return Response(self.get_serializer({"changed": count}).data)


def sign_ups_of_staff(asker: Asker) -> QuerySet[Applicant]:
    return rows_of_staff(Applicant.objects.all(), asker)


class SignUpReconsideration(ManagedView):
    serializer_class = SignUpFields
    rows = sign_ups_of_staff

    @extend_schema(
        operation_id="reconsider_sign_up",
        summary=_("Undo a refusal"),
        request=None,
        responses={200: SignUpFields},
        description=_("The refused sign-up waits again, in its former place by arrival."),
    )
    def post(self, request: Request, sign_up_id: int) -> HttpResponse:
        return self.once(lambda: self._reconsider(sign_up_id))

    def _reconsider(self, sign_up_id: int) -> Response:
        row = self.row(pk=sign_up_id)
        reconsider_sign_up(self.allowed(row.competition), row.pk, user=self.request.user)
        return Response(self.get_serializer(standing_of(row)).data)
