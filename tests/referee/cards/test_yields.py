"""What a round yields at most: the bounds are worked out again from their prices, and no round played beats them."""

import json
from math import inf
from pathlib import Path
from random import Random

import pytest

from games.layout import Layout
from games.ruleset import Spinner
from games.rulesets import get
from games.tiles import DOUBLE_SIX
from referee.cards.yields import CUTS, largest_count, most_at_round_end, most_in_play, plays_of_all, plays_of_one

PRICES = json.loads((Path(__file__).parents[1] / "round_yields.json").read_text(encoding="utf-8"))
FACES = range(7)
DOUBLE = 7
"""Tips of arms: 0 to 6 for a half, 7 to 13 for a double across."""


def tile(one, other):
    return DOUBLE_SIX.tile(f"{max(one, other)}-{min(one, other)}").index


def counts(tip):
    return tip if tip < DOUBLE else 2 * (tip - DOUBLE)


def extended(tip, doubles):
    """The tiles that go to a tip, with the tip that they make."""
    face = tip if tip < DOUBLE else tip - DOUBLE
    yield from ((tile(face, other), other) for other in FACES if other != face)
    if tip < DOUBLE and face in doubles:
        yield tile(face, face), DOUBLE + face


def grown(tips, doubles):
    """All ways to lengthen one of these arms."""
    for at, tip in enumerate(tips):
        for index, new in extended(tip, doubles):
            yield index, tuple(sorted((*tips[:at], new, *tips[at + 1 :])))


def plays(state, spinner):
    """The plays from a state: the tile, and what lies open after it. ``spinner`` is the face of the first double."""
    kind, tips = state
    others = [face for face in FACES if face != spinner]
    if kind == "nothing":
        for one in FACES:
            yield from ((tile(one, other), ("line", (other, one))) for other in range(one))
            if spinner in (None, one):
                yield tile(one, one), ("lone", (DOUBLE + one,))
    elif kind == "lone":
        face = tips[0] - DOUBLE
        for other in FACES:
            if other != face:
                yield (
                    tile(face, other),
                    ("line", tuple(sorted((*tips, other)))) if spinner is None else ("half", (other,)),
                )
    elif kind == "line":
        for index, new in grown(tips, FACES if spinner is None else [spinner]):
            spun = spinner is not None and new[-1] >= DOUBLE
            yield index, ("half", new[:1]) if spun else ("line", new)
    else:
        yield from ((index, (kind, new)) for index, new in grown(tips, others))
        if kind == "half" or len(tips) < 4:
            yield from ((tile(spinner, other), ("open", tuple(sorted((*tips, other))))) for other in others)


def worth(state, spinner):
    kind, tips = state
    count = sum(map(counts, tips)) + (2 * spinner if kind == "half" else 0)
    return count if count % 5 == 0 else 0


def walks(spinner):
    """Every state, with its plays: next state, tile, points."""
    start = ("nothing", ())
    found, todo = {start: []}, [start]
    while todo:
        state = todo.pop()
        for index, after in set(plays(state, spinner)):
            found[state].append((after, index, worth(after, spinner)))
            if after not in found:
                found[after] = []
                todo.append(after)
    return found


def most_beyond(graph, prices, per_play):
    """The most that a walk from the start earns beyond its prices; ``inf`` where walking in circles pays."""
    beyond = dict.fromkeys(graph, 0.0)
    for _ in range(len(graph)):
        moved = False
        for state, ways in graph.items():
            best = max(
                (points - per_play - prices[index] + beyond[after] for after, index, points in ways), default=0.0
            )
            if best > beyond[state] + 1e-9:
                beyond[state] = best
                moved = True
        if not moved:
            return beyond["nothing", ()]
    return inf


@pytest.mark.slow("a proof by longest paths")
@pytest.mark.parametrize("spinner", [None, *FACES])
def test_the_prices_prove_every_cut(spinner):
    graph = walks(spinner)
    mode = Spinner.NONE if spinner is None else Spinner.FIRST
    cuts = PRICES[mode.value]
    assert tuple((cut["fixed"], cut["per_play"]) for cut in cuts) == CUTS[mode]
    for cut in cuts:
        prices = [hundredths / 100 for hundredths in cut["prices"][str(spinner)]]
        assert min(prices) >= 0
        assert sum(prices) + most_beyond(graph, prices, cut["per_play"]) <= cut["fixed"] + 1e-6


def test_prices_that_are_too_low_prove_nothing():
    """The control: half the prices do not reach the bound that they would have to."""
    cut = PRICES["none"][2]
    prices = [hundredths / 200 for hundredths in cut["prices"]["None"]]
    assert sum(prices) + most_beyond(walks(None), prices, cut["per_play"]) > cut["fixed"]


def test_the_states_count_what_the_layout_counts():
    """Random layouts of the engine walk along the states, and count the same."""
    for seed in range(150):
        rng = Random(seed)
        mode = Spinner.FIRST if seed % 2 else Spinner.NONE
        layout = Layout(DOUBLE_SIX, mode)
        made = []
        while fits := list(DOUBLE_SIX.in_mask(layout.fitting() & ~layout.table)):
            played = rng.choice(fits)
            ons = [on.index for on in DOUBLE_SIX.in_mask(layout.places(played.index))] if layout.table else [None]
            layout.place(played.index, rng.choice(ons))
            made.append((played.index, layout.count))
        doubles = [DOUBLE_SIX.tiles[index].high for index, _ in made if DOUBLE_SIX.tiles[index].double]
        spinner = (doubles or [0])[0] if seed % 2 else None
        states = {("nothing", ())}
        for index, count in made:
            after = {new for state in states for taken, new in plays(state, spinner) if taken == index}
            states = {new for new in after if worth(new, spinner) == (count if count % 5 == 0 else 0)}
            assert states, (seed, index)


@pytest.mark.parametrize(
    ("key", "seats", "most"),
    [("udl", 2, 615), ("muggins", 2, 220), ("muggins", 4, 210), ("all-fives", 3, 600), ("uno-dominoes", 2, 0)],
)
def test_the_most_that_a_round_gives_in_play(key, seats, most):
    assert most_in_play(get(key), plays_of_all(get(key), seats)) == most


def test_a_seat_plays_no_tile_that_was_dealt_to_another():
    assert [plays_of_one(get("udl"), 2), plays_of_one(get("all-fives"), 4)] == [21, 13]


def test_pips_left_take_plays_away():
    udl = get("udl")
    # 21 pips need two tiles at least, 6-6 and 6-5 are 23; 60 need six, the six heaviest are 61; 40 need four.
    assert plays_of_all(udl, 2, [0, 21], [None, None]) == 26
    assert plays_of_all(udl, 2, [0, 21], [0, 5]) == 23
    assert plays_of_all(udl, 2, [60, 40], [None, None]) == 28 - 6 - 4


@pytest.mark.parametrize(("spinner", "count"), [("none", 20), ("first", 35), ("all", 80)])
def test_the_highest_count_that_scores(spinner, count):
    assert largest_count(get("udl").with_options({"spinner": spinner})) == count


def test_the_most_at_the_end_of_a_round():
    """R5 of 168 pips less the seven lightest tiles, 0-0 to 4-0 (15); a fifth; five for each of 21 tiles."""
    assert [most_at_round_end(get(key), 2) for key in ("udl", "muggins", "all-fives", "double-six")] == [
        155,
        31,
        153,
        105,
    ]
