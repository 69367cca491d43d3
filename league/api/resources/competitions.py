"""Competitions and their standings."""

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any

from django.http import Http404
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django_filters import ChoiceFilter, FilterSet
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from games.rulesets import KEYS
from league.api.base.fields import LeagueBrief, Link, PlayerBrief, RowNumber
from league.api.base.filters import TruthFilter, WordFilter
from league.api.base.pagination import TablePages, one_of, whole
from league.api.base.serializers import Fields
from league.api.base.views import ListView, RowsView
from league.competitions.adjustments import standing_adjustments
from league.competitions.draw.counts import with_counts
from league.competitions.draw_view import all_days
from league.competitions.entrant_names import Placed, placed
from league.competitions.formats.registry import SPECS
from league.competitions.models import Competition, Stage
from league.competitions.queries import lists as queries
from league.competitions.queries.final_places import RankedEntrant, named, ranked_entrants
from league.competitions.queries.rounds import table_page, waits_somewhere
from league.competitions.registration.opening import takes_sign_ups
from league.competitions.standings.cache import KeptTable
from league.competitions.standings.compute import Figure, Outcome, Row
from league.competitions.standings.tiebreaks.crosstable import REQUESTED
from league.competitions.standings.tiebreaks.figures import Number, TermNote
from league.competitions.standings.tiebreaks.registry import TIE_BREAKS
from league.competitions.visibility import addressed_competitions, seen_competition, visible_competitions

WHICH = ("provisional", "official")
TERMS = ("none", "all")
LAST_ROUND = 9_999


class StageFields(Fields):
    number = serializers.IntegerField()
    format = serializers.ChoiceField(list(SPECS))
    seats = serializers.SerializerMethodField(help_text=_("Seats of a full table, in rounds at tables; else null."))
    place_points = serializers.SerializerMethodField(
        help_text=_("Points for each place at a table, from the first; else empty.")
    )
    challenge_reach = serializers.SerializerMethodField(
        help_text=_("Ladder: number of places up for a challenge; else null.")
    )
    challenge_days = serializers.SerializerMethodField(
        help_text=_("Ladder: days after which a challenge lapses; null if never.")
    )
    finished_at = serializers.DateTimeField(allow_null=True, help_text=_("Time of the last decision of a match."))

    def get_seats(self, stage: Stage) -> int | None:
        return stage.seats or None

    def get_challenge_reach(self, stage: Stage) -> int | None:
        return stage.challenge_reach if stage.is_ladder else None

    def get_challenge_days(self, stage: Stage) -> int | None:
        return (stage.challenge_days or None) if stage.is_ladder else None

    def get_place_points(self, stage: Stage) -> list[int]:
        return stage.points_by_place if stage.is_at_tables else []


class RegistrationFields(Fields):
    """Sign-up settings of a competition."""

    who = serializers.ChoiceField(Competition.Opening.values, source="registration")
    open = serializers.SerializerMethodField(
        help_text=_("Sign-up is possible now; with an invitation if `who` requires it.")
    )
    closes_at = serializers.DateTimeField(source="registration_closes_at", allow_null=True)
    places = serializers.IntegerField(help_text=_("Number of places, then a waiting list; 0: unlimited."))

    def get_open(self, competition: Competition) -> bool:
        return takes_sign_ups(competition, timezone.now())


