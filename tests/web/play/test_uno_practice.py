"""Uno Dominoes at the practice table: played by plain forms, with its calls, and told in sentences."""

import re
from html import unescape

import pytest
from django.test import Client

from games.moves import Play
from league.house.levels import Level
from league.house.uno_knowledge import known_at_uno
from league.house.uno_levels import choose_uno
from league.play.models import PracticeGame
from league.play.table import PLAYER
from league.play.uno_table import UnoTable
from referee import verify_text
from tests.league.play.tables import saved
from tests.league.play.uno_tables import uno_at, uno_in_play, uno_live

pytestmark = pytest.mark.django_db
A = "A hand g9-g9 b1-WD4 b6-g9 r3-rS y3-r6 r2-g9"
B = "B hand r3-r3 g2-b5 g5-b9 y1-r4 b6-g7 r7-yD2"


@pytest.fixture(autouse=True)
def _known_deals(monkeypatch) -> None:
    monkeypatch.setattr("league.play.terms.secrets.token_hex", lambda _bytes: "uno page")


def rules(**changed: str) -> dict[str, str]:
    """The form as it opens, with these changes."""
    usual = {
        "level": "random",
        "seats": "4",
        "target": "500",
        "hand": "6",
        "failed_challenge": "6",
        "reverse_2p": "skip",
        "block": "low",
        "all_doublet": "false",
        "reopening": "false",
    }
    return usual | changed


def begun(browser: Client, **changed: str) -> str:
    answer = browser.post("/play/?game=uno-dominoes", rules(**changed))
    assert answer.status_code == 302, re.findall(r'class="[^"]*error[^"]*"[^>]*>(.*?)<', answer.content.decode())
    return str(answer.url)


def page_of(browser: Client, table: UnoTable) -> tuple[str, str]:
    path = f"/play/{saved(table).code}/"
    return path, browser.get(path).content.decode()


def sent(browser: Client, path: str, **fields: str):
    line = re.search(r'name="line" value="(\d+)"', browser.get(path).content.decode())[1]
    return browser.post(path, {"line": line, **fields})


def told(browser: Client, path: str) -> list[str]:
    """The sentences of the hand, the newest first."""
    events = browser.get(path).content.decode().split("data-events")[1]
    found = re.findall(r"<li data-line[^>]*>(.*?)</li>", events, re.DOTALL)
    return [unescape(re.sub(r"<[^>]+>|[\u2068\u2069]", "", one)) for one in found]


def choice(table: UnoTable) -> dict[str, str]:
    """What a browser without JavaScript would send next."""
    if table.between:
        return {"do": "deal"}
    if table.victim == PLAYER:
        return {"do": "challenge"}
    if table.paused:
        last = table.colours.last_tile
        catches = last is not None and len(table.lines) % 3 and not table.lines[-1].startswith("A ")
        return {"do": f"catch-{last.seat}" if catches else "wait"}
    if table.may_say_uno(PLAYER):
        return {"do": "uno"}
    move = choose_uno(known_at_uno(PLAYER, table.colours), Level.GREEDY, str(len(table.lines)))
    if not isinstance(move, Play):
        return {"do": "draw"}
    return {"tile": move.tile.name, "on": move.on.name if move.on else "", "colour": move.colour or ""}


def test_the_number_of_players_is_chosen_before_the_deal(client) -> None:
    page = client.get("/play/?game=uno-dominoes").content.decode()
    assert re.findall(r'name="seats" value="(\d)"', page) == ["2", "3", "4"]
    assert 'name="seats"' not in client.get("/play/?game=udl").content.decode()
    for seats in ("2", "3", "4"):
        page = client.get(begun(client, seats=seats)).content.decode()
        assert page.count('class="stage-name by-') == int(seats)
        assert page.count('value="catch-') == int(seats) - 1
    assert [*PracticeGame.objects.order_by("pk").values_list("seats", flat=True)] == [2, 3, 4]


