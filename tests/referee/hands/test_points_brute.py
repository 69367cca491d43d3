"""Round-end points that nobody saw against brute force: on small sets every deal is laid out (NOTATION.md 4, 7.10)."""

from itertools import permutations
from operator import le, lt
from random import Random
from typing import NamedTuple

import pytest

from games.moves import RoundPoints
from games.notation import reading as notation
from games.notation.reading import loads
from games.round import RoundEnd
from games.ruleset import BlockedBy, BlockTie, Lead, NoDouble, Scope, Settlement
from games.rulesets import RULESETS
from games.settlement import settle
from referee import verify_text
from referee.verdict import Verdict
from tests.referee.brute import answer, possible
from tests.referee.tiny import TinyTable, tiny_rules
from tests.volume import seeds

HOUSES = {
    "the others, rounded": {"domino_points": Settlement.OPP_R5, "blocked_points": Settlement.DIFF},
    "the others": {"domino_points": Settlement.OPP, "blocked_points": Settlement.OPP},
    "all, divided": {"domino_points": Settlement.ALL_R5_DIV5, "blocked_points": Settlement.ALL},
    "by tiles": {"blocked_by": BlockedBy.TILES, "blocked_points": Settlement.OPP},
    "tiles times five": {"blocked_points": Settlement.TILES_X5, "domino_points": Settlement.OPP},
    "hand by hand": {"round_per_hand": True, "domino_points": Settlement.OPP_R5, "blocked_scope": Scope.ALL},
    "shared": {"block_tie": BlockTie.SPLIT, "blocked_points": Settlement.OPP},
}
TURNS = [
    {"lead_first": Lead.HIGHEST_DOUBLE},
    {"lead_first": Lead.HIGHEST_DOUBLE, "lead_forced": False, "boneyard_reserve": 1},
    {"lead_first": Lead.HIGHEST_DOUBLE, "no_double": NoDouble.DRAW_UNTIL},
    {"lead_first": Lead.LOT, "voluntary_draw": True, "must_play_drawn": True},
]
"""Ways to lead and to draw: which deals count depends on them."""
SIZES = [(2, 2, 2), (3, 2, 3), (3, 2, 2), (3, 3, 2)]