class CompetitionFields(Fields):
    league = LeagueBrief()
    slug = serializers.SlugField(help_text=_("Address of the competition within its league."))
    name = serializers.CharField()
    ruleset = serializers.ChoiceField(KEYS)
    options = serializers.DictField(help_text=_("House rules that differ from the ruleset."))
    best_of = serializers.IntegerField(help_text=_("Most games of a match."))
    own_best_of = serializers.DictField(
        child=serializers.IntegerField(),
        help_text=_(
            "Most games where they differ: by `round_of_16`, `quarter_finals`, `semi_finals`, `third_place`, `final` "
            "of a knock-out, `winners`, `losers`, `winners_final`, `losers_final`, `final` of a double elimination."
        ),
    )
    clubs_apart = serializers.BooleanField(help_text=_("Club mates are kept apart where it is possible."))
    most_byes = serializers.IntegerField(help_text=_("Byes that a player may ask for, in a Swiss system."))
    pairs = serializers.BooleanField(help_text=_("Entrants are pairs, and partners share a seat."))
    stages = StageFields(many=True)
    tie_breaks = serializers.ListField(
        child=serializers.ChoiceField(list(TIE_BREAKS)), help_text=_("Tie-breaks, in this order.")
    )
    starts_at = serializers.DateTimeField(allow_null=True)
    published_at = serializers.DateTimeField(
        allow_null=True, help_text=_("Null for a draft, visible to the staff only.")
    )
    registration = RegistrationFields(source="*")
    players = serializers.IntegerField(source="draw_count.players")
    matches_total = serializers.IntegerField(source="draw_count.matches")
    matches_decided = serializers.IntegerField(source="draw_count.decided")
    url = Link("api:competition", league="league.slug", slug="slug")
    standings = Link("api:standings", league="league.slug", slug="slug")
    ranking = Link("api:ranking", league="league.slug", slug="slug")
    rounds = Link("api:rounds", league="league.slug", slug="slug")
    files = Link("api:files", league="league.slug", slug="slug")


class DirectEncounter(Fields):
    """A player's row in a table of level players only, from their matches against each other."""

    level_with = serializers.ListField(child=serializers.CharField(), help_text=_("Codes of the other level players."))
    points = serializers.IntegerField(help_text=_("2 for a win, 1 without a winner."))
    missing = serializers.IntegerField(help_text=_("Unplayed matches of this player against them."))
    still_open = serializers.BooleanField(help_text=_("No place yet, because an unplayed match could change it."))


class TermFields(Fields):
    """Contribution of one round to a number; of a bonus or deduction with round 0."""

    round = serializers.IntegerField()
    opponent = serializers.CharField(
        allow_null=True, help_text=_("Code of the opponent; null for a bye and at a table of more than two.")
    )
    others = serializers.ListField(
        child=serializers.CharField(), help_text=_("Codes of the others at a table of more than two; else empty.")
    )
    place = serializers.IntegerField(
        allow_null=True, help_text=_("Place at a table of more than two, 0 if absent; else null.")
    )
    adds = serializers.CharField(help_text=_("A whole number, or a fraction such as 107/8."))
    theirs = serializers.CharField(allow_null=True, help_text=_("Number of the opponent or of the dummy opponent."))
    own = serializers.CharField(allow_null=True, help_text=_("Factor of that number, or the player's own score."))
    counted = serializers.BooleanField(help_text=_("Included in the sum."))
    notes = serializers.ListField(
        child=serializers.ChoiceField([note.value for note in TermNote]),
        help_text=_("Reasons for a number that differs from the plain table or does not count."),
    )


class FigureFields(Fields):
    """Number of a tie-break: sum of its counted terms, divided by `divisor`, plus `plus`."""

    tie_break = serializers.ChoiceField(list(TIE_BREAKS))
    value = serializers.CharField(
        allow_null=True, help_text=_("A whole number, or a fraction such as 107/8; null without a number.")
    )
    divisor = serializers.IntegerField()
    rounded = serializers.BooleanField(help_text=_("Rounded to the nearest whole number, halves up, before `plus`."))
    plus = serializers.IntegerField()
    terms = TermFields(many=True, help_text=_("With `terms=all` only."))