@pytest.mark.parametrize("wrong", [{"seats": "5"}, {"seats": ""}, {"failed_challenge": "0"}, {"hand": "8"}])
def test_a_wrong_choice_is_refused_with_its_field(client, wrong) -> None:
    answer = client.post("/play/?game=uno-dominoes", rules(**wrong))
    assert answer.status_code == 422
    assert not PracticeGame.objects.exists()


def test_house_rules_are_written_into_the_log(client) -> None:
    path = begun(client, failed_challenge="4", reopening="true", target="200")
    game = PracticeGame.objects.get()
    assert game.options == {"failed_challenge": "4", "reopening": "true", "target": "200"}
    page = client.get(path).content.decode()
    assert "Tiles drawn after a wrong challenge: 4" in page
    assert "to 200 points" in page


def test_a_whole_game_of_four_is_played_by_forms_alone_and_verified(client) -> None:
    path = begun(client, target="200")
    code, states = path.split("/")[-2], set()
    for _act in range(1500):
        game = PracticeGame.objects.get(code=code)
        if game.ended_at:
            break
        states.add(re.search(r'data-state="(\w+)"', client.get(path).content.decode())[1])
        assert sent(client, path, **choice(game.table())).status_code == 302
    page = client.get(path).content.decode()
    assert states >= {"turn", "pause", "between"}
    assert "Verified" in page
    assert "data-replay" in page
    [verdict] = verify_text(client.get(f"{path}log/").content.decode())
    assert (verdict.status, {one.severity for one in verdict.findings} - {"note"}) == ("verified", set())
    assert re.search(r"(Won against 3 computers|(Alba|Bruno|Clara) wins), \d+–\d+–\d+–\d+", page)


def test_each_half_of_a_tile_is_chosen_on_its_own(client) -> None:
    _path, page = page_of(client, uno_at(A, B, "A g9-g9", "B g2-b5 on g9-g9"))
    values = re.findall(r'name="tile" value="([^"]+)"', page)
    assert values == ["b1-WD4", "WD4-b1", "b6-g9", "g9-b6", "r3-rS", "rS-r3", "y3-r6", "r6-y3", "r2-g9", "g9-r2"]
    assert "green 9 touches, red 2 outside: fits on g9-g9" in page
    assert "blue 6 touches, green 9 outside: fits on g2-b5" in page
    assert "red 3 touches, red skip outside: fits nowhere" in page
    assert "green 9 on g9-g9 in 3 places, blue 5 on g2-b5" in page


def test_the_half_that_touches_is_written_first(client) -> None:
    path, _page = page_of(client, uno_at(A, B, "A g9-g9", "B g2-b5 on g9-g9"))
    assert sent(client, path, tile="g9-b6", on="g9-g9").status_code == 302
    assert "A g9-b6 on g9-g9" in PracticeGame.objects.get().lines
    assert any(one.startswith("You play g9-b6 on g9-g9.") for one in told(client, path))


def test_a_wild_half_asks_for_its_colour_and_keeps_the_choice_of_the_tile(client) -> None:
    path, page = page_of(client, uno_at(A, B, "A g9-g9", "B g2-b5 on g9-g9"))
    assert page.count('name="colour"') == 4
    answer = sent(client, path, tile="b1-WD4", on="g2-b5")
    assert answer.status_code == 422
    page = answer.content.decode()
    assert "Choose the colour that you name with this wild." in page
    assert re.search(r'value="b1-WD4"[^>]* checked', page)
    assert sent(client, path, tile="b1-WD4", on="g2-b5", colour="yellow").status_code == 302
    assert "You play b1-WD4 on g2-b5 and name yellow." in told(client, path)


