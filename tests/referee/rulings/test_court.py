"""Protests come to the stated outcome, with the rule cited; a question names only a fact that decides."""

from dataclasses import replace
from functools import cache

import pytest

from referee.rulings.amending import verify_amended
from referee.rulings.court import FactFound, ProofRule, decide
from referee.rulings.outcomes import outcome_of
from referee.rulings.penalties import NO_PENALTIES, TABLE_PLAY
from referee.rulings.proposal import DECISIVE, Certainty, Fact
from referee.rulings.proposing import propose
from referee.rulings.protests import CaseFile, Protest, ProtestKind
from tests.referee.rulings.court_case import CourtCase
from tests.referee.rulings.court_cases import CASES
from tests.referee.rulings.decisive_facts import MADE_DECISIVE, fault_of

IDS = [f"{one.ruleset}: {one.id}" for one in CASES]


def file_of(one, **more):
    line, filed = one.marked("!"), one.marked("^")
    protest = Protest(kind=ProtestKind(one.kind), by=one.by, line=line, filed=filed, **one.protest)
    return CaseFile(one.text, protest, **one.case, **more)


def proposed(one):
    return proposed_in(CASES.index(one))


@cache
def proposed_in(row):
    case = file_of(CASES[row])
    return case, propose(case, TABLE_PLAY if CASES[row].penalties else NO_PENALTIES)


@pytest.mark.parametrize("one", CASES, ids=IDS)
def test_a_protest_comes_to_its_outcome(one):
    case, proposal = proposed(one)
    assert proposal.admission.allowed is one.allowed
    assert one.says in [reason.text for reason in proposal.reasons]
    assert one.rule in {rule.number for rule in proposal.rules}
    assert (proposal.question.question.text if proposal.question else "") == one.question
    assert proposal.certainty is (Certainty.FOLLOWS_IF if one.question else Certainty.PROVED)
    for answer in one.scores if one.question else [""]:
        decision = decide(case, proposal, FactFound(answer) if answer else None)
        assert decision.version.outcome.scores == (one.scores[answer] if answer else one.scores), answer
        assert decision.version.calls == one.calls.get(answer, decision.version.calls), answer


@pytest.mark.parametrize("one", CASES, ids=IDS)
def test_a_finding_becomes_a_ruling_text_with_the_stated_outcome(one):
    case, proposal = proposed(one)
    found = [(answer, ProofRule.NOBODY) for answer in FactFound] if proposal.question else [(None, ProofRule.NOBODY)]
    found += [(FactFound.NOT_KNOWN, proof) for proof in ProofRule]
    for answer, proof in found:
        decision = decide(case, proposal, answer, proof)
        if decision.ruling is None:
            assert decision.version.outcome == outcome_of(case.verdict)
        else:
            (amended,) = verify_amended(one.text, [decision.ruling])
            assert outcome_of(amended.verdict) == decision.version.outcome


@pytest.mark.parametrize("one", [one for one in CASES if one.question], ids=lambda one: f"{one.ruleset}: {one.id}")
def test_a_question_names_only_a_fact_that_decides(one):
    case, proposal = proposed(one)
    assert fault_of(proposal.question, case) == ""
    assert case.article(DECISIVE[proposal.question.fact][0]) in proposal.rules


def test_a_fact_that_does_not_decide_is_seen():
    """Controls: a fact of another system, one without times, and answers of one outcome."""
    case, proposal = proposed(of("M02 not written"))
    question = proposal.question
    assert fault_of(question._replace(fact=Fact.CAUGHT), case) == "udl has no such fact"
    assert fault_of(question._replace(fact=Fact.CALLED_FIRST), case) == "udl has no such fact"
    assert fault_of(question._replace(no=question.yes), case) == "the answers have the same outcome"
    case, proposal = proposed(of("M16 without times", "all-fives"))
    assert fault_of(proposal.question._replace(fact=Fact.ANNOUNCED_IN_HOLD), case) == "the log has no times"


def test_every_fact_is_asked_in_some_case():
    asked = {proposed(one)[1].question.fact for one in CASES if one.question}
    assert asked == set(Fact) == set(DECISIVE) == set(MADE_DECISIVE)


def test_every_system_has_eight_cases_or_more():
    systems = [one.ruleset for one in CASES]
    assert {system: systems.count(system) >= 8 for system in systems} == dict.fromkeys(systems, True)
    assert len(set(systems)) == 5


# ---- The rule of proof, and admission


def of(name, system="udl"):
    (one,) = [one for one in CASES if (one.id, one.ruleset) == (name, system)]
    return one


@pytest.mark.parametrize(
    ("name", "proof", "scores"),
    [
        ("M03 denied", ProofRule.NOBODY, (0, 0)),
        ("M03 denied", ProofRule.CLAIMANT, (0, 15)),
        ("M04 said in time", ProofRule.CLAIMANT, (15, 0)),
        ("M02 not written", ProofRule.CLAIMANT, (0, 0)),
        ("M02 denied", ProofRule.CLAIMANT, (15, 0)),
        ("M06 said it all", ProofRule.NOBODY, (0, 10)),
        ("M06 said it all", ProofRule.REPLAY, (0, 0)),
        ("released after the bell", ProofRule.CLAIMANT, (0, 0)),
    ],
)
def test_a_fact_that_nobody_finds_has_an_outcome(name, proof, scores):
    case, proposal = proposed(of(name))
    decision = decide(case, proposal, FactFound.NOT_KNOWN, proof)
    assert decision.version.outcome.scores == scores
    assert decision.reason.text.startswith("Not known: ")


