"""Online games on their pages: opened, joined by the link, dealt, played by plain forms in two browsers, checked."""

import re
from random import Random

import pytest
from django.test import Client

from games.notation.reading import loads
from league.accounts import attempts
from league.errors import Refused
from league.play.models import OnlineGame, OnlineSeat
from league.play.online import queries, services
from referee.deal_check import check_deal
from tests.league.play.online_games import choice, dealt, fresh, opened, play_to_end, step
from tests.league.play.test_online_uno import CLOSED, FOUR, ONE_LEFT, at

pytestmark = pytest.mark.django_db
START = {"name": "Ana", "seats": "2", "move_time": "120", "absence": "300"}
USUAL = {
    "target": "50",
    "spinner": "none",
    "hand": "7",
    "lead_first": "highest_double",
    "lead_later": "highest_double",
    "voluntary_draw": "false",
    "must_play_drawn": "true",
    "boneyard_reserve": "0",
}


@pytest.fixture(autouse=True)
def _known_deals(monkeypatch) -> None:
    chance = Random(22)
    monkeypatch.setattr("league.play.online.services.secrets.token_hex", lambda size: chance.randbytes(size).hex())


def path_of(seat: OnlineSeat) -> str:
    return f"/play/online/{seat.game.code}/"


def browser_of(seat: OnlineSeat) -> Client:
    browser = Client()
    browser.get(f"{path_of(seat)}seat/{seat.key}/")
    return browser


def rules_of_form(page: str) -> dict[str, str]:
    chosen = re.findall(r'<select name="(\w+)".*?<option value="(\w*)" selected', page, re.DOTALL)
    return dict(chosen + re.findall(r'<input type="radio" name="(\w+)" value="(\w+)"[^>]*checked', page))


def line_on(page: str) -> str:
    return re.search(r'name="line" value="(\d+)"', page)[1]


def test_two_browsers_play_a_game_by_plain_forms() -> None:
    ana, bo, passer_by = Client(), Client(), Client()
    form = rules_of_form(ana.get("/play/online/?game=muggins").content.decode())
    answer = ana.post("/play/online/?game=muggins", form | {"target": "50", "name": "Ana"})
    path = answer["Location"]
    page = ana.get(path).content.decode()
    assert f"testserver{path}" in page
    assert ana.post(path, {"do": "agree", "words": "mine"}).status_code == 302
    invited = bo.get(path).content.decode()
    assert "Join the game" in invited
    shown = re.search(r'class="online-hash">(\w{64})<', invited)[1]
    assert bo.post(path, {"do": "join", "name": "Bo", "words": "also mine"}).status_code == 302
    assert "You are watching" in passer_by.get(path).content.decode()
    seats = list(OnlineSeat.objects.select_related("game").order_by("number"))
    assert [seat.name for seat in seats] == ["Ana", "Bo"]
    while fresh(seats[0]).ended_at is None:
        for browser, seat in ((ana, seats[0]), (bo, seats[1])):
            asked = choice(seat)
            if asked is None or fresh(seat).ended_at:
                continue
            data = {"line": line_on(browser.get(path).content.decode()), "do": asked.do}
            data |= {"tile": asked.tile, "on": asked.on} if asked.do == "play" else {}
            assert browser.post(path, data).status_code == 302
    over = ana.get(path).content.decode()
    assert "python -m referee deal --check" in over
    [log] = loads(ana.get(f"{path}log/").content.decode())
    assert check_deal(log) == []
    assert log.tags["Deal.Hash"] == shown
    assert (log.tags["Deal.Words.A"], log.tags["Deal.Words.B"]) == ("mine", "also mine")


def test_refusals_have_their_status_and_show_the_table() -> None:
    seats = dealt()
    now = next(seat for seat in seats if choice(seat))
    other = next(seat for seat in seats if seat.pk != now.pk)
    for seat, data, status in (
        (other, {"line": 99, "do": "draw"}, 409),
        (other, {"line": len(fresh(now).lines.splitlines()), "do": "draw"}, 422),
        (now, {"line": len(fresh(now).lines.splitlines()), "tile": "9-9"}, 422),
        (now, {"line": "x", "do": "draw"}, 409),
        (now, {"do": "greet", "greeting": "pay me"}, 422),
        (now, {"do": "rematch"}, 409),
    ):
        answer = browser_of(seat).post(path_of(seat), data)
        assert answer.status_code == status
        assert 'role="alert"' in answer.content.decode()
    answer = Client().post(path_of(now), {"line": 3, "do": "draw"})
    assert answer.status_code == 403
    assert Client().get("/play/online/NOSUCHCODE/").status_code == 404
    assert Client().post("/play/online/NOSUCHCODE/", {"do": "draw"}).status_code == 404
    assert Client().get(f"{path_of(now)}seat/WRONG/").status_code == 404


