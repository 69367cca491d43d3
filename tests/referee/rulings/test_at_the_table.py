"""The one question of a referee at the table, by the claim window of each ruleset."""

import pytest

from games.rulesets import get
from referee.rulings.at_the_table import kinds_of, table_question
from referee.rulings.protests import ProtestKind

NAMES = ("Ana", "Bo")
MOMENT = "released the next tile, or passed"


@pytest.mark.parametrize(
    ("ruleset", "kind", "claims", "question"),
    [
        ("udl", ProtestKind.COUNT, 0, "Did Ana say 10 before Bo released the next tile, or passed?"),
        (
            "udl",
            ProtestKind.MUGGINS,
            1,
            f"Did Bo call muggins after Bo {MOMENT}, and before Ana {MOMENT}?",
        ),
        ("all-fives", ProtestKind.MUGGINS, 1, "Did Bo call muggins before Bo released the next tile, or passed?"),
        ("all-fives", ProtestKind.COUNT, 1, "Did Bo say 10 before Ana released the next tile, or passed?"),
    ],
)
def test_the_question_is_made_from_the_window_of_the_rules(ruleset, kind, claims, question) -> None:
    assert table_question(get(ruleset), kind, claims, 10, NAMES).question.text == question


@pytest.mark.parametrize("ruleset", ["muggins", "double-six", "uno-dominoes"])
def test_rules_without_an_announcement_have_no_question(ruleset) -> None:
    assert kinds_of(get(ruleset)) == ()
    assert table_question(get(ruleset), ProtestKind.MUGGINS, 0, 10, NAMES) is None


def test_points_that_the_record_has_as_announced_are_asked_about_first() -> None:
    asked = table_question(get("udl"), ProtestKind.MUGGINS, 1, 10, NAMES, announced=True)
    assert (asked.question.text, asked.favours) == (f"Did Ana say 10 before Bo {MOMENT}?", False)
