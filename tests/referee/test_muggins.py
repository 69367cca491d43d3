"""Rulings on muggins, on whole logs: RULES.md 9.4 for S0, 9.5 E03, NOTATION.md 5 and 7."""

from tests.referee.logs import FIRST, found, udl


def rulings(verdict):
    return [(r.line, r.play, r.upheld, r.points) for r in verdict.rulings]


# A leads 6-6 (12). B's 6-3 counts 15, A's 6-5 then 8.
OWED = "A 6-6\nB 6-3 on 6-6\n"


def test_m01_premature_then_announced():
    verdict = udl(OWED + "A muggins\nB call 15\nA 6-5")
    assert rulings(verdict) == [(9, 7, False, 0)], "the claimable play is the lead, which scores nothing"
    assert (verdict.scores, verdict.plays[1].announced) == ({"A": 0, "B": 15}, 15)


def test_m02_upheld_after_the_next_play():
    verdict = udl(OWED + "A 6-5\nA muggins 15")
    assert rulings(verdict) == [(10, 8, True, 15)]
    assert verdict.scores == {"A": 15, "B": 0}
    assert verdict.rulings[0].as_json() == {
        "line": 10,
        "claimant": "A",
        "against": "B",
        "play": 8,
        "claimed": 15,
        "upheld": True,
        "points": 15,
        "rule": "udl.muggins",
    }
    (finding,) = [f for f in verdict.findings if f.code == "claim-upheld"]
    assert finding.message == "muggins for A: 6+6+3 = 15, of which B left 15 unannounced"


def test_m02_draws_do_not_complete_a_turn():
    verdict = udl("A 6-6\nB 6-3\nA 6-5\nB 5-5\nA call 20", hands="")
    assert verdict.scores == {"A": 0, "B": 0}
    assert rulings(udl(OWED + "A draw 4-4\nA 6-5\nA muggins")) == [(11, 8, True, 15)]


def test_m03_announced_in_time():
    verdict = udl(OWED + "B call 15\nA 6-5\nA muggins")
    assert (rulings(verdict), verdict.scores) == ([(11, 8, False, 0)], {"A": 0, "B": 15})


def test_m04_the_scorer_is_too_late():
    verdict = udl(OWED + "A 6-5\nB call 15\nA muggins")
    assert (rulings(verdict), verdict.scores) == ([(11, 8, True, 15)], {"A": 15, "B": 0})
    assert verdict.plays[1].announced is None


def test_m05_the_window_has_closed():
    verdict = udl(OWED + "A 6-5\nB 5-5\nA muggins")
    assert (rulings(verdict), verdict.scores) == ([(11, 9, False, 0)], {"A": 0, "B": 0})
    assert found(verdict, "missed-points") == [(8, "missed-points")]


def test_m06_the_difference_of_an_under_announcement():
    verdict = udl("A 6-6\nB 6-3 on 6-6 call 10\nA 6-5\nA muggins")
    assert (rulings(verdict), verdict.scores) == ([(10, 8, True, 5)], {"A": 5, "B": 10})
    assert verdict.as_json()["plays"][1]["awarded"] == {"A": 5, "B": 10}
    assert verdict.status == "corrected"


def test_m14_of_an_over_announcement_the_true_value_counts():
    verdict = udl("A 6-6\nB 6-3 on 6-6 call 20\nA 6-5\nA muggins")
    assert (rulings(verdict), verdict.scores) == ([(10, 8, False, 0)], {"A": 0, "B": 15})
    assert found(verdict) == [(8, "wrong-count")]


# Hands of two tiles: A leads 6-6, B 6-3 (15), A goes out with 6-2 (5), B holds 5-5.
LAST = "A 6-6\nB 6-3 call 15\nA 6-2\n"
TWO = {"hands": "A hand 6-6 6-2\nB hand 6-3 5-5\n", "tags": '[Option.hand "2"]\n'}


def test_m07_the_last_play_is_called_when_hands_are_shown():
    verdict = udl(LAST + "B shows 5-5\nB muggins\nA scores 10\nscore 10-20\nsettled", **TWO)
    assert rulings(verdict) == [(12, 10, True, 5)]
    assert (found(verdict), verdict.scores) == ([], {"A": 10, "B": 20})