class StandingsRow(Fields):
    rank = serializers.IntegerField(
        allow_null=True, help_text=_("Players level in every tie-break share a rank; null for a player who left.")
    )
    player = PlayerBrief()
    rating = serializers.IntegerField(
        allow_null=True, help_text=_("Starting rating: from the league's list at publication.")
    )
    match_points = RowNumber(help_text=_("At tables of more than two: points by place. Includes `bonus`."))
    bonus = serializers.IntegerField(help_text=_("Match points given by an organizer; negative if taken."))
    played = serializers.IntegerField()
    won = serializers.IntegerField()
    drawn = serializers.IntegerField()
    lost = serializers.IntegerField()
    points_for = serializers.IntegerField()
    points_against = RowNumber(help_text=_("At tables of more than two: sum of the averages of the others' points."))
    difference = RowNumber()
    places = serializers.ListField(
        child=serializers.IntegerField(), help_text=_("Last five places at tables of more than two; else empty.")
    )
    form = serializers.ListField(
        child=serializers.ChoiceField([one.value for one in Outcome]),
        help_text=_("The last five matches, the latest last."),
    )
    direct_encounters = DirectEncounter(
        many=True,
        help_text=_(
            "Tables of the direct encounter: first among all level players, then among those still level. Empty "
            "without level players or without this tie-break."
        ),
    )
    figures = FigureFields(many=True, help_text=_("Numbers of all other tie-breaks, in order."))


class ScoringFields(Fields):
    """Match points, and the edition of FIDE C.07 for unplayed rounds."""

    win = serializers.IntegerField()
    draw = serializers.IntegerField()
    loss = serializers.IntegerField()
    bye = serializers.IntegerField()
    place_points = serializers.ListField(
        child=serializers.IntegerField(), help_text=_("Points for each place at a table of more than two; else empty.")
    )
    edition = serializers.IntegerField()
    forfeit_points = serializers.BooleanField(
        help_text=_("A forfeit counts target to nothing in points for, against and difference.")
    )
    direct_by_points = serializers.BooleanField(
        help_text=_("The direct encounter goes on by points difference and points for among the level players.")
    )
    leaving = serializers.ChoiceField(
        Competition.Leaving.values,
        help_text=_("Matches of a player who leaves: kept from half of them on (else annulled), kept, or annulled."),
    )
    requested_bye = serializers.ChoiceField(
        sorted(one.value for one in REQUESTED),
        source="requested",
        help_text=_("Worth of a requested bye: that of a win, of a draw, or none. In the last round it is none."),
    )


class AdjustmentFields(Fields):
    """A bonus or deduction of match points by an organizer."""

    player = PlayerBrief()
    points = serializers.IntegerField(help_text=_("Negative for a deduction."))
    reason = serializers.CharField()
    made_at = serializers.DateTimeField()


class StandingsFields(Fields):
    table = serializers.ChoiceField(WHICH, help_text=_("Results that count here."))
    has_provisional = serializers.BooleanField(help_text=_("A result is waiting for confirmation."))
    after = serializers.IntegerField(
        allow_null=True, help_text=_("Standings after this round; null for the current ones.")
    )
    scoring = ScoringFields(allow_null=True, help_text=_("Null in a knock-out."))
    group = serializers.IntegerField(
        allow_null=True, help_text=_("Number of the group in a stage with groups; else null.")
    )
    groups = serializers.ListField(child=serializers.IntegerField(), help_text=_("Groups of the stage."))
    tie_breaks = serializers.ListField(
        child=serializers.ChoiceField(list(TIE_BREAKS)), help_text=_("Tie-breaks, in this order.")
    )
    count = serializers.IntegerField(help_text=_("Number of rows on all pages."))
    next = serializers.URLField(allow_null=True, help_text=_("Address of the next page."))
    previous = serializers.URLField(allow_null=True, help_text=_("Address of the previous page."))
    rows = StandingsRow(many=True, help_text=_("Rows of this page; none in a knock-out."))
    adjustments = AdjustmentFields(many=True, help_text=_("Bonuses and deductions in these rows."))
    competition = Link("api:competition", league="league", slug="slug")


class RankingRow(Fields):
    rank = serializers.IntegerField(help_text=_("Best of the places."))
    to = serializers.IntegerField(help_text=_("Last of the shared places; equal to `rank` if the place is not shared."))
    player = PlayerBrief()


