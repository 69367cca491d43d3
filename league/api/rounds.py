"""The rounds of a competition: its slots, who stands in them or comes from where, and their matches."""

from typing import Any

from django.db.models import Prefetch, Q, QuerySet
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from league.accounts.permissions import STAFF, Asker, leagues_where
from league.api.base import ListView
from league.api.fields import PlayerBrief, player_brief
from league.api.matches import MatchFields, match_entries
from league.competitions.models import Berth, Competition, Matchday, Slot
from league.competitions.queries import visible_competitions
from league.matches.visible import visible_matches


class SlotOrigin(serializers.Serializer):
    """The slot whose winner or loser comes here."""

    round = serializers.IntegerField(help_text=_("Number of the round."))
    slot = serializers.IntegerField(help_text=_("Number of the slot in it."))
    takes = serializers.ChoiceField(Berth.Takes.values)


class BerthFields(serializers.Serializer):
    number = serializers.IntegerField()
    player = PlayerBrief(allow_null=True, help_text=_("Null until it is known."))
    comes_from = SlotOrigin(allow_null=True)


class SlotFields(serializers.Serializer):
    number = serializers.IntegerField()
    third_place = serializers.BooleanField()
    starts_at = serializers.DateTimeField(allow_null=True)
    berths = BerthFields(many=True, help_text=_("A single one is a bye; a round robin has none."))
    match = MatchFields(allow_null=True, help_text=_("Null until both players are known, and for a bye."))


class RoundFields(serializers.Serializer):
    stage = serializers.IntegerField(help_text=_("Number of the stage."))
    number = serializers.IntegerField()
    name = serializers.CharField(help_text=_("As people call it: Round 3, Quarter-finals."))
    published_at = serializers.DateTimeField(allow_null=True)
    missing_before = serializers.IntegerField(
        help_text=_("So many matches before it had no official result when it was published.")
    )
    reason = serializers.CharField(allow_blank=True, help_text=_("Why it was published all the same."))
    slots = SlotFields(many=True)


def visible_rounds(asker: Asker) -> QuerySet[Matchday]:
    """Of the competitions that the asker may see. A round that is still to be published is its staff's alone."""
    shown = Q(published_at__isnull=False) | Q(stage__competition__release=Competition.Release.ALL)
    if asker.is_authenticated:
        shown |= Q(stage__competition__league__in=leagues_where(asker, STAFF))
    of = visible_competitions(asker).select_related(None).values("pk")
    return Matchday.objects.filter(shown, stage__competition__in=of)


class RoundList(ListView):
    serializer_class = RoundFields

    @staticmethod
    def rows(asker):
        return visible_rounds(asker).select_related("stage").order_by("stage__number", "number", "pk")

    def filter_queryset(self, queryset: QuerySet[Matchday]) -> QuerySet[Matchday]:
        place = {"league__slug": self.kwargs["league"], "slug": self.kwargs["slug"]}
        competition = get_object_or_404(visible_competitions(self.request.user), **place)
        return super().filter_queryset(queryset).filter(stage__competition=competition)

    def entries(self, page: list[Matchday]) -> list[dict[str, Any]]:
        return round_entries(page, self.request.user)

    @extend_schema(
        operation_id="rounds",
        summary=_("Rounds of a competition"),
        description=_(
            "In their order, each with its slots and matches; rounds that are not published yet are left out."
        ),
    )
    def get(self, request: Request, *args: object, **kwargs: object) -> Response:
        return super().get(request, *args, **kwargs)


def round_entries(days: list[Matchday], asker: Asker) -> list[dict[str, Any]]:
    """A constant number of statements."""
    berths = Berth.objects.select_related("entrant__player", "from_slot__matchday").order_by("number")
    slots = list(
        Slot.objects.filter(matchday__in=days).prefetch_related(Prefetch("berths", berths)).order_by("number", "pk")
    )
    seen = visible_matches(asker).filter(pk__in=[slot.match_id for slot in slots if slot.match_id])
    matches = {entry["id"]: entry for entry in match_entries(list(seen))}
    by_day: dict[int, list[dict[str, Any]]] = {}
    for slot in slots:
        by_day.setdefault(slot.matchday_id, []).append(_slot(slot, matches.get(slot.match_id)))
    return [
        {
            "stage": day.stage.number,
            "number": day.number,
            "name": str(day),
            "published_at": day.published_at,
            "missing_before": day.missing_before,
            "reason": day.reason,
            "slots": by_day.get(day.pk, []),
        }
        for day in days
    ]


def _slot(slot: Slot, match: dict[str, Any] | None) -> dict[str, Any]:
    return {
        "number": slot.number,
        "third_place": slot.third_place,
        "starts_at": match["starts_at"] if match else slot.starts_at,
        "berths": [_berth(berth) for berth in slot.berths.all()],
        "match": match,
    }


def _berth(berth: Berth) -> dict[str, Any]:
    origin = berth.from_slot
    return {
        "number": berth.number,
        "player": player_brief(berth.entrant.player) if berth.entrant else None,
        "comes_from": {"round": origin.matchday.number, "slot": origin.number, "takes": berth.takes}
        if origin
        else None,
    }