def test_m07_before_hands_are_shown_it_is_premature_and_the_scorer_may_speak():
    verdict = udl(LAST + "B muggins\nA call 5\nB shows 5-5\nscore 15-15", **TWO)
    assert [r.upheld for r in verdict.rulings] == [False]
    assert (found(verdict), verdict.scores) == ([], {"A": 15, "B": 15})


def test_m08_not_after_the_settlement():
    verdict = udl(LAST + "B shows 5-5\nsettled\nB muggins", **TWO)
    assert (rulings(verdict), verdict.scores) == ([(13, None, False, 0)], {"A": 10, "B": 15})
    assert found(verdict, "missed-points") == [(10, "missed-points")]


def test_e03_points_are_booked_in_the_order_of_plays():
    penalties = 'penalty B 140 "test"\npenalty A 125 "test"\n'
    verdict = udl(penalties + LAST + "B shows 5-5\nB muggins\nB call 5\nscore 140-145", **TWO)
    assert verdict.scores == {"A": 150, "B": 145}, "125 + 15 + 5; then A's 10 in hand"
    verdict = udl('penalty B 140 "test"\npenalty A 130 "test"\n' + LAST + "B shows 5-5\nB muggins\nA scores 10", **TWO)
    assert (verdict.scores, verdict.winner, verdict.ended) == ({"A": 140, "B": 150}, "B", "target")
    assert found(verdict) == [(15, "wrong-points")], "the round-end points are void"
    assert verdict.rounds[0].as_json()["ended"] == "domino"
    assert verdict.rounds[0].as_json()["winner"] == "A"
    assert verdict.rounds[0].as_json()["points"] == {"A": 0, "B": 0}


def test_e01_the_target_ends_the_game_in_mid_round_and_windows_close():
    verdict = udl('penalty A 135 "test"\nA 6-6\nB 6-3 call 15\nA muggins\nscore 0-150\nchips 0-30')
    assert (verdict.scores, verdict.winner, verdict.ended) == ({"A": 0, "B": 150}, "B", "target")
    assert (found(verdict), rulings(verdict)) == ([], [(10, None, False, 0)])
    assert verdict.rounds[0].ended is None
    assert verdict.chips == {"A": 0, "B": 30}


def test_e02_the_last_tile_ends_the_game_before_the_round_end_points():
    verdict = udl('penalty B 145 "test"\nA 6-6\nB 6-3 call 15\nA 6-2 call 5\nB shows 5-5', **TWO)
    assert (verdict.scores, verdict.ended) == ({"A": 150, "B": 15}, "target")
    assert (verdict.rounds[0].ended, verdict.rounds[0].winner, verdict.rounds[0].points) == ("domino", 0, (0, 0))


def test_m09_and_m10_the_bell():
    play = "14:50 A 6-6\n14:52 B 6-3\n"
    upheld = udl(play + "15:00 bell\n15:10 A muggins\nscore 15-0")
    assert (rulings(upheld), upheld.winner, upheld.ended) == ([(10, 8, True, 15)], "A", "bell")
    late = udl(play + "15:00 bell\n15:10.1 A muggins")
    assert (rulings(late), late.scores, late.ended) == ([(10, None, False, 0)], {"A": 0, "B": 0}, None)


def test_7_7_in_the_last_seconds_of_the_scorer_no_play_is_claimable_yet():
    nothing_owed = udl("14:58 A 6-6\n15:00 bell\n15:02 B muggins\n15:04 B muggins")
    assert rulings(nothing_owed) == [(9, None, False, 0), (10, 7, False, 0)]
    verdict = udl("14:58 A 6-6\n14:58 B 6-3\n15:00 bell\n15:02 A muggins\n15:04 A muggins\nscore 15-0")
    assert (rulings(verdict), verdict.scores) == ([(10, None, False, 0), (11, 8, True, 15)], {"A": 15, "B": 0})


