"""Evidence and proposal of a case in words, in English and in Spanish."""

import re
from pathlib import Path

import pytest
from django.utils.translation import override

import referee.rulings
from games.notation.reading import loads
from games.wording.base import Sentence
from league.disputes.case_file import LogCase
from league.disputes.models import CourtRules, Dispute
from league.web.disputes.evidence import comparison_words, proposal_words
from league.web.disputes.ruling_form import reason_proposed
from league.web.words.disputes import KINDS, SHORT_KINDS, said
from league.web.words.findings import FINDINGS
from referee.rulings.court import FactFound
from referee.rulings.difference import compare_logs
from referee.rulings.penalties import NO_PENALTIES
from referee.rulings.proposing import propose
from referee.rulings.protests import CaseFile, Protest, ProtestKind

LOG = """[Ruleset "udl"]
[Seat.A "Ana"]
[Seat.B "Bo"]

round 1
A 6-6
B 6-3 on 6-6
A 6-5 on 6-6
end
"""


def test_the_proposal_has_the_arithmetic_the_rule_and_an_outcome_for_each_answer() -> None:
    case = CaseFile(LOG, Protest(kind=ProtestKind.COUNT, by=1, line=7, number=15, filed=8))
    words = proposal_words(propose(case, NO_PENALTIES), case.names)
    assert words.reasons[:2] == ["6+6+3 = 15, worth 15", "Bo announced nothing in time"]
    assert words.record == "0–0 so far"
    assert words.answers == [("yes", "0–15 so far"), ("no", "0–0 so far")]
    assert [one["rule"] for one in words.rules]
    assert all(one["rule_text"] for one in words.rules)


def test_two_logs_show_what_differs_and_what_each_version_leads_to() -> None:
    other = LOG.replace("B 6-3 on 6-6", "B 6-3 on 6-6 call 15")
    words = comparison_words(compare_logs(*loads(LOG), *loads(other)))
    (line,) = words.lines
    assert (line.left.line, line.left.said) == (7, "")
    assert (line.right.line, line.right.said) == (7, "Bo announced 15 with 6-3")
    assert line.leads_to == ("0–0 so far", "0–15 so far")


def test_a_fact_that_is_a_sentence_is_translated_too() -> None:
    inner = Sentence("%(score)s so far", {"score": "0–15"})
    with override("es"):
        assert said(
            Sentence("If %(this)s: %(first)s; if not: %(second)s", {"this": "x", "first": inner, "second": inner})
        ) != ("If x: 0–15 so far; if not: 0–15 so far")


def test_every_kind_of_protest_has_its_words() -> None:
    assert set(KINDS) == set(SHORT_KINDS) == set(Dispute.Kind)


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ("yes", "Bo said 15 before Ana released 6-5 (rules 0.11, 0.29)."),
        ("no", "Bo did not say 15 before Ana released 6-5 (rules 0.11, 0.29)."),
        ("not known", "Not known: the points in question go to nobody (rules 0.11, 0.29)."),
    ],
)
def test_the_reason_begins_as_the_finding_with_its_rules_and_not_as_the_question(answer, reason) -> None:
    file = CaseFile(LOG, Protest(kind=ProtestKind.COUNT, by=1, line=7, number=15, filed=8))
    case = LogCase(None, file, propose(file, NO_PENALTIES), CourtRules())
    found = FactFound(answer)
    assert reason_proposed(case, case.decision(found), found) == reason
    assert reason_proposed(None, None, None) == ""


def test_every_question_of_the_judge_has_a_sentence_for_yes_and_for_no() -> None:
    folder = Path(referee.rulings.__file__).parent
    source = "".join(path.read_text() for path in folder.glob("*.py"))
    assert set(re.findall(r'"((?:Did|Was) [^"?]*\?)"', source)) == set(FINDINGS)
    for question, sentences in FINDINGS.items():
        slots = set(re.findall(r"%\(\w+\)s", question))
        assert all(set(re.findall(r"%\(\w+\)s", str(one))) == slots for one in sentences)