class CompetitionFilters(FilterSet):
    league = WordFilter(field_name="league__slug", label=_("Address of a league."))
    ruleset = ChoiceFilter(choices=[(key, key) for key in KEYS])
    draft = TruthFilter(field_name="published_at", lookup_expr="isnull", label=_("Drafts only, or published only."))


class CompetitionList(ListView):
    serializer_class = CompetitionFields
    filterset_class = CompetitionFilters

    @staticmethod
    def rows(asker):
        return queries.latest_competitions(asker).prefetch_related("stages")

    def entries(self, page: list[Competition]) -> list[Competition]:
        return with_counts(page)

    @extend_schema(
        operation_id="competitions",
        summary=_("Competitions"),
        description=_("Published competitions, and drafts of leagues on whose staff you are. Latest published first."),
    )
    def get(self, request: Request, *args: object, **kwargs: object) -> Response:
        return super().get(request, *args, **kwargs)


def addressed(asker):
    return addressed_competitions(asker).prefetch_related("stages")


class CompetitionDetail(RowsView):
    serializer_class = CompetitionFields
    rows = addressed

    @extend_schema(operation_id="competition", summary=_("One competition"))
    def get(self, request: Request, league: str, slug: str) -> Response:
        [entry] = with_counts([self.row(league__slug=league, slug=slug)])
        return Response(self.get_serializer(entry).data)


class StandingsDetail(RowsView):
    serializer_class = StandingsFields
    rows = addressed_competitions
    pagination_class = TablePages
    parameters = frozenset({"table", "after", "group", "terms", "page", "page_size"})

    @extend_schema(
        operation_id="standings",
        summary=_("Standings of a competition"),
        parameters=[
            OpenApiParameter(
                "table",
                enum=WHICH,
                default="provisional",
                description=_("Results that count."),
            ),
            OpenApiParameter(
                "after",
                {"type": "integer", "minimum": 1, "maximum": LAST_ROUND},
                description=_("Standings after this round."),
            ),
            OpenApiParameter(
                "group",
                {"type": "integer", "minimum": 1, "maximum": LAST_ROUND},
                description=_("Number of the group in a stage with groups; by default the first."),
            ),
            *(
                OpenApiParameter(name, schema, description=description)
                for name, schema, description in TablePages().described()
            ),
            OpenApiParameter(
                "terms",
                enum=TERMS,
                default="none",
                description=_("Include the terms of each number."),
            ),
        ],
        description=_("Computed from the present results. 100 rows per page by default."),
    )
    def get(self, request: Request, league: str, slug: str) -> Response:
        which = one_of(request, "table", WHICH)
        with_terms = one_of(request, "terms", TERMS) == "all"
        after, group = (
            whole(request, name, 1, LAST_ROUND) if name in request.query_params else None for name in ("after", "group")
        )
        try:
            competition = seen_competition(request.user, league, slug)
        except Competition.DoesNotExist as absent:
            raise Http404 from absent
        page = table_page(competition, after=after, group=group)
        table = page.table if page else None
        official = which == "official"
        codes = table.listing(official_only=official).codes if table else ()
        places = self.paginate_queryset(range(len(codes)))
        entry = {
            "table": which,
            "has_provisional": page.has_provisional if page else waits_somewhere(competition),
            "tie_breaks": competition.tie_breaks,
            "after": table.after if table else None,
            "group": (table.group or None) if table else None,
            "groups": page.groups if page else [],
            "scoring": _scoring(competition, table) if table else None,
            "count": len(codes),
            "next": self.paginator.get_next_link(),
            "previous": self.paginator.get_previous_link(),
            "rows": (rows := standings_entries(competition, table, places, official=official, with_terms=with_terms)),
            "adjustments": _adjustments(competition, [row["player"] for row in rows]),
            "league": league,
            "slug": slug,
        }
        return Response(self.get_serializer(entry).data)


def _scoring(competition: Competition, table: KeptTable) -> dict[str, Any]:
    scoring = table.rules.scoring
    return {one.name: getattr(scoring, one.name) for one in dataclasses.fields(scoring)} | {
        "leaving": competition.leaving
    }


