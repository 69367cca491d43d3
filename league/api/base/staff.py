"""Parts shared by the addresses for the staff of a competition."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from django.db.models import QuerySet
from django.utils import timezone
from rest_framework import serializers
from rest_framework.request import Request

from league.accounts.models import League, User
from league.accounts.permissions import STAFF, Act, Asker, check_may, leagues_where
from league.api.base.filters import LARGEST_KEY
from league.api.base.parsers import StrictJson
from league.api.base.views import RowsView
from league.api.models import TokenScope
from league.competitions.models import Competition


def leagues_of_staff(asker: Asker) -> QuerySet[League]:
    return League.objects.filter(pk__in=leagues_where(asker, STAFF))


def of_staff(asker: Asker) -> QuerySet[Competition]:
    """Return the competitions of leagues on whose staff the asker is."""
    return Competition.objects.filter(league__in=leagues_where(asker, STAFF)).select_related("league")


def rows_of_staff(rows: QuerySet[Any], asker: Asker) -> QuerySet[Any]:
    """Return the queryset of rows that belong to a competition."""
    return rows.filter(competition__league__in=leagues_where(asker, STAFF)).select_related("competition__league")


class RowKey(serializers.IntegerField):
    """Number of a row, in a body."""

    def __init__(self, **more: Any) -> None:
        super().__init__(min_value=1, max_value=LARGEST_KEY, **more)


class ManagedView(RowsView):
    """A view of a competition for its managers.

    403 for other staff, 404 for everybody else.
    """

    parser_classes = (StrictJson,)
    act_scope = TokenScope.MANAGE
    limit = "submit"
    rows = of_staff

    def managed(self) -> Competition:
        """Return the competition of the address. Raises Http404, NotAllowed."""
        return self.allowed(self.row(league__slug=self.kwargs["league"], slug=self.kwargs["slug"]))

    def allowed(self, competition: Competition) -> Competition:
        """Raises NotAllowed."""
        check_may(self.request.user, Act.MANAGE_COMPETITIONS, competition.league)
        return competition


@contextmanager
def in_its_time(league: League) -> Iterator[None]:
    """Use the time zone of the league, as on its pages."""
    with timezone.override(league.time_zone):
        yield


def given(body: type[serializers.Serializer], request: Request) -> Mapping[str, Any]:
    """Return the checked body. Raises ValidationError."""
    read = body(data=request.data)
    read.is_valid(raise_exception=True)
    return read.validated_data


def wrong_field(name: str, detail: object) -> serializers.ValidationError:
    return serializers.ValidationError({name: [str(detail)]})


class DoneBy(serializers.CharField):
    """Public name of the acting person."""

    def to_representation(self, user: User) -> str:
        return str(user)
