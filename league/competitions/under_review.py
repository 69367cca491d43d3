"""Which results of a competition an official has still to decide, or to decide anew."""

from collections.abc import Collection

from django.db.models import Q

from league.competitions.models import Competition
from league.matches.models import Amendment, Result, Side

UNDECIDED = Q(needs_decision=True) | Q(contested=True)


def under_review(competition: Competition, entrants: Collection[int]) -> dict[int, int]:
    """By entrant, of these, the first match of which a result that stands needs a decision, or is official and asked to
    be amended, as far as the asker of `seen_competition` may see it. What the amendment says is told to nobody before
    it is confirmed. One statement.
    """
    undecided = Result.objects.filter(UNDECIDED, current=True).order_by()
    waits = Amendment.objects.filter(state=Amendment.State.PROPOSED).order_by()
    # Either is a handful, found by an index; both with OR between them would be looked for in every game.
    found = undecided.values("game__match").union(waits.values("game__match"))
    sides = Side.objects.filter(
        match__in=found, match__slot__matchday__stage__competition=competition, entrant__in=list(entrants)
    )
    if not competition.for_staff:
        sides = sides.filter(match__published_at__isnull=False)
    rows = sides.order_by("match").values_list("entrant", "match").distinct()
    return dict(reversed(rows))
