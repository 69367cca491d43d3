"""The small tables on the cards of the first page."""

import re
from pathlib import Path

import pytest
from django.core.cache import cache
from django.db import connection
from django.template.loader import render_to_string
from django.test.utils import CaptureQueriesContext

from games.notation.reading import loads
from league.matches.models import Match, StoredVerdict
from league.web.charts import mini_boards
from league.web.charts.mini_boards import MOST_BYTES, MOST_DRAWN, NO_BOARD, board_of
from referee.frames import reel
from tests.web import world as small
from tests.web.test_home import at_the_table

LOGS = Path(__file__).parents[2] / "logs"


def boards(html: str) -> list[str]:
    return re.findall(r'<svg class="mini-board".*?</svg>', html, re.DOTALL)


def logs() -> list[str]:
    return [path.read_text("utf-8") for path in sorted(LOGS.glob("[!b]*/*.domino"))]


def test_of_every_golden_log_the_whole_table_is_drawn_within_six_kilobytes() -> None:
    symbols = set(re.findall(r'id="(\w[\w-]*)"', render_to_string("components/tile_symbols.html")))
    drawn = 0
    for text in logs():
        board = board_of(text)
        if board == NO_BOARD:
            continue
        drawn += 1
        [log] = loads(text)
        last = next(one for one in reversed(reel(log).rounds) if one.trail)
        uses = re.findall(r'<use href="#([^"]+)"', board.drawing)
        assert set(uses) <= symbols
        assert len([one for one in uses if one[0] == "t"]) == len(last.trail)
        assert board.round_number == last.number
        assert len(board.drawing) < MOST_BYTES - 500
    assert drawn > 40


def test_a_tile_lies_as_on_the_page_of_its_match() -> None:
    text = next(text for text in logs() if '"udl"' in text and board_of(text) != NO_BOARD)
    for name, turn in re.findall(r'href="#t(\d-\d)"[^>]*rotate\((\d+)\)', board_of(text).drawing):
        assert int(turn) in {0, 90, 180, 270}
        assert name[0] >= name[2]


@pytest.mark.parametrize("text", ["", "no log", '[Ruleset "chess"]\n', '[Ruleset "udl"]\nround 1\n'])
def test_what_is_no_game_has_no_board(text) -> None:
    assert board_of(text) == NO_BOARD


def test_a_table_that_is_too_large_for_a_card_is_left_out(monkeypatch) -> None:
    text = next(text for text in logs() if board_of(text) != NO_BOARD)
    monkeypatch.setattr(mini_boards, "MOST_BYTES", 600)
    assert board_of(text) == NO_BOARD


def test_results_have_the_table_of_their_last_game_with_a_log(world, browse) -> None:
    small.played(world, official=True)
    [board] = boards(browse().get("/").content.decode())
    assert len(board) <= MOST_BYTES
    assert re.search(r'role="img" aria-label="Table at the end of game 1, hand \d+\. Open ends: [^"]+\."', board)


def test_a_match_at_the_table_shows_the_game_that_is_over(world, browse) -> None:
    [match] = at_the_table(world, 1)
    client = browse()
    live = client.get("/").content.decode().split("data-cards")[1].split("</section>")[0]
    assert boards(live) == []
    small.judge(small.hand_in(world.game(match), world.ref))
    record = world.game(match).records.get()
    small.enter(record, official_by=world.ref)
    Match.objects.filter(pk=match.pk).update(state=Match.State.PLAYING)
    live = client.get("/").content.decode().split("data-cards")[1].split("</section>")[0]
    assert len(boards(live)) == 1
    # A look at the cards that are there brings no table, for it would move what is below.
    assert boards(client.get(f"/now/?shown={match.pk}").content.decode()) == []
    assert len(boards(client.get("/now/").content.decode())) == 1


@pytest.mark.parametrize("status", [StoredVerdict.Status.VERIFIED, StoredVerdict.Status.VIOLATION])
def test_what_no_log_proves_is_not_drawn(world, browse, status) -> None:
    small.played(world, official=True)
    StoredVerdict.objects.update(status=status)
    shown = boards(browse().get("/").content.decode())
    assert len(shown) == (status == StoredVerdict.Status.VERIFIED)


def test_a_board_is_drawn_once_and_few_at_a_look(world, browse, monkeypatch) -> None:
    for match in world.matches:
        small.played(world, match, official=True)
    Match.objects.update(starts_at=None)
    drawn = []
    real = board_of
    monkeypatch.setattr(mini_boards, "board_of", lambda text: drawn.append(text) or real(text))
    monkeypatch.setattr(mini_boards, "MOST_DRAWN", 2)
    client, shown, asked = browse(), [], []
    for _look in range(4):
        with CaptureQueriesContext(connection) as queries:
            shown.append(len(boards(client.get("/").content.decode())))
        asked.append(len(queries))
    assert shown == [2, 3, 3, 3]
    assert len(drawn) == 3
    assert asked[2] == asked[3] == asked[0] - 1
    # The control: without what is kept they are drawn anew.
    cache.clear()
    client.get("/")
    assert len(drawn) == 5
    assert MOST_DRAWN <= 4


def test_a_hostile_name_is_in_no_board(world, browse) -> None:
    name = '"><script>6-4'
    world.entrants[0].player.__class__.objects.filter(pk=world.entrants[0].player.pk).update(name=name)
    small.played(world, official=True)
    [board] = boards(browse().get("/").content.decode())
    assert "script" not in board
