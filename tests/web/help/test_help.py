"""The page that explains the notation: every line of it is one that the reader of logs takes."""

import re
from html import unescape

import pytest

from games.notation.reading import loads
from league.web.words.games.log_lines import LINES

HEAD = '[Ruleset "udl"]\n[Seat.A "Ana Ruiz"]\n[Seat.B "Bo Chen"]\n'
WORDS = (
    "round hand on call draw pass muggins domino blocked shows scores score chips settled bell penalty concedes "
    "forfeits end note ?"
)


@pytest.mark.parametrize("path", ["/notation/", "/submit/"])
def test_every_word_of_the_notation_is_listed_with_an_example(world, browse, path) -> None:
    html = unescape(browse(world.alice).get(path).content.decode())
    table = html.split('class="table words"')[1].split("</table>")[0]
    table = re.sub(r'<span class="named-tile"><svg .*?</svg>(.*?)</span>', r"\1", table)
    for word in LINES:
        assert f"<code>{word.example}</code>" in table
        assert str(word.meaning) in table
    assert set(WORDS.split()) <= {part for word in LINES for part in word.example.split()}


@pytest.mark.parametrize("example", [word.example for word in LINES])
def test_every_example_can_be_read(example) -> None:
    round_line = "" if example.startswith("round") else "round 1\n"
    assert len(loads(f"{HEAD}{round_line}{example}\n")) == 1


def test_the_page_needs_no_account_and_asks_for_little(db, browse, django_assert_num_queries) -> None:
    client = browse()
    with django_assert_num_queries(0):
        assert client.get("/notation/").status_code == 200
