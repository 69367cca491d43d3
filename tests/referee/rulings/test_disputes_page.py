"""The worked cases of docs/disputes.md are true, one for each system, and its facts are those that decide."""

import re
from pathlib import Path

import pytest

from games.rulesets import RULESETS
from referee.rulings.amending import verify_amended
from referee.rulings.court import FactFound, decide
from referee.rulings.outcomes import outcome_of
from referee.rulings.proposing import propose
from referee.rulings.protests import CaseFile, Protest, ProtestKind
from referee.rulings.reading import read_ruling
from referee.rulings.text import write_ruling
from tests.referee.rulings.decisive_facts import MADE_DECISIVE

PAGE = (Path(__file__).parents[3] / "docs" / "disputes.md").read_text(encoding="utf-8")
CASES = PAGE.split("\n### ")[1:]
PROTEST = re.compile(r"(\w+), `(\w+)`, line (\d+), filed after line (\d+)")


def block(kind, section):
    """Return the text of a fenced block, ``None`` without one."""
    found = re.search(rf"^```{kind}\n(.*?)^```$", section, re.MULTILINE | re.DOTALL)
    return found and found[1]


def table(section):
    return dict(re.findall(r"^\| ([a-z ]+) \| (.*) \|$", section, re.MULTILINE))


def case_of(section):
    log, rows = block("domino", section), table(section)
    name, kind, line, filed = PROTEST.fullmatch(rows["protest"]).groups()
    seat = re.search(rf'^\[Seat\.(\w) "{name}"\]$', log, re.MULTILINE)[1]
    protest = Protest(kind=ProtestKind(kind), by="ABCDEF".index(seat), line=int(line), filed=int(filed))
    return CaseFile(log, protest)


@pytest.mark.parametrize("section", CASES, ids=lambda section: section.partition(":")[0])
def test_a_worked_case_is_decided_as_the_page_says(section):
    case, rows = case_of(section), table(section)
    proposal = propose(case)
    assert proposal.admission.allowed
    assert rows["proposal"] == proposal.certainty.value
    assert rows["question"] == (proposal.question.question.text if proposal.question else "none")
    assert rows["rules"] == ", ".join(f"{rule.number} `{rule.id}`" for rule in proposal.rules)
    decision = decide(case, proposal, FactFound(rows["answer"]) if proposal.question else None)
    assert rows["the log alone"] == proposal.record.outcome.sentence(case.names).text
    assert rows["decided"] == decision.version.outcome.sentence(case.names).text
    assert block("ruling", section) == (write_ruling(decision.ruling) if decision.ruling else None)


@pytest.mark.parametrize("section", [one for one in CASES if "```ruling" in one], ids=lambda one: one.partition(":")[0])
def test_the_ruling_text_of_a_case_gives_its_verdict(section):
    case = case_of(section)
    (amended,) = verify_amended(case.text, [read_ruling(block("ruling", section))])
    assert outcome_of(amended.verdict).sentence(case.names).text == table(section)["decided"]


def test_each_system_has_a_worked_case():
    assert sorted(case_of(section).rules.key for section in CASES) == sorted(RULESETS)


def test_the_table_of_facts_has_every_rule_that_makes_one_decisive():
    facts = PAGE.partition("## Facts that decide")[2].partition("## ")[0]
    numbers = set(re.findall(r"\b(?:Q\d+|\d\.\d+)\b", facts))
    assert numbers == {number for number, _systems in MADE_DECISIVE.values()}
