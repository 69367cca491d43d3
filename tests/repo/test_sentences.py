"""docs/rules/sentences.md names tests, logs, codes and rules that exist, in every cell of every row."""

import ast
import json
import re
from functools import cache
from pathlib import Path

import pytest

from games.errors import Reason
from games.rulesets import KEYS, get

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs/rules/sentences.md"
HEADING = re.compile(r"^Register: \[(?P<key>[a-z-]+)\.md\]\((?P=key)\.md\)\.$", re.MULTILINE)
COLUMNS = "| no. | sentence | rule | submitted log | tile pad | practice table | online |"
LINK = re.compile(r"\[([^\]]+)\]\[([^\]]+)\]")
LABEL = re.compile(r"^\[([^\]]+)\]: (\S+)$", re.MULTILINE)
CODES = {reason.value for reason in Reason}
CODE = re.compile(r"`([a-z-]+)`")


@cache
def names_of_tests(path: Path) -> frozenset[str]:
    """Names of the tests of a file, none where there is no such file."""
    if not path.is_file():
        return frozenset()
    tree = ast.parse(path.read_text("utf-8"))
    return frozenset(one.name for one in tree.body if isinstance(one, ast.FunctionDef) and one.name.startswith("test_"))


@cache
def logs() -> frozenset[str]:
    """Names of the logs with a verdict by hand, and of the worked examples."""
    vectors = json.loads((ROOT / "tests/vectors/plays.json").read_text("utf-8"))
    examples = {one["id"] for group in vectors.values() if isinstance(group, list) for one in group}
    return frozenset(examples | {path.stem for path in (ROOT / "tests/logs").glob("*/*.domino")})


def cells_of(line: str) -> list[str]:
    return [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]


def unknown_tests(text: str, labels: dict[str, Path]) -> list[str]:
    links = LINK.findall(text)
    return [
        f"no test {name} in [{label}]" for name, label in links if name not in names_of_tests(labels.get(label, ROOT))
    ]


def problems_of_cell(cell: str, labels: dict[str, Path]) -> list[str]:
    """Problems of the cell of a way: neither a known test nor a reason, or an unknown log or code."""
    links = LINK.findall(cell)
    if not links:
        return [] if cell.endswith(".") and len(cell.split()) > 1 else [f"no test and no reason: {cell!r}"]
    found = [
        f"no test {name} in [{label}]" for name, label in links if name not in names_of_tests(labels.get(label, ROOT))
    ]
    found += [f"no code {code}" for code in CODE.findall(cell) if code not in CODES]
    for after in LINK.split(cell)[3::3]:
        names = CODE.sub("", after).split(";")[0].replace(",", " ").split()
        found += [f"no log {name}" for name in names if name not in logs()]
    return found


def problems_of_table(key: str, text: str, labels: dict[str, Path]) -> list[str]:
    """Problems of the table of one document."""
    rules = {f"`{rule.slug if '.' in rule.slug else f'{key}.{rule.slug}'}`" for rule in get(key).rules.values()}
    header, _dashes, *rows = [line for line in text.splitlines() if line.startswith("|")]
    found = [] if header == COLUMNS else [f"{key}: {header}"]
    for number, row in enumerate(rows, 1):
        cells = cells_of(row)
        if len(cells) != 7 or cells[0] != str(number) or not cells[1]:
            found.append(f"{key} {number}: {len(cells)} cells, {cells[0]}")
            continue
        found += [f"{key} {number}: no rule {cells[2]}"] if cells[2] not in rules else []
        found += [f"{key} {number}: {one}" for cell in cells[3:] for one in problems_of_cell(cell, labels)]
    return found


def problems(page: str) -> list[str]:
    """Problems of the page, each with its document and row."""
    labels = {label: (PAGE.parent / target).resolve() for label, target in LABEL.findall(page)}
    head, *parts = HEADING.split(page)
    tables = dict(zip(parts[::2], parts[1::2], strict=True))
    found = [f"{key}: no table" for key in KEYS if key not in tables] + unknown_tests(head, labels)
    for key, text in tables.items():
        found += problems_of_table(key, text, labels)
    used = {label for _name, label in LINK.findall(page)}
    return found + [f"label {label} is not used" for label in labels if label not in used]


def test_every_test_log_code_and_rule_of_the_page_exists() -> None:
    page = PAGE.read_text("utf-8")
    assert len(LINK.findall(page)) > 300
    assert problems(page) == []


ROW = "| 7 | The player with the highest double tile begins the game. | `udl.lead` |"


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("[test_the_highest_double_must_lead][round]", "[test_gone][round]", "udl 7: no test test_gone in [round]"),
        ("[test_a_finished_game_is_verified_from_its_log][", "[test_a_gone_game][", "no test test_a_gone_game"),
        ("[round]: ../../tests/games/test_round.py", "[round]: ../../tests/games/gone.py", "in [round]"),
        ("wrong-lead-udl |", "wrong-lead-udo |", "udl 7: no log wrong-lead-udo"),
        ("`draw-from-empty`", "`draw-from-void`", "no code draw-from-void"),
        (ROW, ROW.replace("udl.lead", "udl.leed"), "udl 7: no rule `udl.leed`"),
        (ROW, ROW.replace("| 7 |", "| 8 |"), "udl 7: 7 cells, 8"),
        (ROW, ROW + " Another cell. |", "udl 7: 8 cells, 7"),
        ("| The pad sees no hand: the log's verdict judges this. |", "|  |", "udl 7: no test and no reason: ''"),
        ("Register: [muggins.md](muggins.md).", "", "muggins: no table"),
        ("| sentence | rule |", "| rule | sentence |", "udl: | no. |"),
        ("[round]: ", "[spare]: x\n[round]: ", "label spare is not used"),
    ],
)
def test_the_control_a_broken_page_fails(old, new, problem) -> None:
    page = PAGE.read_text("utf-8")
    assert old in page
    found = problems(page.replace(old, new, 1))
    assert any(problem in one for one in found), found


def test_the_page_is_linked_where_the_rules_are() -> None:
    assert "(docs/rules/sentences.md)" in (ROOT / "README.md").read_text("utf-8")
    assert all(f"[{key}.md]({key}.md)" in PAGE.read_text("utf-8") for key in KEYS)
