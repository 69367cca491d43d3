"""How many muggins each entrant took, in the games that are known from their log."""

from collections.abc import Iterable

from league.matches.models import Result

Taken = list[tuple[int, int, bool]]
"""(match, entrant, whether the result is official), once for each claim that was upheld."""


def muggins_taken(match_ids: Iterable[int]) -> Taken:
    """One statement for any number of matches. The claims that an official has still to decide about count nowhere."""
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
