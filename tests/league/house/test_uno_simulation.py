"""The fast hands of Uno Dominoes move as the engine does, and the strong level is worth its samples."""

from random import Random

import pytest

from games.moves import Draw, Pass, Play
from games.round import Move
from games.uno.round import ColourRound
from league.house.levels import Level
from league.house.uno_evaluation import valued_at_uno
from league.house.uno_knowledge import known_at_uno
from league.house.uno_simulation import KnownRacks
from tests.league.house.uno_hands import RULES, UnoHand
from tests.volume import seeds

TILES = RULES.tiles


class Twins:
    """One hand in the engine and in the simulation; every move is made in both."""

    def __init__(self, seed: int) -> None:
        hand = UnoHand([Level.RANDOM] * (2 + seed % 3), f"twins {seed}", OPTIONS[seed % len(OPTIONS)])
        hand.step()
        hand.pay()
        self.live: ColourRound = hand.live
        self.pile = [tile.bit for tile in hand.pile]
        self.fast = KnownRacks.of(known_at_uno(self.live.to_act, self.live), Random(seed))
        self.fast.racks, self.fast.pile = self.live.hands[:], self.pile[:]

    def make(self, move: Move) -> None:
        live, seat = self.live, self.live.to_act
        live.begin_turn(seat)
        if isinstance(move, Draw):
            self.draw(seat, 1)
        else:
            live.apply(move)
        for other in live.unpaid:
            self.draw(other, min(live.debts[other], len(self.pile)))
        self.fast.make(move)

    def draw(self, seat: int, count: int) -> None:
        drawn = [self.pile.pop() for _tile in range(count)]
        tiles = tuple(next(TILES.in_mask(bit)) for bit in drawn)
        self.live.draw(seat, count, tiles)

    def moves(self) -> list[Move]:
        """Every play and, in its place, a draw or a pass."""
        known = known_at_uno(self.live.to_act, self.live)
        instead = Draw(known.seat, 1) if known.can_draw else Pass(known.seat)
        return [*known.plays, *known.bluffs, instead]

    def compare(self) -> None:
        live, fast = self.live, self.fast
        assert fast.racks == live.hands
        assert (fast.over, fast.winner) == (live.ended is not None, winner_of(live))
        if not fast.over:
            assert (fast.ends, fast.free) == (live.layout.ends, live.layout.free)
            assert fast.to_act == live.to_act
            assert (fast.direction == live.direction) or live.seats == 2
            assert fast.pile == self.pile


OPTIONS = [{}, {"reverse_2p": "none"}, {"all_doublet": "true"}, {"block": "void"}]


def winner_of(live: ColourRound) -> int | None:
    if live.ended is None or live.scorer is not None:
        return live.scorer
    rests = [TILES.pips_in(rack) for rack in live.hands]
    lowest = live.rules.block.value == "low" and rests.count(min(rests)) == 1
    return rests.index(min(rests)) if lowest else None


def test_each_move_does_what_it_does_in_the_engine() -> None:
    moves = 0
    for seed in seeds(400, least=100):
        twins, chance = Twins(seed), Random(seed)
        while not twins.fast.over:
            twins.compare()
            twins.make(chance.choice(twins.moves()))
            moves += 1
        twins.compare()
    assert moves > 2_000


def test_the_policy_makes_legal_moves_only() -> None:
    for seed in seeds(200, least=50):
        twins = Twins(seed)
        while not twins.fast.over:
            fast, plays = twins.fast, twins.moves()[:-1]
            best = fast._best(fast.only or fast.racks[fast.to_act])
            if best is None:
                assert not plays
                twins.make(twins.moves()[-1])
                continue
            tile, on, way = best
            fitting = [one for one in plays if (one.tile.bit, one.on.index) == (tile, on)]
            assert way.kind in {TILES.markings[one.tile.high].kind for one in fitting}
            twins.make(next(one for one in fitting if TILES.markings[one.tile.high].kind == way.kind))


def test_the_own_rack_and_the_numbers_of_the_others_are_kept_in_every_sample() -> None:
    live = Twins(5).live
    known = known_at_uno(live.to_act, live)
    for seed in range(20):
        hand = KnownRacks.of(known, Random(seed))
        assert hand.racks[known.seat] == known.hand
        assert tuple(rack.bit_count() for rack in hand.racks) == known.held
        assert sum(hand.racks) + sum(hand.pile) + known.layout.table == TILES.all


def test_a_play_that_wins_the_hand_comes_first() -> None:
    for seed in range(200):
        twins = Twins(seed)
        while not twins.fast.over:
            known = known_at_uno(twins.live.to_act, twins.live)
            last = [play for play in known.plays if known.held[known.seat] == 1]
            if last and isinstance(last[0], Play):
                found = valued_at_uno(known, known.plays, 40, "x")
                assert found[0].move in last
                return
            twins.make(twins.moves()[0])
    pytest.fail("no hand came to a last tile")
