"""Every finding that a UDL record can have, each by a hand-written log, with the paragraph it follows."""

import pytest

from games.errors import Reason
from referee import verify_text
from referee.sentences import SENTENCES
from referee.verdict import severity
from tests.referee.logs import FIRST, HANDS, HEADER, found, udl

# NOTATION.md 4 unless another paragraph is named: the lines after the hands, the line found at (from FIRST), the code.
IMPOSSIBLE = [
    ("A 9-7", 0, "unknown-tile"),
    ("A 6-6\nB 6-3 on 9-9", 1, "unknown-tile"),
    ("A 6-6\nB 5-1", 1, "tile-not-in-hand"),
    ("A 6-6\nB 6-6 on 6-6", 1, "tile-already-played"),
    ("A 6-6\nB 6-3 on 5-5", 1, "no-open-end"),
    ("A 6-6 on 5-5", 0, "no-open-end"),
    ("A 6-6\nB 5-4 on 6-6", 1, "does-not-match"),
    ("A 6-6\nB 5-4", 1, "does-not-match"),
    ("A 6-6\nB 6-3\nA 6-5\nB 5-5\nA 6-4\nB 5-4", 5, "ambiguous-play"),
    ("A 6-6\nA 6-5", 1, "out-of-turn"),
    ("B draw 4-4", 0, "out-of-turn"),
    ("B pass", 0, "out-of-turn"),
    ("A 6-6\nB draw 15", 1, "draw-from-empty"),
    ("A 6-6\nB draw 6-6", 1, "duplicate-tile"),
    ("A 6-6\nB draw 1-0", 1, "duplicate-tile"),
    ("A 6-6\nblocked", 1, "not-blocked"),
    ("blocked", 0, "not-blocked"),
    ("A 6-6\nB shows 6-3", 1, "not-out"),
    ("A 6-6\nA scores 10", 1, "not-out"),
    ("A 6-6\nsettled", 1, "not-out"),
    ("A 6-6\nround 2", 1, "not-out"),
    ("A 6-6\nround 7", 1, "not-out"),  # 7.20
    ("bell\nA 6-6", 1, "after-bell"),
    ("15:00.1 A 6-6", 0, "after-bell"),
    ("bell\nA draw 0-0", 1, "after-bell"),
    ("bell\nA pass", 1, "round-over"),  # 7.20
    ("A 6-6\nbell\nA scores 0\nscore 0-0\nsettled\nround 2\nbell", 6, "bad-event"),  # 7.4: a second bell
    ("1:00 A 6-6\n0:59 B 6-3", 1, "clock-backwards"),
    ("C pass", 0, "bad-event"),
    ("A 6-6\nA hand 7", 1, "bad-event"),
    ("A hand 7", 0, "bad-event"),
    ("A lot 6-6", 0, "bad-event"),
    ("A 6-6 colour red", 0, "bad-event"),  # 7.4
    ("A 6-6\nB 6-3 colour red", 1, "bad-event"),
    ("A uno", 0, "bad-event"),
    ("B catches A", 0, "bad-event"),
    ("B challenges", 0, "bad-event"),
    ("upheld", 0, "bad-event"),
    ("A reopens W-W on 6-6 colour red", 0, "bad-event"),
    ("A call 10", 0, "bad-event"),  # 7.4: no play
    ("A 6-6\nB call 10", 1, "bad-event"),
    ("score 0-0-0", 0, "bad-event"),
    ("chips 30-30-30", 0, "bad-event"),
    ('end\nnote "late"', 1, "bad-event"),
    ("A concedes\nB 5-5", 1, "game-over"),
    ('A concedes\npenalty A 10 "x"', 1, "game-over"),  # 7.13
    ("A concedes\nround 2", 1, "game-over"),
]


@pytest.mark.parametrize(("lines", "at", "code"), IMPOSSIBLE, ids=lambda value: str(value)[:40])
def test_impossible(lines, at, code):
    verdict = udl(lines)
    assert found(verdict) == [(FIRST + at, code)]
    assert (verdict.status, verdict.winner, verdict.ended) == ("impossible", None, None)
    assert not {"incomplete", "wrong-result"} & {finding.code for finding in verdict.findings}


