"""Ladders: places, challenges, and withdrawal of a challenge."""

from typing import Any

from django.db.models import QuerySet
from django.http import Http404, HttpResponse
from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from league.accounts.permissions import Asker
from league.api.base.fields import PlayerBrief, brief
from league.api.base.parsers import StrictJson
from league.api.base.staff import given, in_its_time, wrong_field
from league.api.base.views import ListView, RowsView
from league.api.models import TokenScope
from league.competitions.entrant_names import placed
from league.competitions.formats.registry import LADDERS
from league.competitions.ladders.queries import Rung, ladder_view
from league.competitions.ladders.services import Decided, challenge, lapses_at, own_entrant, places, withdraw_challenge
from league.competitions.models import Challenge, Competition, Stage
from league.competitions.visibility import addressed_competitions, visible_competitions
from league.players.models import Entrant

LONGEST_CODE = 40
BODY = {"challenger": "7KQ2M0ZX", "challenged": "4T9C1VBN"}
OPEN, DECIDED = "open", "decided"
CHALLENGED = [f"{name}__{one}" for name in ("challenger", "challenged") for one in ("player", "partner")]


class LadderPlace(serializers.Serializer):
    place = serializers.IntegerField()
    player = PlayerBrief()
    moved = serializers.IntegerField(help_text=_("Places gained in the last decided challenge; below 0: lost."))
    won = serializers.IntegerField()
    lost = serializers.IntegerField()
    meets = PlayerBrief(allow_null=True, help_text=_("Opponent of an open challenge."))
    may_challenge = serializers.ListField(
        child=serializers.CharField(), help_text=_("Codes of the entrants within reach, the nearest first.")
    )


class ChallengeBody(serializers.Serializer):
    challenged = serializers.CharField(
        max_length=LONGEST_CODE, help_text=_("Code of the challenged entrant, who is above.")
    )
    challenger = serializers.CharField(
        required=False,
        max_length=LONGEST_CODE,
        help_text=_("Code of the challenger, for the desk; by default the asker's own player."),
    )


class ChallengeFields(serializers.Serializer):
    id = serializers.IntegerField()
    challenger = PlayerBrief()
    challenged = PlayerBrief()
    state = serializers.ChoiceField([OPEN, DECIDED, *Challenge.Closed.values], help_text=_("“open”: not decided yet."))
    match = serializers.IntegerField(allow_null=True, help_text=_("Its match; null if closed unplayed."))
    won = serializers.BooleanField(allow_null=True, help_text=_("The challenger won; null until decided."))
    before = serializers.IntegerField(allow_null=True, help_text=_("The challenger’s place; null until decided."))
    after = serializers.IntegerField(
        allow_null=True, help_text=_("The challenger's place after the decision; null until decided.")
    )
    made_at = serializers.DateTimeField()
    lapses_at = serializers.DateTimeField(
        allow_null=True, help_text=_("Time at which it lapses if its match has not begun; null: never.")
    )
    closed_at = serializers.DateTimeField(allow_null=True, help_text=_("Time of the closing without play."))


class OnLadder(RowsView):
    """A view of a ladder that the asker sees."""

    rows = addressed_competitions

    def competition(self) -> Competition:
        return self.row(league__slug=self.kwargs["league"], slug=self.kwargs["slug"])

    def stage(self) -> Stage:
        """Return the stage of the ladder. Raises Http404, also for another format."""
        found = self.competition().stages.filter(format__in=LADDERS).select_related("competition").first()
        if found is None:
            raise Http404
        return found


class LadderPlaceList(OnLadder, ListView):
    serializer_class = LadderPlace

    def filter_queryset(self, _rows: object) -> list[Rung]:
        stage = self.stage()
        rungs = ladder_view(stage, placed(stage.competition)).rungs
        self.codes = {rung.entrant.entrant_id: rung.entrant.code for rung in rungs}
        return rungs

    def entries(self, page: list[Rung]) -> list[dict[str, Any]]:
        return [
            {
                "place": rung.place,
                "player": rung.entrant,
                "moved": rung.moved,
                "won": rung.won,
                "lost": rung.lost,
                "meets": rung.meets,
                "may_challenge": [self.codes[one] for one in rung.reach],
            }
            for rung in page
        ]

    @extend_schema(
        operation_id="ladder",
        summary=_("Places of a ladder"),
        description=_(
            "From the top, by official results. 404 if the competition is not a ladder. The stage of the "
            "competition holds the reach and the days of a challenge."
        ),
    )
    def get(self, request: Request, *args: object, **kwargs: object) -> Response:
        return super().get(request, *args, **kwargs)


