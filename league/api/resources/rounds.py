"""Rounds of a competition as its page draws them: slots, entrants, matches.

A slot without an entrant names its origin.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from django.db.models import QuerySet
from django.http import Http404
from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from league.api.base.fields import PlayerBrief
from league.api.base.pagination import whole
from league.api.base.serializers import Fields
from league.api.base.views import ListView
from league.api.resources.matches import MatchFields, line_entries
from league.competitions.draw_shape import shape_of
from league.competitions.draw_view import BerthView, MatchdayView, SlotView, all_days, matchday_views, window_views
from league.competitions.models import Berth, Competition, Matchday, Slot
from league.competitions.queries.lists import Whereabouts
from league.competitions.visibility import seen_competition, visible_competitions


class SlotOrigin(Fields):
    """Slot whose winner or loser comes here."""

    round = serializers.IntegerField(help_text=_("Number of the round."))
    slot = serializers.IntegerField(help_text=_("Number of the slot in the round."))
    match_number = serializers.IntegerField(
        allow_null=True, help_text=_("Number of the match, as in “Winner of match 3”; null for a bye.")
    )
    takes = serializers.ChoiceField(Berth.Takes.values)


class BerthFields(Fields):
    number = serializers.IntegerField()
    player = PlayerBrief(allow_null=True, help_text=_("Null until known, and until the round is published."))
    comes_from = SlotOrigin(
        allow_null=True, help_text=_("Source of the entrant, in a knock-out from its second round on.")
    )
    absent = serializers.BooleanField(help_text=_("Absent at a table of more than two; the others play."))
    stands_although = serializers.BooleanField(
        help_text=_("Kept as played, although an amended result now sends another entrant here.")
    )


class PairingReasonFields(Fields):
    """A code with its numbers, as in {"code": "same-score", "facts": {"score": 3}}."""

    code = serializers.CharField()
    facts = serializers.DictField()


class SlotFields(Fields):
    number = serializers.IntegerField(help_text=_("Number of the slot in its round."))
    match_number = serializers.IntegerField(
        allow_null=True,
        help_text=_("Number of the match in the whole draw, as in “Winner of match 3”; null for a bye."),
    )
    group = serializers.IntegerField(
        allow_null=True, help_text=_("Number of the group; null in a stage without groups.")
    )
    third_place = serializers.BooleanField()
    conditional = serializers.BooleanField(
        help_text=_("Played only if the loser of the grand final had no earlier loss.")
    )
    not_needed = serializers.BooleanField(help_text=_("Not played, because the loser had an earlier loss."))
    locked = serializers.BooleanField(
        help_text=_("The pairing stays when the draft round is redrawn; for the staff of the league.")
    )
    reasons = PairingReasonFields(
        many=True, help_text=_("Reasons for the pairing, if the round was paired from results; for the staff.")
    )
    starts_at = serializers.DateTimeField(allow_null=True)
    table = serializers.CharField(
        allow_blank=True,
        help_text=_("Planned table; empty for a match of a minor, as in the match."),
    )
    requested_bye = serializers.BooleanField(help_text=_("A bye that its player asked for."))
    may_change = serializers.BooleanField(
        help_text=_("Others may meet here: the result of an earlier match is being corrected.")
    )
    berths = BerthFields(
        many=True,
        help_text=_("Two in most formats, up to six at tables, one for a bye."),
    )
    match = MatchFields(
        allow_null=True, help_text=_("Null until both players are known, until the round is published, and for a bye.")
    )


class RoundFields(Fields):
    stage = serializers.IntegerField(help_text=_("Number of the stage."))
    number = serializers.IntegerField()
    name = serializers.CharField(help_text=_("Name of the round: Round 3, Quarter-finals."))
    section = serializers.ChoiceField(
        Matchday.Section.values, help_text=_("Part of a double elimination: winners, losers or final; else empty.")
    )
    published_at = serializers.DateTimeField(allow_null=True)
    hidden = serializers.BooleanField(
        help_text=_("Not published yet, and shown without players, times, tables and matches.")
    )
    missing_before = serializers.IntegerField(
        help_text=_("Number of earlier matches without an official result at its publication.")
    )
    missing_rounds = serializers.ListField(
        child=serializers.CharField(), help_text=_("Names of the rounds of these matches.")
    )
    reason = serializers.CharField(allow_blank=True, help_text=_("Reason for publishing without these results."))
    paired_before = serializers.IntegerField(
        allow_null=True,
        help_text=_("Earlier match that was amended after the publication of this round; the pairings stay."),
    )
    slots = SlotFields(many=True)


# A round and one of its slots; None for a round without slots.
Place = tuple[Matchday, int | None]
LAST_ROUND = 9_999


class RoundList(ListView):
    serializer_class = RoundFields
    rows = visible_competitions
    parameters = frozenset({"round", "stage"})

    def filter_queryset(self, queryset: QuerySet[Competition]) -> list[Place]:
        """Of the one competition: pages are made of slots, for a round may have a thousand."""
        try:
            self.competition = seen_competition(self.request.user, self.kwargs["league"], self.kwargs["slug"])
        except Competition.DoesNotExist as absent:
            raise Http404 from absent
        number, stage = (
            whole(self.request, name, 1, LAST_ROUND) if name in self.request.query_params else None
            for name in ("round", "stage")
        )
        self.days = list(all_days(self.competition))
        wanted = [day for day in self.days if number in (None, day.number) and stage in (None, day.stage.number)]
        self.shape = shape_of(self.competition)
        return [(day, slot) for day in wanted for slot in self.shape.days.get(day.pk, (None,))]

    def entries(self, page: list[Place]) -> list[dict[str, Any]]:
        days = self._views(page)
        origins = _origins(berth.from_slot for day in days for slot in day.slots for berth in slot.berths)
        matches = _matches(self.competition, days)
        return [_round(day, origins, matches) for day in days]

    def _views(self, page: list[Place]) -> list[MatchdayView]:
        """Return the rounds of these slots, with only these slots.

        Rounds without slots are read separately.
        """
        asker, staff = self.request.user, self.competition.for_staff
        slots = [slot for _day, slot in page if slot]
        empty = [day for day, slot in page if slot is None]
        views = []
        if slots:
            numbers = self.shape.numbers
            views += window_views(self.competition, numbers, slots, asker, everything=staff, days=self.days)
        if empty:
            views += matchday_views(self.competition, [], asker, everything=staff, only=empty)
        return sorted(views, key=lambda day: (day.stage_number, day.number))

    @extend_schema(
        operation_id="rounds",
        summary=_("Rounds of a competition"),
        parameters=[
            OpenApiParameter(name, {"type": "integer", "minimum": 1, "maximum": LAST_ROUND}, description=description)
            for name, description in (
                ("round", _("Only the round of this number.")),
                ("stage", _("Only rounds of the stage of this number.")),
            )
        ],
        description=_(
            "In order, each with its slots and matches. Pages are counted in slots: a long round continues on the "
            "next page, with its other slots. Of an unpublished round, only the staff of the league sees players, "
            "times, tables and matches."
        ),
    )
    def get(self, request: Request, *args: object, **kwargs: object) -> Response:
        return super().get(request, *args, **kwargs)


def _round(
    day: MatchdayView, origins: Mapping[int, tuple[int, int]], matches: Mapping[int, dict[str, Any]]
) -> dict[str, Any]:
    return {
        "stage": day.stage_number,
        "number": day.number,
        "name": day.name,
        "section": day.section,
        "published_at": day.published_at,
        "hidden": day.hidden,
        "missing_before": day.missing_before,
        "missing_rounds": day.missing_rounds,
        "reason": day.reason,
        "paired_before": day.paired_before,
        "slots": [_slot(slot, origins, matches) for slot in day.slots],
    }


def _origins(slots: Iterable[int | None]) -> dict[int, tuple[int, int]]:
    """Return the round's number and the slot's own number for each slot.

    One statement.
    """
    keys = {slot for slot in slots if slot}
    rows = Slot.objects.filter(pk__in=keys).values_list("pk", "matchday__number", "number")
    return {slot: (day, number) for slot, day, number in rows}


def _matches(competition: Competition, days: Iterable[MatchdayView]) -> dict[int, dict[str, Any]]:
    """Return the matches by key.

    Two statements.
    """
    held = [(day, line) for day in days for line in day.matches]
    league = competition.league.slug
    places = {line.id: Whereabouts(competition.name, league, competition.slug, day.name) for day, line in held}
    return {entry["id"]: entry for entry in line_entries([line for _day, line in held], places)}


def _slot(
    slot: SlotView, origins: Mapping[int, tuple[int, int]], matches: Mapping[int, dict[str, Any]]
) -> dict[str, Any]:
    return {
        "number": slot.place,
        "match_number": slot.number,
        "group": slot.group or None,
        "third_place": slot.third_place,
        "conditional": slot.conditional,
        "not_needed": slot.not_needed,
        "locked": slot.locked,
        "reasons": slot.reasons,
        "starts_at": slot.starts_at,
        "table": slot.table,
        "requested_bye": slot.requested_bye,
        "may_change": slot.may_change,
        "berths": [_berth(berth, origins) for berth in slot.berths],
        "match": matches.get(slot.match.id) if slot.match else None,
    }


def _berth(berth: BerthView, origins: Mapping[int, tuple[int, int]]) -> dict[str, Any]:
    came = None
    if berth.from_slot in origins:
        day, number = origins[berth.from_slot]
        came = {"round": day, "slot": number, "match_number": berth.from_match, "takes": berth.takes}
    return {
        "number": berth.number,
        "player": berth.entrant,
        "comes_from": came,
        "absent": berth.absent,
        "stands_although": berth.stands_although,
    }
