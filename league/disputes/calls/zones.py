"""Zones: the tables of a competition that an official looks after."""

from collections.abc import Collection

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from league.accounts.models import User
from league.accounts.permissions import Asker
from league.competitions.locks import locked
from league.competitions.models import Competition
from league.disputes.calls.permissions import check_official, is_official
from league.disputes.models import ZoneTable
from league.errors import Refused
from league.matches.models import Table


@transaction.atomic
def set_zone(competition: Competition, official: User, tables: Collection[Table], *, by: Asker) -> None:
    """Give an official these tables of a competition, and no other; they leave other zones.

    Raises NotAllowed `needs-official`; Refused `no-such-official`, `no-such-table`.
    """
    check_official(by, competition.league)
    _check_can_answer(competition, official)
    if any(table.league_id != competition.league_id for table in tables):
        raise Refused("no-such-table", _("Choose tables of this league."))
    locked(competition.pk)
    ZoneTable.objects.filter(competition=competition, official=official).delete()
    ZoneTable.objects.filter(competition=competition, table__in=tables).delete()
    ZoneTable.objects.bulk_create(
        ZoneTable(competition=competition, table=table, official=official) for table in tables
    )


@transaction.atomic
def hand_over_zone(competition: Competition, official: User, to: User, *, by: Asker) -> int:
    """Hand the whole zone of an official over to another one, and return the number of its tables.

    Raises NotAllowed `needs-official`; Refused `no-such-official`, `no-zone`.
    """
    check_official(by, competition.league)
    _check_can_answer(competition, to)
    locked(competition.pk)
    moved = ZoneTable.objects.filter(competition=competition, official=official).update(official=to)
    if not moved:
        raise Refused("no-zone", _("%(name)s has no tables here."), name=official)
    return moved


def forget_account(user_id: int) -> None:
    """Free the tables of an erased account."""
    ZoneTable.objects.filter(official=user_id).delete()


def _check_can_answer(competition: Competition, official: User) -> None:
    if not is_official(official, competition.league):
        raise Refused("no-such-official", _("Choose an official of the league."))
