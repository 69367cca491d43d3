"""Results of a competition that wait for an official's first or new decision."""

from collections.abc import Collection

from django.db.models import Q

from league.competitions.models import Competition
from league.matches.models import Amendment, Result, Side

UNDECIDED = Q(needs_decision=True) | Q(contested=True)


def under_review(competition: Competition, entrants: Collection[int]) -> dict[int, int]:
    """First match under review of each of these entrants.

    A current result of it needs a decision or is contested, or an amendment of it is proposed; only matches that the
    asker of `seen_competition` may see. The content of an amendment stays secret until it is confirmed. One statement.
    """
    undecided = Result.objects.filter(UNDECIDED, current=True).order_by()
    waits = Amendment.objects.filter(state=Amendment.State.PROPOSED).order_by()
    # Either is a handful, found by an index; joined by OR they would be looked for in every game.
    found = undecided.values("game__match").union(waits.values("game__match"))
    sides = Side.objects.filter(
        match__in=found, match__slot__matchday__stage__competition=competition, entrant__in=list(entrants)
    )
    if not competition.for_staff:
        sides = sides.filter(match__published_at__isnull=False)
    rows = sides.order_by("match").values_list("entrant", "match").distinct()
    return dict(reversed(rows))
