"""Matches: sides, hour, table and state."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.db.models import F, QuerySet
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django_filters import ChoiceFilter, FilterSet
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from games.rulesets import KEYS
from league.accounts.models import League
from league.accounts.permissions import Asker
from league.api.base.fields import LeagueBrief, Link, PlayerBrief
from league.api.base.filters import DayFilter, InstantFilter, StableOrdering, WordFilter, bounds, side_of
from league.api.base.serializers import Fields
from league.api.base.views import ListView, RowsView
from league.competitions.models import Slot
from league.competitions.queries.lists import Whereabouts, competition_of
from league.competitions.visibility import addressed_competitions
from league.matches.clock.queries import ClockView, clocks_of
from league.matches.clock.state import ClockState
from league.matches.models import Match
from league.matches.queries.lines import MatchLine, match_lines
from league.matches.visibility import visible_matches


class SideFields(Fields):
    """One side of a match."""

    number = serializers.IntegerField(help_text=_("Number of the side, from 1."))
    player = PlayerBrief(source="*")
    points = serializers.ListField(child=serializers.IntegerField(), help_text=_("Points in each game with a result."))
    games_won = serializers.IntegerField()
    won = serializers.BooleanField(help_text=_("It won the match, by the present results."))
    place = serializers.IntegerField(
        allow_null=True, help_text=_("Place at a table of more than two, by the games so far; else null.")
    )


class MatchGame(Fields):
    number = serializers.IntegerField()
    code = serializers.CharField(help_text=_("Value of the tag Game in a log."))
    url = Link("api:game", code="code")


class MatchPlace(Fields):
    """The round of a competition that a match belongs to."""

    league = serializers.SlugField(source="league_slug")
    slug = serializers.SlugField()
    name = serializers.CharField(source="competition")
    round = serializers.CharField(source="matchday", help_text=_("Name of the round: Round 3, Quarter-finals."))
    url = Link("api:competition", league="league_slug", slug="slug")


class ClockFields(Fields):
    """Clock of a game at the time of the answer. Count a running clock from `rings_at`."""

    game = serializers.IntegerField(source="number", help_text=_("Number of the game in the match."))
    state = serializers.ChoiceField([one.value for one in ClockState], source="reading.state")
    remaining_ms = serializers.IntegerField(source="reading.remaining_ms", help_text=_("Time until the bell."))
    overtime_ms = serializers.IntegerField(
        source="reading.overtime_ms", help_text=_("Time since the start of the overtime.")
    )
    rings_at = serializers.DateTimeField(
        source="reading.rings_at",
        allow_null=True,
        help_text=_("Time of the bell while the clock runs; else null."),
    )
    rung_at = serializers.DateTimeField(
        source="reading.rung_at", allow_null=True, help_text=_("Time at which the bell rang; null before.")
    )
    version = serializers.IntegerField(help_text=_("Changes with every action on the clock."))


class MatchFields(Fields):
    id = serializers.IntegerField()
    league = LeagueBrief()
    competition = MatchPlace(allow_null=True)
    ruleset = serializers.ChoiceField(KEYS)
    options = serializers.DictField(help_text=_("House rules that differ from the ruleset."))
    best_of = serializers.IntegerField()
    state = serializers.ChoiceField(Match.State.values)
    starts_at = serializers.DateTimeField(allow_null=True)
    table = serializers.CharField(
        allow_blank=True,
        help_text=_(
            "Empty without a table. In an open match of a minor only its players and the league's staff see it."
        ),
    )
    sides = SideFields(many=True)
    games = MatchGame(many=True, help_text=_("All possible games of the match."))
    clock = ClockFields(
        allow_null=True,
        help_text=_(
            "Clock of the game started last, else of the first game; null if no clock runs any more or the rules "
            "have none."
        ),
    )
    needs_decision = serializers.BooleanField(help_text=_("An official must decide a result."))
    under_review = serializers.BooleanField(help_text=_("Two entries of a game differ, or a side disagrees."))
    checking = serializers.BooleanField(help_text=_("A log is being checked."))
    amended = serializers.BooleanField(help_text=_("An official result was amended; see its results."))
    void = serializers.BooleanField(
        help_text=_("Void, because it depended on an amended result; its records are kept.")
    )
    url = Link("api:match", match_id="id")


class MatchFilters(FilterSet):
    league = WordFilter(field_name="league__slug", label=_("Address of a league."))
    competition = WordFilter(method="of_competition", label=_("Address of a competition, best with its league."))
    player = WordFilter(method="of_player", label=_("Code of a player."))
    state = ChoiceFilter(choices=Match.State.choices)
    since = InstantFilter(field_name="starts_at", lookup_expr="gte", label=_("Starts at this time or later."))
    until = InstantFilter(field_name="starts_at", lookup_expr="lt", label=_("Starts before this time."))
    day = DayFilter(
        method="on_day",
        label=_("Starts on this day, or today, in the time zone of the given league, else in UTC."),
    )
    ordering = StableOrdering(starts_at="starts_at", id="pk")

    def of_competition(self, matches: QuerySet[Match], _name: str, slug: str) -> QuerySet[Match]:
        seen = addressed_competitions(self.request.user).filter(slug=slug).select_related(None)
        slots = Slot.objects.filter(matchday__stage__competition__in=seen.values("pk"))
        return matches.filter(pk__in=slots.filter(match__isnull=False).values("match"))

    def of_player(self, matches: QuerySet[Match], _name: str, code: str) -> QuerySet[Match]:
        return matches.filter(pk__in=side_of(code).values("match"))

    def on_day(self, matches: QuerySet[Match], _name: str, day: Any) -> QuerySet[Match]:
        zones = League.objects.filter(slug=self.data.get("league", "")).values_list("time_zone", flat=True)
        start, end = bounds(day, zones.first() or "UTC")
        return matches.filter(starts_at__gte=start, starts_at__lt=end)


def match_entries(matches: Sequence[Match], asker: Asker) -> list[dict[str, Any]]:
    """Return the entries of visible matches, in the given order; a constant number of statements."""
    ids = [match.pk for match in matches]
    lines = {line.id: line for line in match_lines(Match.objects.filter(pk__in=ids), asker)}
    return line_entries([lines[one] for one in ids], competition_of(ids))


def line_entries(lines: Sequence[MatchLine], places: Mapping[int, Whereabouts]) -> list[dict[str, Any]]:
    """Return the entries of matches whose lines and competitions are known. Two statements."""
    ids = [line.id for line in lines]
    terms = _terms(ids)
    clocks = clocks_of(ids, timezone.now())
    return [match_entry(line, places.get(line.id), clocks.get(line.id)) | terms[line.id] for line in lines]


def _terms(ids: Sequence[int]) -> dict[int, dict[str, Any]]:
    """Return the rules and the game codes of each match.

    One statement.
    """
    found: dict[int, dict[str, Any]] = {}
    rows = Match.objects.filter(pk__in=ids).order_by("games__number")
    for match, ruleset, options, number, code in rows.values_list(
        "pk", "ruleset", "options", "games__number", "games__code"
    ):
        terms = found.setdefault(match, {"ruleset": ruleset, "options": options, "games": []})
        if code:
            terms["games"].append({"number": number, "code": code})
    return found


def match_entry(line: MatchLine, place: Whereabouts | None, clock: ClockView | None) -> dict[str, Any]:
    return {
        "id": line.id,
        "league": line.league,
        "competition": place,
        "best_of": line.best_of,
        "state": line.state,
        "starts_at": line.starts_at,
        "table": line.table,
        "sides": line.sides,
        "needs_decision": line.needs_decision,
        "under_review": line.contested,
        "clock": clock if clock and _is_run(clock, line) else None,
        "checking": line.checking,
        "amended": line.amended,
        "void": line.void,
    }


def _is_run(clock: ClockView, line: MatchLine) -> bool:
    """Tell whether the clock has started or still can.

    A clock that never started is not shown once the result is known.
    """
    closed = line.state == Match.State.DECIDED or any(game.number == clock.number for game in line.games)
    return clock.version > 0 or not closed


class MatchList(ListView):
    serializer_class = MatchFields
    filterset_class = MatchFilters

    @staticmethod
    def rows(asker):
        return visible_matches(asker).order_by(F("starts_at").asc(nulls_last=True), "pk")

    def entries(self, page: list[Match]) -> list[dict[str, Any]]:
        return match_entries(page, self.request.user)

    @extend_schema(
        operation_id="matches",
        summary=_("Matches"),
        description=_("Published matches, and upcoming ones of leagues on whose staff you are. Sorted by start."),
    )
    def get(self, request: Request, *args: object, **kwargs: object) -> Response:
        return super().get(request, *args, **kwargs)


class MatchDetail(RowsView):
    serializer_class = MatchFields
    rows = visible_matches

    @extend_schema(operation_id="match", summary=_("One match"))
    def get(self, request: Request, match_id: int) -> Response:
        [entry] = match_entries([self.row(pk=match_id)], request.user)
        return Response(self.get_serializer(entry).data)