def r5(pips):
    return 5 * ((pips + 2) // 5)


def given(rules, hands, winner, went_out):
    """What this deal gives to this seat, whoever has won it."""
    rests = [sum(tile.pips for tile in hand) for hand in hands]
    tiles = [len(hand) for hand in hands]
    # A hand without tiles goes out; a blocked round is made this seat's by a hand that is lower than it could be.
    how = rules.domino_points if went_out is not None else rules.blocked_points
    scope = None if went_out is not None else rules.blocked_scope
    if how is Settlement.TILES_X5:
        return 5 * sum(max(0, n - tiles[winner]) for n in tiles)
    counted = [n for seat, n in enumerate(rests) if seat != winner]
    less = rests[winner] if how is Settlement.DIFF else 0
    if scope is Scope.ALL or how in (Settlement.ALL, Settlement.ALL_R5_DIV5):
        counted.append(rests[winner])
    rounded = how in (Settlement.OPP_R5, Settlement.ALL_R5_DIV5) or (
        how is Settlement.DIFF and rules.domino_points in (Settlement.OPP_R5, Settlement.ALL_R5_DIV5)
    )
    divisor = 5 if Settlement.ALL_R5_DIV5 in (how, rules.domino_points if how is Settlement.DIFF else how) else 1
    if rules.round_per_hand and rounded:
        return max(0, sum(map(r5, counted)) - r5(less)) // divisor
    points = max(0, sum(counted) - less)
    return (r5(points) if rounded else points) // divisor


class Pile(NamedTuple):
    """Any number of pips in one hand, as if it were a tile."""

    pips: int


def possible_numbers(rules, went_out):
    """Every number that the rules can yield, by every sum or difference of pips."""
    return {given(rules, ([Pile(0)], [Pile(n)]), 0, went_out) for n in range(200)}


def booked(rules, deals, went_out, recorded):
    """The points of the round, its winner, and whether they are proved."""
    shared = rules.block_tie is BlockTie.SPLIT and len(deals[0]) > 2 and went_out is None
    seats = range(len(deals[0]))
    rests = [[sum(tile.pips for tile in hand) for hand in hands] for hands in deals]
    if rules.blocked_by is BlockedBy.TILES and went_out is None:
        rests = [[len(hand) for hand in hands] for hands in deals]
    if went_out is not None:
        sure, may_win = went_out, [went_out]
    else:
        # If a tie gives nothing, a seat that never holds less than another one wins in no deal either.
        less = le if not shared else lt
        excluded = {s for s, o in permutations(seats, 2) if all(less(rest[o], rest[s]) for rest in rests)}
        always = [s for s in seats if all(rest[s] < rest[o] for rest in rests for o in seats if o != s)]
        sure, may_win = always[0] if always else None, [s for s in seats if s not in excluded]
    numbers = {s: [given(rules, hands, s, went_out) for hands in deals] for s in may_win}
    claimed = [sure] if sure is not None else [s for s in may_win if recorded.get(s, 0) > 0]
    if not any(max(some) for some in numbers.values()):
        return (0,) * len(seats), claimed[0] if len(claimed) == 1 else None, True
    points = [0] * len(seats)
    if shared and len(claimed) > 1:
        shares = [
            sum(tile.pips for s in seats if s not in claimed for tile in hands[s]) // len(claimed) for hands in deals
        ]
        for seat in claimed:
            points[seat] = min(max(recorded[seat], min(shares)), max(shares))
    if len(claimed) != 1:
        return tuple(points), None, False
    (winner,) = claimed
    least, most = min(numbers[winner]), max(numbers[winner])
    if rules.round_per_hand:
        # Each hand is bounded by itself (NOTATION.md 4): the lowest of each, and the highest of each.
        by_seat = [sorted((hands[s] for hands in deals), key=lambda hand: sum(t.pips for t in hand)) for s in seats]
        ends = [[rests[at] for rests in by_seat] for at in (0, -1)]
        least, most = (given(rules, hands, winner, went_out) for hands in ends)
    if sure is not None and least == most:
        points[winner] = least
        return tuple(points), winner, True
    if winner in recorded:
        fits = {n for n in possible_numbers(rules, went_out) if least <= n <= most} | {least, most}
        points[winner] = min(fits, key=lambda n: (abs(n - recorded[winner]), n))
    return tuple(points), winner, False


def deals_that_count(record, rules, seats):
    """The hands left by every deal in which nobody broke a rule but as reported; any where that is unclear."""
    told = answer(record, rules, seats, rules.lead_first)
    if isinstance(told, tuple):
        return None
    unclear = any(code == "unclear-offence" for _, code in told)
    return [hands for broken, hands in possible(record, rules, seats, rules.lead_first) if unclear or broken <= told]


def judged(monkeypatch, rules, seed):
    """Play a round, write it down with tiles unseen and points by chance, and compare; tells what it came to."""
    rng = Random(seed)
    (seats,) = rules.hand
    monkeypatch.setitem(RULESETS, "tiny", rules)
    monkeypatch.setattr(notation, "_PLAIN_HEADERS", {})
    table = TinyTable(rules, seats, rng, offend=rng.choice((0, 0, 0.2)))
    table.show = rng.choice((0, 0.5))
    table.play_round()
    text = table.written(hide=rng.choice((0.6, 1.0)))
    for seat in range(seats):
        if rng.random() < 0.7:
            text += f"{'ABCD'[seat]} scores {rng.choice((0, 1, 2, 3, 5, 7, 10, 15, 20, 30))}\n"
    (log,) = loads(text)
    (verdict,) = verify_text(text)
    assert isinstance(verdict, Verdict)
    round_ = verdict.rounds[-1] if verdict.rounds else None
    if verdict.status == "impossible" or round_ is None or round_.ended not in ("domino", "blocked"):
        return None
    recorded = {e.event.seat: e.event.points for e in log.entries if isinstance(e.event, RoundPoints)}
    deals = deals_that_count(log.entries, rules, seats)
    if not deals:
        return None
    went_out = round_.winner if round_.ended == RoundEnd.DOMINO.word else None
    points, winner, proved = booked(rules, deals, went_out, recorded)
    assert (round_.points, round_.winner) == (points, winner), text
    codes = {(f.line, f.code) for f in verdict.findings}
    assert any(code == "unverified-points" for _, code in codes) == (not proved), text
    wrong = {e.line for e in log.entries if isinstance(e.event, RoundPoints) and e.event.points != points[e.event.seat]}
    assert {line for line, code in codes if code == "wrong-points"} == wrong, text
    assert verdict.points_on_word == (0 if proved else sum(points)), text
    return "proved" if proved else "wrong" if wrong else "on word"


@pytest.mark.slow("every deal of small rounds")
@pytest.mark.parametrize("house", HOUSES)
def test_the_same_points_as_brute_force(house, monkeypatch):
    rules = [tiny_rules(*size, lead_first=Lead.LOT, **HOUSES[house]) for size in SIZES]
    told = {judged(monkeypatch, rules[seed % len(rules)], seed) for seed in seeds(160)}
    assert {"proved", "wrong", "on word"} <= told


def test_the_same_points_as_brute_force_for_all_leads_and_draws(monkeypatch):
    rules = [tiny_rules(*SIZES[0], **turns, **HOUSES["the others, rounded"]) for turns in TURNS]
    told = {judged(monkeypatch, rules[seed % len(rules)], seed) for seed in seeds(240)}
    assert {"proved", "wrong", "on word"} <= told


def test_brute_force_settles_as_the_rules_do():
    """The control: with every hand seen its numbers are those of the engine."""
    for name, house in HOUSES.items():
        rules = tiny_rules(3, 3, 2, lead_first=Lead.LOT, **house)
        for seed in range(40):
            tiles = list(rules.tiles.tiles)
            Random(seed).shuffle(tiles)
            hands = [tiles[:1], tiles[1:3], tiles[3:5]]
            for went_out in (None, 0):
                left = [[] if seat == went_out else hand for seat, hand in enumerate(hands)]
                pips = [sum(tile.pips for tile in hand) for hand in left]
                score = settle(rules, [len(hand) for hand in left], pips, went_out)
                if score.winner is not None:
                    assert score.points[score.winner] == given(rules, left, score.winner, went_out), (name, seed)
