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
from league.competitions.visibility import visible_competitions
from league.players.models import Entrant

LONGEST_CODE = 40
BODY = {"challenger": "7KQ2M0ZX", "challenged": "4T9C1VBN"}
OPEN, DECIDED = "open", "decided"
CHALLENGED = [f"{name}__{one}" for name in ("challenger", "challenged") for one in ("player", "partner")]


class LadderPlace(serializers.Serializer):
    place = serializers.IntegerField()
    player = PlayerBrief()
    moved = serializers.IntegerField(help_text=_("Places won by the last decided challenge; less than 0: lost."))
    won = serializers.IntegerField()
    lost = serializers.IntegerField()
    meets = PlayerBrief(allow_null=True, help_text=_("Against whom a challenge is to be played."))
    may_challenge = serializers.ListField(
        child=serializers.CharField(), help_text=_("Codes of those within reach, the nearest first.")
    )


class ChallengeBody(serializers.Serializer):
    challenged = serializers.CharField(max_length=LONGEST_CODE, help_text=_("Code of who stands above."))
    challenger = serializers.CharField(
        required=False, max_length=LONGEST_CODE, help_text=_("By the desk: for whom. Oneself unless told.")
    )


class ChallengeFields(serializers.Serializer):
    id = serializers.IntegerField()
    challenger = PlayerBrief()
    challenged = PlayerBrief()
    state = serializers.ChoiceField(
        [OPEN, DECIDED, *Challenge.Closed.values], help_text=_("An open one is to be played, or is being played.")
    )
    match = serializers.IntegerField(allow_null=True, help_text=_("Its match; null where it was closed unplayed."))
    won = serializers.BooleanField(allow_null=True, help_text=_("Whether the challenger won; null until decided."))
    before = serializers.IntegerField(allow_null=True, help_text=_("The challenger’s place; null until decided."))
    after = serializers.IntegerField(allow_null=True, help_text=_("The same, after it was decided."))
    made_at = serializers.DateTimeField()
    lapses_at = serializers.DateTimeField(allow_null=True, help_text=_("Unless it has begun by then; null: never."))
    closed_at = serializers.DateTimeField(allow_null=True, help_text=_("When it was closed unplayed."))


class OnLadder(RowsView):
    """A view of a ladder that the asker sees."""

    rows = visible_competitions

    def competition(self) -> Competition:
        return self.row(league__slug=self.kwargs["league"], slug=self.kwargs["slug"])

    def stage(self) -> Stage:
        """Raises Http404, also where it is no ladder."""
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
            "From the top, by the official results. 404 where the competition is none. How far up one may challenge, "
            "and in how many days a challenge lapses, stands in the stage of the competition."
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
        description=_("The latest first, with those that were closed unplayed."),
    )
    def get(self, request: Request, *args: object, **kwargs: object) -> Response:
        return super().get(request, *args, **kwargs)

    @extend_schema(
        operation_id="challenge",
        summary=_("Challenge somebody"),
        request=ChallengeBody,
        examples=[OpenApiExample("by the desk", value=BODY, request_only=True)],
        responses={201: ChallengeFields},
        description=_(
            "By the player whose account asks, or by the desk for anybody. The match is made at once: nobody has to "
            "accept, and its result is entered as that of any match."
        ),
    )
    def post(self, request: Request, league: str, slug: str) -> HttpResponse:
        return self.once(lambda: self._challenge(request))

    def _challenge(self, request: Request) -> Response:
        competition, said = self.competition(), given(ChallengeBody, request)
        code = said.get("challenger", "")
        challenger = _entrant(competition, "challenger", code) if code else own_entrant(competition, request.user)
        if challenger is None:
            raise wrong_field("challenger", _("You do not stand on this ladder: say who challenges."))
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
        raise wrong_field(field, _("Nobody of this code is on the ladder."))
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
    """Six statements more, however many they are."""
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
        summary=_("Take a challenge back"),
        request=None,
        responses={200: ChallengeFields},
        description=_("By the challenger or the desk, while nothing of its match has begun."),
    )
    def post(self, request: Request, challenge_id: int) -> HttpResponse:
        return self.once(lambda: self._withdraw(challenge_id))

    def _withdraw(self, challenge_id: int) -> Response:
        found = self.row(pk=challenge_id)
        withdraw_challenge(found, by=self.request.user)
        return Response(self.get_serializer(one_entry(found)).data)