@pytest.mark.parametrize(
    ("text", "line", "code"),
    [
        ("A 6-6", 4, "no-round"),
        ("A hand 7", 4, "no-round"),
        ("A pass", 4, "no-round"),
        ("settled", 4, "no-round"),
        ("A call 5", 4, "no-round"),
        ("A muggins", 4, "no-round"),
        ("bell", 4, "no-round"),
        ("round 2", 4, "bad-event"),
        ("round 1\nA hand 6-6 6-6 1-0 2-0 3-0 4-0 5-0", 5, "duplicate-tile"),
        ("round 1\nA hand 6-6 6-5 1-0 2-0 3-0 4-0 5-0\nB hand 6-6 1-1 2-2 3-3 4-4 5-5 0-0", 6, "duplicate-tile"),
        ("round 1\nA hand 7-6 6-5 1-0 2-0 3-0 4-0 5-0", 5, "unknown-tile"),
        ("round 1\nA hand 7\nA hand 7", 6, "bad-event"),
    ],
)
def test_impossible_before_the_first_play(text, line, code):
    (verdict,) = verify_text(HEADER + text)
    assert found(verdict) == [(line, code)]


@pytest.mark.parametrize("lines", ["score 0-0", 'penalty A 10 "x"', "A concedes", 'A forfeits "late"', 'note "x"'])
def test_these_may_stand_before_the_first_round(lines):  # 7.4
    (verdict,) = verify_text(HEADER + lines)
    assert found(verdict) == []


VIOLATIONS = [
    ("A 6-5", 0, "wrong-lead"),
    ("B 5-5", 0, "wrong-lead"),  # 7.12: never out-of-turn
    ("A draw 4-4", 0, "draw-when-able"),
    ("A pass\nB 5-5", 0, "pass-when-able"),
    ("A 6-6\nB draw 4-4", 1, "draw-when-able"),
    ("A 6-6\nB draw 4-4 0-0", 1, "draw-when-able"),
    ("A 6-6\nB pass", 1, "pass-when-able"),
]


@pytest.mark.parametrize(("lines", "at", "code"), VIOLATIONS, ids=lambda value: str(value)[:40])
def test_violation(lines, at, code):
    verdict = udl(lines)
    assert (FIRST + at, code) in found(verdict)
    assert verdict.status == "violation"
    assert {finding.severity for finding in verdict.findings} <= {"violation", "note"}


def test_drawing_past_a_playable_tile_is_found_on_each_line():  # 7.2
    verdict = udl("A 6-6\nB draw 4-4\nB draw 0-0\nB 6-3")
    assert found(verdict) == [(8, "draw-when-able"), (9, "draw-when-able")]


def test_a_pass_with_a_playable_tile_and_a_boneyard_has_both_codes():
    assert found(udl("A 6-6\nB pass")) == [(8, "pass-when-able"), (8, "pass-with-boneyard")]


HOLDS_THE_TOP = "B hand 6-6 4-4 3-3 2-2 5-2 6-1 1-0\n"


def test_nothing_beats_the_highest_double_of_the_set_whatever_the_other_hand_is():
    assert found(udl("A pass", hands=HOLDS_THE_TOP)) == [(6, "out-of-turn")]
    assert found(udl("A draw ?", hands=HOLDS_THE_TOP)) == [(6, "out-of-turn")]
    assert found(udl("A 6-5", hands=HOLDS_THE_TOP)) == [(6, "wrong-lead")]
    (finding,) = [f for f in udl("A 6-5", hands=HOLDS_THE_TOP).findings if f.code == "wrong-lead"]
    assert finding.message == "6-5 was led by A; the lead is B with 6-6"
    tags = '[Option.lead_forced "false"]\n'
    assert found(udl("A 6-5", hands=HOLDS_THE_TOP, tags=tags)) == [(7, "wrong-lead")]
    assert found(udl("B 1-0", hands=HOLDS_THE_TOP, tags=tags)) == []
    assert found(udl("B pass", hands=HOLDS_THE_TOP)) == [(6, "pass-when-able"), (6, "pass-with-boneyard")]


def test_where_tiles_are_counted_their_number_is_enough():
    tags = '[Option.domino_points "tiles_x5"]\n[Option.hand "2"]\n'
    verdict = udl("A 6-6\nB 6-5\nA 6-4 on 6-6\nA scores 75", hands="", tags=tags)
    assert (found(verdict, "unverified-points"), verdict.scores) == ([(10, "wrong-points")], {"A": 5, "B": 0})


