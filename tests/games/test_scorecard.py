"""Rounding, settlements, chips and the ends of a game: RULES.md 1.3, 2.1, 9.2, 9.3 and 9.5."""

import json
from pathlib import Path

import pytest

from games.rulesets import get
from games.scorecard import GameEnd, RoundScore, Scorecard, r5, settle
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


UDL_SETTLEMENTS = [case for case in VECTORS["settlement"] if case["system"] == "S0"]


@pytest.mark.parametrize("case", UDL_SETTLEMENTS, ids=lambda case: case["id"])
def test_settlement(case):
    tiles = [len(hand) for hand in case["hands"]]
    pips = [sum(DOUBLE_SIX.tile(name).pips for name in hand) for hand in case["hands"]]
    points = [0, 0]
    if case["winner"] is not None:
        points[case["winner"]] = case["points"]
    assert settle(UDL, tiles, pips, case["dominoed_by"]) == RoundScore(case["winner"], tuple(points))


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
