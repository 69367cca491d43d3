"""The rules page for people says what the ruleset says."""

from pathlib import Path

from games.rulesets import get

PAGE = Path(__file__).parents[2] / "docs" / "udl.md"


def test_every_rule_stands_on_its_page_with_id_and_number():
    rules = get("udl")
    rows = [f"| `{rules.rule_id(slug)}` | {rule.number} | {rule.text} |" for slug, rule in rules.rules.items()]
    page = PAGE.read_text(encoding="utf-8").splitlines()
    assert [line for line in page if line.startswith("| `udl.")] == rows
