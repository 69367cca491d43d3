"""Outcomes, events and findings as sentences with names."""

import pytest

from games.moves import (
    Bell,
    Blocked,
    Call,
    ChallengeOutcome,
    ChipsLeft,
    Concession,
    Deal,
    Draw,
    End,
    Event,
    Forfeit,
    Lot,
    Note,
    Pass,
    Penalty,
    Play,
    Reopening,
    RoundPoints,
    RoundStart,
    Said,
    Settled,
    Show,
    Totals,
)
from games.tiles import DOUBLE_SIX
from games.uno.markings import UNO
from referee import verify_text
from referee.rulings.outcomes import LogOutcome, event_sentence, finding_sentence, moment_sentence, name_of
from tests.referee.logs import HEADER

NAMES = ("Ana", "Bo")
SIX, SIX_THREE, FOUR_ONE = map(DOUBLE_SIX.tile, ("6-6", "6-3", "4-1"))
DOUBLET, WILD = next(tile for tile in UNO.tiles if tile.index in UNO.starters), UNO.tile("W-W")

SENTENCES = [
    (Play(0, SIX), "Ana played 6-6"),
    (Play(0, SIX, call=10), "Ana played 6-6 and announced 10"),
    (Play(1, SIX_THREE, SIX), "Bo played 6-3 on 6-6"),
    (Play(1, SIX_THREE, SIX, 15), "Bo played 6-3 on 6-6 and announced 15"),
    (Play(0, WILD, colour="red"), "Ana played W-W and named red"),
    (Play(0, WILD, DOUBLET, colour="red"), f"Ana played W-W on {DOUBLET.name} and named red"),
    (Call(0, Said.COUNT, 15), "Ana announced 15"),
    (Call(1, Said.MUGGINS), "Bo called muggins"),
    (Call(1, Said.MUGGINS, 10), "Bo called muggins for 10"),
    (Call(0, Said.DOMINO), "Ana said domino"),
    (Call(0, Said.UNO), "Ana said uno"),
    (Call(0, Said.CATCH, whom=1), "Ana caught Bo without uno"),
    (Call(1, Said.CHALLENGE), "Bo challenged the Wild Draw Four"),
    (Draw(0, 1), "Ana drew 1 tile unseen"),
    (Draw(0, 3), "Ana drew 3 tiles unseen"),
    (Draw(0, 2, (SIX, None)), "Ana drew 6-6 ?"),
    (Deal(1, 7), "Bo was dealt 7 tiles unseen"),
    (Deal(1, 2, (SIX, FOUR_ONE)), "Bo was dealt 6-6 4-1"),
    (Show(0, (FOUR_ONE, None)), "Ana showed 4-1 ?"),
    (Show(0, ()), "Ana had no tile left"),
    (Pass(1), "Bo passed"),
    (RoundStart(2), "hand 2 began"),
    (Lot(0, SIX), "Ana drew 6-6 by lot"),
    (Blocked(), "the hand was blocked"),
    (RoundPoints(1, 20), "Bo scored 20 for the hand"),
    (Totals((35, 150)), "the score was 35–150"),
    (ChipsLeft((2, 0)), "the chips left were 2–0"),
    (Settled(), "the hand was settled"),
    (Bell(), "the bell rang"),
    (Penalty(0, 30, "late"), "Ana had a penalty of 30: late"),
    (Concession(1), "Bo conceded"),
    (Forfeit(1, "absent"), "Bo forfeited: absent"),
    (End(), "the log ended"),
    (Note("rain"), "remark: rain"),
    (ChallengeOutcome(True), "the challenge was upheld"),
    (ChallengeOutcome(False), "the challenge was rejected"),
    (Reopening(0, WILD, DOUBLET, "blue"), f"Ana opened the dead end with W-W on {DOUBLET.name} and named blue"),
]


@pytest.mark.parametrize(("event", "text"), SENTENCES)
def test_an_event_is_a_sentence_with_names(event, text):
    assert event_sentence(event, NAMES).text == text


def test_each_event_of_the_notation_has_its_sentence():
    assert {type(event) for event, _ in SENTENCES} == set(Event.__args__)


@pytest.mark.parametrize(
    ("event", "text"),
    [
        (Play(1, SIX_THREE, SIX, 15), "Bo released 6-3"),
        (Pass(0), "Ana passed"),
        (Show(0, ()), "the hands were shown"),
        (Totals((10, 20)), "the hands were shown"),
        (Settled(), "the hand was settled"),
    ],
)
def test_the_moment_of_an_event_is_what_moves_a_claim_window(event, text):
    assert moment_sentence(event, NAMES).text == text


def test_a_seat_that_the_game_does_not_have_is_its_letter():
    assert [name_of(NAMES, seat) for seat in range(3)] == ["Ana", "Bo", "C"]


@pytest.mark.parametrize(
    ("outcome", "text"),
    [
        (LogOutcome("unreadable", (), None, None), "the log cannot be read"),
        (LogOutcome("impossible", (10, 0), None, None), "10–0, up to a line that cannot be true"),
        (LogOutcome("verified", (10, 0), None, None), "10–0 so far"),
        (LogOutcome("verified", (10, 10), None, "bell"), "10–10, nobody wins"),
        (LogOutcome("verified", (150, 10), 0, "target"), "150–10, Ana wins"),
    ],
)
def test_an_outcome_is_score_and_winner(outcome, text):
    assert outcome.sentence(NAMES).text == text


def test_a_finding_has_names_for_seats():
    (verdict,) = verify_text(HEADER + "round 1\nA 6-6\nA 6-5 on 6-6\n")
    (finding,) = (one for one in verdict.findings if one.severity == "impossible")
    assert "A" in finding.message.split() or "B" in finding.message.split()
    said = finding_sentence(finding, NAMES).text
    assert "Ana" in said or "Bo" in said
    assert not {"A", "B"} & set(said.replace(".", "").split())
