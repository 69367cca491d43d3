"""Samples of hidden hands and boneyard that fit the public history. Pure.

Every deal that fits is equally likely. A chain of random swaps walks through them: it begins at a matching of tiles and
places, and a swap that breaks a proof is not made (Diaconis, Graham, Holmes: permutations with restricted positions).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from random import Random
from typing import Final

from games.moves import Seat
from games.tile import Mask
from league.house.knowledge import Knowledge
from referee.hands.matching import Seating, bits

BONEYARD: Final = -1
MIXING: Final = 2
"""Swaps between two samples, for each hidden tile."""
BURN_IN: Final = 10
"""Swaps before the first sample, for each hidden tile."""


@dataclass(frozen=True, slots=True)
class HiddenDeal:
    """One deal: the hand of each seat, and the tiles of the boneyard in the order in which they are drawn."""

    hands: tuple[Mask, ...]
    boneyard: tuple[Mask, ...]


@dataclass(frozen=True, slots=True)
class _Places:
    """Places that came to a seat at one time, the tiles that they may hold, and the tiles that the seat played."""

    seat: Seat
    room: int
    may: Mask
    played: Mask = 0


def deals(known: Knowledge, chance: Random) -> Iterator[HiddenDeal]:
    """Yield deals that fit the knowledge of a seat, without end; the same chance gives the same deals.

    Where its history has no deal, because a rule was broken, only the numbers of tiles fit. Raises ``ValueError`` if
    these can't be.
    """
    played = [0] * len(known.held)
    for act in known.history:
        played[act.seat] |= act.played
    groups = [one for one in _groups(known, played) if one.room]
    at = _seated(groups) or _seated([replace(one, may=known.unseen | one.played) for one in groups])
    if at is None:
        raise ValueError("numbers of tiles that no deal has")
    yield from _walk(known, groups, at, sum(played), chance)


def _groups(known: Knowledge, played: list[Mask]) -> Iterator[_Places]:
    """Yield the places of the other seats, in the order of time, and the boneyard."""
    for seat in range(len(known.held)):
        if seat != known.seat:
            yield from _places_of(known, seat, played[seat])
    yield _Places(BONEYARD, known.boneyard, known.unseen)


def _places_of(known: Knowledge, seat: Seat, played: Mask) -> Iterator[_Places]:
    acts = [act for act in known.history if act.seat == seat]
    drawn = sum(act.drew for act in acts)
    births = [(0, known.held[seat] + played.bit_count() - drawn)]
    births += [(number + 1, act.drew) for number, act in enumerate(acts) if act.drew]
    for birth, room in births:
        may, absent = 0, 0
        for act in acts[birth:]:
            absent |= act.lacks
            may |= act.played & ~absent
        yield _Places(seat, room, may | (known.unseen & ~absent), played)


def _seated(groups: list[_Places]) -> list[Mask] | None:
    """Return the tiles of each group in one deal that fits, or None."""
    match = Seating([one.room for one in groups], [one.may for one in groups])
    tiles = 0
    for one in groups:
        tiles |= one.may
    return None if match.put_all(tiles, lambda _group: ()) is not None else match.holds


def _walk(known: Knowledge, groups: list[_Places], at: list[Mask], gone: Mask, chance: Random) -> Iterator[HiddenDeal]:
    seats = [one.seat for one, held in zip(groups, at, strict=True) for _tile in bits(held)]
    lies = [tile for held in at for tile in bits(held)]
    may = [one.may | held for one, held in zip(groups, at, strict=True) for _tile in bits(held)]
    count = len(lies)
    swaps = BURN_IN * count
    while True:
        _swap(lies, may, swaps, chance)
        swaps = MIXING * count
        hands = [0] * len(known.held)
        hands[known.seat] = known.hand
        boneyard = []
        for seat, tile in zip(seats, lies, strict=True):
            if seat == BONEYARD:
                boneyard.append(tile)
            elif not tile & gone:
                hands[seat] |= tile
        yield HiddenDeal(tuple(hands), tuple(boneyard))


def _swap(lies: list[Mask], may: list[Mask], swaps: int, chance: Random) -> None:
    count, drawn = len(lies), chance.random
    for _swap in range(swaps):
        one, other = int(drawn() * count), int(drawn() * count)
        tile, exchanged = lies[one], lies[other]
        if may[one] & exchanged and may[other] & tile:
            lies[one], lies[other] = exchanged, tile
