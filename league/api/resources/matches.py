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
from league.competitions.visibility import visible_competitions
from league.matches.clock.queries import ClockView, clocks_of
from league.matches.clock.state import ClockState
from league.matches.models import Match
from league.matches.queries.lines import MatchLine, match_lines
from league.matches.visibility import visible_matches


class SideFields(Fields):
    """One side of a match."""

    number = serializers.IntegerField(help_text=_("From 1, as the fixture lists them."))
    player = PlayerBrief(source="*")
    points = serializers.ListField(child=serializers.IntegerField(), help_text=_("In each game with a result."))
    games_won = serializers.IntegerField()
    won = serializers.BooleanField(help_text=_("Whether it won the match, as far as the results go."))
    place = serializers.IntegerField(
        allow_null=True, help_text=_("At a table of more than two, by the games so far; else null.")
    )


class MatchGame(Fields):
    number = serializers.IntegerField()
    code = serializers.CharField(help_text=_("What a log writes in its tag Game."))
    url = Link("api:game", code="code")


class MatchPlace(Fields):
    """The round of a competition that a match belongs to."""

    league = serializers.SlugField(source="league_slug")
    slug = serializers.SlugField()
    name = serializers.CharField(source="competition")
    round = serializers.CharField(source="matchday", help_text=_("As people call it: Round 3, Quarter-finals."))
    url = Link("api:competition", league="league_slug", slug="slug")


class ClockFields(Fields):
    """The clock of a game at the moment of the answer. A running one is best counted from `rings_at`."""

    game = serializers.IntegerField(source="number", help_text=_("Number of the game in the match."))
    state = serializers.ChoiceField([one.value for one in ClockState], source="reading.state")
    remaining_ms = serializers.IntegerField(source="reading.remaining_ms", help_text=_("Until the bell."))
    overtime_ms = serializers.IntegerField(source="reading.overtime_ms", help_text=_("Since the overtime began."))
    rings_at = serializers.DateTimeField(
        source="reading.rings_at",
        allow_null=True,
        help_text=_("When the bell rings; null unless the clock is running."),
    )
    rung_at = serializers.DateTimeField(
        source="reading.rung_at", allow_null=True, help_text=_("When the bell rang; null before.")
    )
    version = serializers.IntegerField(help_text=_("Changes whenever somebody does something to the clock."))


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
            "Empty where there is none, and in an open match of a minor for whoever is neither of the league's staff "
            "nor plays in it."
        ),
    )
    sides = SideFields(many=True)
    games = MatchGame(many=True, help_text=_("All that it may take."))
    clock = ClockFields(
        allow_null=True,
        help_text=_(
            "Of the game whose clock was started last, else of the first game; null where nobody runs one any more, or "
            "the rules know none."
        ),
    )
    needs_decision = serializers.BooleanField(help_text=_("An official has to decide a result."))
    under_review = serializers.BooleanField(help_text=_("Two entries of a game differ, or a side disagrees."))
    checking = serializers.BooleanField(help_text=_("A log waits for its verdict."))
    amended = serializers.BooleanField(help_text=_("An official result of it was changed; see its results."))
    void = serializers.BooleanField(
        help_text=_("It rested on a result that was amended, and counts for nothing; its records are kept.")
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
        label=_("Starts on this day, or today: in the time zone of the league that is named too, else in UTC."),
    )
    ordering = StableOrdering(starts_at="starts_at", id="pk")

    def of_competition(self, matches: QuerySet[Match], _name: str, slug: str) -> QuerySet[Match]:
        seen = visible_competitions(self.request.user).filter(slug=slug).select_related(None)
        slots = Slot.objects.filter(matchday__stage__competition__in=seen.values("pk"))
        return matches.filter(pk__in=slots.filter(match__isnull=False).values("match"))

    def of_player(self, matches: QuerySet[Match], _name: str, code: str) -> QuerySet[Match]:
        return matches.filter(pk__in=side_of(code).values("match"))

    def on_day(self, matches: QuerySet[Match], _name: str, day: Any) -> QuerySet[Match]:
        zones = League.objects.filter(slug=self.data.get("league", "")).values_list("time_zone", flat=True)
        start, end = bounds(day, zones.first() or "UTC")
        return matches.filter(starts_at__gte=start, starts_at__lt=end)


def match_entries(matches: Sequence[Match], asker: Asker) -> list[dict[str, Any]]:
    """Of matches that the asker may see, in the order given; a constant number of statements."""
    ids = [match.pk for match in matches]
    lines = {line.id: line for line in match_lines(Match.objects.filter(pk__in=ids), asker)}
    return line_entries([lines[one] for one in ids], competition_of(ids))


def line_entries(lines: Sequence[MatchLine], places: Mapping[int, Whereabouts]) -> list[dict[str, Any]]:
    """Of matches whose lines are known, and in which competition each is. Two statements."""
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
    """Whether the clock has started or still can.

    A clock that never started says nothing once the result is known.
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
        description=_("Published ones, and those to come of the leagues whose staff you are. By their start."),
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
