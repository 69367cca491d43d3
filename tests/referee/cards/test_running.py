"""The score of a game in play, as far as it may be told."""

import pytest

from games.rulesets import RULESETS, get
from games.scorecard import awards_of_a_play
from games.settlement import r5, settle, terms
from referee.running import Running, running

UDL = get("udl")


def numbered(*taps: dict) -> list[dict]:
    return [{"n": number} | tap for number, tap in enumerate(taps, start=1)]


def points(seat: int, number: int) -> dict:
    return {"kind": "points", "seat": seat, "points": number}


END = {"kind": "round_end", "points": 25, "winner": 1, "ended": "domino"}


def test_a_score_is_no_sum_before_its_claim_window_is_over():
    taps = numbered(points(0, 10), points(1, 15))
    assert running(taps, UDL) == Running((10, 0), 1, 1, (1, 15))
    assert running(taps, UDL, open_shown=True) == Running((10, 15), 1, 2)


@pytest.mark.parametrize(
    "after",
    [
        END,
        {"kind": "muggins", "seat": 1, "points": 5},
        {"kind": "penalty", "seat": 0, "points": 25},
        {"kind": "bell"},
        {"kind": "end"},
    ],
    ids=lambda tap: tap["kind"],
)
def test_whatever_follows_closes_the_window(after):
    shown = running(numbered(points(0, 10), after), UDL)
    assert (shown.counted, shown.open_points) == (2, None)
    assert shown.points[0] >= 10


def test_a_score_that_is_taken_back_while_it_is_open_was_never_told():
    taps = numbered(points(0, 10), points(1, 15), {"kind": "undo", "of": 2})
    assert running(taps, UDL) == Running((10, 0), 1, 3)


def test_rounds_are_counted_and_one_that_is_taken_back_is_open_again():
    taps = numbered(points(0, 10), END)
    assert running(taps, UDL) == Running((10, 25), 2, 2)
    assert running([*taps, {"n": 3, "kind": "undo", "of": 2}], UDL) == Running((10, 0), 1, 3)


def test_an_undo_may_be_taken_back():
    taps = numbered(points(0, 10), points(1, 5), {"kind": "undo", "of": 1}, {"kind": "undo", "of": 3})
    assert running(taps, UDL).points == (10, 5)


@pytest.mark.parametrize("key", [key for key, rules in RULESETS.items() if rules.muggins.value == "off"])
def test_without_muggins_there_is_nothing_to_wait_for(key):
    assert running(numbered(points(0, 10)), get(key)) == Running((10, 0), 1, 1)


@pytest.mark.parametrize(
    ("key", "awards"),
    [
        ("udl", (5, 10, 15, 20, 25, 30, 35)),
        ("all-fives", (5, 10, 15, 20, 25, 30, 35)),
        ("double-six", (5, 10, 15, 20, 25, 30, 35)),
        ("muggins", (5, 10, 15, 20)),
        ("uno-dominoes", ()),
    ],
)
def test_the_keys_of_a_pad_are_what_a_play_can_give(key, awards):
    assert awards_of_a_play(get(key)) == awards


def test_where_points_are_divided_the_keys_are_too():
    assert awards_of_a_play(UDL.with_options({"play_divisor": "5"})) == (1, 2, 3, 4, 5, 6, 7)


def from_terms(given: dict, left: tuple[int, int], winner: int) -> int:
    """As a pad works it out (pad_fold.js)."""
    mine, other = left[winner], left[1 - winner]
    if given["tiles"]:
        return 5 * max(0, other - mine) // given["divisor"]
    if given["per_hand"]:
        points = r5(mine) + r5(other) - given["own"] * r5(mine)
    else:
        points = mine + other - given["own"] * mine
        points = r5(points) if given["rounded"] else points
    return max(0, points) // given["divisor"]


@pytest.mark.parametrize("key", sorted(RULESETS))
def test_the_terms_of_a_round_give_what_the_engine_gives(key):
    rules = get(key)
    given = terms(rules)
    for other in range(0, 60, 7):
        domino = settle(rules, [0, 3], [0, other], 0).points[0]
        assert from_terms(given["domino"], (0, 3 if given["domino"]["tiles"] else other), 0) == domino
        for mine in range(0, other, 5):
            hands = ([mine, other], [1, 1]) if given["blocked"]["tiles"] else ([1, 1], [mine, other])
            if given["fewest_tiles"] and not given["blocked"]["tiles"]:
                continue
            blocked = settle(rules, hands[0], hands[1], None).points[0]
            assert from_terms(given["blocked"], (mine, other), 0) == blocked
