"""Tie-breaks from opponents' ratings (FIDE C.07 article 10).

Forfeits and byes never count (15.2).
"""

from dataclasses import replace
from fractions import Fraction

from league.competitions.standings.tiebreaks.crosstable import Crosstable, Outcome
from league.competitions.standings.tiebreaks.figures import Figure, Term, TermNote, half_up, rounded_mean

# Rating difference for scores of 50% to 100%, by percent (FIDE Rating Regulations B.02, table 8.1.1).
ABOVE_HALF = (
    *(0, 7, 14, 21, 29, 36, 43, 50, 57, 65, 72, 80, 87, 95, 102, 110, 117, 125, 133, 141, 149, 158, 166, 175, 184),
    *(193, 202, 211, 220, 230, 240, 251, 262, 273, 284, 296, 309, 322, 336, 351, 366, 383, 401, 422, 444, 470, 501),
    *(538, 589, 677, 800),
)
HALVES = {Outcome.WON: 2, Outcome.DRAWN: 1, Outcome.LOST: 0}


def opponents_rating(table: Crosstable, entrant_id: int) -> Figure:
    """ARO (10.1): average the ratings of the rated opponents met at the table."""
    return rounded_mean(
        Term(rating or 0, bout.round, bout.opponent_id, rating, counted=rating is not None, notes=_notes(rating))
        for bout in table.over_the_board(entrant_id)
        for rating in [table.scoring.ratings.get(bout.opponent_id)]
    )


def performance(table: Crosstable, entrant_id: int) -> Figure:
    """TPR (10.2): add to ARO the rating difference for the share of possible score."""
    ratings = opponents_rating(table, entrant_id)
    met = [bout for bout in table.over_the_board(entrant_id) if bout.opponent_id in table.scoring.ratings]
    if ratings.value is None or not met:
        return ratings
    share = Fraction(sum(HALVES[bout.outcome] for bout in met), 2 * len(met))
    plus = rating_difference(share)
    return replace(ratings, value=ratings.value + plus, plus=plus, share=share)


def rating_difference(share: Fraction) -> int:
    """Look up a share of the score from 0 to 1, read to two decimals, a half up."""
    percent = half_up(share * 100)
    return ABOVE_HALF[percent - 50] if percent >= 50 else -ABOVE_HALF[50 - percent]


def _notes(rating: int | None) -> tuple[TermNote, ...]:
    return () if rating is not None else (TermNote.NOT_RATED,)
