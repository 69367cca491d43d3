"""Rounding, settlements, chips and the ends of a game: RULES.md 1.3, 2.1, 9.2, 9.3 and 9.5."""

import json
from pathlib import Path

import pytest

from games.rulesets import get
from games.scorecard import GameEnd, Scorecard
from games.settlement import RoundScore, r5, settle
from games.tiles import DOUBLE_SIX

VECTORS = json.loads((Path(__file__).parents[1] / "vectors" / "plays.json").read_text(encoding="utf-8"))
UDL = get("udl")


@pytest.mark.parametrize(
    ("pips", "points"),
    [(2, 0), (3, 5), (27, 25), (28, 30), (13, 15), (1, 0), (7, 5), (8, 10), (12, 10)],
    ids=str,
)
def test_rounding_as_published(pips, points):
    assert r5(pips) == points


def test_rounding_is_to_the_nearest_five_for_every_sum_of_pips():
    assert all(abs(r5(n) - n) <= 2 and r5(n) % 5 == 0 for n in range(169))


SYSTEMS = {"S0": "udl", "S1": "muggins", "S3": "all-fives", "S4": "double-six"}


@pytest.mark.parametrize("case", VECTORS["settlement"], ids=lambda case: case["id"])
def test_settlement(case):
    tiles = [len(hand) for hand in case["hands"]]
    pips = [sum(DOUBLE_SIX.tile(name).pips for name in hand) for hand in case["hands"]]
    points = [0] * len(tiles)
    if case["winner"] is not None:
        points[case["winner"]] = case["points"]
    score = settle(get(SYSTEMS[case["system"]]), tiles, pips, case["dominoed_by"])
    assert score == RoundScore(case["winner"], tuple(points))


@pytest.mark.parametrize("case", VECTORS["chips"], ids=lambda case: case["id"])
def test_chips_example(case):
    card = Scorecard(UDL, 2)
    for seat, points in case["events"]:
        card.award(seat, points)
    end = case["end"]
    assert (card.chips, card.scores, card.ended is not None) == (end["own"], end["ledger"], end["over"])
    assert [UDL.chips - left for left in card.chips[::-1]] == end["captured"]


def test_chips_invariants_after_every_award():
    card = Scorecard(UDL, 2)
    before = card.chips
    for seat, points in [(0, 15), (1, 35), (0, 5), (1, 20), (0, 100), (1, 30), (0, 35)]:
        card.award(seat, points)
        own, scores = card.chips, card.scores
        captured = [30 - own[1], 30 - own[0]]
        assert sum(own) + sum(captured) == 60, "C1"
        assert all(0 <= n <= 30 for n in own + captured), "C2"
        assert all(now <= then for now, then in zip(own, before, strict=True)), "C2"
        if max(scores) <= 150:
            assert scores == [5 * n for n in captured], "C3"
            assert sum(scores) == 5 * (60 - sum(own)), "C4"
        assert (card.ended is not None) == (0 in own) == (max(scores) >= 150), "C5"
        before = own
    assert (card.ended, card.winner, card.scores, card.chips) == (GameEnd.TARGET, 0, [155, 85], [13, 0])


def test_e01_the_target_ends_the_game_at_once_in_mid_round():
    card = Scorecard(UDL, 2)
    card.award(0, 140)
    card.award(0, 10)
    assert (card.ended, card.winner) == (GameEnd.TARGET, 0)


def test_e04_the_bell_gives_the_game_to_the_leader():
    card = Scorecard(UDL, 2)
    card.award(0, 120)
    card.award(1, 115)
    card.ring()
    assert (card.ended, card.winner, card.scores) == (GameEnd.BELL, 0, [120, 115])


def test_e05_level_scores_at_the_bell_mean_overtime_and_the_first_points_of_any_kind_win():
    card = Scorecard(UDL, 2)
    card.award(0, 115)
    card.award(1, 115)
    card.ring()
    assert (card.ended, card.overtime) == (None, True)
    card.settle((0, 0))
    assert card.ended is None
    card.settle((0, 5))
    assert (card.ended, card.winner) == (GameEnd.OVERTIME, 1)


def test_a_tie_may_be_replayed_whole_rounds_instead():
    card = Scorecard(UDL.with_options({"tie": "replay"}), 2)
    card.ring()
    card.award(0, 5)
    assert card.ended is None
    card.settle((0, 10))
    assert (card.ended, card.winner) == (GameEnd.OVERTIME, 1)


def test_a_penalty_is_an_award_to_the_opponent_never_a_deduction():
    card = Scorecard(UDL, 2)
    card.penalize(1, 30)
    assert (card.scores, card.chips) == ([30, 0], [30, 24])
    card.award(1, 130)
    card.penalize(0, 30)
    assert (card.ended, card.winner, card.scores) == (GameEnd.TARGET, 1, [30, 160])


