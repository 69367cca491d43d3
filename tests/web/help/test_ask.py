"""“Settle a muggins call”: the page answers, says which field is wrong, and builds a board without JavaScript."""

import re
from html import unescape

import pytest

ASKED = "/ask/?asked=1&ruleset=udl&ends=6-6+5+3&c1=B&c1_when=after-next"


def page(client, path, status=200) -> str:
    answer = client.get(path)
    assert answer.status_code == status
    return " ".join(re.sub(r"<[^>]+>", " ", unescape(answer.content.decode())).split())


def test_the_answer_says_sum_points_owner_and_rule(db, browse) -> None:
    said = page(browse(), ASKED)
    assert "6 + 6 + 5 + 3 = 20 20 points 20 points for B, who called muggins." in said
    assert "Muggins by B: The call was right." in said
    assert "Rule 0.26 udl.muggins : Points of a play that its player did not announce" in said


def test_the_cited_rules_stand_on_the_page(db, browse) -> None:
    html = browse().get(ASKED).content.decode()
    cited = re.findall(r'<p class="rule"><a href="#([^"]+)"', html)
    assert cited == ["udl.score", "udl.announce", "udl.muggins"]
    assert all(f'id="{rule}"' in html for rule in cited)


@pytest.mark.parametrize(
    ("query", "sentence"),
    [
        ("&c1_when=before-next", "20 points, still open: A may announce them."),
        ("&c1_when=after-second", "Nobody gets the 20 points."),
        ("&said=20&said_when=with-tile", "20 points for A, who put the tile."),
        ("&said=10&said_when=with-tile", "10 points for A, who announced them, and 10 for B, who called muggins."),
        ("&said=25&overclaim=foster", "25 points for B, the next player: too many were announced."),
        ("&muggins=before_next", "Nobody gets the 20 points."),
        ("&muggins=before_next&c1_when=before-next&c1_s=4", "20 points for B, who called muggins."),
        ("&c1_when=after-bell&bell_s=8&c1_s=10.1", "Nobody gets the 20 points."),
        ("&ends=6-6+1", "No points: 13 is no multiple of five."),
        ("&ends=0-0", "No points: a count of 0 scores nothing."),
        ("&ruleset=double-six", "There is no muggins call in these rules."),
        ("&c1=&reached=after-next", "20 points are still open to a muggins call."),
        (
            "&ruleset=all-fives&seats=4&c1=B&c1_when=before-next&c2=D&c2_when=before-next&c2_together=on",
            "20 points for B, who called muggins.",
        ),
        ("&said=20&said_when=before-next&c1_when=before-next&muggins=before_next&first=call", "for B, who called"),
    ],
)
def test_every_kind_of_answer(db, browse, query, sentence) -> None:
    told = dict(part.split("=", 1) for part in (ASKED.split("?")[1] + query).split("&"))
    assert sentence in page(browse(), "/ask/?" + "&".join(f"{name}={value}" for name, value in told.items()))


@pytest.mark.parametrize(
    ("query", "field", "message"),
    [
        ("ends=6-5+3", "ends", "6-5 is a tile with two halves"),
        ("ends=", "ends", "Say what lay open"),
        ("ends=6+4&said=5&said_when=after-bell", "said_when", "not two"),
        ("ends=6+4&c1_s=700", "c1_s", "less than or equal to 600"),
        ("ends=6+4&seats=3", "seats", "UDL Dominoes is not played by 3."),
        ("ends=6+4&c1=D", "c1", "There is no such seat at this table."),
        ("ends=6+4&muggins_grace_s=x", "muggins_grace_s", "muggins_grace_s is a number from 0 to 600"),
        ("ends=6+4&bell_s=5", "bell_s", "Nothing here was said after the bell."),
        ("by=board&board=6-6+5-4", "ends", "5-4 fits no open end."),
        ("by=board&board=6-6+9-9@6-6", "ends", "9-9 is no tile of the set."),
    ],
)
def test_a_wrong_question_says_so_at_its_field(db, browse, query, field, message) -> None:
    told = {"asked": "1", "ruleset": "udl", "c1": "B", "c1_when": "after-next"}
    told |= dict(part.split("=", 1) for part in query.split("&"))
    answer = browse().get("/ask/?" + "&".join(f"{name}={value}" for name, value in told.items()))
    assert answer.status_code == 422
    assert list(answer.context["form"].errors) == [field]
    assert message in unescape(answer.content.decode())


def test_a_board_is_laid_by_links_alone(db, browse) -> None:
    """Every tap is a link; the last one leads to the very answer that the open ends give."""
    client = browse()

    def tap(path: str, tile: str) -> str:
        html = unescape(client.get(path).content.decode())
        keys = re.findall(r'<a href="(\?[^"#]*)#ends"><svg[^>]*><title>([^<]*)', html)
        return "/ask/" + next(href for href, title in keys if title.endswith(tile))

    path = "/ask/?by=board"
    for tile in ("6-6", "6-3", "6-5"):
        path = tap(path, tile)
    picking = tap(path, "5-3")
    assert "Which tile was 5-3 joined to?" in page(client, picking)
    path = tap(picking, "6-5")
    assert "Open now: 3 + 3" in page(client, path)
    assert "3 + 3 = 6" in page(client, f"{path}&asked=1&ruleset=udl&c1=B&c1_when=after-next")


def test_a_tile_on_the_table_or_that_fits_nowhere_is_no_link(db, browse) -> None:
    html = browse().get("/ask/?by=board&board=6-6+6-3@6-6").content.decode()
    linked = re.findall(r'<a href="[^"]*"><svg[^>]*><title>([^<]*)', html.split('class="keypad"')[1].split("</ul>")[0])
    assert len(linked) == 11, "five more sixes and six more threes"


def test_the_page_asks_the_database_for_nothing(db, browse, django_assert_num_queries) -> None:
    client = browse()
    with django_assert_num_queries(0):
        client.get(ASKED)


def test_hostile_words_are_shown_as_they_are(db, browse) -> None:
    html = browse().get("/ask/?asked=1&ruleset=udl&ends=<script>alert(1)</script>&c1=B").content.decode()
    assert "<script>alert" not in html
    assert "&lt;script&gt;" in html