@pytest.mark.parametrize("colour", ["pink", "red\n", ""])
def test_a_colour_that_no_tile_has_is_refused(client, colour) -> None:
    path, _page = page_of(client, uno_at(A, B, "A g9-g9", "B g2-b5 on g9-g9"))
    assert sent(client, path, tile="b1-WD4", on="g2-b5", colour=colour).status_code == 422


def test_a_colour_is_left_out_where_no_wild_half_stays_open(client) -> None:
    path, _page = page_of(client, uno_at(A, B, "A g9-g9", "B g2-b5 on g9-g9"))
    assert sent(client, path, tile="g9-b6", on="g9-g9", colour="red").status_code == 302
    assert "colour" not in PracticeGame.objects.get().lines.split("A g9-b6")[1].splitlines()[0]


def test_without_a_wild_tile_no_colour_is_asked(client) -> None:
    _path, page = page_of(client, uno_at(A.replace("b1-WD4", "b3-y7"), B, "A g9-g9", "B g2-b5 on g9-g9"))
    assert 'name="colour"' not in page


FOUR = ("A hand g9-g9 r3-rS r2-g9 y5-g8 y3-r6 r5-g6", "B hand b1-WD4 g2-b5 g5-b9 y1-r4 b6-g7 r7-yD2")


def test_a_wild_four_is_accepted_or_challenged_and_told(client) -> None:
    path, page = page_of(client, uno_at(*FOUR, "A g9-g9", "B WD4-b1 on g9-g9"))
    assert "The computer played a Wild Draw Four: draw four, or challenge it." in re.sub(r"[\u2068\u2069]", "", page)
    assert 'name="tile"' not in page
    assert "data-draw" not in page
    assert sent(client, path, do="challenge").status_code == 302
    story = told(client, path)
    assert "You challenge the Wild Draw Four." in story
    assert "The challenge is upheld." in story
    assert any(one.startswith("The computer shows ") for one in story)
    assert "The computer draws 4 tiles." in story


def test_four_tiles_are_drawn_by_the_button(client) -> None:
    path, _page = page_of(client, uno_at(*FOUR, "A g9-g9", "B WD4-b1 on g9-g9"))
    assert sent(client, path, do="four").status_code == 302
    assert any(re.fullmatch(r"You draw( \w+-\w+){4}\.", one) for one in told(client, path))


ONE_LEFT = (
    "A hand g9-g9 g1-y9 r3-rS r2-g9",
    "B hand g2-b5 g5-b9",
    "C hand b2-y6 b3-y7 y4-r5 b8-DE",
    "A g9-g9",
    "B g2-b5 on g9-g9",
)


def test_before_the_next_computer_moves_there_is_time_to_catch(client) -> None:
    path, page = page_of(client, uno_at(*ONE_LEFT))
    assert "Alba has one tile left. The next player waits for you." in re.sub(r"[\u2068\u2069]", "", page)
    assert "Go on" in page
    assert sent(client, path, do="catch-1").status_code == 302
    assert told(client, path)[:2] == ["Alba draws 2 tiles.", "You catch Alba, who did not say UNO."]
    assert sent(client, path, do="wait").status_code == 302


def test_a_catch_for_nothing_is_told(client) -> None:
    path, _page = page_of(client, uno_at(*ONE_LEFT, "B uno"))
    assert sent(client, path, do="catch-1").status_code == 302
    assert told(client, path)[0] == "You try to catch Alba: there is nothing to catch."


def test_uno_is_said_by_its_button_and_forgetting_it_is_caught(client) -> None:
    lines = ("A hand g9-g9 g1-y9 r3-rS", "B hand g2-b5 b3-y7 y1-r4", "A g9-g9", "B g2-b5 on g9-g9")
    path, _page = page_of(client, uno_at(*lines, level=Level.CAREFUL, hand="3"))
    assert sent(client, path, do="uno").status_code == 302
    assert told(client, path)[0] == "You say UNO."
    other, _page = page_of(client, uno_at(*lines, level=Level.CAREFUL, hand="3"))
    assert sent(client, other, tile="y9-g1", on="g9-g9").status_code == 302
    assert "The computer catches you: you did not say UNO." in told(client, other)


