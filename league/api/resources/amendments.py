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
from league.competitions.amendments.services import close_amendment, confirm_amendment, propose_amendment
from league.matches.amendments import KINDS, Wanted
from league.matches.models import Amendment, Game, KnownBy
from league.matches.queries.lines import by_side
from league.matches.visibility import visible_matches

BODY = {"kind": "score", "sheet": {"scores": [95, 150]}, "reason": "the names were swapped"}
EXAMPLES = [OpenApiExample("names were swapped", value=BODY, request_only=True)]
MOST_RATINGS = 50
CHANGES = ("result", "replaced", "emptied", "filled", "void", "stands")


class AmendmentBody(serializers.Serializer):
    kind = serializers.ChoiceField([KnownBy(one).value for one in KINDS], help_text=_("What it rests on."))
    sheet = serializers.DictField(
        help_text=_(
            "As a score, card or tally is entered. Of a ruling: scores in the order of the sides, winner (number of "
            "the side, or null) and ended. Of a corrected log: log, its text."
        )
    )
    reason = serializers.CharField(max_length=200, help_text=_("Everybody reads it beside the result."))
    later = serializers.ChoiceField(
        Amendment.Later.values,
        required=False,
        help_text=_("Where matches that rest on it have begun: they stand as played, or are void and played anew."),
    )
    seen = serializers.CharField(
        required=False, max_length=64, help_text=_("The digest of the effect that was looked at; another is refused.")
    )
    typed = serializers.CharField(
        required=False,
        max_length=points(LONGEST_NAME),
        help_text=_("The name of the competition, where matches become void."),
    )

    def wanted(self) -> Wanted:
        given = self.validated_data
        return Wanted(
            kind=KnownBy(given["kind"]), data=given["sheet"], reason=given["reason"], later=given.get("later", "")
        )


class ConfirmBody(serializers.Serializer):
    seen = serializers.CharField(
        required=False, max_length=64, help_text=_("The digest of the effect that was looked at; another is refused.")
    )
    typed = serializers.CharField(
        required=False,
        max_length=points(LONGEST_NAME),
        help_text=_("The name of the competition, where matches become void."),
    )


class AmendmentFields(serializers.Serializer):
    id = serializers.IntegerField()
    game = serializers.CharField(source="game.code", help_text=_("Code of the game."))
    match = serializers.IntegerField(source="game.match_id")
    state = serializers.ChoiceField(Amendment.State.values)
    kind = serializers.ChoiceField(KnownBy.values, help_text=_("What the new result rests on."))
    scores = serializers.SerializerMethodField()
    winner = serializers.IntegerField(allow_null=True, help_text=_("Number of the side; null where nobody won."))
    reason = serializers.CharField()
    later = serializers.ChoiceField(["", *Amendment.Later.values], help_text=_("What becomes of later matches."))
    old_result = serializers.IntegerField(source="old_id", help_text=_("What was official before; kept for ever."))
    new_result = serializers.IntegerField(source="new_id", allow_null=True, help_text=_("Null until confirmed."))
    proposed_at = serializers.DateTimeField()
    closed_at = serializers.DateTimeField(allow_null=True, help_text=_("Confirmed, refused or withdrawn."))
    alone = serializers.BooleanField(help_text=_("One official did both; the league asks for no confirmation."))
    url = Link("api:amendment", amendment_id="id")

    @extend_schema(responses=SidePoints(many=True))
    def get_scores(self, amendment: Amendment) -> list[dict[str, int]]:
        return [{"side": side, "points": points} for side, points in sorted(by_side(amendment.scores).items())]


class SlotStateFields(serializers.Serializer):
    players = serializers.ListField(
        source="berths", child=serializers.CharField(allow_blank=True), help_text=_("Empty while nobody is known.")
    )
    state = serializers.CharField(allow_blank=True, help_text=_("Of its match; empty without one."))
    score = serializers.CharField(allow_blank=True, help_text=_("Of each game, as 150–95."))
    winner = serializers.CharField(allow_blank=True)


class SlotChangeFields(serializers.Serializer):
    """What becomes of a place in the draw."""

    change = serializers.ChoiceField(CHANGES, source="kind")
    round = serializers.CharField(source="before.round", allow_blank=True)
    match_number = serializers.IntegerField(source="before.number", allow_null=True)
    published = serializers.BooleanField(source="before.published")
    before = SlotStateFields()
    after = SlotStateFields()


