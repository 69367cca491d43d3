"""The rounds of a competition, as its page draws them: slots, who stands in them or comes from where, and matches."""

from collections.abc import Iterable, Mapping
from typing import Any

from django.db.models import QuerySet
from django.http import Http404
from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from league.accounts.permissions import Asker
from league.api.base import ListView
from league.api.fields import PlayerBrief
from league.api.matches import MatchFields, match_entries
from league.competitions import queries
from league.competitions.models import Berth, Competition, Matchday
from league.competitions.slots import BerthView, MatchdayView, SlotView
from league.matches.visible import visible_matches


class SlotOrigin(serializers.Serializer):
    """The slot whose winner or loser comes here."""

    round = serializers.IntegerField(help_text=_("Number of the round."))
    slot = serializers.IntegerField(help_text=_("Number of the slot in it."))
    match_number = serializers.IntegerField(
        allow_null=True, help_text=_("As in “Winner of match 3”; null where the slot is a bye.")
    )
    takes = serializers.ChoiceField(Berth.Takes.values)


class BerthFields(serializers.Serializer):
    number = serializers.IntegerField()
    player = PlayerBrief(allow_null=True, help_text=_("Null until it is known, and until the round is published."))
    comes_from = SlotOrigin(allow_null=True, help_text=_("In a knock-out, from its second round on."))
    absent = serializers.BooleanField(help_text=_("At a table of more than two: the others play without this one."))
    stands_although = serializers.BooleanField(
        help_text=_("The slot it comes from sends somebody else since its result was amended; this stands as played.")
    )


class PairingReasonFields(serializers.Serializer):
    """A code with its numbers, as in {"code": "same-score", "facts": {"score": 3}}."""

    code = serializers.CharField()
    facts = serializers.DictField()


class SlotFields(serializers.Serializer):
    number = serializers.IntegerField(help_text=_("In its round."))
    match_number = serializers.IntegerField(
        allow_null=True, help_text=_("Through the whole draw, as in “Winner of match 3”; null for a bye.")
    )
    group = serializers.IntegerField(allow_null=True, help_text=_("Where the stage has groups; else null."))
    third_place = serializers.BooleanField()
    conditional = serializers.BooleanField(
        help_text=_("Played only if the grand final was the first loss of the one who lost it.")
    )
    not_needed = serializers.BooleanField(help_text=_("It was not the first loss: this is not played."))
    locked = serializers.BooleanField(
        help_text=_("The pair stays when its draft round is paired anew; told to the staff of the league.")
    )
    reasons = PairingReasonFields(
        many=True, help_text=_("Why these two meet, where the round was paired from results; told to the staff.")
    )
    starts_at = serializers.DateTimeField(allow_null=True)
    table = serializers.CharField(
        allow_blank=True,
        help_text=_("Where it is planned; empty where a minor plays, as in the match."),
    )
    berths = BerthFields(
        many=True,
        help_text=_("Two, of a round robin as of a knock-out, up to six at tables; a single one is a bye."),
    )
    match = MatchFields(
        allow_null=True, help_text=_("Null until both players are known, until the round is published, and for a bye.")
    )


class RoundFields(serializers.Serializer):
    stage = serializers.IntegerField(help_text=_("Number of the stage."))
    number = serializers.IntegerField()
    name = serializers.CharField(help_text=_("As people call it: Round 3, Quarter-finals."))
    section = serializers.ChoiceField(
        Matchday.Section.values, help_text=_("Part of a double elimination: winners, losers or final; else empty.")
    )
    published_at = serializers.DateTimeField(allow_null=True)
    hidden = serializers.BooleanField(
        help_text=_("It is not published, and you see no more than its shape: no players, hours, tables or matches.")
    )
    missing_before = serializers.IntegerField(
        help_text=_("So many matches before it had no official result when it was published.")
    )
    missing_rounds = serializers.ListField(
        child=serializers.CharField(), help_text=_("Names of the rounds that they belonged to.")
    )
    reason = serializers.CharField(allow_blank=True, help_text=_("Why it was published all the same."))
    paired_before = serializers.IntegerField(
        allow_null=True,
        help_text=_("A match of an earlier round that was amended after this one was published; its pairings stay."),
    )
    slots = SlotFields(many=True)


class RoundList(ListView):
    serializer_class = RoundFields
    rows = queries.visible_competitions

    def filter_queryset(self, queryset: QuerySet[Competition]) -> list[MatchdayView]:
        """The rounds of the one competition, by the very rules of its page."""
        try:
            page = queries.competition_page(self.request.user, self.kwargs["league"], self.kwargs["slug"])
        except Competition.DoesNotExist as absent:
            raise Http404 from absent
        self.origins = {slot.id: slot for day in page.matchdays for slot in day.slots}
        return page.matchdays

    def entries(self, page: list[MatchdayView]) -> list[dict[str, Any]]:
        return round_entries(page, self.origins, self.request.user)

    @extend_schema(
        operation_id="rounds",
        summary=_("Rounds of a competition"),
        description=_(
            "In their order, each with its slots and matches. Of a round that is not published yet, only the staff of "
            "the league sees more than its shape."
        ),
    )
    def get(self, request: Request, *args: object, **kwargs: object) -> Response:
        return super().get(request, *args, **kwargs)


def round_entries(days: Iterable[MatchdayView], origins: Mapping[int, SlotView], asker: Asker) -> list[dict[str, Any]]:
    """`origins`: every slot of the draw by its id. A constant number of statements."""
    days = list(days)
    stages = dict(Matchday.objects.filter(pk__in=[day.id for day in days]).values_list("pk", "stage__number"))
    shown = [line.id for day in days for line in day.matches]
    matches = {entry["id"]: entry for entry in match_entries(list(visible_matches(asker).filter(pk__in=shown)), asker)}
    return [
        {
            "stage": stages[day.id],
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
        for day in days
    ]


def _slot(slot: SlotView, origins: Mapping[int, SlotView], matches: Mapping[int, dict[str, Any]]) -> dict[str, Any]:
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
        "berths": [_berth(berth, origins.get(berth.from_slot)) for berth in slot.berths],
        "match": matches.get(slot.match.id) if slot.match else None,
    }


def _berth(berth: BerthView, origin: SlotView | None) -> dict[str, Any]:
    came = (
        {
            "round": origin.round_number,
            "slot": origin.place,
            "match_number": origin.number,
            "takes": berth.takes,
        }
        if origin
        else None
    )
    return {
        "number": berth.number,
        "player": berth.entrant,
        "comes_from": came,
        "absent": berth.absent,
        "stands_although": berth.stands_although,
    }
