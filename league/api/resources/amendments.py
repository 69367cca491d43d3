"""Amendments of official results: preview, proposal, second official's decision."""

from collections.abc import Mapping
from typing import Any

from django.db.models import Q, QuerySet
from django.http import HttpResponse
from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import OpenApiExample, extend_schema, extend_schema_field
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from league.accounts.graphemes import points
from league.accounts.models import LONGEST_NAME
from league.accounts.permissions import STAFF, Asker, leagues_where
from league.api.base.fields import Link
from league.api.base.parsers import StrictJson
from league.api.base.views import ListView, RowsView
from league.api.models import TokenScope
from league.api.resources.games import visible_games
from league.api.resources.results import SidePoints
from league.competitions.amendments import services as amending
from league.competitions.amendments.diff import Effect
from league.competitions.amendments.services import (
    PairedAgain,
    close_amendment,
    confirm_amendment,
    propose_amendment,
)
from league.matches.amendments import KINDS, Wanted
from league.matches.models import Amendment, Game, KnownBy
from league.matches.queries.lines import by_side
from league.matches.visibility import visible_matches

BODY = {"kind": "score", "sheet": {"scores": [95, 150]}, "reason": "the names were swapped"}
EXAMPLES = [OpenApiExample("names were swapped", value=BODY, request_only=True)]
MOST_RATINGS = 50
CHANGES = ("result", "replaced", "emptied", "filled", "void", "stands")


class AmendmentBody(serializers.Serializer):
    kind = serializers.ChoiceField([KnownBy(one).value for one in KINDS], help_text=_("Source of the new result."))
    sheet = serializers.DictField(
        help_text=_(
            "Fields as for entering a score, card or tally. Ruling: scores in the order of the sides, winner "
            "(number of the side, or null) and ended. Corrected log: its text in log."
        )
    )
    reason = serializers.CharField(max_length=200, help_text=_("Shown publicly beside the result."))
    later = serializers.ChoiceField(
        Amendment.Later.values,
        required=False,
        help_text=_("Dependent matches that have begun: keep them as played, or void and replay them."),
    )
    seen = serializers.CharField(
        required=False, max_length=64, help_text=_("Digest of the previewed effect; refused if the effect differs.")
    )
    typed = serializers.CharField(
        required=False,
        max_length=points(LONGEST_NAME),
        help_text=_("Name of the competition, as confirmation; needed if matches become void."),
    )
    again = serializers.BooleanField(
        required=False,
        help_text=_(
            "Pair the published round after it again; needs the permission to pair rounds, and no begun match."
        ),
    )

    def wanted(self) -> Wanted:
        given = self.validated_data
        return Wanted(
            kind=KnownBy(given["kind"]), data=given["sheet"], reason=given["reason"], later=given.get("later", "")
        )


class ConfirmBody(serializers.Serializer):
    seen = serializers.CharField(
        required=False, max_length=64, help_text=_("Digest of the previewed effect; refused if the effect differs.")
    )
    typed = serializers.CharField(
        required=False,
        max_length=points(LONGEST_NAME),
        help_text=_("Name of the competition, as confirmation; needed if matches become void."),
    )
    again = serializers.BooleanField(
        required=False,
        help_text=_(
            "Pair the published round after it again; needs the permission to pair rounds, and no begun match."
        ),
    )


class AmendmentFields(serializers.Serializer):
    id = serializers.IntegerField()
    game = serializers.CharField(source="game.code", help_text=_("Code of the game."))
    match = serializers.IntegerField(source="game.match_id")
    state = serializers.ChoiceField(Amendment.State.values)
    kind = serializers.ChoiceField(KnownBy.values, help_text=_("Source of the new result."))
    scores = serializers.SerializerMethodField()
    winner = serializers.IntegerField(
        allow_null=True, help_text=_("Number of the winning side; null without a winner.")
    )
    reason = serializers.CharField()
    later = serializers.ChoiceField(
        ["", *Amendment.Later.values], help_text=_("Handling of dependent matches that have begun.")
    )
    old_result = serializers.IntegerField(source="old_id", help_text=_("The former official result, kept permanently."))
    new_result = serializers.IntegerField(source="new_id", allow_null=True, help_text=_("Null until confirmed."))
    proposed_at = serializers.DateTimeField()
    closed_at = serializers.DateTimeField(
        allow_null=True, help_text=_("Time of the confirmation, refusal or withdrawal.")
    )
    alone = serializers.BooleanField(
        help_text=_(
            "Proposed and confirmed by the same official: the league needs no confirmation, or one official is enough."
        )
    )
    url = Link("api:amendment", amendment_id="id")

    @extend_schema(responses=SidePoints(many=True))
    def get_scores(self, amendment: Amendment) -> list[dict[str, int]]:
        return [{"side": side, "points": points} for side, points in sorted(by_side(amendment.scores).items())]


