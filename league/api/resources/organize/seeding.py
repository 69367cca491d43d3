"""Seeds of a draft: by hand, by rating, by lot, and undo of a change."""

from collections.abc import Mapping, Sequence
from random import SystemRandom
from typing import Any, ClassVar

from django.db.models import QuerySet
from django.http import HttpResponse
from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from league.accounts.permissions import Asker
from league.api.base.fields import PlayerBrief
from league.api.base.staff import DoneBy, ManagedView, given, rows_of_staff, wrong_field
from league.competitions.entrant_names import placed
from league.competitions.models import Competition, Seeding
from league.competitions.registration.seeding import draw_lots, reseed, seed_by_rating, seeding_page, undo_seeding

LONGEST_CODE = 40
MOST_ENTRANTS = 10_000
LONGEST_STAND = 16


class SeedFields(serializers.Serializer):
    seed = serializers.IntegerField()
    player = PlayerBrief()
    full_name = serializers.CharField(help_text=_("Full name, also of minors."))
    rating = serializers.FloatField(allow_null=True, help_text=_("Rating in this ruleset; null without one."))


class SeedChangeFields(serializers.Serializer):
    id = serializers.IntegerField()
    how = serializers.ChoiceField(Seeding.How.values)
    made_at = serializers.DateTimeField()
    made_by = DoneBy()
    undone_at = serializers.DateTimeField(allow_null=True)
    undone_by = DoneBy(allow_null=True)


class SeedsFields(serializers.Serializer):
    stand = serializers.CharField(help_text=_("Digest of this order: send it back as “seen”."))
    drawn = serializers.BooleanField(help_text=_("The draft is drawn with this order; a change removes the draw."))
    lot = serializers.IntegerField(
        allow_null=True, help_text=_("Number of the change that drew lots among these entrants, if any.")
    )
    undoable = serializers.IntegerField(allow_null=True, help_text=_("Number of the change that can be undone now."))
    seeds = SeedFields(many=True, help_text=_("All seeds, from the first."))
    history = SeedChangeFields(many=True, help_text=_("Latest changes, newest first."))


class SeedsBody(serializers.Serializer):
    by = serializers.ChoiceField(Seeding.How.values)
    order = serializers.ListField(
        child=serializers.CharField(max_length=LONGEST_CODE),
        required=False,
        max_length=MOST_ENTRANTS,
        help_text=_("For an order by hand: codes of all entrants, from the first seed."),
    )
    seen = serializers.CharField(
        required=False, max_length=LONGEST_STAND, help_text=_("The “stand” that you read; refused if it changed.")
    )

    def validate(self, found: dict[str, Any]) -> dict[str, Any]:
        if (found["by"] == Seeding.How.HAND) != ("order" in found):
            raise wrong_field("order", _("Give the order by hand, and nowhere else."))
        return found


class SeedsView(ManagedView):
    """Answer with the present seeds."""

    serializer_class = SeedsFields

    def told(self, competition: Competition) -> Response:
        """A constant number of statements."""
        page, people = seeding_page(competition), {one.entrant_id: one for one in placed(competition)}
        seeds = [
            {"seed": line.seed, "player": people[line.entrant_id], "full_name": line.name, "rating": line.rating}
            for line in page.lines
        ]
        entry = {
            "stand": page.stand,
            "drawn": page.drawn,
            "lot": page.lot.pk if page.lot else None,
            "undoable": page.undoable.pk if page.undoable else None,
            "seeds": seeds,
            "history": page.history,
        }
        return Response(self.get_serializer(entry).data)


class CompetitionSeeds(SeedsView):
    fields_of: ClassVar[Mapping[str, str]] = {
        "other-entrants": "order",
        "seeds-changed": "seen",
        "lots-drawn": "by",
        "nobody-rated": "by",
    }

    @extend_schema(
        operation_id="seeds",
        summary=_("Seeds of a draft"),
        description=_("For managers of the competition: the order and its history."),
    )
    def get(self, request: Request, league: str, slug: str) -> Response:
        return self.told(self.managed())

    @extend_schema(
        operation_id="seed",
        summary=_("Order the seeds"),
        request=SeedsBody,
        examples=[OpenApiExample("by rating", value={"by": "rating"}, request_only=True)],
        responses={200: SeedsFields},
        description=_("By hand, by rating, or by lot (drawn once). The draw of the draft is removed."),
    )
    def post(self, request: Request, league: str, slug: str) -> HttpResponse:
        return self.once(lambda: self._seed(request))

    def _seed(self, request: Request) -> Response:
        competition, said = self.managed(), given(SeedsBody, request)
        act = {"user": request.user, "seen": said.get("seen")}
        match said["by"]:
            case Seeding.How.RATING:
                seed_by_rating(competition, **act)
            case Seeding.How.LOT:
                draw_lots(competition, rng=SystemRandom(), **act)
            case _:
                reseed(competition, entrants_of(competition, "order", said["order"]), **act)
        return self.told(competition)


def entrants_of(competition: Competition, field: str, codes: Sequence[str]) -> list[int]:
    """Return the entrants of these codes. Raises ValidationError for an unknown code."""
    known = {one.code: one.entrant_id for one in placed(competition)} if codes else {}
    wanted = [code.upper() for code in codes]
    if strange := [code for code in wanted if code not in known]:
        raise wrong_field(
            field, _("No player with these codes is registered: %(codes)s.") % {"codes": ", ".join(strange[:8])}
        )
    return [known[code] for code in wanted]


def seen_seedings(asker: Asker) -> QuerySet[Seeding]:
    return rows_of_staff(Seeding.objects.all(), asker)


class SeedingUndoing(SeedsView):
    rows = seen_seedings

    @extend_schema(
        operation_id="undo_seeding",
        summary=_("Undo a change of the seeds"),
        request=None,
        responses={200: SeedsFields},
        description=_("Restores the order before the last change, until the draft is drawn."),
    )
    def post(self, request: Request, seeding_id: int) -> HttpResponse:
        return self.once(lambda: self._undo(seeding_id))

    def _undo(self, seeding_id: int) -> Response:
        found = self.row(pk=seeding_id)
        competition = self.allowed(found.competition)
        undo_seeding(competition, found.pk, user=self.request.user)
        return self.told(competition)
