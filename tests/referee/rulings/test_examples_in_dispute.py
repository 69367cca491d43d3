"""Every worked example of RULES.md 9 can be protested, and the court comes to the stated outcome."""

from dataclasses import replace

import pytest

from referee.rulings.court import decide
from referee.rulings.proposal import Certainty
from referee.rulings.proposing import propose
from referee.rulings.protests import CaseFile, Protest, ProtestKind
from tests.referee.rulings.court_cases import CASES
from tests.referee.rulings.examples_in_dispute import EXAMPLES_IN_DISPUTE
from tests.referee.test_truth import EXAMPLES, LOGS, expected_of


def log_of(one):
    """Return the example's log with the wrong line, and the number of the line."""
    lines = (LOGS / "examples" / f"{one.file}.domino").read_text("utf-8").splitlines()
    (at,) = [number for number, line in enumerate(lines) if line == one.line]
    lines[at] = one.wrong or one.line
    return "\n".join(lines[: at + 1] if one.ends else lines) + "\n", at + 1


def case_of(one):
    text, line = log_of(one)
    return CaseFile(text, Protest(kind=ProtestKind(one.kind), by=one.by, line=line, filed=line))


@pytest.mark.parametrize("one", EXAMPLES_IN_DISPUTE, ids=lambda one: one.file)
def test_a_protest_about_an_example_comes_to_its_outcome(one):
    case = case_of(one)
    proposal = propose(case)
    assert any(reason.text.startswith(one.says) for reason in proposal.reasons)
    assert one.rule in {rule.number for rule in proposal.rules}
    assert (proposal.certainty, proposal.question) == (Certainty.PROVED, None)
    assert decide(case, proposal).version.outcome.scores == scores_of(one)


def scores_of(one):
    """Return the scores that the example states."""
    fields = expected_of((LOGS / "examples" / f"{one.file}.domino").read_text("utf-8"))
    return tuple(map(int, fields["scores"].split("-")))


@pytest.mark.parametrize("one", [one for one in EXAMPLES_IN_DISPUTE if one.wrong], ids=lambda one: one.file)
def test_the_wrong_line_is_a_finding_of_its_own(one):
    """A control: the log as written breaks a rule or has a wrong number, the example does not."""
    case = case_of(one)
    assert set(case.found(case.protest.line)) - {"incomplete"}
    true = case_of(replace(one, wrong=""))
    assert not set(true.found(true.protest.line)) - {"incomplete", "unverified-points"}


def test_every_example_is_disputed():
    disputed = {one.example for one in EXAMPLES_IN_DISPUTE} | {one.id.split()[0] for one in CASES}
    assert [example for example in EXAMPLES if example not in disputed] == []
