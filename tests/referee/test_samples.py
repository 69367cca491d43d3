"""Sample logs with the verdicts that NOTATION.md and RULES.md give them."""

import json
from pathlib import Path

import pytest

from referee import verify_text

LOGS = Path(__file__).parents[1] / "logs"
RULESETS = ("udl", "muggins", "all-fives", "double-six")


def samples(ruleset):
    lines = (LOGS / ruleset / "expected.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


EXPECTED = [e for ruleset in RULESETS for e in samples(ruleset)]


def comparable(verdict):
    """A verdict without sentences and rule ids."""
    verdict["findings"] = [
        {key: finding[key] for key in ("line", "code", "severity")} for finding in verdict["findings"]
    ]
    for ruling in verdict["rulings"]:
        ruling.pop("rule", None)
    return verdict


@pytest.mark.parametrize("expected", EXPECTED, ids=lambda expected: expected["file"])
def test_sample(expected):
    text = (LOGS / expected["ruleset"] / expected["file"]).read_bytes().decode()
    (verdict,) = verify_text(text, expected["file"])
    assert comparable(verdict.as_json()) == comparable(json.loads(json.dumps(expected)))


@pytest.mark.parametrize(("ruleset", "number"), [("udl", 22), ("muggins", 16), ("all-fives", 22), ("double-six", 16)])
def test_the_samples_are_all_there(ruleset, number):
    expected = samples(ruleset)
    assert {e["file"] for e in expected} == {path.name for path in (LOGS / ruleset).glob("*.domino")}
    assert len(expected) == number
