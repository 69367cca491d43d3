"""Protests about a hand of a card or tally: contradictions of the card, and the rule of proof."""

import pytest

from games.rulesets import RULESETS
from referee.cards.sheet import read
from referee.cards.tally import read_card
from referee.rulings.card_court import HandProtest, decide_on_card, propose_on_card
from referee.rulings.court import ProofRule
from referee.rulings.proposal import Certainty

UDL = RULESETS["udl"]
HANDS = [
    {"play": [40, 30], "muggins": [0, 10], "bonus": [20, 0], "totals": [60, 40]},
    {"play": [65, 50], "muggins": [10, 5], "bonus": [15, 0], "totals": [150, 95]},
]
CARD = {"scores": [150, 95], "ended": "target", "winner": 0, "rounds": HANDS}
BELL = {"scores": [70, 60], "ended": "bell", "winner": 0, "rounds": [{"play": [60, 60], "muggins": [10, 0]}]}
MUGGINS = HandProtest(by=1, hand=2, column="muggins", seat=0, claimed=0)


def test_a_card_that_fits_proves_nothing():
    assert propose_on_card(read(CARD, UDL), MUGGINS) == (Certainty.NOT_KNOWN, (), 10)


def test_a_contradiction_of_the_hand_is_proved():
    rounds = [HANDS[0], {**HANDS[1], "totals": [140, 95]}]
    found = propose_on_card(read({**CARD, "rounds": rounds}, UDL), MUGGINS)
    assert (found.certainty, [one.code for one in found.findings]) == (Certainty.PROVED, ["wrong-total"])
    control = HandProtest(by=1, hand=1, column="muggins", seat=1, claimed=0)
    assert propose_on_card(read({**CARD, "rounds": rounds}, UDL), control).certainty is Certainty.NOT_KNOWN


@pytest.mark.parametrize(
    ("data", "protest", "more", "scores", "winner", "ended"),
    [
        (CARD, MUGGINS, {}, (140, 95), None, None),
        (CARD, MUGGINS, {"agreed": True}, (150, 95), 0, "target"),
        (CARD, MUGGINS, {"proof": ProofRule.CLAIMANT}, (150, 95), 0, "target"),
        (CARD, MUGGINS, {"proof": ProofRule.REPLAY}, (60, 40), None, None),
        (CARD, HandProtest(by=0, hand=2, column="muggins", seat=1, claimed=0), {}, (150, 90), 0, "target"),
        (CARD, HandProtest(by=1, hand=2, column="play", seat=1, claimed=60), {}, (150, 95), 0, "target"),
        (
            CARD,
            HandProtest(by=1, hand=1, column="play", seat=0, claimed=0),
            {"proof": ProofRule.REPLAY},
            (0, 0),
            None,
            None,
        ),
        (BELL, HandProtest(by=1, hand=1, column="muggins", seat=0, claimed=5), {}, (65, 60), 0, "bell"),
        (BELL, HandProtest(by=1, hand=1, column="muggins", seat=0, claimed=0), {}, (60, 60), None, None),
        (BELL, HandProtest(by=1, hand=1, column="play", seat=0, claimed=40), {}, (50, 60), 1, "bell"),
    ],
)
def test_a_fact_that_no_card_shows_follows_the_rule_of_proof(data, protest, more, scores, winner, ended):
    outcome, reason = decide_on_card(read(data, UDL), protest, **more)
    assert (outcome.scores, outcome.winner, outcome.ended) == (scores, winner, ended)
    assert reason.text.startswith("Not known: ")


def test_a_tally_is_judged_as_its_card():
    taps = [
        {"n": 1, "kind": "points", "seat": 0, "points": 10},
        {"n": 2, "kind": "muggins", "seat": 1, "points": 15},
        {"n": 3, "kind": "bell"},
        {"n": 4, "kind": "end", "ended": "bell", "winner": 1},
    ]
    card = read_card({"taps": taps}, UDL)
    protest = HandProtest(by=0, hand=1, column="muggins", seat=1, claimed=0)
    assert decide_on_card(card, protest).outcome[1:] == ((10, 0), 0, "bell")


@pytest.mark.parametrize("change", [{"hand": 0}, {"hand": 3}, {"column": "penalties"}])
def test_a_hand_or_figure_that_the_card_does_not_have_is_refused(change):
    with pytest.raises(ValueError, match=r"the card has no hand|has no penalties"):
        propose_on_card(
            read(CARD, UDL),
            HandProtest(**{"by": 1, "hand": 2, "column": "play", "seat": 0, "claimed": 0, **change}),
        )
