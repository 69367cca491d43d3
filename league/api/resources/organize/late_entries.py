"""Late entries: the places on offer, and entry of a newcomer."""

from collections.abc import Mapping
from typing import Any, ClassVar

from django.http import HttpResponse
from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from league.api.base.fields import PlayerBrief, brief
from league.api.base.staff import ManagedView, RowKey, given, in_its_time
from league.api.resources.organize.seeding import entrants_of
from league.competitions.attendance.late_entries import WalkIn, walk_in
from league.competitions.attendance.late_entry_undo import undo_late_entry, undoable_entry
from league.competitions.attendance.late_places import FreeBye, Offer, offers
from league.competitions.models import Competition

LONGEST_LINE = 300


class LatePlace(serializers.Serializer):
    slot = serializers.IntegerField(
        allow_null=True, help_text=_("Number of the place in the draw, null for a preliminary or an added match.")
    )
    round = serializers.IntegerField(help_text=_("Number of the round."))
    running = serializers.BooleanField(help_text=_("The round is being played."))
    opponents = PlayerBrief(many=True)
    preliminary = serializers.BooleanField(help_text=_("A preliminary match against the lowest seed, for its place."))
    added = serializers.BooleanField(help_text=_("A match that a round robin without byes gets more."))
    more_matches = serializers.IntegerField(help_text=_("Matches that the losers’ bracket gets more."))


class LateOffer(serializers.Serializer):
    places = LatePlace(many=True)
    missed = serializers.IntegerField(help_text=_("Number of rounds that are over."))
    over = LatePlace(many=True, help_text=_("Of a round robin: byes in them, which can be forfeited."))
    group = serializers.IntegerField(help_text=_("Group, from 1; 0 without groups."))
    new_rounds = serializers.IntegerField(help_text=_("Rounds that the draw gets more, for added matches."))
    paired_from_now = serializers.BooleanField(help_text=_("Paired from the next round on."))
    at_bottom = serializers.BooleanField(help_text=_("At the bottom of a ladder."))


class LateOffersFields(serializers.Serializer):
    offers = LateOffer(many=True, help_text=_("Best first; none in a draft, or if every place is taken."))
    undoable = PlayerBrief(allow_null=True, help_text=_("The last late entry, if it can be undone now."))


class LateEntryBody(serializers.Serializer):
    name = serializers.CharField(max_length=LONGEST_LINE, help_text=_("One line, as a pasted list of players has it."))
    slot = RowKey(required=False, help_text=_("Of a knock-out: the bye to take; by default that of the first offer."))
    now = serializers.BooleanField(default=True, help_text=_("Play in the running round too."))
    missed = serializers.ChoiceField(
        ["not_played", "forfeited"],
        default="not_played",
        help_text=_("Of a round robin: matches in rounds that are over."),
    )


class LateEntryUndoBody(serializers.Serializer):
    player = serializers.CharField(max_length=LONGEST_LINE, help_text=_("Code of the player, or of the pair."))


class LateEntryFields(serializers.Serializer):
    player = PlayerBrief()
    seed = serializers.IntegerField()
    places = LatePlace(many=True)
    rounds = serializers.IntegerField(help_text=_("Number of rounds that a Swiss system keeps, else 0."))


def _place(one: FreeBye) -> dict[str, Any]:
    return {
        "slot": one.key,
        "round": one.slot.matchday.number,
        "running": one.running,
        "opponents": [brief(entrant) for entrant in (one.opponent, *one.others)],
        "preliminary": one.lowest is not None,
        "added": one.added,
        "more_matches": one.more,
    }


def _offer(one: Offer) -> dict[str, Any]:
    counts = {"missed": one.missed, "group": one.group, "new_rounds": one.new_rounds}
    places = {name: [_place(place) for place in getattr(one, name)] for name in ("places", "over")}
    return {**places, **counts, "paired_from_now": one.paired_from_now, "at_bottom": one.at_bottom}


def _done(one: WalkIn) -> dict[str, Any]:
    row = one.registration
    places = [_place(place) for place in one.places]
    return {"player": brief(row.entrant), "seed": row.seed, "places": places, "rounds": one.rounds}


class LateEntryView(ManagedView):
    serializer_class = LateOffersFields
    fields_of: ClassVar[Mapping[str, str]] = {"bye-taken": "slot"}

    def told(self, competition: Competition) -> Response:
        last = undoable_entry(competition)
        found = {"offers": [_offer(one) for one in offers(competition)], "undoable": last and brief(last.entrant)}
        return Response(self.get_serializer(found).data)


class CompetitionLateEntries(LateEntryView):
    @extend_schema(
        operation_id="late_entry_offers",
        summary=_("Places for a late entry"),
        description=_("For managers of the competition: what a newcomer would get now."),
    )
    def get(self, request: Request, league: str, slug: str) -> Response:
        return self.told(self.managed())

    @extend_schema(
        operation_id="enter_late",
        summary=_("Enter a newcomer"),
        request=LateEntryBody,
        examples=[OpenApiExample("the best place", value={"name": "Zoe Late"}, request_only=True)],
        responses={201: LateEntryFields},
        description=_("Registers and checks in one player, who takes a place of the draw if it is published."),
    )
    def post(self, request: Request, league: str, slug: str) -> HttpResponse:
        return self.once(lambda: self._enter(request))

    def _enter(self, request: Request) -> Response:
        competition, said = self.managed(), given(LateEntryBody, request)
        with in_its_time(competition.league):
            done = walk_in(
                competition,
                said["name"],
                user=request.user,
                slot_id=said.get("slot"),
                now=said["now"],
                forfeit_missed=said["missed"] == "forfeited",
            )
        return Response(LateEntryFields(_done(done)).data, status=status.HTTP_201_CREATED)


class LateEntryUndoing(LateEntryView):
    @extend_schema(
        operation_id="undo_late_entry",
        summary=_("Undo the last late entry"),
        request=LateEntryUndoBody,
        responses={200: LateOffersFields},
        description=_("While its matches have not begun: the draw is as before, and the player stays in the league."),
    )
    def post(self, request: Request, league: str, slug: str) -> HttpResponse:
        return self.once(lambda: self._undo(request))

    def _undo(self, request: Request) -> Response:
        competition = self.managed()
        code = given(LateEntryUndoBody, request)["player"]
        [entrant] = entrants_of(competition, "player", [code])
        undo_late_entry(competition.registrations.get(entrant=entrant), user=request.user)
        return self.told(competition)
