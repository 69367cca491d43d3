"""Standings of a competition, with the terms of each number."""

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any

from django.http import Http404
from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from league.api.base.fields import Link, PlayerBrief, RowNumber
from league.api.base.pagination import TablePages, one_of, whole
from league.api.base.serializers import Fields
from league.api.base.views import RowsView
from league.competitions.adjustments import standing_adjustments
from league.competitions.entrant_names import Placed, placed
from league.competitions.models import Competition
from league.competitions.queries.rounds import table_page, waits_somewhere
from league.competitions.standings.cache import KeptTable
from league.competitions.standings.compute import Figure, Outcome, Row
from league.competitions.standings.tiebreaks.crosstable import REQUESTED
from league.competitions.standings.tiebreaks.figures import Number, TermNote
from league.competitions.standings.tiebreaks.registry import TIE_BREAKS
from league.competitions.visibility import addressed_competitions, seen_competition

WHICH = ("provisional", "official")
TERMS = ("none", "all")
LAST_ROUND = 9_999


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
        help_text=_("A forfeit counts as the target score to 0 in points for, against and difference.")
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
