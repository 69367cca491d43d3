"""Registry of tie-breaks by key.

The direct encounter is not in it: it splits a group, and is no number of a single entrant
(league/competitions/standings/compute.py).
"""

from collections.abc import Callable, Mapping

from league.competitions.standings.tiebreaks import opponents, own, ratings
from league.competitions.standings.tiebreaks.crosstable import Crosstable
from league.competitions.standings.tiebreaks.figures import Figure

NUMBERS: Mapping[str, Callable[[Crosstable, int], Figure]] = {
    "place_points": own.place_points,
    "match_points": own.match_points,
    "game_points": own.game_points,
    "wins": own.wins,
    "won": own.won,
    "difference": own.difference,
    "points_for": own.points_for,
    "average": own.average,
    "buchholz": opponents.buchholz,
    "buchholz_cut_1": opponents.buchholz_cut_1,
    "buchholz_median_1": opponents.buchholz_median_1,
    "average_buchholz": opponents.average_buchholz,
    "fore_buchholz": opponents.fore_buchholz,
    "sonneborn_berger": opponents.sonneborn_berger,
    "sonneborn_berger_cut_1": opponents.sonneborn_berger_cut_1,
    "progressive": own.progressive,
    "koya": opponents.koya,
    "opponents_rating": ratings.opponents_rating,
    "performance": ratings.performance,
    "muggins": own.muggins,
    "lot": own.lot,
}
LOWEST_FIRST = frozenset({"lot"})
"""Tie-breaks with the lowest number first; in all others the highest is first."""
BY_OUTCOMES = frozenset(NUMBERS) - {"game_points", "difference", "points_for", "average", "muggins"}
"""Tie-breaks that depend on winners only, not on scores."""
