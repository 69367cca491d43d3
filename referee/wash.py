"""Wash of the tiles from a seed: the same seed gives the same deal on every machine.

The numbers are SHA-256 of `SEED wash HAND BLOCK` (text in UTF-8, BLOCK from 0), read as eight big-endian numbers of 32
bits each. They choose the places of a Fisher-Yates shuffle of the set, from the last place down to the second; a number
that would favour a place is skipped. Lots are the first tiles of the wash `SEED lot HAND BLOCK`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import sha256
from itertools import count

from games.tile import Tile

_NUMBERS = 2**32


def washed(tiles: Sequence[Tile], seed: str, hand: int) -> list[Tile]:
    """Return the tiles in the order of a hand, from 1: first the hands, seat by seat, then the boneyard."""
    return _shuffled(tiles, f"{seed} wash {hand}")


def lots(tiles: Sequence[Tile], seed: str, hand: int, seats: int) -> list[Tile]:
    """Return the tile that each seat draws for the lead of a hand."""
    return _shuffled(tiles, f"{seed} lot {hand}")[:seats]


def _shuffled(tiles: Sequence[Tile], text: str) -> list[Tile]:
    order, numbers = list(tiles), _numbers(text)
    for last in range(len(order) - 1, 0, -1):
        other = _below(last + 1, numbers)
        order[last], order[other] = order[other], order[last]
    return order


def _numbers(text: str) -> Iterator[int]:
    for block in count():
        digest = sha256(f"{text} {block}".encode()).digest()
        yield from (int.from_bytes(digest[place : place + 4]) for place in range(0, 32, 4))


def _below(limit: int, numbers: Iterator[int]) -> int:
    """Return a number from 0 to below the limit, each equally likely."""
    fair = _NUMBERS - _NUMBERS % limit
    return next(number for number in numbers if number < fair) % limit