class RankingList(ListView):
    serializer_class = RankingRow
    rows = visible_competitions

    def filter_queryset(self, _rows: object) -> list[RankedEntrant]:
        try:
            self.competition = seen_competition(self.request.user, self.kwargs["league"], self.kwargs["slug"])
        except Competition.DoesNotExist as absent:
            raise Http404 from absent
        stages = list(self.competition.stages.all())
        return ranked_entrants(self.competition, stages, list(all_days(self.competition)))

    def entries(self, page: list[RankedEntrant]) -> list[dict[str, Any]]:
        people = placed(self.competition, only=[one.entrant_id for one in page])
        return [{"rank": one.first, "to": one.last, "player": one.entrant} for one in named(page, people)]

    @extend_schema(
        operation_id="ranking",
        summary=_("Final places of a competition"),
        description=_(
            "All entrants, from the first place, by official results. In a knock-out each has a place from the last "
            "loss on, and entrants who go out in the same round share their places. Behind it follow those who did not "
            "qualify. In other formats the places are those of the table at its end, in a ladder the present ones."
        ),
    )
    def get(self, request: Request, *args: object, **kwargs: object) -> Response:
        return super().get(request, *args, **kwargs)


def standings_entries(
    competition: Competition, table: KeptTable | None, places: Sequence[int], *, official: bool, with_terms: bool
) -> list[dict[str, Any]]:
    """Return the rows of these places, from 0.

    One statement, besides those of a table that is not kept.
    """
    if table is None or not places:
        return []
    listing = table.listing(official_only=official)
    codes = dict(zip(listing.entrant_ids, listing.codes, strict=True))
    rows = (table.rows if with_terms else table.plain_rows)(places, official_only=official)
    here = placed(competition, only=[row.entrant_id for row in rows])
    people = {one.entrant_id: one for one in here}
    return [_standings_entry(row, people[row.entrant_id], codes) for row in rows]


def _standings_entry(row: Row, player: Placed, codes: Mapping[int, str]) -> dict[str, Any]:
    compared = [
        {
            "level_with": [codes[one] for one in found.tied if one != row.entrant_id],
            "points": found.points,
            "missing": found.missing,
            "still_open": found.still_open,
        }
        for found in row.direct
    ]
    told = {name: getattr(row, name) for name in ROW}
    return told | {
        "bonus": player.bonus,
        "rank": row.rank or None,
        "player": player,
        "rating": player.rating,
        "direct_encounters": compared,
        "figures": [_figure(key, one, codes) for key, one in row.figures.items()],
    }


def _adjustments(competition: Competition, players: Sequence[Placed]) -> list[dict[str, Any]]:
    """Return the bonuses and deductions of these entrants. One statement, none without any."""
    having = {one.entrant_id: one for one in players if one.bonus}
    found = standing_adjustments(competition, having) if having else ()
    return [
        {
            "player": having[one.registration.entrant_id],
            "points": one.points,
            "reason": one.reason,
            "made_at": one.made_at,
        }
        for one in found
    ]


# Fields copied unchanged from a row.
ROW = (
    *("rank", "match_points", "played", "won", "drawn", "lost"),
    *("points_for", "points_against", "difference", "places", "form"),
)


def _figure(key: str, figure: Figure, codes: Mapping[int, str]) -> dict[str, Any]:
    return {
        "tie_break": key,
        "value": _exact(figure.value),
        "divisor": figure.divisor,
        "rounded": figure.rounded,
        "plus": figure.plus,
        "terms": [
            {
                "round": term.round,
                "opponent": codes.get(term.opponent_id),
                "others": [codes[one] for one in term.others if one in codes],
                "place": term.place if term.others else None,
                "adds": _exact(term.adds),
                "theirs": _exact(term.theirs),
                "own": _exact(term.own),
                "counted": term.counted,
                "notes": list(term.notes),
            }
            for term in figure.terms
        ],
    }


def _exact(number: Number | None) -> str | None:
    return None if number is None else str(number)
