"""Muggins in All Fives, on whole logs: RULES.md 1.5 and 9.4, NOTATION.md 5 and 7.8.

Lines are counted after the tags.
"""

import pytest

from tests.referee.logs import found, lines_found, pip


def lines_of(verdict, seats, options=0):
    return lines_found(verdict, 1 + seats + options)


def rulings(verdict, seats):
    return [(r.line - 1 - seats, "ABCD"[r.claimant], r.upheld, r.points) for r in verdict.rulings]


def test_m11_the_first_of_two_claimants():
    verdict = pip("all-fives", "round 1\nA 5-5\nC muggins\nB muggins\nscore 0-0-10", seats=3)
    assert (rulings(verdict, 3), found(verdict)) == ([(3, "C", True, 10), (4, "B", False, 0)], [])


def test_m12_too_late_after_the_next_play():
    verdict = pip("all-fives", "round 1\nA 5-5\nB 5-1\nB muggins")
    assert (rulings(verdict, 2), verdict.scores) == ([(4, "B", False, 0)], {"A": 0, "B": 0})
    assert lines_found(verdict, 3, "missed-points") == [(2, "missed-points")]


def test_m12_and_after_a_pass_but_not_after_a_draw():
    lines = "round 1\nA 5-5\nB draw ?\nB muggins\nscore 0-10"
    verdict = pip("all-fives", lines)
    assert (rulings(verdict, 2), found(verdict)) == ([(4, "B", True, 10)], [])
    verdict = pip("all-fives", lines.replace("10", "0"), tags="next_action_counts_draw=true")
    assert (rulings(verdict, 3), found(verdict)) == ([(4, "B", False, 0)], [])


def test_m13_a_play_that_does_not_score():
    verdict = pip("all-fives", "round 1\nA 6-6\nB muggins 12")
    assert (rulings(verdict, 2), verdict.rulings[0].claimed) == ([(3, "B", False, 0)], 12)


@pytest.mark.parametrize(
    ("lines", "ruled", "scores"),
    [
        ("0:01.2 C muggins\n0:02 A call 10", [(3, "C", False, 0)], (10, 0, 0)),  # M15
        ("0:01.2 C muggins\n0:03.4 A call 10", [(3, "C", True, 10)], (0, 0, 10)),  # M16
        ("0:02.9 C muggins\n0:03 A call 10", [(3, "C", False, 0)], (10, 0, 0)),  # 7.8: at most 3.0 s
        ("0:03 C muggins\n0:03 A call 10", [(3, "C", True, 10)], (0, 0, 10)),  # 7.8: less than 3.0 s
        ("0:01 C muggins\nA call 10", [(3, "C", True, 10)], (0, 0, 10)),  # without times there is no hold
        ("C muggins\n0:01 A call 10", [(3, "C", True, 10)], (0, 0, 10)),
        # a second call ends no hold, and is ranked after the call that is held
        ("0:01 C muggins\n0:02 B muggins\n0:02 A call 10", [(3, "C", False, 0), (4, "B", False, 0)], (10, 0, 0)),
        ("0:01 C muggins\nB muggins\n0:02 A call 10", [(3, "C", False, 0), (4, "B", False, 0)], (10, 0, 0)),
        ("0:01 C muggins\n0:03 B muggins\n0:03 A call 10", [(3, "C", False, 0), (4, "B", False, 0)], (10, 0, 0)),
        ("0:01 C muggins\n0:02 B muggins\n0:04 A call 10", [(3, "C", True, 10), (4, "B", False, 0)], (0, 0, 10)),
        ("0:01 C muggins\n0:04 B muggins", [(3, "C", True, 10), (4, "B", False, 0)], (0, 0, 10)),
        ("0:01 C muggins\n0:02 C muggins\n0:02 A call 10", [(3, "C", False, 0), (4, "C", False, 0)], (10, 0, 0)),
        # a second call of the same player takes no part in what is simultaneous (7.9)
        (
            "0:05 C muggins\nB muggins\n0:05 B muggins",
            [(3, "C", True, 10), (4, "B", False, 0), (5, "B", False, 0)],
            (0, 0, 10),
        ),
        # a void call uses up the caller's one call
        (
            "0:01 C muggins\n0:02 A call 5\n0:02 C muggins\n0:02.5 B muggins",
            [(3, "C", False, 0), (5, "C", False, 0), (6, "B", True, 5)],
            (5, 5, 0),
        ),
        ("0:01 C muggins\n0:02 B 5-0", [(3, "C", True, 10)], (0, 0, 10)),  # before the next turn
        ("0:01 C muggins\nscore 0-0-10", [(3, "C", True, 10)], (0, 0, 10)),
        ("0:01 A muggins\n0:01 A call 10", [(3, "A", False, 0)], (10, 0, 0)),  # the own play
    ],
)
def test_7_8_the_hold_of_three_seconds(lines, ruled, scores):
    verdict = pip("all-fives", "round 1\n0:00 A 5-5\n" + lines, seats=3)
    assert (rulings(verdict, 3), tuple(verdict.scores.values())) == (ruled, scores)
    assert {code for _, code in found(verdict)} <= {"wrong-count"}


