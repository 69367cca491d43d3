"""Every finding that a record of Uno Dominoes can have, each by a hand-written log, with the paragraph it follows."""

import pytest

from referee import verify_text
from tests.referee.logs import found
from tests.referee.uno_logs import DRAW_TWO, EMPTY, FIRST, FULL, HANDS, THREE, WILD_FOUR, two, uno

# NOTATION.md 4 and 7.18 to 7.21: the lines after the hands, the line found at (from FIRST), the code.
IMPOSSIBLE = [
    ("A r9-b1", 0, "unknown-tile"),
    ("A 6-4", 0, "unknown-tile"),
    ("A g9-g9\nB g1-y9 on b9-r1", 1, "unknown-tile"),
    ("A g9-g9\nB draw b9-r1", 1, "unknown-tile"),
    ("A g9-g9\nB g4-b5", 1, "tile-not-in-hand"),
    ("A y8-y8", 0, "tile-not-in-hand"),
    ("A g9-g9\nB g9-g9", 1, "tile-already-played"),
    ("A g9-g9\nB b4-gS\n", 1, "does-not-match"),
    ("A g9-g9\nB DE-g5", 1, "does-not-match"),  # 2.16
    ("A g9-g9\nB g5-DE on b4-b4", 1, "no-open-end"),
    ("A g9-g9 on b4-b4", 0, "no-open-end"),
    ("A g9-g9\nB g5-DE\nC gR-r5 on g5-DE", 2, "no-open-end"),
    ("A g9-g9\nB bD2-g2 on g9-g9", 1, "does-not-match"),
    ("A g9-g9\nB W-W on g9-g9 colour red", 1, "does-not-match"),  # 2.9
    (THREE + "A g9-r2", 3, "ambiguous-play"),
    ("A g9-g9\nC g4-b5", 1, "out-of-turn"),
    ("A g9-g9\nC draw y1-y1", 1, "out-of-turn"),
    ("A g9-g9\nC pass", 1, "out-of-turn"),
    ("B draw y1-y1", 0, "out-of-turn"),  # a seat known not to lead
    ("B pass", 0, "out-of-turn"),
    (DRAW_TWO + "B g9-b6 on y9-g1", 4, "out-of-turn"),
    (DRAW_TWO + "B draw y1-y1 g4-g4 y8-y8", 4, "out-of-turn"),  # 7.18: surplus tiles
    (DRAW_TWO + "B draw y1-y1 g4-g4\nB draw y8-y8", 5, "out-of-turn"),
    (DRAW_TWO + "B draw y1-y1 g4-g4\nB pass", 5, "out-of-turn"),
    (DRAW_TWO + "B draw 3", 4, "out-of-turn"),
    ("A g9-g9\nB draw y1-y1\nB draw g4-g4", 2, "bad-event"),  # 7.18: a second draw in one turn
    ("A g9-g9\nB draw y1-y1 g4-g4", 1, "bad-event"),
    ("A g9-g9\nB draw y1-y1\nC draw g4-g4", 2, "out-of-turn"),
    ("A g9-g9\nB draw g9-g9", 1, "duplicate-tile"),
    ("A g9-g9\nB draw g4-b5", 1, "duplicate-tile"),
    (DRAW_TWO + "B draw y1-y1 y1-y1", 4, "duplicate-tile"),
    ("A g9-g9\nblocked", 1, "not-blocked"),
    ("A g9-g9\nB shows g1-y9", 1, "not-out"),
    ("A g9-g9\nA scores 10", 1, "not-out"),
    ("A g9-g9\nsettled", 1, "not-out"),
    ("A g9-g9\nround 2", 1, "not-out"),
    ("D pass", 0, "bad-event"),
    ("D g4-g4", 0, "bad-event"),
    ("A g9-g9\nB catches D", 1, "bad-event"),
    ("A g9-g9 call 0", 0, "bad-event"),
    ("A g9-g9\nA call 10", 1, "bad-event"),
    ("A g9-g9\nB muggins", 1, "bad-event"),
    ("bell", 0, "bad-event"),
    ("A g9-g9\nchips 0-0-0", 1, "bad-event"),
    ("A g9-g9\nC hand 6", 1, "bad-event"),
    ("A hand 6", 0, "bad-event"),
    ("A lot g9-g9", 0, "bad-event"),
    ("A g9-g9 colour red", 0, "bad-event"),  # 7.21
    ("A g9-g9\nB g1-y9 colour green", 1, "bad-event"),
    (THREE + "A b1-WD4 on b5-g4", 3, "bad-event"),
    (THREE + "A WD4-b1 on y9-g1 colour blue", 3, "bad-event"),
    ("A g9-g9\nC W-W", 1, "bad-event"),  # before out-of-turn
    ("A g9-g9\nB challenges", 1, "bad-event"),  # 7.19
    (DRAW_TWO + "B challenges", 4, "bad-event"),
    (WILD_FOUR + "C challenges", 4, "bad-event"),
    (WILD_FOUR + "A challenges", 4, "bad-event"),
    (WILD_FOUR + "B draw y1-y1\nB challenges", 5, "bad-event"),
    (WILD_FOUR + "B challenges\nB challenges", 5, "bad-event"),
    (WILD_FOUR + "upheld", 4, "bad-event"),
    (WILD_FOUR + "B challenges\nupheld\nrejected", 6, "bad-event"),
    (WILD_FOUR + "A shows r3-rS b4-gD2 y7-WD4 r2-g9", 4, "not-out"),
    (WILD_FOUR + "B challenges\nC shows y4-r5", 5, "not-out"),
    (WILD_FOUR + "B challenges\nA shows r3-rS b4-gD2 y7-WD4 r2-g9\nA shows r3-rS", 6, "not-out"),
    (WILD_FOUR + "B challenges\nA shows y8-y8 b4-gD2 y7-WD4 r2-g9", 5, "tile-not-in-hand"),
    ("A reopens W-W on g9-g9 colour red", 0, "bad-event"),
    ("A concedes\nB g1-y9", 1, "game-over"),
    ("A concedes\nround 2", 1, "game-over"),
    ("A concedes\nB challenges", 1, "bad-event"),
    ("score 0-0", 0, "bad-event"),
    ('end\nnote "late"', 1, "bad-event"),
    ("1:00 A g9-g9\n0:59 B g1-y9", 1, "clock-backwards"),
]

