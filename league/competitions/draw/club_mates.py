"""Club mates apart in a draw, if the competition asks for it."""

from collections.abc import Sequence

from league.competitions.formats.club_separation import kept_apart
from league.competitions.formats.single_elimination import places
from league.competitions.models import Competition
from league.players.models import Entrant
from league.players.queries import clubs_of

MOST_MOVED = 256
"""Largest draw whose seeds are exchanged; the search takes seconds beyond it."""


def clubs_to_keep_apart(competition: Competition, entrants: Sequence[Entrant]) -> dict[int, frozenset[str]]:
    """Return the clubs by entrant; nothing if club mates may meet. One statement at most."""
    return clubs_of(entrants, competition.league_id) if competition.clubs_apart else {}


def mates_apart(competition: Competition, entrants: Sequence[Entrant]) -> list[Entrant]:
    """Order the entrants of a knock-out so that club mates meet as late as possible.

    Seeds are exchanged among equals only: 3 and 4, 5 to 8, 9 to 16 and so on, those with a bye among themselves. A pair
    counts for the first of its clubs.
    """
    clubs = clubs_to_keep_apart(competition, entrants)
    if not clubs or len(entrants) > MOST_MOVED:
        return list(entrants)
    numbers: dict[str, int] = {}
    alone = len(entrants)
    groups = []
    for place, one in enumerate(entrants):
        club = min(clubs.get(one.pk, ()), default="")
        groups.append(numbers.setdefault(club, alone + len(numbers)) if club else place)
    return [entrants[place] for place in kept_apart(groups, tiers(len(entrants)))]


def tiers(entrants: int) -> list[range]:
    """Return the seeds, from 0, that may be exchanged with each other.

    >>> tiers(6)
    [range(0, 1), range(1, 2), range(2, 4), range(4, 6)]
    """
    byes = len(places(entrants)) - entrants
    ends = sorted({min(2**power, entrants) for power in range(entrants.bit_length() + 1)} | ({byes} if byes else set()))
    return [range(start, end) for start, end in zip([0, *ends], ends, strict=False)]
