"""Sentences of the documents that no other log proves (docs/rules/sentences.md): each fails if its rule changes."""

import pytest

from referee import Verdict, verify_text
from tests.referee.logs import found, pip

NO_SIX = "5-5 5-4 5-3 5-2 5-1 5-0 4-4 4-3 4-2 4-1 4-0 3-3 3-2"
SIXES = "6-6 6-5 6-4 6-3 6-2 6-1 6-0 3-0 2-2 2-1 2-0 1-1 1-0"


def test_the_first_score_of_udl_may_be_five() -> None:
    verdict = pip("udl", "round 1\nA hand 3-2\nB hand 1-0\nA 3-2 call 5\nscore 5-0", tags="hand=1")
    assert (found(verdict), verdict.scores) == ([], {"A": 5, "B": 0})


def test_the_verdict_marks_the_spinner_of_each_round() -> None:
    hands = "A hand 6-5 6-6\nB hand 6-1 5-4"
    lines = f"round 1\n{hands}\nA 6-6\nB 6-1\nA 6-5 on 6-6\nA scores 10\nscore 10-0\nsettled\n"
    verdict = pip("udl", f"{lines}round 2\nA hand 6-5 1-0\nB hand 4-3 4-2\nA 6-5", tags="hand=2")
    assert found(verdict) == []
    assert [(one.spinner, one.scores) for one in verdict.rounds] == [("6-6", (10, 0)), (None, (10, 0))]


def test_every_double_of_double_six_opens_its_ends() -> None:
    hands = "A hand 6-6 6-5 5-4 5-1 5-2 2-0 1-0\nB hand 5-5 6-3 4-3 4-2 2-1 1-1 3-0\n"
    plays = "A 6-6\nB 6-3 on 6-6\nA 6-5 on 6-6\nB 5-5 on 6-5\nA 5-4 on 5-5\nB 4-3 on 5-4\nA 5-2 on 5-5"
    verdict = pip("double-six", f"round 1\n{hands}{plays}")
    assert (found(verdict), verdict.plays[-1].count) == ([], 3 + 3 + 2)


@pytest.mark.parametrize("system", ["udl", "muggins", "all-fives", "double-six"])
def test_the_boneyard_is_drawn_to_its_last_tile_and_then_one_passes(system) -> None:
    lines = f"round 1\nA hand {SIXES}\nB hand {NO_SIX}\nA 6-6\nB draw 3-1\n"
    assert found(pip(system, f"{lines}B pass", tags="hand=13")) == [(10, "pass-with-boneyard")]
    assert found(pip(system, f"{lines}B draw 0-0\nB pass\nA 6-5 on 6-6", tags="hand=13")) == []


@pytest.mark.parametrize(("start", "ended"), [(475, "target"), (474, None)])
def test_a_game_of_uno_ends_with_500_points(start, ended) -> None:
    tags = '[Ruleset "uno-dominoes"]\n[Seat.A "A"]\n[Seat.B "B"]\n[Option.hand "2"]\n'
    hands = f'penalty B {start} "start"\nround 1\nA hand y9-y9 rD2-y4\nB hand r1-b3 y8-rR\n'
    lines = "A y9-y9\nB y8-rR\nA rD2-y4 on rR-y8\nB draw y2-g6 r3-gR\nA scores 25\nsettled\n"
    [verdict] = verify_text(tags + hands + lines)
    assert isinstance(verdict, Verdict)
    assert (verdict.ended, verdict.scores["A"]) == (ended, start + 25)