def test_a_timed_line_after_the_clock_rings_the_bell_at_the_clocks_end():
    """NOTATION.md 7.7; a written bell after it is accepted, a second one is not."""
    verdict = udl("14:50 A 6-6\n14:52 B 6-3\n15:09 A muggins\n15:10 bell\nscore 15-0")
    assert (found(verdict), verdict.scores, verdict.ended) == ([], {"A": 15, "B": 0}, "bell")
    assert found(udl("14:50 A 6-6\n15:09 bell\nbell")) == [(9, "bad-event")]


def test_five_seconds_for_a_tile_just_released():
    """RULES.md 1.5: until 5 s after release the scorer may announce, and a call is premature."""
    late = "14:50 A 6-6\n14:57 B 6-3\n15:00 bell\n"
    verdict = udl(late + "15:01 A muggins\n15:02 B call 15")
    assert (rulings(verdict), verdict.scores) == ([(10, None, False, 0)], {"A": 0, "B": 15})
    assert udl(late + "15:02.1 B call 15").scores == {"A": 0, "B": 0}


def test_e04_an_unfinished_round_gives_no_round_end_points():
    verdict = udl("A 6-6\nB 6-3 call 15\nbell\nscore 0-15\nsettled")
    assert (found(verdict), verdict.scores, verdict.winner) == ([], {"A": 0, "B": 15}, "B")
    assert (verdict.rounds[0].ended, verdict.rounds[0].winner) == ("bell", None)


OVERTIME = (
    "A 6-6\nbell\nscore 0-0\nsettled\nround 2\nA hand 6-6 6-5 4-1 2-2 1-0 6-4 3-3\nB hand 6-3 6-2 5-5 5-4 3-1 2-0 1-1\n"
)


def test_e05_overtime_is_led_by_the_highest_double_and_the_first_points_win():
    verdict = udl(OVERTIME + "A 6-6\nB 6-3 call 15\nscore 0-15")
    assert (found(verdict), verdict.scores, verdict.ended) == ([], {"A": 0, "B": 15}, "overtime")
    assert found(udl(OVERTIME + "B 5-5")) == [(FIRST + 7, "wrong-lead")]
    muggins = udl(OVERTIME + "A 6-6\nB 6-3\nA 6-5\nA muggins")
    assert (muggins.scores, muggins.winner, muggins.ended) == ({"A": 15, "B": 0}, "A", "overtime")


def test_a_bell_after_the_round_keeps_its_round_end_points():
    """NOTATION.md 3: it takes effect when that round is settled."""
    verdict = udl(LAST + "bell\nB shows 5-5\nA scores 10\nscore 10-15\nsettled", **TWO)
    assert (found(verdict), verdict.scores, verdict.ended) == ([], {"A": 10, "B": 15}, "bell")
    assert verdict.rounds[0].ended == "domino"


def test_a_bell_between_rounds_decides_at_once():
    verdict = udl(LAST + "settled\nbell\nround 2", **TWO)
    assert found(verdict) == [(13, "game-over")]


def test_bell_mode_turn_lets_the_seat_to_act_finish_its_turn():
    tags = '[Option.bell_mode "turn"]\n'
    verdict = udl("A 6-6\nbell\nB 6-3 call 15\nscore 0-15\nsettled", tags=tags)
    assert (found(verdict), verdict.ended, verdict.rounds[0].ended) == ([], "bell", "bell")
    assert found(udl("A 6-6\nbell\nB 6-3\nA 6-5", tags=tags)) == [(FIRST + 4, "after-bell")]


def test_bell_mode_round_lets_the_round_run_to_its_end():
    tags = TWO["tags"] + '[Option.bell_mode "round"]\n'
    lines = "A 6-6\nbell\nB 6-3 call 15\nA 6-2 call 5\nB shows 5-5\nA scores 10\nscore 15-15\nsettled"
    verdict = udl(lines, hands=TWO["hands"], tags=tags)
    assert (found(verdict), verdict.ended, verdict.rounds[0].ended) == ([], None, "domino")
    assert verdict.scores == {"A": 15, "B": 15}


def test_muggins_where_it_is_off_has_no_meaning():
    assert found(udl("A 6-6\nA muggins", tags='[Option.muggins "off"]\n')) == [(FIRST + 2, "bad-event")]