class LadderChallenges(OnLadder, ListView):
    serializer_class = ChallengeFields
    parser_classes = (StrictJson,)
    act_scope = TokenScope.TAKE_PART
    limit = "submit"

    def filter_queryset(self, _rows: object) -> QuerySet[Challenge]:
        self.ladder = self.stage()
        return with_people(Challenge.objects.filter(stage=self.ladder)).order_by("-made_at", "-pk")

    def entries(self, page: list[Challenge]) -> list[dict[str, Any]]:
        return challenge_entries(page, self.ladder)

    @extend_schema(
        operation_id="challenges",
        summary=_("Challenges of a ladder"),
        description=_("Latest first, including challenges closed unplayed."),
    )
    def get(self, request: Request, *args: object, **kwargs: object) -> Response:
        return super().get(request, *args, **kwargs)

    @extend_schema(
        operation_id="challenge",
        summary=_("Make a challenge"),
        request=ChallengeBody,
        examples=[OpenApiExample("by the desk", value=BODY, request_only=True)],
        responses={201: ChallengeFields},
        description=_(
            "By an account for its own player, or by the desk for any player. The match is made at once, without "
            "acceptance, and its result is entered as for any match."
        ),
    )
    def post(self, request: Request, league: str, slug: str) -> HttpResponse:
        return self.once(lambda: self._challenge(request))

    def _challenge(self, request: Request) -> Response:
        competition, said = self.competition(), given(ChallengeBody, request)
        code = said.get("challenger", "")
        challenger = _entrant(competition, "challenger", code) if code else own_entrant(competition, request.user)
        if challenger is None:
            raise wrong_field("challenger", _("You are not on this ladder: name the challenger."))
        challenged = _entrant(competition, "challenged", said["challenged"])
        with in_its_time(competition.league):
            made = challenge(competition, challenger, challenged, by=request.user)
        return Response(self.get_serializer(one_entry(made)).data, status=status.HTTP_201_CREATED)


def _entrant(competition: Competition, field: str, code: str) -> Entrant:
    """Find the ladder's entrant with this code. Raises ValidationError."""
    first, _hyphen, second = code.upper().partition("-")
    rows = Entrant.objects.filter(registrations__competition=competition, player__code=first).select_related(
        "player", "partner"
    )
    found = next((one for one in rows if one.code == (f"{first}-{second}" if second else first)), None)
    if found is None:
        raise wrong_field(field, _("No player with this code is on the ladder."))
    return found


def with_people(rows: QuerySet[Challenge]) -> QuerySet[Challenge]:
    return rows.select_related("stage__competition__league", "slot__match", *CHALLENGED)


def seen_challenges(asker: Asker) -> QuerySet[Challenge]:
    rows = Challenge.objects.filter(stage__competition__in=visible_competitions(asker))
    return with_people(rows)


def one_entry(one: Challenge) -> dict[str, Any]:
    [entry] = challenge_entries([with_people(Challenge.objects.all()).get(pk=one.pk)], one.stage)
    return entry


def challenge_entries(page: list[Challenge], stage: Stage) -> list[dict[str, Any]]:
    """Return the entries of challenges, with six more statements for any number."""
    decided = {one.slot: one for one in places(stage).history}
    return [_entry(one, decided.get(one.slot_id)) for one in page]


def _entry(one: Challenge, end: Decided | None) -> dict[str, Any]:
    return {
        "id": one.pk,
        "challenger": brief(one.challenger),
        "challenged": brief(one.challenged),
        "state": one.closed_how or (DECIDED if end else OPEN),
        "match": one.slot.match_id if one.slot else None,
        "won": end.winner == end.challenger if end else None,
        "before": end.before if end else None,
        "after": end.after if end else None,
        "made_at": one.made_at,
        "lapses_at": lapses_at(one),
        "closed_at": one.closed_at,
    }


class ChallengeWithdrawal(RowsView):
    serializer_class = ChallengeFields
    parser_classes = (StrictJson,)
    act_scope = TokenScope.TAKE_PART
    limit = "submit"
    rows = seen_challenges

    @extend_schema(
        operation_id="withdraw_challenge",
        summary=_("Withdraw a challenge"),
        request=None,
        responses={200: ChallengeFields},
        description=_("By the challenger or the desk, before its match begins."),
    )
    def post(self, request: Request, challenge_id: int) -> HttpResponse:
        return self.once(lambda: self._withdraw(challenge_id))

    def _withdraw(self, challenge_id: int) -> Response:
        found = self.row(pk=challenge_id)
        withdraw_challenge(found, by=self.request.user)
        return Response(self.get_serializer(one_entry(found)).data)
