"""Every finding that a record of Uno Dominoes can have, each by a hand-written log, with the paragraph it follows."""

import pytest

from referee import verify_text
from referee.report import report
from tests.referee.logs import found
from tests.referee.uno_logs import DRAW_TWO, FIRST, HANDS, THREE, WILD_FOUR, two, uno

FULL = "A hand 27\nB hand 27\nC hand 27\n"
EMPTY = '[Option.hand "40/27/20/16/13"]\n'
"""Three seats hold the whole set: the draw pile is empty."""

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
    assert found(uno("A g9-g9\nB pass\nC pass\nA pass\nA scores 5\nsettled", hands=FULL, tags=EMPTY)) == []
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


# ---- uno and catches


CATCH = "A g9-g9\nB g1-y9\nA g9-r1 on g9-g9\n"


def caught(lines):
    """Two players; A has come down to one tile, in line 10."""
    return two("g9-g9 b4-gS r1-g9", "b4-b4 g1-y9 y1-r4", CATCH + lines)


def test_a_catch_is_ruled_on_the_line_of_the_catch():
    """RULES.md 2.28, 2.29; NOTATION.md 6, 7.21."""
    verdict = caught("B catches A\nA draw y8-y8 r3-r3")
    assert found(verdict, "claim-upheld") == [(11, "claim-upheld")]
    assert [ruling.as_json() for ruling in verdict.rulings] == [
        {
            "line": 11,
            "claimant": "B",
            "against": "A",
            "play": 10,
            "claimed": None,
            "upheld": True,
            "points": 0,
            "rule": "uno-dominoes.catch",
        }
    ]


@pytest.mark.parametrize(
    ("lines", "play"),
    [
        ("A uno\nB catches A", 10),
        ("A catches A", 10),
        ("B catches B", None),
        ("B r4-y1\nB catches A", None),
        ("B catches A\nB catches A", None),
        ("A concedes\nB catches A", None),
    ],
)
def test_a_false_catch_is_rejected_and_has_no_effect(lines, play):
    """RULES.md 2.30, NOTATION.md 7.21."""
    ruling = caught(lines).rulings[-1]
    assert (ruling.upheld, ruling.play) == (False, play)


def test_uno_may_be_said_before_the_play_and_is_cleared_by_drawing():
    hands = ("g9-g9 b4-gS r1-g9", "b4-b4 g1-y9 y1-r4")
    said = two(*hands, "A g9-g9\nB g1-y9\nA uno\nA g9-r1 on g9-g9\nB catches A")
    assert [ruling.upheld for ruling in said.rulings] == [False]
    early = two(*hands, "A g9-g9\nA uno\nB g1-y9\nA g9-r1 on g9-g9\nB catches A\nA draw y8-y8 r3-r3")
    assert [ruling.upheld for ruling in early.rulings] == [True]
    cleared = two(
        *hands, "A g9-g9\nB g1-y9\nA uno\nA draw b6-g9\nA g9-b6 on g9-g9\nB draw b2-y6\nB pass\nA g9-r1 on y9-g1"
    )
    assert found(cleared) == []


def test_a_caught_player_draws_before_the_next_turn():
    """NOTATION.md 4: else forced-draw."""
    assert found(caught("B catches A\nB r4-y1")) == [(12, "forced-draw")]
    assert found(caught("B catches A\nA draw y8-y8\nB r4-y1")) == [(13, "forced-draw")]
    assert found(caught("B catches A\nA draw y8-y8 r3-r3\nB r4-y1")) == []


def test_a_player_caught_in_the_middle_of_a_turn_draws_before_the_next_one():
    """RULES.md 2.29: draws do not close the window; the turn that goes on is not the next one."""
    middle = "B draw y8-y8\nB catches A\n"
    assert found(caught(middle + "B pass\nA draw r3-r3 b5-b5\nA pass")) == [(15, "pass-with-boneyard")]
    assert found(caught(middle + "B pass\nA draw r3-r3\nA r3-r3")) == [(15, "forced-draw")]
    assert found(caught(middle + "A draw r3-r3 b5-b5\nB pass")) == []


