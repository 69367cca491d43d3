"""What is plainly legal is legal: `try_play` and `try_draw` against the judge that explains, over random positions."""

from collections.abc import Iterator
from dataclasses import replace
from random import Random

import pytest

from games.moves import Draw, Play
from games.round import Round
from games.ruleset import Lead, Ruleset
from games.rulesets import get
from games.tile import Tile

HOUSES: list[dict[str, str]] = [
    {},
    {"spinner": "all", "boneyard_reserve": "2"},
    {"spinner": "none", "lead_forced": "false"},
    {"voluntary_draw": "true"},
    {"voluntary_draw": "true", "must_play_drawn": "false", "no_double": "draw_until"},
]


def state(live: Round) -> dict[str, object]:
    """Everything that a round knows, its layout included."""
    known = {name: getattr(live, name) for name in Round.__slots__ if name != "layout"}
    return known | {name: getattr(live.layout, name) for name in live.layout.__slots__}


def positions(rules: Ruleset, seats: int, rng: Random) -> Iterator[tuple[Round, list[Tile]]]:
    """The positions of a round played by chance, some hands and draws unseen, and its boneyard."""
    live = Round(rules, seats, *rng.choice([(Lead.HIGHEST_DOUBLE, None), (Lead.DOMINOER_ANY, seats - 1)]))
    washed = list(rules.tiles.tiles)
    rng.shuffle(washed)
    for seat in range(seats):
        hand = tuple(washed.pop() for _ in range(rules.hand_size(seats)))
        live.deal(
            seat, len(hand), hand if rng.random() < 0.8 else tuple(t if rng.random() < 0.5 else None for t in hand)
        )
    while live.ended is None:
        yield live, washed
        moves = list(live.legal_moves())
        if washed and live.can_draw and not any(isinstance(move, Play) for move in moves) and live.to_act is not None:
            tile = washed.pop()
            moves = [Draw(live.to_act, 1, (tile if rng.random() < 0.9 else None,))]
        if not moves:
            return
        live.record(rng.choice(moves))


def plays(live: Round) -> Iterator[Play]:
    """Every play that could be written here, sensible or not."""
    tiles = live.rules.tiles
    laid: list[Tile | None] = [None, *tiles.in_mask(live.layout.table), tiles.read("9-9")]
    for seat in range(live.seats):
        for tile in (*tiles.tiles, tiles.read("9-9")):
            for on in laid:
                yield Play(seat, tile, on)


@pytest.mark.slow("random positions")
@pytest.mark.parametrize("house", HOUSES, ids=lambda house: ",".join(house) or "udl")
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_plain_turn_is_one_that_the_judge_allows_and_does_what_a_judged_one_does(house, seats):
    rules = replace(get("udl").with_options(house), hand={2: 7, 3: 5, 4: 5})
    made = drawn = 0
    for seed in range(5):
        rng, which = Random(seed), Random(seed)
        for live, boneyard in positions(rules, seats, rng):
            before = state(live.copy())
            # One in eight of the plays that could be written, so that the test stays quick.
            for play in (play for play in plays(live) if which.random() < 0.125):
                legal = live.why_not_play(play.seat, play.tile, play.on) is None
                twin, slow = live.copy(), live.copy()
                if twin.try_play(play) is None:
                    assert not legal or live.bound or not live.hands[play.seat] & play.tile.bit
                    assert state(twin) == before
                    continue
                made += 1
                assert legal
                slow.bound = True
                slow.play(play)
                assert state(twin) == state(slow)
            for tile in (*boneyard[-2:], *rules.tiles.tiles[::9], None, rules.tiles.read("9-9")):
                for seat in range(seats):
                    draw = Draw(seat, 1, (tile,))
                    allowed = not live.why_not_draw(seat, 1, (tile,))
                    twin, slow = live.copy(), live.copy()
                    if not twin.try_draw(draw):
                        unseen = tile is None or rules.voluntary_draw or not live.layout.table
                        assert not allowed or unseen
                        assert state(twin) == before
                        continue
                    drawn += 1
                    assert allowed
                    slow.draw(seat, 1, (tile,))
                    assert state(twin) == state(slow)
    assert made > 20
    assert drawn > 3 or rules.voluntary_draw


def test_a_play_with_a_colour_and_draws_that_are_not_one_tile_are_never_plain():
    tiles = get("udl").tiles
    assert Play(0, tiles.tile("6-4"), None, None, "red").takes == 0
    pair = (tiles.tile("6-4"), tiles.tile("1-0"))
    assert [draw.bit for draw in (Draw(0, 2, pair), Draw(0, 1), Draw(0, 1, (None,)))] == [0, 0, 0]
