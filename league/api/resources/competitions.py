"""Competitions and their standings."""

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
from league.competitions.draw.counts import with_counts
from league.competitions.entrant_names import Placed, placed
from league.competitions.formats.registry import SPECS
from league.competitions.models import Competition, Stage
from league.competitions.queries import lists as queries
from league.competitions.queries.rounds import table_page, waits_somewhere
from league.competitions.registration.opening import takes_sign_ups
from league.competitions.standings.cache import KeptTable
from league.competitions.standings.compute import Figure, Outcome, Row
from league.competitions.standings.tiebreaks.figures import Number, TermNote
from league.competitions.standings.tiebreaks.registry import TIE_BREAKS
from league.competitions.visibility import seen_competition, visible_competitions

WHICH = ("provisional", "official")
TERMS = ("none", "all")
LAST_ROUND = 9_999


class StageFields(Fields):
    number = serializers.IntegerField()
    format = serializers.ChoiceField(list(SPECS))
    seats = serializers.SerializerMethodField(help_text=_("At a full table, in rounds at tables; else null."))
    place_points = serializers.SerializerMethodField(
        help_text=_("What each place at a table brings, the first one first; else empty.")
    )
    challenge_reach = serializers.SerializerMethodField(
        help_text=_("Of a ladder: how many places up one may challenge; else null.")
    )
    challenge_days = serializers.SerializerMethodField(
        help_text=_("Of a ladder whose challenges lapse: after so many days; else null.")
    )
    finished_at = serializers.DateTimeField(allow_null=True, help_text=_("When its last match was decided."))

    def get_seats(self, stage: Stage) -> int | None:
        return stage.seats or None

    def get_challenge_reach(self, stage: Stage) -> int | None:
        return stage.challenge_reach if stage.is_ladder else None

    def get_challenge_days(self, stage: Stage) -> int | None:
        return (stage.challenge_days or None) if stage.is_ladder else None

    def get_place_points(self, stage: Stage) -> list[int]:
        return stage.points_by_place if stage.is_at_tables else []


class RegistrationFields(Fields):
    """Who may sign up by themselves, on the competition's page for it."""

    who = serializers.ChoiceField(Competition.Opening.values, source="registration")
    open = serializers.SerializerMethodField(
        help_text=_("Whether somebody can sign up now; with an invitation, where `who` says so.")
    )
    closes_at = serializers.DateTimeField(source="registration_closes_at", allow_null=True)
    places = serializers.IntegerField(help_text=_("0 is as many as come. Beyond them there is a waiting list."))

    def get_open(self, competition: Competition) -> bool:
        return takes_sign_ups(competition, timezone.now())


class CompetitionFields(Fields):
    league = LeagueBrief()
    slug = serializers.SlugField(help_text=_("Address of the competition within its league."))
    name = serializers.CharField()
    ruleset = serializers.ChoiceField(KEYS)
    options = serializers.DictField(help_text=_("House rules that differ from the ruleset."))
    best_of = serializers.IntegerField(help_text=_("Games of a match."))
    pairs = serializers.BooleanField(help_text=_("Whether those who take part are pairs that share a seat."))
    stages = StageFields(many=True)
    tie_breaks = serializers.ListField(
        child=serializers.ChoiceField(list(TIE_BREAKS)), help_text=_("What places entrants, in this order.")
    )
    starts_at = serializers.DateTimeField(allow_null=True)
    published_at = serializers.DateTimeField(allow_null=True, help_text=_("Null for a draft, which its staff sees."))
    registration = RegistrationFields(source="*")
    players = serializers.IntegerField(source="draw_count.players")
    matches_total = serializers.IntegerField(source="draw_count.matches")
    matches_decided = serializers.IntegerField(source="draw_count.decided")
    url = Link("api:competition", league="league.slug", slug="slug")
    standings = Link("api:standings", league="league.slug", slug="slug")
    rounds = Link("api:rounds", league="league.slug", slug="slug")
    files = Link("api:files", league="league.slug", slug="slug")


class DirectEncounter(Fields):
    """One player in a table of those who were level only, from the matches among them."""

    level_with = serializers.ListField(child=serializers.CharField(), help_text=_("Codes of the others."))
    points = serializers.IntegerField(help_text=_("2 for a win, 1 where nobody won."))
    missing = serializers.IntegerField(help_text=_("Matches of this player with them that are still to come."))
    still_open = serializers.BooleanField(help_text=_("A missing match could change the place, so none is given yet."))


class TermFields(Fields):
    """What one round adds to a number."""

    round = serializers.IntegerField()
    opponent = serializers.CharField(allow_null=True, help_text=_("The code; null in a bye, and at a table of more."))
    others = serializers.ListField(
        child=serializers.CharField(), help_text=_("Codes of those who sat at a table of more than two; else empty.")
    )
    place = serializers.IntegerField(
        allow_null=True, help_text=_("At a table of more than two: 0 for who was not there; else null.")
    )
    adds = serializers.CharField(help_text=_("A whole number, or a fraction such as 107/8."))
    theirs = serializers.CharField(allow_null=True, help_text=_("The opponent's number, or that of the dummy."))
    own = serializers.CharField(allow_null=True, help_text=_("What it is multiplied by, or one's own score."))
    counted = serializers.BooleanField(help_text=_("Whether it counts in the sum."))
    notes = serializers.ListField(
        child=serializers.ChoiceField([note.value for note in TermNote]),
        help_text=_("Why it is not what the plain table says, or does not count."),
    )