# ---- challenges


def test_a_known_rack_decides_at_the_challenge():
    """NOTATION.md 7.19; RULES.md 2.20, 2.21: four to the player, the challenger acts next."""
    verdict = uno(WILD_FOUR + "B challenges\nA draw y1-y1 g4-g4 y8-y8 r3-r3\nB g5-DE on g9-g9\nC draw b5-b5")
    assert found(verdict, "claim-upheld") == [(FIRST + 4, "claim-upheld")]
    (ruling,) = verdict.rulings
    assert (ruling.claimant, ruling.against, ruling.play, ruling.upheld) == (1, 0, FIRST + 3, True)
    assert ruling.rule == "uno-dominoes.challenge"
    assert "b4-gD2" in verdict.findings[0].message


def test_an_unlawful_wild_draw_four_that_nobody_challenges_is_no_finding():
    assert found(uno(WILD_FOUR + "B draw y1-y1 g4-g4 y8-y8 r3-r3\nC b5-g2 on b1-WD4")) == []


def test_a_wrong_outcome_is_corrected_and_the_right_one_holds():
    """NOTATION.md 4: upheld or rejected against a known rack."""
    verdict = uno(WILD_FOUR + "B challenges\nrejected\nA draw y1-y1 g4-g4 y8-y8 r3-r3\nB g5-DE on g9-g9")
    assert found(verdict) == [(FIRST + 5, "wrong-ruling")]
    assert (verdict.status, verdict.rulings[0].upheld) == ("corrected", True)
    wrong = uno(WILD_FOUR + "B challenges\nrejected\nB draw y1-y1 g4-g4 y8-y8 r3-r3 b5-b5 y3-y3")
    assert found(wrong) == [(FIRST + 5, "wrong-ruling"), (FIRST + 6, "bad-event")]


def test_a_lawful_wild_draw_four_that_was_ruled_unlawful():
    lines = "A g9-g9\nB g1-y9\nA WD4-b1 on y9-g1\nB challenges\nupheld\nB draw 6\nA r1-b3 on g9-g9"
    verdict = two("g9-g9 WD4-b1 r1-b3", "g1-y9 y1-r4 b4-b4", lines)
    assert found(verdict) == [(12, "wrong-ruling"), (14, "does-not-match")]
    assert [ruling.upheld for ruling in verdict.rulings] == [False]


UNSEEN = HANDS.replace("A hand g9-g9 r3-rS b4-gD2 b1-WD4 y7-WD4 r2-g9", "A hand 6")


@pytest.mark.parametrize(
    ("lines", "upheld", "codes"),
    [
        ("A shows r3-rS b4-gD2 y7-WD4 r2-g9\nA draw 4\nB g5-DE on g9-g9", True, []),
        ("A shows r3-rS r2-r2 y3-r6 r2-gR\nA draw 4\nB g5-DE on g9-g9", True, []),
        ("A shows r3-rS r2-r2 r3-r3 rS-rS\nB draw 6\nC b5-g2 on b1-WD4", False, []),
        ("A shows r3-rS r2-r2 r3-r3 rS-rS\nupheld\nB draw 6\nC b5-g2 on b1-WD4", False, ["wrong-ruling"]),
        ("A shows ? ? ? b4-gD2\nA draw 4\nB g5-DE on g9-g9", True, []),
        ("A shows ? ? ? ?\nrejected\nB draw 6\nC b5-g2 on b1-WD4", False, []),
        ("A shows b4-gD2 r2-g9\nrejected\nB draw 6", False, ["tile-count"]),
        ("upheld\nA draw 4\nB g5-DE on g9-g9", True, []),
        ("rejected\nB draw 6\nC b5-g2 on b1-WD4", False, []),
        ("A draw 4\nB g5-DE on g9-g9", True, []),
        ("B draw 2\nB draw 4\nC b5-g2 on b1-WD4", False, []),
        ("B g5-DE on g9-g9", True, ["forced-draw"]),
        ("C b5-g2 on b1-WD4", False, ["forced-draw"]),
        ("upheld\nB draw 6", True, ["bad-event"]),
        ("rejected\nB draw 7", False, ["out-of-turn"]),
        ("", False, []),
    ],
)
def test_a_rack_that_was_not_seen(lines, upheld, codes):
    """NOTATION.md 7.19: shows with the right number, else the outcome; and else who drew."""
    verdict = uno(WILD_FOUR + "B challenges\n" + lines, hands=UNSEEN)
    assert [code for _, code in found(verdict)] == codes
    assert [ruling.upheld for ruling in verdict.rulings] == [upheld]
    assert sum(code.startswith("claim-") for _, code in found(verdict, "claim-upheld", "claim-rejected")) == 1