def test_a_seat_whose_answer_is_lost_is_the_browser_s_own() -> None:
    ana = services.open_game("muggins", {}, "Ana", clock="0", move_time="0", absence="300")
    bo, eve = Client(), Client()
    bo.get(path_of(ana))
    eve.get(path_of(ana))
    kept = bo.cookies.output()
    answer = bo.post(path_of(ana), {"do": "join", "name": "Bo", "words": "x"})
    bo.cookies.load(kept.replace("Set-Cookie: ", ""))
    assert [answer.status_code, bo.post(path_of(ana), {"do": "join", "name": "Bo", "words": "x"}).status_code] == [
        302
    ] * 2
    assert "You are ready." in bo.get(path_of(ana)).content.decode()
    assert [seat.name for seat in fresh(ana).seated()] == ["Ana", "Bo"]
    assert eve.post(path_of(ana), {"do": "join", "name": "Eve"}).status_code == 409
    assert "seat" not in Client().get(path_of(ana)).cookies


def test_a_seat_is_not_taken_where_the_deal_fails(monkeypatch) -> None:
    ana = services.open_game("muggins", {}, "Ana", clock="0", move_time="0", absence="300")

    def fails(*_message: object) -> None:
        raise Refused("agreed-already", "")

    monkeypatch.setattr(services, "agree_to_deal", fails)
    assert Client().post(path_of(ana), {"do": "join", "name": "Bo"}).status_code == 409
    assert len(fresh(ana).seated()) == 1


@pytest.mark.parametrize("key", ["", "X", "X" * 15])
def test_a_browser_without_a_whole_key_gets_one(key) -> None:
    ana = services.open_game("muggins", {}, "Ana", clock="0", move_time="0", absence="300")
    browser = Client()
    browser.cookies["seat"] = key
    assert browser.post(path_of(ana), {"do": "join", "name": "Bo"}).status_code == 302
    assert len(fresh(ana).seated()[1].key) == 16


def test_a_repeated_post_is_answered_as_done() -> None:
    seats = dealt()
    now = next(seat for seat in seats if choice(seat))
    browser, asked = browser_of(now), choice(now)
    data = {"line": line_on(browser.get(path_of(now)).content.decode()), "tile": asked.tile, "on": asked.on}
    assert [browser.post(path_of(now), data).status_code for _again in range(2)] == [302, 302]
    assert [entry.split()[1] for entry in fresh(now).lines.splitlines()].count(asked.tile) == 1


def test_the_secret_words_and_keys_are_on_no_page_before_the_end() -> None:
    seats = dealt("udl")
    for _move in range(8):
        step(seats)
    game = fresh(seats[0])
    for seat in seats:
        text = browser_of(seat).get(path_of(seat)).content.decode()
        other = next(one for one in seats if one.pk != seat.pk)
        assert seat.key in text  # the link to another device
        for hidden in (game.secret, other.key, "words of"):
            assert hidden not in text
    watching = Client().get(path_of(seats[0])).content.decode()
    assert not any(hidden in watching for hidden in (game.secret, seats[0].key, seats[1].key, "words of"))
    assert Client().get(f"{path_of(seats[0])}log/").status_code == 404


def tiles_seen_too_early() -> tuple[int, int]:
    """How many tiles with open claims there were in a game, and how many of them a spectator saw."""
    seats, open_claims, seen = dealt("udl", clock="0", target="500"), 0, 0
    for _move in range(30):
        step(seats)
        table = fresh(seats[0]).table()
        page = Client().get(path_of(seats[0])).content.decode()
        trail = re.search(r'data-trail="([^"]*)"', page)[1].split()
        for play in filter(None, (table.game.claims.fresh, table.game.claims.claimable)):
            name = table.game.rules.tiles.tiles[play.tile].name
            open_claims += table.live is not None
            seen += table.live is not None and name in trail
    return open_claims, seen


def test_spectators_see_a_tile_once_its_points_can_no_longer_be_called() -> None:
    open_claims, seen = tiles_seen_too_early()
    assert open_claims > 20
    assert seen == 0


def test_the_control_without_the_delay_they_see_every_tile(monkeypatch) -> None:
    monkeypatch.setattr(queries, "before_open_claims", lambda _game, table: table)
    open_claims, seen = tiles_seen_too_early()
    assert open_claims > 20
    assert seen > 0.8 * open_claims