@pytest.mark.parametrize(
    "act", [{"do": "uno"}, {"do": "wait"}, {"do": "four"}, {"do": "challenge"}, {"do": "catch-0"}, {"do": "catch-7"},
            {"do": "catch"}, {"do": "leave"}, {"do": "reopen-g9-g9"}, {"do": "deal"}, {"do": "muggins"}, {"do": "x"}]
)  # fmt: skip
def test_an_act_at_the_wrong_time_is_refused_and_changes_nothing(client, act) -> None:
    path, _page = page_of(client, uno_at(A, B, "A g9-g9", "B g2-b5 on g9-g9"))
    before = PracticeGame.objects.get().lines
    assert sent(client, path, **act).status_code == 422
    assert PracticeGame.objects.get().lines == before


CLOSED = (
    "A hand g9-g9 g1-DE g9-b6 r3-rS W-W",
    "B hand g5-DE g6-DE b8-DE y1-r4 r7-yD2",
    "A g9-g9",
    "B g5-DE on g9-g9",
    "A g1-DE on g9-g9",
    "B g6-DE on g9-g9",
    "A g9-b6 on g9-g9",
    "B b8-DE on g9-b6",
)


def test_a_dead_end_is_reopened_beside_a_doublet(client) -> None:
    """Its four sides are taken, so the table is named and not drawn."""
    path, page = page_of(client, uno_at(*CLOSED, hand="5", reopening="true"))
    assert "Every arm is closed." in page
    assert 'value="reopen-g9-g9"' in page
    assert sent(client, path, do="reopen-g9-g9").status_code == 422
    assert sent(client, path, do="reopen-g9-g9", colour="blue").status_code == 302
    assert "You open the table again with W-W on g9-g9 and name blue." in told(client, path)
    assert "This table is not drawn here." in client.get(path).content.decode()


def test_a_dead_end_is_left_closed_by_the_button(client) -> None:
    path, _page = page_of(client, uno_at(*CLOSED, hand="5", reopening="true"))
    assert sent(client, path, do="leave").status_code == 302
    assert "Next hand" in client.get(path).content.decode()


def test_effects_are_told(client) -> None:
    hands = "A hand g9-g9 r2-r2 y3-y3", "B hand g6-DE gR-r2 gS-b4", "C hand b2-y6 b3-y7 y4-r5"
    lines = "A g9-g9", "B gR-r2 on g9-g9", "A r2-r2 on gR-r2", "C draw y1-g7", "C pass", "B gS-b4 on g9-g9"
    path, _page = page_of(client, uno_at(*hands, *lines, hand="3"))
    story = told(client, path)
    assert "Alba plays gR-r2 on g9-g9. Play turns round." in story
    assert "Alba plays gS-b4 on g9-g9. The next player loses the turn." in story
    assert "Bruno draws a tile." in story


def test_the_page_says_who_plays_after_the_player_and_all_scores(client) -> None:
    _path, page = page_of(client, uno_in_play("score"))
    assert page.count("after you") == 1
    assert re.search(r"Score: You \d+, Alba \d+, Bruno \d+, Clara \d+\. Tiles left: You \d+, Alba", page)


def test_a_page_costs_one_statement_at_each_moment(client, django_assert_num_queries) -> None:
    client.get("/play/")
    for wanted in (lambda table: table.plays, lambda table: table.paused, lambda table: table.victim == PLAYER):
        game = saved(uno_live("cost", 4, wanted))
        with django_assert_num_queries(1):
            client.get(f"/play/{game.code}/")


def test_the_table_speaks_spanish(client) -> None:
    path = begun(client)
    page = client.get(path, headers={"accept-language": "es"}).content.decode()
    assert "Sorprender a Alba" in page
    assert "Catch" not in page