def test_an_outcome_after_draws_that_show_the_other_one_has_no_meaning():
    assert found(uno(WILD_FOUR + "B challenges\nB draw 6\nupheld", hands=UNSEEN)) == [(FIRST + 6, "bad-event")]
    assert found(uno(WILD_FOUR + "B challenges\nB draw 6\nrejected", hands=UNSEEN)) == []


def test_a_tile_shown_to_a_challenger_is_known_to_be_there():
    lines = "B challenges\nA shows r3-rS r2-r2 r3-r3 rS-rS\nB draw 5\nB draw r2-r2"
    assert found(uno(WILD_FOUR + lines, hands=UNSEEN)) == [(FIRST + 7, "duplicate-tile")]


# ---- the end of a round


def test_u07_who_must_draw_after_the_last_tile_draws_before_the_count():
    """RULES.md 9.6, U07: 4 + 8 + 13 = 25."""
    hands = ("y9-y9 rD2-y4", "r1-b3 y8-rR")
    lines = "A y9-y9\nB y8-rR\nA rD2-y4 on rR-y8\nB draw y2-g6 r3-gR\n"
    verdict = two(*hands, lines + "B shows r1-b3 y2-g6 r3-gR\nA scores 25\nscore 25-0\nsettled")
    assert found(verdict) == []
    assert verdict.rounds[0].as_json() == {
        "number": 1,
        "spinner": None,
        "led": "A",
        "ended": "domino",
        "winner": "A",
        "points": {"A": 25, "B": 0},
        "scores": {"A": 25, "B": 0},
    }


LAST = "A y9-y9\nB y8-rR\nA rD2-y4 on rR-y8\n"


@pytest.mark.parametrize(
    ("lines", "findings"),
    [
        ("B shows r1-b3", [(11, "forced-draw")]),
        ("A scores 4", [(11, "forced-draw")]),
        ("score 4-0", [(11, "forced-draw")]),
        ("settled", [(11, "forced-draw")]),
        ("round 2", [(11, "forced-draw")]),
        ("end", [(11, "forced-draw")]),
        ("", []),
        ("B draw y2-g6\nA scores 12", [(12, "forced-draw")]),
        ("B draw y2-g6 r3-gR\nB draw y1-y1", [(12, "round-over")]),
        ("B draw y2-g6 r3-gR y1-y1", [(11, "out-of-turn")]),
        ("A draw y2-g6", [(11, "round-over")]),
        ("B pass", [(11, "round-over")]),
        ("B r1-b3", [(11, "round-over")]),
        ("B draw y2-g6 r3-gR\nA scores 25\nA scores 25", [(13, "bad-event")]),
        ("B draw y2-g6 r3-gR\nA scores 20", [(12, "wrong-points")]),
        ("B draw y2-g6 r3-gR\nB scores 20", [(12, "wrong-points")]),
        ("B draw y2-g6 r3-gR\nscore 20-0", [(12, "wrong-total")]),
        ("B draw y2-g6 r3-gR\nB shows r1-b3 y2-g6", [(12, "tile-count")]),
        ("B draw y2-g6 r3-gR\nB shows r1-b3 y2-g6 y8-y8", [(12, "tile-not-in-hand")]),
        ("B draw y2-g6 r3-gR\nsettled\nB shows none", [(13, "bad-event")]),
    ],
)
def test_the_settlement_after_an_active_draw_two(lines, findings):
    """RULES.md 2.31; NOTATION.md 7.18: forced draws stand before the first settlement line."""
    assert found(two("y9-y9 rD2-y4", "r1-b3 y8-rR", LAST + lines)) == findings


