"""Final places of all entrants of a competition (COMPETITIONS.md, settings). Pure.

A knock-out places its entrants by the round in which they went out, every other format by its table.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from enum import Enum
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple


class FinalPlaces(Enum):
    """Source of the final places of a format; `queries.final_places` reads it."""

    LAST_LOSS = "last_loss"
    TABLE = "table"
    LADDER = "ladder"


class PlayedSlot(NamedTuple):
    """A slot of a knock-out for two entrants, without byes and slots that are not needed.

    `sources`: the slots that its entrants come from, and whether it takes their loser. `winner` and `loser` are None
    until the match has a winner. `entrants`: those known so far.
    """

    key: int
    sources: tuple[tuple[int, bool], ...] = ()
    winner: int | None = None
    loser: int | None = None
    entrants: tuple[int, ...] = ()


class Band(NamedTuple):
    """Places `first` to `last`, which these entrants share; fewer entrants while matches are open."""

    first: int
    last: int
    entrants: Collection[int]


def bands_by_last_loss(rounds: Sequence[Sequence[PlayedSlot]]) -> list[Band]:
    """Give the places of a knock-out from the first to the last, decided or not.

    `rounds`: in playable order, all of them or the last ones. A match after which nobody plays on gives two places: the
    final the first two, the match for third place the next two. The entrants who lose their last match in the same
    round share the next places. So the structure of the draw alone decides, and byes, forfeits, preliminary matches and
    a second bracket need no rule of their own. If the loser played on, because the result was amended later, the winner
    went out.
    """
    taken = {source: slot.entrants for slots in rounds for slot in slots for source in slot.sources}
    bands: list[Band] = []
    for slots in reversed(rounds):
        for slot in slots:
            if (slot.key, False) not in taken and (slot.key, True) not in taken:
                bands += [_after(bands, 1, [slot.winner]), _after(bands, 1, [slot.loser], skipped=1)]
        out = [
            slot.winner if slot.loser in taken[slot.key, False] else slot.loser
            for slot in slots
            if (slot.key, False) in taken and (slot.key, True) not in taken
        ]
        if out:
            bands.append(_after(bands, len(out), out))
    return bands


def _after(bands: Sequence[Band], count: int, entrants: Iterable[int | None], *, skipped: int = 0) -> Band:
    first = (bands[-1].last if bands else 0) + 1 + skipped
    return Band(first, first + count - 1, [one for one in entrants if one is not None])


def bands_by_rank(ranks: Iterable[tuple[int, int]], *, after: int = 0) -> Iterator[Band]:
    """Yield the places of (rank, entrant), which begin behind `after` others.

    Equal ranks share places: entrants level in a table, and those of different groups.
    """
    for _rank, level in groupby(sorted(ranks), key=itemgetter(0)):
        entrants = [entrant for _rank, entrant in level]
        yield Band(after + 1, after + len(entrants), entrants)
        after += len(entrants)
