"""Sample logs of Uno Dominoes with the verdicts that NOTATION.md and RULES.md give them."""

import json
from pathlib import Path

import pytest

from games.notation.reading import dumps, loads
from referee import verify_text
from tests.referee.test_samples import comparable

LOGS = Path(__file__).parents[2] / "logs" / "uno-dominoes"
EXPECTED = [json.loads(line) for line in (LOGS / "expected.jsonl").read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize("expected", EXPECTED, ids=lambda expected: expected["file"])
def test_uno_sample(expected):
    text = (LOGS / expected["file"]).read_bytes().decode()
    (verdict,) = verify_text(text, expected["file"])
    assert comparable(verdict.as_json()) == comparable(json.loads(json.dumps(expected)))


@pytest.mark.parametrize("expected", EXPECTED, ids=lambda expected: expected["file"])
def test_uno_sample_is_written_back_as_it_was_read(expected):
    """Which half touched is part of the record (NOTATION.md 2)."""
    (log,) = loads((LOGS / expected["file"]).read_bytes().decode())
    again = dumps(log)
    assert loads(again) == [log]
    assert dumps(loads(again)) == again


def test_the_uno_samples_are_all_there():
    assert {expected["file"] for expected in EXPECTED} == {path.name for path in LOGS.glob("*.domino")}
    assert len(EXPECTED) == 11