@pytest.mark.parametrize("proof", ProofRule)
def test_a_record_that_both_agreed_on_stands(proof):
    one = of("M03 denied")
    case = file_of(one, agreed_to=one.marked("!"))
    decision = decide(case, propose(case), FactFound.NOT_KNOWN, proof)
    assert (decision.ruling, decision.version.outcome.scores) == (None, (0, 15))
    control = file_of(one, agreed_to=one.marked("!") - 1)
    assert (
        decide(control, propose(control), FactFound.NOT_KNOWN, proof).ruling is not None or proof is ProofRule.CLAIMANT
    )


def test_a_fact_has_to_be_found():
    case, proposal = proposed(of("M02 not written"))
    with pytest.raises(ValueError, match="the fact in question has to be found"):
        decide(case, proposal)


@pytest.mark.parametrize("kind", [ProtestKind.FRAUD, ProtestKind.IDENTITY])
def test_fraud_and_identity_are_not_known_and_outlive_a_settled_hand(kind):
    one = of("M08")
    case = CaseFile(one.text, Protest(kind=kind, by=1, line=one.marked("!")))
    proposal = propose(case)
    assert (proposal.admission.allowed, proposal.certainty) == (True, Certainty.NOT_KNOWN)
    assert decide(case, proposal).ruling is None
    assert decide(case, proposal, proof=ProofRule.REPLAY).version.outcome.scores == (0, 0)


def test_a_count_is_open_until_the_settlement_closes():
    """A control for each side of the line that settles the hand."""
    one = of("M08")
    settled = one.text.splitlines().index("settled") + 1
    for filed, allowed in ((settled - 1, True), (settled, False), (None, False)):
        case = CaseFile(one.text, Protest(kind=ProtestKind.COUNT, by=0, line=one.marked("!"), filed=filed))
        assert propose(case).admission.allowed is allowed
        assert (propose(case).question is not None) is allowed


def test_a_line_without_an_event_is_refused():
    one = of("M01")
    with pytest.raises(ValueError, match="line 1 has no event of this game"):
        CaseFile(one.text, Protest(kind=ProtestKind.COUNT, by=0, line=1))


def test_the_proposal_has_the_play_the_window_and_the_rules_with_their_text():
    _case, proposal = proposed(of("M06"))
    assert proposal.play == (8, 1, "6+6+3", 15, 15, 10, 8, {0: 5, 1: 10})
    assert proposal.window[:3] == (9, 9, None)
    assert [(call.line, call.seat, call.upheld, call.points) for call in proposal.window.calls] == [(10, 0, True, 5)]
    assert proposal.owed == {0: 5, 1: 10}
    assert [rule.id for rule in proposal.rules] == ["udl.score", "udl.announce", "udl.muggins"]
    assert all(rule.text for rule in proposal.rules)


UNSEEN = CourtCase(
    "unseen tiles", "A hand 2\nB hand 2\nA 6-6\nB 6-3 call 15\nA 6-2 call 5\n!A scores 10\n^score 15-15", "result", 1,
    (15, 15), "0.20", "", tags="hand=2",
)  # fmt: skip


@pytest.mark.parametrize(
    ("proof", "agreed", "scores"),
    [
        (ProofRule.NOBODY, False, (5, 15)),
        (ProofRule.CLAIMANT, False, (15, 15)),
        (ProofRule.REPLAY, False, (0, 0)),
        (ProofRule.NOBODY, True, (15, 15)),
    ],
)
def test_points_that_rest_on_the_word_of_the_record_are_not_known(proof, agreed, scores):
    case = file_of(UNSEEN, agreed_to=UNSEEN.marked("!") if agreed else 0)
    proposal = propose(case)
    assert proposal.certainty is Certainty.NOT_KNOWN
    assert "the tiles left are not all known" in proposal.reasons[0].text
    assert decide(case, proposal, proof=proof).version.outcome.scores == scores
    shown = file_of(replace(UNSEEN, lines=UNSEEN.lines.replace("!A", "B shows 5-5\n!A")))
    assert propose(shown).certainty is Certainty.PROVED


def test_a_hand_played_again_leaves_the_next_game_of_the_file_alone():
    one = of("M03 denied")
    protest = Protest(kind=ProtestKind.COUNT, by=0, line=one.marked("!"), filed=one.marked("^"))
    case = CaseFile(one.text + one.text, protest)
    decision = decide(case, propose(case), FactFound.NOT_KNOWN, ProofRule.REPLAY)
    first, second = verify_amended(case.text, [decision.ruling])
    assert (first.verdict.scores, second.verdict.scores) == ({"A": 0, "B": 0}, {"A": 0, "B": 15})