def test_greetings_are_heard_unless_muted() -> None:
    first, second = dealt()
    browser = browser_of(second)
    browser_of(first).post(path_of(first), {"do": "greet", "greeting": "hello"})
    assert '<q class="online-says">Hello!</q>' in browser.get(path_of(first)).content.decode()
    assert "<q" not in Client().get(path_of(first)).content.decode()
    browser.post(path_of(first), {"do": "mute", "muted": "1"})
    assert "<q" not in browser.get(path_of(first)).content.decode()


def test_the_rematch_is_one_game_for_both() -> None:
    seats = dealt("muggins", target="50")
    play_to_end(seats)
    browsers = [browser_of(seat) for seat in seats]
    first, second = (browser.post(path_of(seats[0]), {"do": "rematch"})["Location"] for browser in browsers)
    assert first == second != path_of(seats[0])
    for browser in browsers:
        assert "I am ready" in browser.get(first).content.decode()
        browser.post(first, {"do": "agree", "words": ""})
    assert OnlineGame.objects.get(code=first.split("/")[-2]).started_at


def test_news_is_the_version_that_the_page_has() -> None:
    seats = opened()
    browser = browser_of(seats[0])

    def version() -> str:
        told = browser.get(f"{path_of(seats[0])}news/").content.decode()
        assert f'data-version="{told}"' in browser.get(path_of(seats[0])).content.decode()
        return told

    versions = [version()]
    for seat in seats:
        services.agree_to_deal(seat.game.code, seat.key, "x")
        versions.append(version())
    step(seats)
    assert len({*versions, version()}) == 4


def test_a_page_takes_the_same_statements_early_and_late(django_assert_num_queries) -> None:
    seats = dealt("udl", target="500")
    browser = browser_of(seats[0])
    browser.get(path_of(seats[0]))
    for moves in (0, 25):
        for _move in range(moves):
            step(seats)
        browser.get(path_of(seats[0]))
        with django_assert_num_queries(4):
            browser.get(path_of(seats[0]))
    with django_assert_num_queries(4):
        browser.get(f"{path_of(seats[0])}news/")


def test_a_form_with_a_missing_name_or_a_wrong_value_is_shown_again(client) -> None:
    form = {**USUAL, **START}
    for changed in ({"name": ""}, {"name": "\u200b"}, {"move_time": "1"}, {"target": "7"}):
        assert client.post("/play/online/?game=muggins", form | changed).status_code == 422
    assert client.post("/play/online/?game=muggins", form).status_code == 302


@pytest.mark.parametrize(("seats", "status"), [("3", 302), ("4", 302), ("5", 422), ("0", 422)])
def test_the_number_of_players_is_chosen_on_the_form(client, seats, status) -> None:
    answer = client.post("/play/online/?game=muggins", {**USUAL, **START, "hand": "", "seats": seats})
    assert answer.status_code == status
    assert [game.players for game in OnlineGame.objects.all()] == [int(seats)] * (status == 302)


@pytest.mark.parametrize(
    ("lines", "number", "sent", "line"),
    [
        (ONE_LEFT, 0, {"do": "catch-1"}, "A catches B"),
        (ONE_LEFT, 1, {"do": "uno"}, "B uno"),
        (ONE_LEFT, 2, {"tile": "b2-y6", "on": "g2-b5"}, "C b2-y6 on g2-b5"),
        (FOUR, 2, {"do": "challenge"}, "C challenges"),
        (CLOSED, 0, {"do": "reopen-g9-g9", "colour": "red"}, "A reopens W-W on g9-g9 colour red"),
    ],
)
def test_the_acts_of_uno_dominoes_are_plain_forms(lines, number, sent, line) -> None:
    seats = at(lines, hand="5", reopening="true")
    browser, path = browser_of(seats[number]), path_of(seats[0])
    page = browser.get(path).content.decode()
    assert f'value="{sent.get("do", sent.get("tile"))}"' in page
    assert browser.post(path, {"line": line_on(page), **sent}).status_code == 302
    assert fresh(seats[0]).lines.splitlines()[len(lines) + 1] == line


def test_an_address_opens_a_limited_number_of_games(client, monkeypatch) -> None:
    monkeypatch.setattr(attempts, "PRACTICE", attempts.Limit("practice", lambda: 1, attempts.PRACTICE.window))
    form = {**USUAL, **START}
    assert client.post("/play/online/?game=muggins", form).status_code == 302
    assert client.post("/play/online/?game=muggins", form).status_code == 429