class SlotStateFields(serializers.Serializer):
    players = serializers.ListField(
        source="berths", child=serializers.CharField(allow_blank=True), help_text=_("Names of the known players.")
    )
    state = serializers.CharField(allow_blank=True, help_text=_("State of its match; empty without a match."))
    score = serializers.CharField(allow_blank=True, help_text=_("Score of each game: 150–95."))
    winner = serializers.CharField(allow_blank=True)


class SlotChangeFields(serializers.Serializer):
    """Change of a slot in the draw."""

    change = serializers.ChoiceField(CHANGES, source="kind")
    round = serializers.CharField(source="before.round", allow_blank=True)
    match_number = serializers.IntegerField(source="before.number", allow_null=True)
    published = serializers.BooleanField(source="before.published")
    before = SlotStateFields()
    after = SlotStateFields()


class NumberChangeFields(serializers.Serializer):
    number = serializers.CharField(source="key", help_text=_("Name of the number, as in a row of the standings."))
    before = serializers.CharField()
    after = serializers.CharField()


class RowChangeFields(serializers.Serializer):
    name = serializers.CharField()
    rank_before = serializers.IntegerField()
    rank_after = serializers.IntegerField()
    numbers = NumberChangeFields(many=True)


class RatingChangeFields(serializers.Serializer):
    """Change of a rating, in whole numbers; null without a rating before or after."""

    name = serializers.CharField()
    before = serializers.IntegerField(allow_null=True)
    after = serializers.IntegerField(allow_null=True)


class EffectFields(serializers.Serializer):
    """Changed and unchanged parts under an amendment."""

    digest = serializers.CharField(help_text=_("Digest of this effect: send it back as “seen”."))
    slots = SlotChangeFields(many=True)
    slots_unchanged = serializers.IntegerField()
    published_unchanged = serializers.IntegerField(help_text=_("Number of these that are published."))
    rows = RowChangeFields(many=True, help_text=_("Changed rows of the official standings."))
    rows_unchanged = serializers.IntegerField()
    further = NumberChangeFields(many=True, help_text=_("Other numbers computed from results, by name."))
    finished_before = serializers.BooleanField(allow_null=True)
    finished_after = serializers.BooleanField(allow_null=True)
    paired_before = serializers.ListField(
        child=serializers.CharField(), help_text=_("Published rounds whose pairings stay, with a mark.")
    )
    goes_on = serializers.ListField(
        child=serializers.CharField(),
        help_text=_("Entrants newly qualified for the published knock-out by the table; the drawn knock-out may stay."),
    )
    goes_not = serializers.ListField(child=serializers.CharField(), help_text=_("Entrants no longer qualified."))
    stale = serializers.ListField(
        child=serializers.CharField(), help_text=_("Draft rounds to be redrawn before publication.")
    )
    ratings = serializers.SerializerMethodField(help_text=_("At most 50 changes, the largest first."))
    ratings_changed = serializers.SerializerMethodField(help_text=_("Number of all rating changes."))

    @extend_schema_field(RatingChangeFields(many=True))
    def get_ratings(self, effect: Effect) -> list[dict[str, Any]]:
        return RatingChangeFields(effect.ratings[:MOST_RATINGS], many=True).data

    def get_ratings_changed(self, effect: Effect) -> int:
        return len(effect.ratings)


class PairedAgainFields(serializers.Serializer):
    """The choice to pair the published round after the result again."""

    round = serializers.CharField(help_text=_("Name of the round."))
    effect = EffectFields(allow_null=True, help_text=_("Effect with this choice; null if it is not possible."))
    why_not = serializers.SerializerMethodField(help_text=_("Reason against it; empty if it is possible."))

    def get_why_not(self, found: PairedAgain) -> str:
        return str(found.why_not or "")


class OutlookFields(serializers.Serializer):
    """Effects of an amendment. `void` is null if no dependent match has begun."""

    stand = EffectFields(help_text=_("Effect if later matches stay as played."))
    void = EffectFields(allow_null=True, help_text=_("Effect if they become void."))
    again = PairedAgainFields(
        allow_null=True,
        help_text=_("Effect if the next round is paired again; null unless the asker decides alone and may pair it."),
    )


def visible_amendments(asker: Asker) -> QuerySet[Amendment]:
    """Return confirmed amendments of visible matches, and all amendments of the asker's leagues."""
    rows = Amendment.objects.filter(game__match__in=visible_matches(asker))
    seen = Q(state=Amendment.State.CONFIRMED)
    if asker.is_authenticated:
        seen |= Q(game__match__league__in=leagues_where(asker, STAFF))
    return rows.filter(seen).select_related("game__match__league", "old").order_by("pk")


