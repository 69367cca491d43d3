"""Where all is known, the search and the best play agree with an exhaustive search by the engine."""

from dataclasses import replace
from random import Random

import pytest

from games.moves import Play
from games.rulesets import get
from league.house.endgame import TooLong, lead_at_best
from league.house.evaluation import is_certain, valued
from league.house.hidden_hands import HiddenDeal
from league.house.knowledge import known_to
from league.house.levels import Level, choose
from league.house.simulation import KnownHand
from tests.league.house.hands import SYSTEMS, dealt, endgames, lead, made, moves, played_to
from tests.volume import amount

POSITIONS = amount(250, 25)
"""A system: 1,000 positions in all."""


def best_plays(live) -> tuple[int, list]:
    """The most that the seat to act can lead by, and the moves that reach it."""
    seat, values = live.to_act, []
    for move in moves(live):
        after, left, points = made(live, move, [])
        values.append((lead(after, left, seat) + points, move))
    most = max(value for value, _move in values)
    return most, [move for value, move in values if value == most]


@pytest.mark.parametrize("system", SYSTEMS)
def test_the_best_play_is_that_of_an_exhaustive_search(system) -> None:
    for live in endgames(system, POSITIONS, 6):
        known = known_to(live.to_act, live)
        assert is_certain(known)
        most, plays = best_plays(live)
        best = valued(known, 1, "x")[0]
        assert best.points == most
        assert best.move in plays
        assert replace(choose(known, Level.STRONG, "y"), call=None) in plays


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_search_with_a_known_boneyard_agrees_too(system) -> None:
    """Draws are forced, and the next tiles are known: the search of one sampled deal."""
    chance, searched = Random(system), 0
    while searched < POSITIONS // 8:
        found = played_to(get(system), chance, 4)
        if not found or found[0].to_act is None:
            continue
        live, boneyard, _events = found
        hidden = HiddenDeal(tuple(live.hands), tuple(tile.bit for tile in boneyard))
        hand = KnownHand.of(known_to(live.to_act, live), hidden)
        assert lead_at_best(hand, 100_000) == lead(live, boneyard, live.to_act)
        searched += 1


def test_the_control_a_greedy_player_misses_some() -> None:
    missed = 0
    for live in endgames("muggins", 100, 6):
        missed += choose(known_to(live.to_act, live), Level.GREEDY, "x") not in best_plays(live)[1]
    assert missed > 3


@pytest.mark.parametrize("system", SYSTEMS)
def test_the_fast_policy_makes_legal_moves_and_settles_as_the_engine(system) -> None:
    """Played by the engine, always the most points now and the heaviest tile: the same points and the same hands."""
    for seed in range(amount(200)):
        live, boneyard = dealt(get(system), Random(f"{system} {seed}"))
        hand = KnownHand.of(known_to(0, live), HiddenDeal(tuple(live.hands), tuple(tile.bit for tile in boneyard)))
        hand.play_out()
        points = [0, 0]
        while live.ended is None:
            options = [(made(live, move, boneyard), move) for move in moves(live)]
            (live, boneyard, worth), move = max(options, key=lambda one: _greed(one[0][2], one[1], live))
            points[move.seat] += worth
        bonus = [one - other for one, other in zip(hand.settled(), hand.points, strict=True)]
        assert hand.hands == live.hands
        assert hand.points == points
        assert max(bonus) >= 0


def _greed(points, move, live):
    """Most points, heaviest tile, and among equals the first place of the first tile."""
    return (
        (points, move.tile.pips, -move.tile.index, -(move.takes & live.layout.open)) if isinstance(move, Play) else ()
    )


def test_a_search_stops_after_its_positions() -> None:
    live, boneyard = dealt(get("udl"), Random(1))
    hand = KnownHand.of(known_to(0, live), HiddenDeal(tuple(live.hands), tuple(tile.bit for tile in boneyard)))
    with pytest.raises(TooLong):
        lead_at_best(hand, 200)
