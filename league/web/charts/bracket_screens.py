"""Bracket on a hall screen: current rounds, in letters readable from the last row."""

from collections.abc import Iterator, Sequence

from league.competitions.queries.bracket import DayShape, trees
from league.web.charts.bracket_parts import PartPlan, Slots, by_section, together

ROUNDS_A_SCREEN = 3
SLOTS_A_SCREEN = 4


def screens(days: Sequence[DayShape], sources: Slots, still_open: frozenset[int]) -> list[PartPlan]:
    """Return the screens with an open match, or the draw's end once all are decided.

    Each section starts at its first round with an open match.
    """
    found = list(_screens(days, sources, still_open))
    playing = [one for one in found if one.keys & still_open]
    return playing or found[-1:]


def _screens(days: Sequence[DayShape], sources: Slots, still_open: frozenset[int]) -> Iterator[PartPlan]:
    number = 0
    for section, rows in by_section(days):
        now = next((place for place, day in enumerate(rows) if still_open.intersection(day.slots)), len(rows))
        first = max(min(now, len(rows) - ROUNDS_A_SCREEN), 0)
        window = rows[first : first + ROUNDS_A_SCREEN]
        for slots in together(trees(window, sources), SLOTS_A_SCREEN):
            number += 1
            yield PartPlan(number, last=False, slots=slots, section=section)