def test_whoever_has_the_lead_can_lead_so_nobody_draws_or_passes_before_it():
    assert found(udl("A draw ?\nA 6-6", hands="")) == [(5, "draw-when-able")]
    assert found(udl("B pass\nA 6-6", hands="")) == [(5, "pass-when-able"), (5, "pass-with-boneyard")]


def test_play_goes_on_from_the_seat_that_led():
    verdict = udl("B 5-5 call 10\nA 6-5")
    assert found(verdict) == [(7, "wrong-lead")]
    assert (verdict.scores, verdict.rounds[0].led) == ({"A": 0, "B": 10}, 1)


def test_a_hand_of_another_size_is_a_violation():
    verdict = udl("A 6-6", hands="A hand 6-6 6-5 4-1 2-2 1-0 6-4\nB hand 6-3 6-2 5-5 5-4 3-1 2-0 1-1\n")
    assert found(verdict) == [(5, "hand-size")]


def test_the_first_of_several_reasons_is_given():
    """The order of NOTATION.md 4: clock, bell, game, round, tile, turn, table, hand, end."""
    assert found(udl("1:00 bell\n0:30 A 6-6")) == [(8, "clock-backwards")]
    assert found(udl("A concedes\nbell\nA 9-9")) == [(9, "game-over")]
    assert found(udl("A 6-6\nA 9-9")) == [(8, "unknown-tile")]
    assert found(udl("A 6-6\nA 6-6")) == [(8, "out-of-turn")]


OUT = "A hand 6-6\nB hand 6-3\n"
ONE = '[Option.hand "1"]\n'
"""Hands of one tile: A leads 6-6 and is out; the round is over in line 8."""


def one(lines, hands=OUT):
    return udl("A 6-6\n" + lines, hands=hands, tags=ONE)


def test_settlement_findings():
    assert found(one("A shows none\nB shows 6-3\nA scores 10\nscore 10-0\nchips 30-28\nsettled")) == []
    assert found(one("A scores 5")) == [(9, "wrong-points")]
    assert found(one("B scores 5")) == [(9, "wrong-points")]
    assert found(one("score 5-0")) == [(9, "wrong-total")]
    assert found(one("chips 30-29")) == [(9, "wrong-chips")]
    assert found(one("B shows none")) == [(9, "tile-count")]
    assert found(one("B shows 6-3 6-2")) == [(9, "tile-not-in-hand")]
    assert found(one("B shows 6-6")) == [(9, "tile-not-in-hand")]
    assert found(one("B shows 6-3\nB shows 6-3")) == [(10, "bad-event")]
    assert found(one("A scores 10\nA scores 10")) == [(10, "bad-event")]
    assert found(one("settled\nA scores 10")) == [(10, "bad-event")]
    assert found(one("settled\nsettled")) == []
    assert found(one("round 3")) == [(9, "bad-event")]
    assert found(one("B 6-3")) == [(9, "round-over")]
    assert found(one("B hand 1")) == [(9, "bad-event")]
    assert found(one("settled\nB 6-3")) == [(10, "round-over")]


def test_shown_tiles_of_a_hand_that_was_not_seen():
    hidden = "A hand 6-6\nB hand 1\n"
    assert found(one("B shows 6-6", hidden)) == [(9, "tile-already-played")]
    assert found(one("B shows 6-3 6-3", hidden)) == [(9, "duplicate-tile")]
    assert found(one("B shows 9-3", hidden)) == [(9, "unknown-tile")]
    verdict = one("B shows 6-3\nA scores 15\nscore 10-0", hidden)
    assert found(verdict) == [(10, "wrong-points")]
    assert verdict.evidence == "partial"
    unknown = one("A scores 10\nscore 10-0", hidden)
    assert found(unknown, "unverified-points") == [(9, "unverified-points")]
    assert (unknown.scores, unknown.points_on_word) == ({"A": 10, "B": 0}, 10)


def test_corrections_show_their_arithmetic():
    verdict = one("A scores 15\nscore 15-0\nsettled\nscore 15-0")
    said = [finding.message for finding in verdict.findings if finding.severity == "correction"]
    assert said == [
        "pips left: A 0, B 9; that is 10 points for A, not 15",
        "0-0 before and 10-0 for the end of the round make 10-0, not 15-0",
        "the points given so far make 10-0, not 15-0",
    ]
    bell = udl("A 6-6\nbell\nA scores 5")
    assert [f.message for f in bell.findings if f.code == "wrong-points"] == [
        "a round that the bell cut has no round-end points, A has 5 here"
    ]