def test_the_last_wild_draw_four_is_challenged_and_six_are_counted():
    """RULES.md 2.32; NOTATION.md 7.21: the colour may be left out."""
    hands = ("y9-y9 WD4-WD4", "r1-b3 y8-rR")
    lines = "A y9-y9\nB y8-rR\nA WD4-WD4 on rR-y8\nB challenges\nA shows none\nrejected\n"
    verdict = two(*hands, lines + "B draw y2-g6 r3-gR\nB draw b5-b5 y1-y1 r2-r2 r3-r3\nA scores 47\nsettled")
    assert found(verdict) == []
    assert (verdict.rulings[0].upheld, verdict.rounds[0].points) == (False, (47, 0))
    four_only = two(*hands, lines + "B draw y2-g6 r3-gR b5-b5 y1-y1\nA scores 37")
    assert found(four_only) == [(15, "forced-draw")]


def dead(lines, **options):
    """One arm of y8-y8 is closed by B, and three by A's last tiles."""
    a = "y8-y8 DE-y8 g5-DE g6-DE y5-g8 y1-r4"
    b = "DE-b8 y6-b2 g4-b2 y9-g1 W-W rS-rS"
    head = "A y8-y8\nB b8-DE\nA y8-DE on y8-y8\nB draw y7-bS\nB pass\nA g8-y5 on y8-y8\nB y9-g1 on y8-y8\n"
    return two(a, b, head + "A g5-DE on y5-g8\nB draw r3-r3\nB pass\nA g6-DE on g1-y9\n" + lines, **options)


def test_u12_a_dead_end_is_won_by_who_closed_it():
    """RULES.md 9.6, U12, and 2.36: her own tiles are not scored."""
    verdict = dead("A scores 107\nscore 107-0\nsettled")
    (record,) = verdict.rounds
    left = 8 + 6 + 50 + 20 + 17 + 6  # y6-b2 g4-b2 W-W rS-rS y7-bS r3-r3; A's own y1-r4 is not scored
    assert (record.ended, record.winner, record.points) == ("dead-end", 0, (left, 0))
    assert found(verdict) == []
    assert "dead end, closed by A" in report(verdict)


def test_a_dead_end_is_opened_again_before_its_settlement():
    """RULES.md 2.37; NOTATION.md 7.21: a re-opening is no entry of plays."""
    opened = "B reopens W-W on y8-y8 colour red\n"
    verdict = dead(opened + "A r4-y1 on W-W", reopening=True)
    assert found(verdict) == []
    assert [play["tile"] for play in verdict.as_json()["plays"]][-2:] == ["g6-DE", "r4-y1"]
    assert (verdict.rounds[0].ended, verdict.rounds[0].points) == ("domino", (57, 0))
    refused = {
        "B reopens W-W on g8-g8 colour red": "unknown-tile",
        "B reopens W-W on g5-DE colour red": "does-not-match",
        "B reopens W-W on g9-g9 colour red": "no-open-end",
        "B reopens rS-rS on y8-y8 colour red": "does-not-match",
        "A reopens W-W on y8-y8 colour red": "tile-not-in-hand",
        "A scores 107\nB reopens W-W on y8-y8 colour red": "bad-event",
        "settled\nB reopens W-W on y8-y8 colour red": "bad-event",
        opened + "B reopens W-W on y8-y8 colour red": "bad-event",
        "C reopens W-W on y8-y8 colour red": "bad-event",
        opened + "B r3-r3": "out-of-turn",
    }
    for lines, code in refused.items():
        assert [c for _, c in found(dead(lines, reopening=True))] == [code], lines
    assert [c for _, c in found(dead(opened))] == ["bad-event"]