class FigureFields(Fields):
    """The number of one tie-break: its counted terms added up, divided by `divisor`, and `plus` more."""

    tie_break = serializers.ChoiceField(list(TIE_BREAKS))
    value = serializers.CharField(
        allow_null=True, help_text=_("A whole number, or a fraction such as 107/8. Null where there is none.")
    )
    divisor = serializers.IntegerField()
    rounded = serializers.BooleanField(help_text=_("To the nearest whole number, a half up, before `plus`."))
    plus = serializers.IntegerField()
    terms = TermFields(many=True, help_text=_("With `terms=all` only."))


class StandingsRow(Fields):
    rank = serializers.IntegerField(help_text=_("Whoever is level in everything shares a rank."))
    player = PlayerBrief()
    rating = serializers.IntegerField(
        allow_null=True, help_text=_("At the start: of the league's list when the competition was published.")
    )
    match_points = RowNumber(help_text=_("At tables of more than two: points by place."))
    played = serializers.IntegerField()
    won = serializers.IntegerField()
    drawn = serializers.IntegerField()
    lost = serializers.IntegerField()
    points_for = serializers.IntegerField()
    points_against = RowNumber(
        help_text=_("At tables of more than two: the average of what the others made, added up.")
    )
    difference = RowNumber()
    places = serializers.ListField(
        child=serializers.IntegerField(), help_text=_("The last five at tables of more than two; else empty.")
    )
    form = serializers.ListField(
        child=serializers.ChoiceField([one.value for one in Outcome]),
        help_text=_("The last five matches, the latest last."),
    )
    direct_encounters = DirectEncounter(
        many=True,
        help_text=_(
            "What the direct encounter compared: among all who were level first, then among those still level. Empty "
            "where nobody was, or where it is no tie-break here."
        ),
    )
    figures = FigureFields(many=True, help_text=_("Of every other tie-break, in their order."))


class ScoringFields(Fields):
    """Match points, and the edition of FIDE C.07 by which unplayed rounds count."""

    win = serializers.IntegerField()
    draw = serializers.IntegerField()
    loss = serializers.IntegerField()
    bye = serializers.IntegerField()
    place_points = serializers.ListField(
        child=serializers.IntegerField(), help_text=_("What each place at a table of more than two brings; else empty.")
    )
    edition = serializers.IntegerField()


class StandingsFields(Fields):
    table = serializers.ChoiceField(WHICH, help_text=_("Which results count here."))
    has_provisional = serializers.BooleanField(help_text=_("Whether some result waits for confirmation."))
    after = serializers.IntegerField(
        allow_null=True, help_text=_("The round after which it stood so; null for the table as it stands now.")
    )
    scoring = ScoringFields(allow_null=True, help_text=_("Null in a knock-out."))
    group = serializers.IntegerField(
        allow_null=True, help_text=_("Whose table it is, where the stage has groups; else null.")
    )
    groups = serializers.ListField(child=serializers.IntegerField(), help_text=_("Those that the stage has."))
    tie_breaks = serializers.ListField(
        child=serializers.ChoiceField(list(TIE_BREAKS)), help_text=_("What places entrants, in this order.")
    )
    count = serializers.IntegerField(help_text=_("Rows of the whole table."))
    next = serializers.URLField(allow_null=True, help_text=_("The page after this one."))
    previous = serializers.URLField(allow_null=True, help_text=_("The page before this one."))
    rows = StandingsRow(many=True, help_text=_("Of this page; none in a knock-out."))
    competition = Link("api:competition", league="league", slug="slug")


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
        description=_("Published ones, and the drafts of the leagues whose staff you are. The latest published first."),
    )
    def get(self, request: Request, *args: object, **kwargs: object) -> Response:
        return super().get(request, *args, **kwargs)


class CompetitionDetail(RowsView):
    serializer_class = CompetitionFields
    rows = CompetitionList.rows

    @extend_schema(operation_id="competition", summary=_("One competition"))
    def get(self, request: Request, league: str, slug: str) -> Response:
        [entry] = with_counts([self.row(league__slug=league, slug=slug)])
        return Response(self.get_serializer(entry).data)


class StandingsDetail(RowsView):
    serializer_class = StandingsFields
    rows = visible_competitions
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
                description=_("Which results count."),
            ),
            OpenApiParameter(
                "after",
                {"type": "integer", "minimum": 1, "maximum": LAST_ROUND},
                description=_("As it stood after this round."),
            ),
            OpenApiParameter(
                "group",
                {"type": "integer", "minimum": 1, "maximum": LAST_ROUND},
                description=_("Whose table, where the stage has groups. The first one without it."),
            ),
            *(
                OpenApiParameter(name, schema, description=description)
                for name, schema, description in TablePages().described()
            ),
            OpenApiParameter(
                "terms",
                enum=TERMS,
                default="none",
                description=_("Whether each number comes with what it was made from."),
            ),
        ],
        description=_("As the results are at this moment. A page has 100 rows unless told."),
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
            "scoring": table.rules.scoring if table else None,
            "count": len(codes),
            "next": self.paginator.get_next_link(),
            "previous": self.paginator.get_previous_link(),
            "rows": standings_entries(competition, table, places, official=official, with_terms=with_terms),
            "league": league,
            "slug": slug,
        }
        return Response(self.get_serializer(entry).data)


def standings_entries(
    competition: Competition, table: KeptTable | None, places: Sequence[int], *, official: bool, with_terms: bool
) -> list[dict[str, Any]]:
    """Of these places, from 0. One statement beside those of a table that is not kept."""
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
        "player": player,
        "rating": player.rating,
        "direct_encounters": compared,
        "figures": [_figure(key, one, codes) for key, one in row.figures.items()],
    }


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
