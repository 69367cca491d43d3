"""The pages of rules under docs/ are what ``python -m referee rules`` prints, and every finding cites a rule."""

from pathlib import Path

import pytest

from games.errors import Reason
from games.ruleset import Matching
from games.rulesets import KEYS, get
from referee.__main__ import main
from referee.game import RULE_OF
from referee.uno.game import COLOUR_RULE_OF

DOCS = Path(__file__).parents[2] / "docs" / "rules"


@pytest.mark.parametrize("ruleset", KEYS)
def test_the_page_is_made_from_the_data(ruleset, capsys):
    assert main(["rules", ruleset]) == 0
    printed = capsys.readouterr().out
    assert (DOCS / f"{ruleset}.md").read_text(encoding="utf-8") == printed, f"python -m referee rules {ruleset}"


@pytest.mark.parametrize("ruleset", KEYS)
def test_every_finding_cites_a_rule_of_its_system(ruleset):
    rules = get(ruleset)
    cited = COLOUR_RULE_OF if rules.matching is Matching.MARKINGS else RULE_OF
    assert {cited.get(reason, "record") for reason in Reason} <= set(rules.rules)


def test_house_rules_stand_on_the_page(capsys):
    assert main(["rules", "udl", "--option", "target=100", "--option", "spinner=all"]) == 0
    page = capsys.readouterr().out
    assert "**House rules:** `spinner` = `all`, `target` = `100`." in page
    assert "The first player with 100 points" in page
    assert "Every double is a spinner" in page


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["udl", "--option", "target=x"], "target is a number from 1 to 100000, not 'x'"),
        (["udl", "--option", "tempo=3"], "no option 'tempo'; the options are announce,"),
        (["uno-dominoes", "--option", "spinner=all"], "no option 'spinner'; the options are all_doublet,"),
    ],
)
def test_a_wrong_option_is_told_with_what_is_allowed(arguments, told, capsys):
    assert main(["rules", *arguments]) == 2
    assert told in capsys.readouterr().err


@pytest.mark.parametrize("arguments", [["chess"], ["udl", "--option", "target"]])
def test_a_wrong_word_is_told_with_the_usage(arguments, capsys):
    with pytest.raises(SystemExit, match="2"):
        main(["rules", *arguments])
    assert "error: argument" in capsys.readouterr().err
