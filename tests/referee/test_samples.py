"""Sample logs with the verdicts that NOTATION.md and RULES.md give them; ``note`` findings but claims may differ."""

import json
from pathlib import Path

import pytest

from referee import verify_text

LOGS = Path(__file__).parents[1] / "logs" / "udl"
EXPECTED = [json.loads(line) for line in (LOGS / "expected.jsonl").read_text(encoding="utf-8").splitlines()]


def comparable(verdict):
    """A verdict without sentences, rule ids, and notes that a verifier is free in."""
    verdict["findings"] = [
        {key: finding[key] for key in ("line", "code", "severity")}
        for finding in verdict["findings"]
        if finding["severity"] != "note" or finding["code"].startswith("claim-")
    ]
    for ruling in verdict["rulings"]:
        ruling.pop("rule", None)
    return verdict


@pytest.mark.parametrize("expected", EXPECTED, ids=lambda expected: expected["file"])
def test_sample(expected):
    text = (LOGS / expected["file"]).read_bytes().decode()
    (verdict,) = verify_text(text, expected["file"])
    assert comparable(verdict.as_json()) == comparable(json.loads(json.dumps(expected)))


def test_the_samples_are_all_there():
    assert {expected["file"] for expected in EXPECTED} == {path.name for path in LOGS.glob("*.domino")}
    assert len(EXPECTED) == 15
