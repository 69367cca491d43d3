"""Players."""

from django.db.models import Exists, OuterRef, QuerySet
from django.http import Http404, HttpResponsePermanentRedirect
from django.http.response import HttpResponseBase
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django_filters import FilterSet
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from league.api.base.fields import APART, LeagueBrief, Link, PartnerBrief
from league.api.base.filters import WordFilter
from league.api.base.serializers import Fields
from league.api.base.views import ListView, RowsView
from league.competitions.queries.player import titles_of
from league.matches.queries.player import player_page
from league.matches.visibility import visible_players
from league.players.models import Entrant, Player
from league.players.queries import found_by_name, kept_player

TITLES_TOLD = 24


class PlayerFields(Fields):
    """Names are those that may be shown: initials of a minor, the code once a name was erased."""

    code = serializers.CharField(help_text=_("Public code of the player; it never changes."))
    name = serializers.CharField(source="*", help_text=_("The name as it may be shown to everybody."))
    apart = serializers.CharField(allow_blank=True, help_text=APART)
    url = Link("api:player", code="code")


class TitleFields(Fields):
    """A place among the first three of a finished competition, by official results."""

    place = serializers.IntegerField(help_text=_("From 1 to 3; whoever was level in everything shares it."))
    entrants = serializers.IntegerField(help_text=_("How many took part."))
    league = serializers.SlugField(source="competition.league.slug")
    competition = serializers.SlugField(source="competition.slug", help_text=_("Address of the competition."))
    name = serializers.CharField(source="competition.name")
    season = serializers.CharField(
        source="season.name", default=None, allow_null=True, help_text=_("Where it was a division of a season.")
    )
    division = serializers.CharField(allow_blank=True)
    partners = PartnerBrief(many=True, help_text=_("Of a pair the other one."))
    finished_at = serializers.DateTimeField()


class PlayerRecord(Fields):
    """What a player has done in the finished matches that you can see, provisional ones included."""

    code = serializers.CharField(source="player.code", help_text=_("Public code of the player; it never changes."))
    name = serializers.CharField(source="player", help_text=_("The name as it may be shown to everybody."))
    apart = serializers.CharField(source="player.apart", allow_blank=True, help_text=APART)
    leagues = LeagueBrief(many=True, help_text=_("Where the player has matches that you can see."))
    played = serializers.IntegerField(source="career.played", help_text=_("Finished matches."))
    won = serializers.IntegerField(source="career.won")
    lost = serializers.IntegerField(source="career.lost")
    points_for = serializers.IntegerField(source="career.points_for")
    points_against = serializers.IntegerField(source="career.points_against")
    difference = serializers.IntegerField(source="career.difference")
    games = serializers.IntegerField(
        source="career.known.games", help_text=_("Games with a result that the player, and not a partner, played.")
    )
    games_with_log = serializers.IntegerField(
        source="career.known.from_log", help_text=_("Of so many the numbers below are known.")
    )
    counts_made = serializers.IntegerField(source="career.sums.sums.counts", help_text=_("Plays that scored."))
    counts_called = serializers.IntegerField(
        source="career.sums.sums.called", help_text=_("Those of them whose points the player got in full.")
    )
    counts_missed = serializers.IntegerField(source="career.sums.missed")
    muggins_caught = serializers.IntegerField(source="career.sums.sums.caught", help_text=_("Claims that were upheld."))
    muggins_suffered = serializers.IntegerField(
        source="career.sums.sums.suffered", help_text=_("Claims that were upheld against the player.")
    )
    form = serializers.ListField(
        source="career.form",
        child=serializers.ChoiceField(["W", "D", "L"]),
        help_text=_("The last five matches, the latest last."),
    )
    titles = TitleFields(source="won.titles", many=True, help_text=_("The last 24, the latest first."))
    titles_in_all = serializers.IntegerField(source="won.total")
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

    @extend_schema(
        operation_id="player",
        summary=_("One player"),
        description=_("The address of a player who turned out to be another one answers 301 to that one's."),
        responses={200: PlayerRecord, 301: OpenApiResponse(description=_("This player is another one: see Location."))},
    )
    def get(self, request: Request, code: str) -> HttpResponseBase:
        try:
            page = player_page(request.user, code, timezone.now())
        except Player.DoesNotExist as absent:
            kept = kept_player(code.strip().upper())
            if kept is None or kept.code == code.strip().upper():
                raise Http404 from absent
            return HttpResponsePermanentRedirect(reverse("api:player", args=[kept.code]))
        told = {name: getattr(page, name) for name in ("player", "leagues", "career")}
        return Response(self.get_serializer(told | {"won": titles_of(page.player, TITLES_TOLD)}).data)