def blocked(lines, block="low"):
    return uno("A g9-g9\nB pass\nC pass\nA pass\n" + lines, hands=FULL, tags=f'{EMPTY}[Option.block "{block}"]\n')


def test_a_block_that_nobody_saw_into_books_what_is_recorded():
    """NOTATION.md 7.10."""
    verdict = blocked("B scores 40\nscore 0-40-0")
    assert (found(verdict), verdict.scores) == ([], {"A": 0, "B": 40, "C": 0})
    assert (verdict.rounds[0].ended, verdict.rounds[0].winner) == ("blocked", 1)
    assert [f.code for f in verdict.findings if f.severity == "note"] == ["unverified-points", "incomplete"]
    void = blocked("B scores 40", block="void")
    assert (verdict.rounds[0].ended, void.scores["B"], [c for _, c in found(void)]) == ("blocked", 0, ["wrong-points"])


def test_unseen_racks_leave_the_points_open_until_they_are_shown():
    hands = ("y9-y9 rD2-y4", "? ?")
    lines = "A y9-y9\nB y8-rR\nA rD2-y4 on rR-y8\nB draw ? r3-gR\n"
    open_ = two(*hands, lines + "A scores 25\nsettled")
    assert (found(open_, "unverified-points"), open_.scores["A"]) == ([(12, "unverified-points")], 25)
    assert (open_.evidence, open_.status) == ("partial", "incomplete")
    seen = two(*hands, lines + "B shows r1-b3 y2-g6 r3-gR\nA scores 20\nsettled")
    assert (found(seen), seen.scores["A"]) == ([(13, "wrong-points")], 25)


# ---- the verdict


def test_plays_are_written_as_played():
    """NOTATION.md 6, 7.21."""
    verdict = uno("A g9-g9\nB y9-g1")
    assert verdict.as_json()["plays"] == [
        {
            "line": FIRST + n,
            "seat": seat,
            "tile": tile,
            "on": on,
            "count": None,
            "worth": 0,
            "announced": None,
            "awarded": {},
        }
        for n, (seat, tile, on) in enumerate([("A", "g9-g9", None), ("B", "y9-g1", "g9-g9")])
    ]
    assert "chips" not in verdict.as_json()


def test_the_target_is_looked_at_when_the_round_is_settled():
    """RULES.md 2.35."""
    hands = ("y9-y9 rD2-y4", "r1-b3 y8-rR")
    lines = LAST + "B draw y2-g6 r3-gR\nA scores 25\nsettled"
    verdict = two(*hands, lines, target=25)
    assert (verdict.ended, verdict.winner, verdict.status) == ("target", "A", "verified")
    assert two(*hands, lines, target=25, target_strict=True).ended is None
    assert found(two(*hands, lines + "\nround 2", target=25)) == [(15, "game-over")]


def test_the_report_speaks_of_no_spinner():
    assert "spinner" not in report(uno("A g9-g9"))


@pytest.mark.parametrize("seats", [1, 7])
def test_two_to_six_play(seats):
    header = '[Ruleset "uno-dominoes"]\n' + "".join(f'[Seat.{letter} ""]\n' for letter in "ABCDEFG"[:seats])
    assert verify_text(header + "round 1")[0].status == "unreadable"


def test_an_option_of_another_system_is_unreadable():
    """NOTATION.md 7.15."""
    (verdict,) = verify_text('[Ruleset "uno-dominoes"]\n[Option.spinner "all"]\nround 1\n')
    assert (verdict.status, verdict.findings[0].line) == ("unreadable", 2)
    assert "all_doublet" in verdict.findings[0].message
