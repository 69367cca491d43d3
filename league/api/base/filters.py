"""List filters. An unknown value is a 400, never an empty or a full list."""

from datetime import UTC, date, datetime
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

import django_filters as filters
from django import forms
from django.core.exceptions import ValidationError
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.dateparse import parse_datetime
from django.utils.translation import gettext_lazy as _
from django_filters.rest_framework import DjangoFilterBackend
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema_field
from rest_framework.exceptions import ValidationError as Invalid
from rest_framework.request import Request

from league.accounts.graphemes import points
from league.api.base.problems import Malformed, places
from league.matches.models import Side
from league.players.models import Entrant, Player

if TYPE_CHECKING:  # import cycle at run time: rest_framework.views loads this module through the settings
    from rest_framework.views import APIView

LARGEST_KEY = 2**63 - 1
LONGEST = points(60)
# No database column takes U+0000, so no address may hold it (league/edge.py).
WITHOUT_NUL = r"^[^\u0000]+$"
FIRST = datetime.min.replace(tzinfo=UTC)
LAST = datetime.max.replace(tzinfo=UTC)


class ListFilters(DjangoFilterBackend):
    """Filters of the library, with mistakes as problem details."""

    def filter_queryset(self, request: Request, queryset: QuerySet[Any], view: "APIView") -> QuerySet[Any]:
        try:
            return super().filter_queryset(request, queryset, view)
        except Invalid as invalid:
            errors = [{"parameter": one["field"], "detail": one["detail"]} for one in places(invalid.detail)]
            raise Malformed("bad-parameter", "", errors=errors) from None


class InstantField(forms.Field):
    """`2026-11-20T19:00:00Z`; without a zone it is UTC."""

    def to_python(self, value: str | None) -> datetime | None:
        if not value:
            return None
        try:
            instant = parse_datetime(value)
        except ValueError:
            instant = None
        if instant is None or len(value) < len("2026-11-20T19:00"):
            raise ValidationError(_("is no date and time as in 2026-11-20T19:00:00Z"))
        try:
            return instant.replace(tzinfo=instant.tzinfo or UTC).astimezone(UTC)
        except OverflowError:  # the first or last possible day, outside the range of datetime in UTC
            return FIRST if instant.year == 1 else LAST


@extend_schema_field(OpenApiTypes.DATETIME)
class InstantFilter(filters.Filter):
    field_class = InstantField


class DayField(forms.Field):
    """`2026-11-20`, or `today`."""

    def to_python(self, value: str | None) -> date | str | None:
        if not value or value == "today":
            return value or None
        try:
            return datetime.strptime(value, "%Y-%m-%d").date()  # noqa: DTZ007  # a day has no zone
        except ValueError:
            raise ValidationError(_("is neither a date as in 2026-11-20 nor “today”")) from None


@extend_schema_field({"anyOf": [{"type": "string", "format": "date"}, {"type": "string", "enum": ["today"]}]})
class DayFilter(filters.Filter):
    field_class = DayField


@extend_schema_field({"type": "integer", "minimum": 1, "maximum": LARGEST_KEY})
class KeyFilter(filters.Filter):
    """The number of a row."""

    field_class = forms.IntegerField

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, min_value=1, max_value=LARGEST_KEY, **kwargs)


@extend_schema_field({"type": "string", "minLength": 1, "maxLength": LONGEST, "pattern": WITHOUT_NUL})
class WordFilter(filters.CharFilter):
    """A code, an address or a part of a name."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, max_length=LONGEST, **kwargs)


@extend_schema_field(OpenApiTypes.BOOL)
class TruthFilter(filters.TypedChoiceFilter):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        choices = [("true", "true"), ("false", "false")]
        super().__init__(*args, choices=choices, coerce=lambda text: text == "true", **kwargs)


class StableOrdering(filters.ChoiceFilter):
    """One of several orders, each in both directions.

    Equal rows are sorted by number, so that no row falls between two pages.
    """

    def __init__(self, **columns: str) -> None:
        self.columns = {f"{sign}{name}": f"{sign}{column}" for name, column in columns.items() for sign in ("", "-")}
        super().__init__(choices=[(name, name) for name in self.columns], label=_("A minus reverses the order."))

    def filter(self, qs: QuerySet[Any], value: str | None) -> QuerySet[Any]:
        return qs.order_by(self.columns[value], "pk") if value else qs


def side_of(code: str) -> QuerySet[Side]:
    """Return the sides of a player, alone or in a pair, for `match__in`.

    A pair is given by both codes with a hyphen between them.
    """
    sides = Side.objects.all()
    for one in code.strip().upper().split("-")[:2]:
        players = Player.objects.filter(code=one).values("pk")
        entrants = Entrant.objects.filter(Q(player__in=players) | Q(partner__in=players))
        sides = sides.filter(entrant__in=entrants)
    return sides


def bounds(day: date | str, zone: str) -> tuple[datetime, datetime]:
    """Return the beginning of the day in this zone, and that of the next one."""
    where = ZoneInfo(zone)
    first = timezone.now().astimezone(where).date() if day == "today" else day
    start = datetime(first.year, first.month, first.day, tzinfo=where)
    try:
        end = datetime.fromordinal(first.toordinal() + 1).replace(tzinfo=where)
        return start.astimezone(UTC), end.astimezone(UTC)
    except (OverflowError, ValueError):  # the first or last possible day
        return (FIRST, FIRST) if first.year == 1 else (LAST, LAST)