def test_recorded_numbers_are_corrected_and_the_right_ones_go_on():
    verdict = one("A scores 15\nscore 15-0\nchips 30-27\nround 2\nscore 15-0")
    assert found(verdict) == [(9, "wrong-points"), (10, "wrong-total"), (11, "wrong-chips"), (13, "wrong-total")]
    assert (verdict.scores, verdict.status) == ({"A": 10, "B": 0}, "corrected")


@pytest.mark.parametrize(
    ("result", "codes"), [("0-0", []), ("5-0", ["wrong-result"]), ("*", ["wrong-result"]), ("0-0-0", ["wrong-result"])]
)
def test_the_result_is_checked_where_the_game_ended(result, codes):
    tags = f'[Result "{result}"]\n'
    assert [code for _, code in found(udl("A concedes", tags=tags))] == codes
    assert found(udl("A 6-6", tags=tags)) == []


def test_a_score_in_mid_round_is_only_compared():
    hands = "A hand 6-6 6-4\nB hand 6-5 3-3\n"
    verdict = udl("A 6-6\nscore 0-0\nB 6-5\nA 6-4 on 6-6\nA scores 5", hands=hands, tags='[Option.hand "2"]\n')
    assert (found(verdict), verdict.rounds[0].points, verdict.rounds[0].winner) == ([], (5, 0), 0)


def test_the_verdict_of_an_impossible_line_is_that_of_the_record_cut_before_it():
    bell = udl("14:00 A 6-6\n15:00.1 B 6-3")
    assert (found(bell), bell.rounds[0].ended) == ([(8, "after-bell")], None)
    settled = one("A scores 5\nround 3")
    assert found(settled) == [(9, "wrong-points"), (10, "bad-event")]
    assert settled.scores == {"A": 10, "B": 0}


def test_wrong_counts_tell_the_sum_and_what_it_opens():
    verdict = udl("A 6-6\nB 6-3 on 6-6 call 10\nA 6-5\nA muggins\nB 5-4 call 20")
    assert found(verdict, "claim-upheld") == [(8, "wrong-count"), (10, "claim-upheld"), (11, "wrong-count")]
    first = next(f for f in verdict.findings if f.line == 8)
    assert first.message == "6+6+3 = 15, announced 10: 5 points were open to muggins"
    assert (first.rule, first.severity) == ("udl.announce", "correction")
    assert verdict.scores == {"A": 5, "B": 10}


def test_a_record_that_stops_is_incomplete():
    verdict = udl("A 6-6")
    assert found(verdict, "incomplete") == [(7, "incomplete")]
    assert (verdict.status, verdict.ended, verdict.winner) == ("incomplete", None, None)
    assert verdict.rounds[0].as_json() == {
        "number": 1,
        "spinner": "6-6",
        "led": "A",
        "ended": None,
        "winner": None,
        "points": {"A": 0, "B": 0},
        "scores": {"A": 0, "B": 0},
    }


def test_every_code_that_udl_can_have_has_a_log_here():
    tested = (
        {code for _, _, code in (*IMPOSSIBLE, *VIOLATIONS)}
        | {
            "no-round",
            "hand-size",
            "pass-with-boneyard",
            "must-play-drawn",  # tests/games/test_round.py and the sample with drawing by choice
            "tile-count",
            "wrong-count",
            "wrong-points",
            "wrong-total",
            "wrong-chips",
            "wrong-result",
            "claim-upheld",
            "claim-rejected",
            "missed-points",
            "unverified-points",
            "incomplete",
            "clock-unknown",
        }
        | {"no-consistent-deal", "unclear-offence"}  # tests/referee/hands/test_deals.py
        | {"round-over", "not-out"}
    )
    only_uno = {"forced-draw", "wrong-ruling"}
    assert {reason.value for reason in Reason} - only_uno == tested
    assert all(severity(reason) for reason in Reason)


def test_every_sentence_can_be_said():
    """A template that names a fact nobody gives would raise; each finding above has said its sentence."""
    for lines, _, _ in (*IMPOSSIBLE, *VIOLATIONS):
        for finding in udl(lines).findings:
            assert finding.message
            assert "%" not in finding.message
    assert HANDS.count("hand") == 2
    assert set(SENTENCES) >= {reason.value for reason in Reason if not reason.value.startswith("claim-")}
