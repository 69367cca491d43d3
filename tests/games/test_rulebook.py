"""The rules pages for people say what the rulesets say."""

from pathlib import Path

import pytest

from games.rulesets import get

DOCS = Path(__file__).parents[2] / "docs"


@pytest.mark.parametrize("ruleset", ["udl", "muggins", "all-fives", "double-six"])
def test_every_rule_stands_on_its_page_with_id_and_number(ruleset):
    rules = get(ruleset)
    rows = [f"| `{rules.rule_id(slug)}` | {rule.number} | {rule.text} |" for slug, rule in rules.rules.items()]
    page = (DOCS / f"{ruleset}.md").read_text(encoding="utf-8").splitlines()
    assert [line for line in page if line.startswith(f"| `{ruleset}.")] == rows