VIOLATIONS = [
    ("A r2-g9", 0, "wrong-lead"),
    ("B b6-g9", 0, "wrong-lead"),
    ("C b4-b4", 0, "wrong-lead"),
    ("A draw y1-y1", 0, "draw-when-able"),
    ("A g9-g9\nB pass", 1, "pass-with-boneyard"),
    ("A g9-g9\nB draw y1-y1\nB g1-y9", 2, "must-play-drawn"),
    ("A g9-g9\nB draw ?\nB g1-y9", 2, "must-play-drawn"),  # 7.3: known to be in hand before
    (DRAW_TWO + "C b5-g2 on b4-gD2", 4, "forced-draw"),
    (DRAW_TWO + "C draw y1-y1", 4, "forced-draw"),
    (DRAW_TWO + "B draw y1-y1\nC b5-g2 on b4-gD2", 5, "forced-draw"),
    (WILD_FOUR + "B challenges\nB g5-DE on g9-g9", 5, "forced-draw"),  # A, found guilty, has not drawn
]


@pytest.mark.parametrize(("lines", "at", "code"), IMPOSSIBLE)
def test_a_record_that_cannot_be_true(lines, at, code):
    verdict = uno(lines)
    assert found(verdict) == [(FIRST + at, code)]
    assert (verdict.status, verdict.winner, verdict.ended) == ("impossible", None, None)
    assert "%" not in verdict.findings[-1].message


@pytest.mark.parametrize(("lines", "at", "code"), VIOLATIONS)
def test_a_rule_that_was_broken(lines, at, code):
    verdict = uno(lines)
    assert found(verdict) == [(FIRST + at, code)]
    assert verdict.status == "violation"
    assert "%" not in verdict.findings[0].message


def test_a_pass_that_leaves_a_penalty_undrawn_has_two_things_wrong():
    assert found(uno(DRAW_TWO + "C pass")) == [(FIRST + 4, "forced-draw"), (FIRST + 4, "pass-with-boneyard")]


def test_play_goes_on_as_recorded_after_a_forced_draw_that_was_not_made():
    """NOTATION.md 4: the debt is gone; what is drawn for it later is surplus."""
    lines = DRAW_TWO + "C b5-g2 on b4-gD2\nA draw y1-y1\nA pass\nB draw g4-g4\nB pass\nB draw y8-y8"
    assert found(uno(lines)) == [(FIRST + 4, "forced-draw"), (FIRST + 9, "out-of-turn")]


def test_a_wrong_lead_goes_on_from_the_seat_that_led():
    verdict = uno("C b4-b4\nA b4-gD2\nB gS-b4 on b4-gD2\nC g2-b5")
    assert found(verdict) == [(FIRST, "wrong-lead"), (FIRST + 3, "out-of-turn")]
    assert verdict.rounds[0].led == 2


def test_dealt_too_few_tiles():
    hands = HANDS.replace(" y4-r5", "")
    assert found(uno("A g9-g9", hands=hands)) == [(8, "hand-size")]