class NumberChangeFields(serializers.Serializer):
    number = serializers.CharField(source="key", help_text=_("As a row of the standings names it."))
    before = serializers.CharField()
    after = serializers.CharField()


class RowChangeFields(serializers.Serializer):
    name = serializers.CharField()
    rank_before = serializers.IntegerField()
    rank_after = serializers.IntegerField()
    numbers = NumberChangeFields(many=True)


class RatingChangeFields(serializers.Serializer):
    """In whole numbers; null where there is no rating before, or after."""

    name = serializers.CharField()
    before = serializers.IntegerField(allow_null=True)
    after = serializers.IntegerField(allow_null=True)


class EffectFields(serializers.Serializer):
    """What an amendment changes, and how much it does not."""

    digest = serializers.CharField(help_text=_("Names this effect: send it back as “seen”."))
    slots = SlotChangeFields(many=True)
    slots_unchanged = serializers.IntegerField()
    published_unchanged = serializers.IntegerField(help_text=_("So many of them are published."))
    rows = RowChangeFields(many=True, help_text=_("Lines of the official standings."))
    rows_unchanged = serializers.IntegerField()
    further = NumberChangeFields(many=True, help_text=_("What else is made from results, by its name."))
    finished_before = serializers.BooleanField(allow_null=True)
    finished_after = serializers.BooleanField(allow_null=True)
    paired_before = serializers.ListField(
        child=serializers.CharField(), help_text=_("Published rounds that stay as they are, and say so.")
    )
    goes_on = serializers.ListField(
        child=serializers.CharField(),
        help_text=_("Who goes on to the published knock-out by the table, or would, where it stands as drawn."),
    )
    goes_not = serializers.ListField(child=serializers.CharField(), help_text=_("Instead of whom."))
    stale = serializers.ListField(
        child=serializers.CharField(), help_text=_("Drafts of rounds that have to be drawn anew before they are shown.")
    )
    ratings = serializers.SerializerMethodField(help_text=_("At most fifty, those that change most first."))
    ratings_changed = serializers.SerializerMethodField(help_text=_("How many change in all."))

    @extend_schema_field(RatingChangeFields(many=True))
    def get_ratings(self, effect: Effect) -> list[dict[str, Any]]:
        return RatingChangeFields(effect.ratings[:MOST_RATINGS], many=True).data

    def get_ratings_changed(self, effect: Effect) -> int:
        return len(effect.ratings)


class OutlookFields(serializers.Serializer):
    """`void` is null where no match that has begun rests on the result."""

    stand = EffectFields(help_text=_("Where later matches stand as played."))
    void = EffectFields(allow_null=True, help_text=_("Where they are void."))


def visible_amendments(asker: Asker) -> QuerySet[Amendment]:
    """Confirmed ones of the matches that the asker sees; all of the leagues whose staff they are."""
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
        description=_("Confirmed ones; for the staff of its league those that wait, were refused or withdrawn too."),
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
            "By an official who does not play in the match. Nothing changes until another one confirms it; in a league "
            "that asks for no confirmation it is confirmed at once."
        ),
    )
    def post(self, request: Request, code: str) -> HttpResponse:
        return self.once(lambda: self._propose(request, code))

    def _propose(self, request: Request, code: str) -> Response:
        game = self.row(code=code.upper())
        body = AmendmentBody(data=request.data)
        body.is_valid(raise_exception=True)
        given: Mapping[str, Any] = body.validated_data
        made = propose_amendment(
            game, request.user, body.wanted(), seen=given.get("seen", ""), typed=given.get("typed", "")
        )
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
        summary=_("What an amendment would change"),
        request=AmendmentBody,
        examples=EXAMPLES,
        responses={200: OutlookFields},
        description=_("Nothing is stored and nobody is told. By whoever may propose it."),
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
            "By another official who does not play in the match. Result, match and everything that rests on it change "
            "together. 422 “effect-changed” where it would change something else than was seen."
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
        description=_("Whoever proposed it withdraws it; another official refuses it. The result stands as it was."),
    )
    def post(self, request: Request, amendment_id: int) -> HttpResponse:
        return self.once(lambda: self._close(request, amendment_id))

    def _close(self, request: Request, amendment_id: int) -> Response:
        close_amendment(self.row(pk=amendment_id), request.user)
        return Response(self.get_serializer(self.row(pk=amendment_id)).data)
