"""docs/notation.md knows every word that the reader knows, and every code that a verdict may have."""

import re
from pathlib import Path

import pytest

from games.errors import Reason
from games.notation import lines
from referee.sentences import SENTENCES
from referee.verdict import severity

PAGE = (Path(__file__).parents[2] / "docs" / "notation.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("word", sorted({*lines._SEAT_EVENTS, *lines._LINES, "on", "colour"}))
def test_the_page_shows_every_word(word):
    assert re.search(rf"`[^`\n]*\b{word}\b[^`\n]*`", PAGE)


# These two have a sentence for each reason why.
ONE_OF_SEVERAL = {"claim-upheld": "claim-owed", "claim-rejected": "claim-announced"}


def test_the_table_of_codes_is_the_referees_own():
    rows = []
    for reason in Reason:
        code = reason.value
        example = re.sub(r"%\(\w+\)s", "…", SENTENCES[ONE_OF_SEVERAL.get(code, code)])
        rows.append(f"| `{code}` | {severity(reason).value} | {example} |")
    coded = re.compile(r"\| `[a-z-]+` \| (impossible|violation|correction|note) \|")
    assert [line for line in PAGE.splitlines() if coded.match(line)] == rows