def test_dealt_twice():
    assert found(uno("", hands=HANDS.replace("y4-r5", "g9-g9"))) == [(8, "duplicate-tile")]
    assert found(uno("", hands=HANDS.replace("y4-r5", "gS-b4"))) == [(8, "duplicate-tile")]


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("A g9-g9", "no-round"),
        ("A draw 1", "no-round"),
        ("A pass", "no-round"),
        ("A uno", "no-round"),
        ("B catches A", "no-round"),
        ("B challenges", "no-round"),
        ("upheld", "no-round"),
        ("A lot g9-g9", "no-round"),
        ("A W-W", "bad-event"),
        ("C pass", "bad-event"),
    ],
)
def test_before_the_first_round(line, code):
    header = '[Ruleset "uno-dominoes"]\n[Seat.A "A"]\n[Seat.B "B"]\n'
    (verdict,) = verify_text(header + line)
    assert found(verdict) == [(4, code)]


def test_the_draw_pile_has_an_end():
    """RULES.md 2.26: no draw, the turn passes."""
    assert found(uno("A g9-g9\nB draw ?", hands=FULL, tags=EMPTY)) == [(FIRST + 2, "draw-from-empty")]
    assert found(uno("A g9-g9\nB pass\nC pass\nA pass\nA scores 600\nsettled", hands=FULL, tags=EMPTY)) == []
    assert found(uno("A g9-g9\nblocked", hands=FULL, tags=EMPTY)) == []
    known = FULL.replace("C hand 27", "C hand g1-y9" + " ?" * 26)
    assert found(uno("A g9-g9\nblocked", hands=known, tags=EMPTY)) == [(FIRST + 2, "not-blocked")]


def test_a_draw_two_at_an_empty_pile_takes_nothing():
    lines = "A g9-g9\nB gD2-b4\nA b4-b4"
    assert found(uno(lines, hands=FULL, tags=EMPTY)) == []


# ---- the draw for the lead


def test_who_draws_for_the_lead():
    """RULES.md 2.5, NOTATION.md 7.12."""
    hands = ("rS-rS b1-yS", "W-W r1-g9")
    assert found(two(*hands, "A draw bR-bR\nB draw y1-y1\nB y1-y1")) == []
    assert found(two(*hands, "B draw bR-bR")) == [(8, "out-of-turn")]
    assert found(two(*hands, "A draw bR-bR\nA draw y1-y1")) == [(9, "out-of-turn")]
    assert found(two(*hands, "A draw y1-y1\nB draw bR-bR")) == [(9, "out-of-turn")]
    assert found(two(*hands, "A draw bR-bR y1-y1")) == [(8, "bad-event")]
    assert found(two(*hands, "A draw y1-y1\nA b1-yS")) == [(9, "wrong-lead")]
    assert found(two(*hands, "B W-W colour red")) == [(8, "wrong-lead")]
    assert found(two(*hands, "A pass")) == [(8, "pass-with-boneyard")]
    assert found(two(*hands, "A draw ?\nB draw y1-y1\nB y1-y1")) == []
    assert found(two(*hands, "A draw ?\nB draw ?\nA y1-y1")) == [(10, "wrong-lead")]
    assert found(two(*hands, "A draw ?\nA pass")) == [(9, "pass-with-boneyard")]
    assert found(two("rS-rS b1-yS", "? ?", "A pass")) == [(8, "pass-with-boneyard")]
    assert found(two("? ?", "rS-rS b1-yS", "B pass")) == [(8, "out-of-turn")]
    assert found(two("? ?", "rS-rS y1-y1", "B pass")) == [(8, "out-of-turn")]
    assert found(two("? ?", "rS-rS y1-y1", "B draw bR-bR")) == [(8, "out-of-turn")]
    assert found(two(*hands, "A draw g5-DE\nA pass")) == [(9, "out-of-turn")]


def test_a_lot_for_equal_doublets_stands_before_the_hands():
    """RULES.md 2.4, NOTATION.md 3: where the option has one; it is not known to have fallen wrongly."""
    hands = "A lot b1-yS\nB lot y8-y8\nA hand y9-y9 r1-g9\nB hand g9-g9 b4-b4\n"
    tags = '[Option.hand "2"]\n[Option.start_tie "lot"]\n'
    assert found(uno("A y9-y9", hands=hands, tags=tags, seats=2)) == []
    twice = hands.replace("B lot y8-y8", "B lot yS-b1")
    assert found(uno("A y9-y9", hands=twice, tags=tags, seats=2)) == [(8, "duplicate-tile")]
    assert found(uno("A y9-y9\nA lot y8-y8", hands=hands, tags=tags, seats=2)) == [(12, "bad-event")]
