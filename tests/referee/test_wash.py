"""The wash: each order is equally likely, and the same on every machine."""

from collections import Counter
from hashlib import sha256

from games.tile import Tile
from games.tiles import DOUBLE_SIX
from referee.wash import lots, washed

TILES = DOUBLE_SIX.tiles


def names(tiles: list[Tile]) -> str:
    return " ".join(tile.name for tile in tiles)


def test_a_wash_is_the_one_that_the_documentation_describes() -> None:
    """Written a second time, by the words of the module: whole numbers, from the last place down."""
    text = b"".join(sha256(f"seed wash 3 {block}".encode()).digest() for block in range(8))
    numbers = [int.from_bytes(text[place : place + 4]) for place in range(0, len(text), 4)]
    order = list(TILES)
    for last in range(27, 0, -1):
        place = numbers[27 - last] % (last + 1)  # none of these numbers is skipped
        order[last], order[place] = order[place], order[last]
    assert washed(TILES, "seed", 3) == order


def test_a_wash_is_the_same_on_every_machine() -> None:
    assert names(washed(TILES, "seed", 1)[:7]) == "6-2 6-6 0-0 5-3 2-1 4-3 4-0"
    assert names(lots(TILES, "seed", 1, 4)) == "2-1 5-2 5-5 3-2"


def test_hands_and_seeds_are_washed_differently() -> None:
    orders = {names(washed(TILES, seed, hand)) for seed in ("a", "b") for hand in range(1, 50)}
    assert len(orders) == 98
    assert all(sorted(order.split()) == sorted(names(list(TILES)).split()) for order in orders)


def test_every_tile_is_equally_likely_in_every_place() -> None:
    """Chi squared of 28 tiles in 28 places; 729 degrees of freedom, so 900 is beyond 4 standard deviations."""
    washes = 2000
    seen = Counter((place, tile.index) for hand in range(washes) for place, tile in enumerate(washed(TILES, "x", hand)))
    due = washes / 28
    assert sum((seen[place, tile] - due) ** 2 / due for place in range(28) for tile in range(28)) < 900
