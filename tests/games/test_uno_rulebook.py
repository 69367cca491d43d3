"""The page of Uno's rules for people says what the ruleset says."""

from pathlib import Path

from games.errors import Reason
from games.rulesets import get
from referee.colour_game import COLOUR_RULE_OF

PAGE = Path(__file__).parents[2] / "docs" / "uno-dominoes.md"
RULES = get("uno-dominoes")


def test_every_rule_of_uno_stands_on_its_page_with_id_and_number():
    rows = [f"| `{RULES.rule_id(slug)}` | {rule.number} | {rule.text} |" for slug, rule in RULES.rules.items()]
    page = PAGE.read_text(encoding="utf-8").splitlines()
    assert [line for line in page if line.startswith("| `uno-dominoes.")] == rows
    assert all(f"`{option}`" in PAGE.read_text(encoding="utf-8") for option in RULES.options)


def test_every_finding_cites_a_rule_that_uno_has():
    assert {COLOUR_RULE_OF.get(reason, "record") for reason in Reason} <= set(RULES.rules)