class GameAmendments(ListView):
    serializer_class = AmendmentFields
    parser_classes = (StrictJson,)
    act_scope = TokenScope.SUBMIT
    limit = "submit"
    rows = visible_games

    def filter_queryset(self, queryset: QuerySet[Game]) -> QuerySet[Amendment]:
        game = self.row(code=self.kwargs["code"].upper())
        return visible_amendments(self.request.user).filter(game=game)

    @extend_schema(
        operation_id="amendments",
        summary=_("Amendments of a game"),
        description=_("Confirmed amendments; for the staff of its league also waiting, refused and withdrawn ones."),
    )
    def get(self, request: Request, *args: object, **kwargs: object) -> Response:
        return super().get(request, *args, **kwargs)

    @extend_schema(
        operation_id="propose_amendment",
        summary=_("Propose an amendment"),
        request=AmendmentBody,
        examples=EXAMPLES,
        responses={201: AmendmentFields},
        description=_(
            "By an official who does not play in the match. Nothing changes before another official confirms it. It"
            " is confirmed at once if the league needs no confirmation, or if one official is enough."
        ),
    )
    def post(self, request: Request, code: str) -> HttpResponse:
        return self.once(lambda: self._propose(request, code))

    def _propose(self, request: Request, code: str) -> Response:
        game = self.row(code=code.upper())
        body = AmendmentBody(data=request.data)
        body.is_valid(raise_exception=True)
        given: Mapping[str, Any] = body.validated_data
        chosen = {name: given[name] for name in ("seen", "typed", "again") if name in given}
        made = propose_amendment(game, request.user, body.wanted(), **chosen)
        shown = visible_amendments(request.user).get(pk=made.pk)
        return Response(self.get_serializer(shown).data, status=status.HTTP_201_CREATED)


class AmendmentOutlook(RowsView):
    serializer_class = OutlookFields
    parser_classes = (StrictJson,)
    act_scope = TokenScope.SUBMIT
    limit = "submit"
    rows = visible_games

    @extend_schema(
        operation_id="preview_amendment",
        summary=_("Preview an amendment"),
        request=AmendmentBody,
        examples=EXAMPLES,
        responses={200: OutlookFields},
        description=_("Stores nothing and notifies nobody. With the permission to propose it."),
    )
    def post(self, request: Request, code: str) -> Response:
        game = self.row(code=code.upper())
        body = AmendmentBody(data=request.data)
        body.is_valid(raise_exception=True)
        return Response(self.get_serializer(amending.outlooks(game, request.user, body.wanted())).data)


class AmendmentDetail(RowsView):
    serializer_class = AmendmentFields
    rows = visible_amendments

    @extend_schema(operation_id="amendment", summary=_("One amendment"))
    def get(self, request: Request, amendment_id: int) -> Response:
        return Response(self.get_serializer(self.row(pk=amendment_id)).data)


class AmendmentConfirmation(RowsView):
    serializer_class = AmendmentFields
    parser_classes = (StrictJson,)
    act_scope = TokenScope.CONFIRM
    limit = "confirm"
    rows = visible_amendments

    @extend_schema(
        operation_id="confirm_amendment",
        summary=_("Confirm an amendment"),
        request=ConfirmBody,
        responses={200: AmendmentFields},
        description=_(
            "By another official who does not play in the match. The result, the match and everything that depends "
            "on it change together. 422 “effect-changed” if the effect differs from the previewed one."
        ),
    )
    def post(self, request: Request, amendment_id: int) -> HttpResponse:
        return self.once(lambda: self._confirm(request, amendment_id))

    def _confirm(self, request: Request, amendment_id: int) -> Response:
        found = self.row(pk=amendment_id)
        body = ConfirmBody(data=request.data)
        body.is_valid(raise_exception=True)
        confirm_amendment(found, request.user, **body.validated_data)
        return Response(self.get_serializer(self.row(pk=amendment_id)).data)


class AmendmentClosing(RowsView):
    serializer_class = AmendmentFields
    parser_classes = (StrictJson,)
    act_scope = TokenScope.CONFIRM
    limit = "confirm"
    rows = visible_amendments

    @extend_schema(
        operation_id="close_amendment",
        summary=_("Refuse or withdraw an amendment"),
        request=None,
        responses={200: AmendmentFields},
        description=_("The proposer withdraws it; another official refuses it. The result stays unchanged."),
    )
    def post(self, request: Request, amendment_id: int) -> HttpResponse:
        return self.once(lambda: self._close(request, amendment_id))

    def _close(self, request: Request, amendment_id: int) -> Response:
        close_amendment(self.row(pk=amendment_id), request.user)
        return Response(self.get_serializer(self.row(pk=amendment_id)).data)
