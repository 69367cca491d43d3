"""The lock under which everything that belongs to a match is changed (order of locks: season → competition → match)."""

from collections.abc import Callable

from django.db import DEFAULT_DB_ALIAS

from league.matches.models import Match
from league.matches.prepared_statements import FixedSelect, Given

LOCKED = ("id", "best_of", "state")  # in the order of the model, as `from_db` wants them; the others are deferred
LOCKED_MATCH = FixedSelect(
    lambda: Match.objects.select_for_update().filter(pk=Given("match")).order_by().values_list(*LOCKED)
)

# What higher rooms built on the official result of a match. Before a result is taken back each of these is called with
# the id of the match, inside the transaction and before its lock: it takes its own locks, undoes what it built, or
# raises Refused.
BUILT_ON: list[Callable[[int], None]] = []
# What rooms above have against it that a match stands as it does once an entry was taken back: the key of the match.
STAND_AGAINST: list[Callable[[int], None]] = []


def locked_match(match_id: int) -> Match:
    """The match, until the end of the transaction. Whoever changes what belongs to a match comes through here
    first.
    """
    return Match.from_db(DEFAULT_DB_ALIAS, LOCKED, LOCKED_MATCH.get(match=match_id))
