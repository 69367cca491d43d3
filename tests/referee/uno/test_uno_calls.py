"""Uno, catches and challenges of a Wild Draw Four in the referee's hands (RULES.md 2.18 to 2.32)."""

import pytest

from tests.referee.logs import found
from tests.referee.uno_logs import FIRST, HANDS, WILD_FOUR, two, uno

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
