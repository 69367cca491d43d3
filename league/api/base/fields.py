"""Fields and serializers shared by several resources."""

from fractions import Fraction
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext_lazy as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from league.api.base.serializers import AskingField, Context, Fields
from league.matches.queries.lines import people_of
from league.players.models import Entrant


@extend_schema_field(OpenApiTypes.URI)
class Link(AskingField):
    """Full address of a view.

    `given`: its parts, and their places in the row (`league.slug`).
    """

    def __init__(self, view: str, **given: str) -> None:
        super().__init__(source="*", read_only=True)
        self.view = view
        self.given = {name: where.split(".") for name, where in given.items()}

    def told(self, row: Any, context: Context) -> str:
        parts = {name: _at(row, where) for name, where in self.given.items()}
        return context["request"].build_absolute_uri(reverse(self.view, kwargs=parts))


@extend_schema_field(OpenApiTypes.NUMBER)
class RowNumber(serializers.Field):
    """A number of the standings: whole, or with two decimals; `figures` has the exact one."""

    def __init__(self, **more: Any) -> None:
        super().__init__(read_only=True, **more)

    def to_representation(self, number: int | Fraction) -> int | float:
        return number if isinstance(number, int) else round(float(number), 2)


def _at(row: Any, where: list[str]) -> Any:
    for name in where:
        row = row[name] if isinstance(row, dict) else getattr(row, name)
    return row


APART = _("Club, number or code if others have the same name; else empty.")


class PartnerBrief(Fields):
    """A player: code and public name (initials of a minor, the code after an erasure)."""

    code = serializers.CharField(help_text=_("Public code of the player; it never changes."))
    name = serializers.CharField(help_text=_("Name as shown to the public."))
    apart = serializers.CharField(allow_blank=True, help_text=APART)


class PlayerBrief(PartnerBrief):
    """An entrant: a player, or a pair that shares a seat, by code and public name.

    The code of a pair is both codes with a hyphen between them, its name both names.
    """

    players = PartnerBrief(source="people", many=True, help_text=_("One player; the two partners of a pair."))


def brief(entrant: Entrant) -> dict[str, Any]:
    """Return the input of a `PlayerBrief`. Load the players with the entrant."""
    named = {"code": entrant.code, "name": str(entrant), "apart": entrant.apart}
    return named | {"people": people_of(entrant)}


class LeagueBrief(Fields):
    slug = serializers.SlugField(help_text=_("Address of the league."))
    name = serializers.CharField()
