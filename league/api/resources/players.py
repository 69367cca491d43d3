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
    """A player by public name: initials of a minor, the code after an erasure."""

    code = serializers.CharField(help_text=_("Public code of the player; it never changes."))
    name = serializers.CharField(source="*", help_text=_("Name as shown to the public."))
    apart = serializers.CharField(allow_blank=True, help_text=APART)
    url = Link("api:player", code="code")


class TitleFields(Fields):
    """A place among the first three of a finished competition, by official results."""

    place = serializers.IntegerField(help_text=_("From 1 to 3; shared by players level in every tie-break."))
    entrants = serializers.IntegerField(help_text=_("Number of entrants."))
    league = serializers.SlugField(source="competition.league.slug")
    competition = serializers.SlugField(source="competition.slug", help_text=_("Address of the competition."))
    name = serializers.CharField(source="competition.name")
    season = serializers.CharField(
        source="season.name", default=None, allow_null=True, help_text=_("Season, if the competition was a division.")
    )
    division = serializers.CharField(allow_blank=True)
    partners = PartnerBrief(many=True, help_text=_("The partner in a pair."))
    finished_at = serializers.DateTimeField()


class PlayerRecord(Fields):
    """Numbers of a player from the finished matches that you can see, including provisional ones."""

    code = serializers.CharField(source="player.code", help_text=_("Public code of the player; it never changes."))
    name = serializers.CharField(source="player", help_text=_("Name as shown to the public."))
    apart = serializers.CharField(source="player.apart", allow_blank=True, help_text=APART)
    leagues = LeagueBrief(many=True, help_text=_("Leagues in which you can see matches of the player."))
    played = serializers.IntegerField(source="career.played", help_text=_("Number of finished matches."))
    won = serializers.IntegerField(source="career.won")
    lost = serializers.IntegerField(source="career.lost")
    points_for = serializers.IntegerField(source="career.points_for")
    points_against = serializers.IntegerField(source="career.points_against")
    difference = serializers.IntegerField(source="career.difference")
    games = serializers.IntegerField(
        source="career.known.games",
        help_text=_("Number of games with a result played by the player, not by a partner."),
    )
    games_with_log = serializers.IntegerField(
        source="career.known.from_log", help_text=_("Number of games with a log, the source of the numbers below.")
    )
    counts_made = serializers.IntegerField(source="career.sums.sums.counts", help_text=_("Number of scoring plays."))
    counts_called = serializers.IntegerField(
        source="career.sums.sums.called", help_text=_("Number of these whose points the player got in full.")
    )
    counts_missed = serializers.IntegerField(source="career.sums.missed")
    muggins_caught = serializers.IntegerField(
        source="career.sums.sums.caught", help_text=_("Number of the player's accepted muggins calls.")
    )
    muggins_suffered = serializers.IntegerField(
        source="career.sums.sums.suffered", help_text=_("Number of accepted muggins calls against the player.")
    )
    form = serializers.ListField(
        source="career.form",
        child=serializers.ChoiceField(["W", "D", "L"]),
        help_text=_("The last five matches, the latest last."),
    )
    titles = TitleFields(source="won.titles", many=True, help_text=_("The last 24 titles, latest first."))
    titles_in_all = serializers.IntegerField(source="won.total")
    url = Link("api:player", code="player.code")


class PlayerFilters(FilterSet):
    q = WordFilter(
        method="named",
        label=_("Part of the name, or a full code. Accents are optional; minors are found by code only."),
    )
    league = WordFilter(method="of_league", label=_("Address of a league in which the player is an entrant."))

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
            "Players with a match that you can see or a place in a published competition; for the staff of a league"
            " also all its players. Sorted by surname."
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
        description=_("The address of a merged player answers 301 to the remaining player."),
        responses={200: PlayerRecord, 301: OpenApiResponse(description=_("Merged into another player: see Location."))},
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
