"""Tables of a league: their names, order and properties."""

from django.db import transaction
from django.db.models import Max
from django.utils.translation import gettext_lazy as _

from league.accounts.graphemes import longer_than
from league.accounts.models import League, User
from league.accounts.permissions import Act, check_may
from league.errors import Refused
from league.matches.models import LONGEST_TABLE, Table

LAST_PLACE = 9_999


@transaction.atomic
def add_table(league: League, name: str, *, user: User) -> Table:
    """Add a table after the others.

    Raises NotAllowed, and Refused `bad-name`, `name-taken`.
    """
    check_may(user, Act.MANAGE_COMPETITIONS, league)
    League.objects.select_for_update().get(pk=league.pk)
    name = _free_name(league, name)
    last = league.tables.aggregate(last=Max("place"))["last"] or 0
    return Table.objects.create(league=league, name=name, place=last)


@transaction.atomic
def change_table(table: Table, *, user: User, name: str, place: int, accessible: bool, stream: bool) -> Table:
    """Change name, place in the order and properties of a table.

    Its matches do not change. Raises NotAllowed, and Refused `bad-name`, `name-taken`, `bad-place`.
    """
    check_may(user, Act.MANAGE_COMPETITIONS, table.league)
    League.objects.select_for_update().get(pk=table.league_id)
    if not 0 <= place <= LAST_PLACE:
        raise Refused("bad-place", _("A place in the order is a number from 0 to %(last)d."), last=LAST_PLACE)
    table.name = _free_name(table.league, name, but=table.pk)
    table.place, table.accessible, table.stream = place, accessible, stream
    table.save(update_fields=["name", "place", "accessible", "stream"])
    return table


def _free_name(league: League, name: str, *, but: int = 0) -> str:
    plain = " ".join(name.split())
    if not plain or longer_than(plain, LONGEST_TABLE):
        raise Refused("bad-name", _("A table's name has 1 to 40 characters."))
    if league.tables.exclude(pk=but).filter(name=plain).exists():
        raise Refused("name-taken", _("%(league)s has a table %(name)s already."), league=league, name=plain)
    return plain