def test_who_concedes_has_lost_and_the_scores_stand():
    card = Scorecard(UDL, 2)
    card.award(0, 100)
    card.give_up(0, GameEnd.CONCESSION)
    assert (card.ended, card.winner, card.scores) == (GameEnd.CONCESSION, 1, [100, 0])


def card(ruleset: str, scores: list[int], **options: str) -> Scorecard:
    made = Scorecard(get(ruleset).with_options(options), len(scores))
    made.scores[:] = scores
    return made


def test_e06_in_muggins_the_round_is_finished_first():
    muggins = card("muggins", [95, 88])
    muggins.award(0, 5)
    assert muggins.ended is None
    score = settle(get("muggins"), [3, 0], [63, 0], 1)
    assert score == RoundScore(1, (0, 13))
    muggins.settle(score.points)
    assert (muggins.ended, muggins.winner, muggins.scores) == (GameEnd.TARGET, 1, [100, 101])


@pytest.mark.parametrize(("strict", "ended"), [("false", GameEnd.TARGET), ("true", None)])
def test_e07_a_hundred_is_enough_unless_the_target_is_strict(strict, ended):
    muggins = card("muggins", [95, 60], target_strict=strict)
    muggins.settle((5, 0))
    assert (muggins.ended, muggins.winner) == (ended, 0 if ended else None)


def test_e08_and_e09_all_fives_ends_at_once_and_by_round_end_points():
    mid_round = card("all-fives", [95, 90])
    mid_round.award(0, 5)
    assert (mid_round.ended, mid_round.winner, mid_round.scores) == (GameEnd.TARGET, 0, [100, 90])
    at_the_end = card("all-fives", [90, 90])
    at_the_end.settle((11, 0))
    assert (at_the_end.ended, at_the_end.winner, at_the_end.scores) == (GameEnd.TARGET, 0, [101, 90])


def test_e10_level_scores_above_the_target_play_another_round():
    five = card("double-six", [245, 240])
    five.award(0, 10)
    five.settle((0, 15))
    assert (five.ended, five.scores) == (None, [255, 255])
    five.award(1, 5)
    assert five.ended is None, "not in mid-round"
    five.settle((5, 0))
    assert (five.ended, five.scores) == (None, [260, 260])
    five.settle((0, 0))
    assert five.ended is None
    five.settle((0, 5))
    assert (five.ended, five.winner, five.scores) == (GameEnd.TARGET, 1, [260, 265])


def test_1_20_further_rounds_until_one_of_four_leads():
    muggins = card("muggins", [101, 101, 20, 101])
    muggins.settle((0, 0, 0, 0))
    assert muggins.ended is None
    muggins.settle((0, 4, 0, 0))
    assert (muggins.ended, muggins.winner) == (GameEnd.TARGET, 1)


def test_a_penalty_ends_a_game_that_ends_with_a_round_only_between_rounds():
    muggins = card("muggins", [95, 0, 0])
    muggins.penalize(1, 10)
    assert (muggins.ended, muggins.scores) == (None, [105, 0, 10])
    muggins.penalize(1, 10, between_rounds=True)
    assert (muggins.ended, muggins.winner, muggins.scores) == (GameEnd.TARGET, 0, [115, 0, 20])


def test_cap_at_target_leaves_the_winner_with_the_target():
    capped = card("udl", [140, 30], cap_at_target="true")
    assert capped.foresee((25, 0)) == [150, 30]
    capped.settle((25, 0))
    assert (capped.ended, capped.winner, capped.scores, capped.chips) == (GameEnd.TARGET, 0, [150, 30], [24, 0])


