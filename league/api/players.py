"""Players."""

from django.db.models import Exists, OuterRef, QuerySet
from django.http import Http404
from django.utils.translation import gettext_lazy as _
from django_filters import FilterSet
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from league.api.base import ListView, RowsView
from league.api.fields import APART, LeagueBrief, Link
from league.api.filters import WordFilter
from league.matches.player_page import player_page
from league.matches.visible import visible_players
from league.players.models import Entrant, Player
from league.players.queries import found_by_name


class PlayerFields(serializers.Serializer):
    """Names are those that may be shown: initials of a minor, the code once a name was erased."""

    code = serializers.CharField(help_text=_("Public code of the player; it never changes."))
    name = serializers.CharField(source="*", help_text=_("The name as it may be shown to everybody."))
    apart = serializers.CharField(allow_blank=True, help_text=APART)
    url = Link("api:player", code="code")


class PlayerRecord(serializers.Serializer):
    """What a player has done in the finished matches that you can see, provisional ones included."""

    code = serializers.CharField(source="player.code", help_text=_("Public code of the player; it never changes."))
    name = serializers.CharField(source="player", help_text=_("The name as it may be shown to everybody."))
    apart = serializers.CharField(source="player.apart", allow_blank=True, help_text=APART)
    leagues = LeagueBrief(many=True, help_text=_("Where the player has matches that you can see."))
    played = serializers.IntegerField(help_text=_("Finished matches."))
    won = serializers.IntegerField()
    lost = serializers.IntegerField()
    points_for = serializers.IntegerField()
    points_against = serializers.IntegerField()
    difference = serializers.IntegerField()
    muggins_caught = serializers.IntegerField(help_text=_("Claims that were upheld."))
    muggins_suffered = serializers.IntegerField(help_text=_("Claims that were upheld against the player."))
    form = serializers.ListField(
        child=serializers.ChoiceField(["W", "D", "L"]), help_text=_("The last five matches, the latest last.")
    )
    url = Link("api:player", code="player.code")


class PlayerFilters(FilterSet):
    q = WordFilter(
        method="named",
        label=_(
            "A part of the name, or a whole code. Accents need not be given; minors are found by their code alone."
        ),
    )
    league = WordFilter(method="of_league", label=_("Address of a league that the player is an entrant of."))

    def named(self, players: QuerySet[Player], _name: str, text: str) -> QuerySet[Player]:
        return players.filter(found_by_name(text))

    def of_league(self, players: QuerySet[Player], _name: str, slug: str) -> QuerySet[Player]:
        return players.filter(Exists(Entrant.objects.filter(player=OuterRef("pk"), league__slug=slug)))


class PlayerList(ListView):
    serializer_class = PlayerFields
    filterset_class = PlayerFilters
    rows = visible_players

    @extend_schema(
        operation_id="players",
        summary=_("Players"),
        description=_(
            "Whoever has a match that you can see or a place in a published competition; for the staff of a league "
            "everybody in it. By name."
        ),
    )
    def get(self, request: Request, *args: object, **kwargs: object) -> Response:
        return super().get(request, *args, **kwargs)


class PlayerDetail(RowsView):
    serializer_class = PlayerRecord
    rows = visible_players

    @extend_schema(operation_id="player", summary=_("One player"))
    def get(self, request: Request, code: str) -> Response:
        try:
            page = player_page(request.user, code)
        except Player.DoesNotExist as absent:
            raise Http404 from absent
        return Response(self.get_serializer(page).data)
