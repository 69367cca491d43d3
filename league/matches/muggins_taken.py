"""Muggins taken by each entrant, in games with a log."""

from collections.abc import Iterable, Sequence

from league.matches.models import Result

Taken = Sequence[tuple[int, int, bool]]
"""(match, entrant, whether the result is official), once for each upheld claim."""


def muggins_taken(match_ids: Iterable[int]) -> Taken:
    """Return the upheld claims.

    Claims that wait for an official's decision do not count. One statement for any number of matches.
    """
    results = Result.objects.filter(current=True, needs_decision=False, game__match__in=list(match_ids)).values_list(
        "game__match",
        "state",
        "record__seats",
        "record__verdict__rulings",
        "game__match__sides__number",
        "game__match__sides__entrant",
    )
    return [
        (match_id, entrant_id, state == Result.State.OFFICIAL)
        for match_id, state, seats, rulings, number, entrant_id in results
        for ruling in rulings or []
        if ruling["upheld"] and seats.get(ruling["claimant"]) == number
    ]