# RULES.md Q11 to Q14: the options, the tiles and the pips left in each hand, who went out, the winner and the points.
SETTLEMENTS = [
    ("muggins", {}, [1, 1, 1], [5, 11, 7], None, (0, [5, 0, 0])),  # R12
    ("muggins", {"bonus_scope": "opponents"}, [1, 1, 1], [5, 11, 7], None, (0, [4, 0, 0])),  # R12: 18 -> 20 -> 4
    ("muggins", {"blocked_scope": "opponents"}, [1, 1, 1], [5, 11, 7], None, (0, [4, 0, 0])),
    ("muggins", {"bonus_scope": "opponents", "blocked_scope": "all"}, [1, 1, 1], [5, 11, 7], None, (0, [5, 0, 0])),
    ("muggins", {"bonus_divisor": "1"}, [0, 4], [0, 27], 0, (0, [25, 0])),
    ("muggins", {"bonus_divisor": "2"}, [0, 4], [0, 27], 0, (0, [12, 0])),
    ("muggins", {"round_bonus": "false"}, [0, 4], [0, 29], 0, (0, [5, 0])),
    ("muggins", {"round_per_hand": "true"}, [0, 1, 1, 1], [0, 2, 2, 2], 0, (0, [0, 0, 0, 0])),  # WIK: 2 -> 0 each
    ("muggins", {}, [0, 1, 1, 1], [0, 2, 2, 2], 0, (0, [1, 0, 0, 0])),  # PAG: 6 -> 5 -> 1
    ("muggins", {"block_tie": "split"}, [1, 1, 1], [5, 5, 12], None, (None, [1, 1, 0])),  # 12 -> 10 -> 2, one each
    ("muggins", {"block_tie": "split", "bonus_divisor": "1"}, [1, 1, 1], [5, 5, 12], None, (None, [5, 5, 0])),
    ("all-fives", {"block_tie": "split"}, [1, 1, 1], [5, 5, 12], None, (None, [6, 6, 0])),  # R15: pagat
    ("all-fives", {"block_tie": "split"}, [1, 1, 1], [5, 5, 13], None, (None, [6, 6, 0])),  # fractions are dropped
    ("all-fives", {"block_tie": "split"}, [1] * 4, [5, 5, 12, 5], None, (None, [4, 4, 0, 4])),
    ("all-fives", {"block_tie": "split"}, [1] * 4, [5, 5, 5, 5], None, (None, [0, 0, 0, 0])),
    ("all-fives", {"block_tie": "split"}, [1, 1], [5, 5], None, (None, [0, 0])),  # two seats: nobody
    ("all-fives", {"blocked_scope": "opponents"}, [1, 1, 1], [5, 11, 7], None, (0, [18, 0, 0])),
    ("all-fives", {"round_bonus": "true"}, [0, 1, 1], [0, 11, 7], 0, (0, [20, 0, 0])),
    ("all-fives", {"round_bonus": "true", "round_per_hand": "true"}, [0, 1, 1], [0, 11, 7], 0, (0, [15, 0, 0])),
    ("all-fives", {"domino_points": "opp_r5"}, [0, 1, 1], [0, 11, 7], 0, (0, [20, 0, 0])),
    ("all-fives", {"blocked_points": "diff"}, [1, 1, 1], [5, 11, 7], None, (0, [13, 0, 0])),
    ("all-fives", {"bonus_divisor": "5"}, [0, 1, 1], [0, 11, 7], 0, (0, [3, 0, 0])),
    ("muggins", {"blocked_points": "diff"}, [1, 1, 1], [5, 11, 7], None, (0, [3, 0, 0])),  # 13 -> 15 -> 3, as a bonus
    ("muggins", {"blocked_points": "diff", "bonus_divisor": "1"}, [1, 1, 1], [5, 11, 7], None, (0, [15, 0, 0])),
    ("udl", {"blocked_points": "diff"}, [1, 1], [3, 10], None, (0, [5, 0])),  # R08: the difference would give 5
    ("udl", {"blocked_scope": "all"}, [1, 1], [3, 10], None, (0, [15, 0])),
    ("udl", {"bonus_scope": "all"}, [1, 1], [3, 10], None, (0, [15, 0])),
    ("udl", {"domino_points": "tiles_x5"}, [0, 4], [0, 3], 0, (0, [20, 0])),
    ("double-six", {}, [1, 4], [12, 6], None, (0, [15, 0])),  # R16
    ("double-six", {"blocked_by": "pips"}, [1, 4], [12, 6], None, (1, [0, 0])),  # never less than nothing
    ("double-six", {"blocked_by": "pips", "blocked_points": "opp"}, [1, 4], [12, 6], None, (1, [0, 12])),
    ("double-six", {"bonus_divisor": "5"}, [0, 3], [0, 9], 0, (0, [3, 0])),
    ("muggins", {"domino_points": "tiles_x5"}, [0, 2, 3], [0, 9, 9], 0, (0, [25, 0, 0])),
    (
        "muggins",
        {"blocked_by": "tiles", "blocked_points": "tiles_x5", "block_tie": "split"},
        [2, 2, 5],
        [9, 8, 1],
        None,
        (None, [7, 7, 0]),
    ),
]


@pytest.mark.parametrize(("ruleset", "options", "tiles", "pips", "went_out", "result"), SETTLEMENTS, ids=str)
def test_settlement_under_options(ruleset, options, tiles, pips, went_out, result):
    winner, points = result
    score = settle(get(ruleset).with_options(options), tiles, pips, went_out)
    assert score == RoundScore(winner, tuple(points))