def test_7_8_a_held_call_that_ends_the_game_ends_it_before_the_next_turn():
    lines = 'penalty A 90 "late"\nround 1\n0:00 A 5-5\n0:01 C muggins\n'
    verdict = pip("all-fives", lines + "score 0-90-100\nend", seats=3)
    assert (verdict.status, verdict.winner, verdict.scores) == ("verified", "C", {"A": 0, "B": 90, "C": 100})
    verdict = pip("all-fives", lines + "0:02 B 5-0", seats=3)
    assert (lines_of(verdict, 3), verdict.scores) == ([(5, "game-over")], {"A": 0, "B": 90, "C": 100})
    verdict = pip("all-fives", lines + "0:02 B pass", seats=3)
    assert (5, "game-over") in lines_of(verdict, 3)


@pytest.mark.parametrize(
    ("line", "scores"),
    [
        ("0:02 B concedes", (0, 0, 10)),
        ('0:05 penalty B 10 "late"', (10, 0, 20)),
        ('0:02 penalty B 10 "late"\n0:02 A call 10', (20, 0, 10)),
    ],
)
def test_7_8_a_held_call_takes_effect_before_the_game_ends_or_when_its_time_is_over(line, scores):
    verdict = pip("all-fives", "round 1\n0:00 A 5-5\n0:01 C muggins\n" + line, seats=3)
    assert tuple(verdict.scores.values()) == scores
    assert verdict.rulings[0].upheld is (scores[2] != 10 or scores[0] == 0)


def test_7_8_a_held_call_that_ends_the_game_ends_it_before_the_next_round():
    lines = 'penalty A 90 "late"\nround 1\n0:00 A 5-5\n0:01 C muggins\n0:05 round 2'
    verdict = pip("all-fives", lines, seats=3)
    assert (lines_of(verdict, 3), verdict.scores) == ([(5, "game-over")], {"A": 0, "B": 90, "C": 100})


def test_7_8_a_held_call_that_ends_the_game_leaves_no_play_to_a_second_call():
    lines = 'penalty A 90 "late"\nround 1\n0:00 A 5-5\n0:01 C muggins\n0:02 B muggins\nscore 0-90-100\nend'
    verdict = pip("all-fives", lines, seats=3)
    assert (verdict.status, verdict.winner) == ("verified", "C")
    assert [(r.play, r.against, r.upheld) for r in verdict.rulings] == [(7, 0, True), (7, 0, False)]


def test_m17_of_two_at_the_same_time_the_nearest_seat_after_the_scorer_has_it():
    lines = "round 1\n0:01 B 5-5\n0:09 A muggins\n{}0:09 D muggins\nscore 0-0-0-10"
    for between in ("", 'note "both at once"\n'):
        verdict = pip("all-fives", lines.format(between), seats=4)
        assert (found(verdict), [r.upheld for r in verdict.rulings]) == ([], [False, True])
    assert [f.message for f in verdict.findings if f.code.startswith("claim-")] == [
        "no muggins for A: the points of line 7 were claimed already",
        "muggins for D: 5+5 = 10, of which B left 10 unannounced",
    ]


