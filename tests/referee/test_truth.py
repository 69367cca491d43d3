"""Hand-written logs, worked out from NOTATION.md and RULES.md alone; their form is in tests/logs/findings/README.md."""

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from games.rulesets import RULESETS
from referee import Verdict, verify_text

LOGS = Path(__file__).parents[1] / "logs"
FOLDERS = ("findings", "examples", "fine")
FIVE = {"udl", "muggins", "all-fives", "double-six", "uno-dominoes"}
FILES = [path for folder in FOLDERS for path in sorted((LOGS / folder).glob("*.domino"))]

# NOTATION.md 4, and `syntax` of section 6.
CODES = [
    "unknown-tile",
    "duplicate-tile",
    "tile-already-played",
    "tile-not-in-hand",
    "no-open-end",
    "does-not-match",
    "ambiguous-play",
    "out-of-turn",
    "round-over",
    "game-over",
    "no-round",
    "draw-from-empty",
    "not-blocked",
    "not-out",
    "after-bell",
    "clock-backwards",
    "bad-event",
    "no-consistent-deal",
    "wrong-lead",
    "hand-size",
    "draw-when-able",
    "pass-when-able",
    "pass-with-boneyard",
    "must-play-drawn",
    "tile-count",
    "forced-draw",
    "unclear-offence",
    "wrong-count",
    "wrong-points",
    "wrong-total",
    "wrong-chips",
    "wrong-result",
    "wrong-ruling",
    "claim-upheld",
    "claim-rejected",
    "missed-points",
    "unverified-points",
    "incomplete",
    "clock-unknown",
    "syntax",
]

# The worked examples of RULES.md 9; R11 is one of `plays.json` alone.
EXAMPLES = [
    f"{letter}{number:02}"
    for letter, last in (("P", 24), ("R", 18), ("C", 3), ("M", 18), ("E", 10), ("U", 12))
    for number in range(1, last + 1)
]


def text_of(path: Path) -> str:
    return path.read_bytes().decode()


def expected_of(text: str) -> dict[str, str]:
    """The fields of the comment ``# expect:``."""
    (line,) = re.findall(r"^# expect: (.*)$", text, re.MULTILINE)
    return dict(field.split("=", 1) for field in line.split(" "))


def rulesets_of(text: str) -> set[str]:
    return set(re.findall(r'^\[Ruleset "(.*)"\]$', text, re.MULTILINE))


def joined(parts: Iterator[str]) -> str:
    return ",".join(parts) or "-"


def numbers(by_seat: dict[str, int]) -> str:
    return "-".join(str(number) for number in by_seat.values())


def seen(text: str, fields: dict[str, str]) -> dict[str, str]:
    """What the verifier answers, in the form of the comment, as far as the comment goes."""
    (verdict,) = verify_text(text)
    answer = verdict.as_json()
    found = joined(f"{line}:{code}" for line, code in sorted((f["line"], f["code"]) for f in answer["findings"]))
    if not isinstance(verdict, Verdict):
        return {"status": answer["status"], "findings": found}
    told = {
        "status": answer["status"],
        "winner": answer["winner"] or "-",
        "ended": answer["ended"] or "-",
        "scores": numbers(answer["scores"]),
        "findings": found,
        "plays": joined(f"{'-' if p['count'] is None else p['count']}/{p['worth']}" for p in answer["plays"]),
        "rounds": joined(
            f"{r['number']}:{r['ended'] or '-'}:{r['winner'] or '-'}:{numbers(r['points'])}:{numbers(r['scores'])}"
            for r in answer["rounds"]
        ),
        "rulings": joined(
            f"{r['line']}:{r['claimant']}:{'upheld' if r['upheld'] else 'rejected'}:{r['points']}"
            for r in sorted(answer["rulings"], key=lambda ruling: ruling["line"])
        ),
        "chips": numbers(answer.get("chips") or {}),
    }
    return {field: told[field] for field in fields}


def in_order(findings: str) -> str:
    """Findings by line, then code."""
    if findings == "-":
        return findings
    pairs = (finding.split(":") for finding in findings.split(","))
    return joined(f"{line}:{code}" for line, code in sorted((int(line), code) for line, code in pairs))


@pytest.mark.parametrize(
    "path",
    [path for path in FILES if rulesets_of(text_of(path)) <= set(RULESETS)],
    ids=lambda path: path.stem,
)
def test_verdict_is_the_one_worked_out_by_hand(path):
    text = text_of(path)
    fields = expected_of(text)
    fields["findings"] = in_order(fields["findings"])
    assert seen(text, fields) == fields


def test_every_code_has_two_files():
    named = Counter()
    for path in (LOGS / "findings").glob("*.domino"):
        fields = expected_of(text_of(path))
        named.update({finding.split(":")[1] for finding in fields["findings"].split(",") if ":" in finding})
    assert {code: named[code] for code in CODES if named[code] < 2} == {}


def test_every_file_is_named_after_a_finding_that_it_has():
    for path in (LOGS / "findings").glob("*.domino"):
        codes = [finding.split(":")[1] for finding in expected_of(text_of(path))["findings"].split(",")]
        assert any(path.stem.startswith(code + "-") for code in codes), path.name


def test_every_worked_example_has_a_log():
    named = {path.stem.split("-")[0] for path in (LOGS / "examples").glob("*.domino")}
    assert [example for example in EXAMPLES if example not in named] == []


def test_all_five_rulesets_are_registered():
    assert set(RULESETS) == FIVE
