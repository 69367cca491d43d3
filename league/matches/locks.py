"""Lock of a match, for every change below it.

Order of locks: season → competition → match.
"""

from django.db import DEFAULT_DB_ALIAS
from django.utils.translation import gettext_lazy as _

from league import pokes
from league.errors import Refused
from league.matches.models import Match
from league.prepared_statements import FixedSelect, Given

LOCKED = (
    "id",
    "best_of",
    "state",
    "published_at",
)  # in the order of the model, as `from_db` wants them; the others are deferred
LOCKED_MATCH = FixedSelect(
    lambda: Match.objects.select_for_update().filter(pk=Given("match")).order_by().values_list(*LOCKED)
)


def locked_match(match_id: int) -> Match:
    """Return the match, locked until the end of the transaction.

    Call it before every change below the match.
    """
    pokes.after_commit()
    return Match.from_db(DEFAULT_DB_ALIAS, LOCKED, LOCKED_MATCH.get(match=match_id))


def refuse_reopened(seen: Match, locked: Match) -> None:
    """Refuse a result of a match that was published when it was seen, and is a draft now that it is locked.

    Its competition was reopened meanwhile. Officials may enter results of a draft that they saw as a draft.

    Raises Refused `not-published`.
    """
    if seen.published_at is not None and locked.published_at is None:
        raise Refused("not-published", _("This match is a draft. Its result can be entered once it is published."))
