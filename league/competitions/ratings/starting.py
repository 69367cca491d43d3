"""Ratings at the start of a competition, for tie-breaks by rating and TRF reports."""

from fractions import Fraction

from django.db.models import QuerySet

from league.competitions.models import Registration
from league.competitions.ratings.queries import entrants_strengths
from league.competitions.standings.tiebreaks.figures import half_up

BATCH = 500


def fix_ratings(rows: QuerySet[Registration]) -> int:
    """Store current ratings in the registrations of one competition; return how many.

    From the league's list of its ruleset, in whole numbers, a half rounded up; an unrated entrant stays unrated. Two
    statements, and one for every 500 rows. Requires the caller's transaction.
    """
    found = list(rows.select_related("competition__league", "entrant"))
    if not found:
        return 0
    now = entrants_strengths(found[0].competition, [row.entrant for row in found])
    rated = [row for row in found if row.entrant_id in now]
    for row in rated:
        row.rating = half_up(Fraction(now[row.entrant_id]))
    Registration.objects.bulk_update(rated, ["rating"], batch_size=BATCH)
    return len(rated)
