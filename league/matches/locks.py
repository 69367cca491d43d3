"""The lock under which everything that belongs to a match is changed (order of locks: season → competition → match)."""

from django.db import DEFAULT_DB_ALIAS

from league.matches.models import Match
from league.matches.prepared_statements import FixedSelect, Given

LOCKED = ("id", "best_of", "state")  # in the order of the model, as `from_db` wants them; the others are deferred
LOCKED_MATCH = FixedSelect(
    lambda: Match.objects.select_for_update().filter(pk=Given("match")).order_by().values_list(*LOCKED)
)


def locked_match(match_id: int) -> Match:
    """The match, until the end of the transaction. Whoever changes what belongs to a match comes through here
    first.
    """
    return Match.from_db(DEFAULT_DB_ALIAS, LOCKED, LOCKED_MATCH.get(match=match_id))