def test_m17_in_the_hold_too_and_the_announcement_voids_both():
    lines = "round 1\n0:01 B 5-5\n0:02 A muggins\n0:02 D muggins\n"
    verdict = pip("all-fives", lines + "0:04 B call 10", seats=4)
    assert rulings(verdict, 4) == [(3, "A", False, 0), (4, "D", False, 0)]
    verdict = pip("all-fives", lines + "0:04.1 B call 10", seats=4)
    assert rulings(verdict, 4) == [(3, "A", False, 0), (4, "D", True, 10)]


def test_m17_after_next_with_three_seats():
    lines = "round 1\n0:01 B 5-5\n0:05 C 5-1\n0:09 A muggins\n0:09 C muggins\nscore 0-0-10"
    verdict = pip("all-fives", lines, seats=3, tags="muggins=after_next")
    assert (found(verdict), [r.upheld for r in verdict.rulings]) == ([], [False, True])


def test_m18_a_tenth_of_a_second_is_a_tenth_of_a_second():
    verdict = pip("all-fives", "round 1\n0:00 B 5-5\n0:04 A muggins\n0:04.1 C muggins", seats=4)
    assert rulings(verdict, 4) == [(3, "A", True, 10), (4, "C", False, 0)]


def test_3_21_the_last_play_can_be_called_until_the_round_is_settled():
    """Under before_next a settlement line has no effect (NOTATION.md 5)."""
    lines = "round 1\nA hand 6-6 6-2\nB hand 6-3 5-5\nA 6-6\nB 6-3 on 6-6 call 15\nA 6-2\nB shows 5-5\n"
    verdict = pip("all-fives", lines + "B muggins\nA scores 10\nscore 10-20\nsettled", tags="hand=2")
    assert (found(verdict), verdict.scores) == ([], {"A": 10, "B": 20})
    verdict = pip("all-fives", lines + "A call 5\nA scores 10\nscore 15-15\nsettled", tags="hand=2")
    assert (found(verdict), verdict.scores) == ([], {"A": 15, "B": 15})
    verdict = pip("all-fives", lines + "settled\nB muggins", tags="hand=2")
    assert (rulings(verdict, 3), verdict.scores) == ([(9, "B", False, 0)], {"A": 10, "B": 15})


def test_a_held_call_counts_in_the_score_after_the_round():
    lines = "round 1\nA hand 6-6 6-2\nB hand 6-3 5-5\nA 6-6\nB 6-3 on 6-6 call 15\n1:00 A 6-2\n1:01 B muggins\n"
    verdict = pip("all-fives", lines + "A scores 10\nscore 10-20\nsettled", tags="hand=2")
    assert (found(verdict), verdict.scores) == ([], {"A": 10, "B": 20})


def test_7_8_where_a_draw_counts_the_held_call_takes_effect_before_it():
    lines = 'penalty A 90 "late"\nround 1\n0:00 A 5-5\n0:01 C muggins\n0:02 B draw ?'
    verdict = pip("all-fives", lines, seats=3, tags="next_action_counts_draw=true")
    assert (lines_found(verdict, 5), verdict.scores) == ([(5, "game-over")], {"A": 0, "B": 90, "C": 100})


def test_m17_a_seat_that_nobody_has_is_no_claimant():
    verdict = pip("all-fives", "round 1\n0:01 C 5-5\n0:09 B muggins\n0:09 D muggins", seats=3)
    assert lines_of(verdict, 3) == [(4, "bad-event")]
    assert (rulings(verdict, 3), verdict.scores) == ([(3, "B", True, 10)], {"A": 0, "B": 10, "C": 0})


def test_m17_a_call_after_an_impossible_line_is_not_heard():
    verdict = pip("all-fives", "round 1\n0:01 B 5-5\n0:09 A muggins\nA shows none\n0:09 C muggins", seats=3)
    assert lines_of(verdict, 3) == [(4, "not-out")]
    assert (rulings(verdict, 3), verdict.scores) == ([(3, "A", True, 10)], {"A": 10, "B": 0, "C": 0})
