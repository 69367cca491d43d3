"""The practice table on its pages: chosen, played by plain forms, and replayed."""

import re

import pytest
from django.test import Client

from games.moves import Play
from league.accounts import attempts
from league.house.levels import Level
from league.play.models import PracticeGame
from league.play.services import start
from league.play.table import PracticeTable
from league.play.terms import NO_CLOCK, SYSTEMS
from referee import verify_text
from tests.league.play.tables import at, in_play, next_move, saved, step

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _known_deals(monkeypatch) -> None:
    monkeypatch.setattr("league.play.terms.secrets.token_hex", lambda _bytes: "page")


def rules(**changed: str) -> dict[str, str]:
    """The form as it opens, with these changes."""
    usual = {
        "level": "greedy",
        "seats": "2",
        "target": "250",
        "spinner": "all",
        "hand": "7",
        "lead_forced": "true",
        "lead_later": "highest_double",
        "voluntary_draw": "true",
        "must_play_drawn": "false",
        "boneyard_reserve": "0",
    }
    return usual | changed


def begun(browser: Client, **changed: str) -> str:
    answer = browser.post("/play/", rules(**changed))
    assert answer.status_code == 302
    return str(answer.url)


def fields(page: str) -> dict[str, str]:
    """What a browser without JavaScript would send with a chosen tile."""
    return {"line": re.search(r'name="line" value="(\d+)"', page)[1]}


def move_of(code: str) -> dict[str, str]:
    table = PracticeGame.objects.get(code=code).table()
    if table.live is None:
        return {"do": "deal"}
    move = next_move(table, Level.GREEDY)
    return {"tile": move.tile.name, "on": move.on.name if move.on else ""} if isinstance(move, Play) else {"do": "draw"}


def finished(browser: Client, **changed: str) -> str:
    path = begun(browser, **changed)
    code = path.split("/")[-2]
    for _move in range(900):
        page = browser.get(path).content.decode()
        if "data-table" not in page:
            return path
        assert browser.post(path, fields(page) | move_of(code)).status_code == 302
    raise AssertionError("the game does not end")


def test_double_six_comes_first_with_four_levels_and_one_button(client) -> None:
    page = client.get("/play/").content.decode()
    assert page.index("Double-Six Dominoes") < page.index("Muggins")
    assert re.findall(r'name="level" value="(\w+)"', page) == ["random", "greedy", "careful", "strong"]
    assert page.count("practice-go") == 1


def first_choices(page: str) -> dict[str, str]:
    """The form as it opens."""
    selects = re.findall(r'<select name="(\w+)".*?<option value="(\w*)" selected', page, re.DOTALL)
    checked = re.findall(r'<input type="radio" name="(seats)" value="(\d)"[^>]* checked', page)
    return {"level": "careful", **dict(selects), **dict(checked)}


@pytest.mark.parametrize("system", SYSTEMS)
def test_each_system_is_dealt_with_its_usual_rules(client, system) -> None:
    page = client.get(f"/play/?game={system}").content.decode()
    path = client.post(f"/play/?game={system}", first_choices(page)).url
    game = PracticeGame.objects.get()
    assert (game.ruleset, game.options) == (system, NO_CLOCK.get(system, {}))
    table = client.get(path).content.decode()
    assert ('name="points"' in table) == (system in ("all-fives", "udl"))


def test_where_points_are_announced_the_page_does_not_count_for_the_player(client) -> None:
    hands = "A hand 5-5 6-2 5-0 4-1 3-1 2-0 1-0", "B hand 6-3 6-5 5-4 4-3 4-2 2-1 1-1"
    counts, sums = at(*hands, "A 5-5"), at(*hands, "A 5-5", ruleset="udl")
    pages = [client.get(f"/play/{saved(table).code}/").content.decode() for table in (counts, sums)]
    assert ["Sum 10" in page for page in pages] == [True, False]
    assert ["Open ends 10" in page for page in pages] == [True, False]


def test_points_are_announced_and_muggins_is_called_by_the_form(client) -> None:
    """A tile with its points; the rest that the computer left is taken with the next tile."""
    hands = "A hand 5-5 5-2 5-0 4-1 3-1 2-0 1-0", "B hand 6-3 6-5 5-4 4-3 4-2 2-1 1-1"
    game = saved(at(*hands, level=Level.RANDOM, ruleset="udl"))
    path = f"/play/{game.code}/"
    sent = fields(client.get(path).content.decode()) | {"tile": "5-5", "on": "", "points": "10"}
    assert client.post(path, sent).status_code == 302
    page = client.get(path).content.decode()
    assert "and call 10." in page
    assert 'name="muggins"' in page
    sent = fields(page) | {"tile": "5-2", "on": "", "points": "", "muggins": "1"}
    client.post(path, sent | {"on": "5-5"})
    game.refresh_from_db()
    assert "A muggins" in game.lines
    assert re.search(
        r"You call muggins\. (You score \d+ points|No points were open)\.", client.get(path).content.decode()
    )


def finished_hand(seed: int) -> PracticeTable:
    table = in_play(f"booked {seed}", "udl")
    while table.live:
        step(table)
    return table


def booking(table: PracticeTable) -> bool:
    """Whether the deal of the second hand books points."""
    return table.between and table.game.number == 1 and any(table.game.settlement().score.points)


def test_points_that_the_deal_booked_are_told_in_the_next_hand(client) -> None:
    """Where muggins can still be called, a hand is settled by the deal of the next one."""
    table = next(table for seed in range(20) if booking(table := finished_hand(seed)))
    game = saved(table)
    path = f"/play/{game.code}/"
    page = client.get(path).content.decode()
    assert "Score: you" not in page.split("data-events")[1]
    client.post(path, fields(page) | {"do": "deal"})
    told = client.get(path).content.decode().split("data-events")[1]
    assert "for the tiles that were left" in told
    assert "Score: you" in told
    assert "The tiles are dealt." in told


@pytest.mark.parametrize("points", ["7", "500", "-5", "x"])
def test_points_that_no_tile_makes_are_not_announced(client, points) -> None:
    hands = "A hand 5-5 5-2 5-0 4-1 3-1 2-0 1-0", "B hand 6-3 6-5 5-4 4-3 4-2 2-1 1-1"
    game = saved(at(*hands, ruleset="udl"))
    path = f"/play/{game.code}/"
    sent = fields(client.get(path).content.decode()) | {"tile": "5-5", "on": "", "points": points}
    client.post(path, sent)
    game.refresh_from_db()
    assert f"call {points}" not in game.lines


def test_a_system_is_chosen_before_its_options(client) -> None:
    page = client.get("/play/?game=muggins").content.decode()
    assert 'name="lead_first"' in page
    assert 'name="lead_forced"' not in page
    answer = client.post(
        "/play/?game=muggins",
        rules(
            lead_first="lot",
            target="100",
            spinner="none",
            voluntary_draw="false",
            must_play_drawn="true",
            lead_later="winner_any",
        ),
    )
    game = PracticeGame.objects.get()
    assert answer.url == f"/play/{game.code}/"
    assert (game.ruleset, game.options) == ("muggins", {})


@pytest.mark.parametrize("wrong", [{"level": "perfect"}, {"target": "1"}, {"hand": "x"}, {"spinner": ""}])
def test_a_wrong_choice_is_refused_with_its_field(client, wrong) -> None:
    answer = client.post("/play/", rules(**wrong))
    assert answer.status_code == 422
    assert "error" in answer.content.decode()
    assert not PracticeGame.objects.exists()


def test_one_address_does_not_fill_the_site_with_games(client, monkeypatch) -> None:
    few = attempts.Limit("practice", lambda: 2, attempts.PRACTICE.window)
    monkeypatch.setattr(attempts, "PRACTICE", few)
    assert [client.post("/play/", rules()).status_code for _game in range(3)] == [302, 302, 429]
    assert PracticeGame.objects.count() == 2


def test_a_whole_game_is_played_by_forms_alone_and_verified(client) -> None:
    path = finished(client, target="50")
    page = client.get(path).content.decode()
    assert "Verified" in page
    assert "data-replay" in page
    log = client.get(f"{path}log/")
    assert log.headers["Content-Type"] == "text/plain; charset=utf-8"
    [verdict] = verify_text(log.content.decode())
    assert (verdict.status, verdict.findings) == ("verified", ())
    assert re.search(r"(Won against the computer|The computer wins), \d+–\d+|The computer wins \d+–\d+", page)


def test_a_shared_link_opens_the_replay_for_anybody(client) -> None:
    path = finished(client, target="50")
    page = Client().get(path).content.decode()
    assert f"http://testserver{path}" in page
    assert "data-acts" not in page


def test_the_log_is_no_page_before_the_end(client) -> None:
    path = begun(client)
    assert client.get(f"{path}log/").status_code == 404
    assert client.get("/play/NOSUCHGAME/").status_code == 404
    assert client.post("/play/NOSUCHGAME/", {"line": "1", "do": "draw"}).status_code == 404


def test_a_stale_form_shows_the_table_as_it_is_now(client) -> None:
    path = begun(client)
    page = client.get(path).content.decode()
    sent = fields(page) | move_of(path.split("/")[-2])
    assert client.post(path, sent).status_code == 302
    answer = client.post(path, sent)
    assert answer.status_code == 409
    assert "was made already" in answer.content.decode()


@pytest.mark.parametrize("line", ["", "x", "-1", "99999999999999999999", "²"])
def test_a_line_that_is_no_number_is_stale(client, line) -> None:
    assert client.post(begun(client), {"line": line, "do": "draw"}).status_code == 409


def test_a_refused_tile_stays_chosen_and_the_sentence_says_why(client) -> None:
    path = begun(client)
    table = PracticeGame.objects.get().table()
    held = [tile.name for tile in table.game.rules.tiles.in_mask(table.live.hands[0])]
    wrong = next(name for name in held if name not in {play.tile.name for play in table.plays})
    answer = client.post(path, fields(client.get(path).content.decode()) | {"tile": wrong, "on": ""})
    page = answer.content.decode()
    assert answer.status_code == 422
    assert f"{wrong} can’t be led" in page or f"{wrong} does not match there" in page
    assert re.search(rf'value="{wrong}"[^>]* checked', page)


def test_the_button_draws_and_becomes_pass_when_the_boneyard_is_empty(client) -> None:
    path = begun(client)
    page = client.get(path).content.decode()
    seen = []
    while "data-draw" in page:
        seen.append(re.search(r"data-draw[^>]*>\s*(\w+)", page)[1])
        if seen[-1] == "Pass":
            break
        assert client.post(path, fields(page) | {"do": "draw"}).status_code == 302
        page = client.get(path).content.decode()
    assert set(seen[:-1]) == {"Draw"}
    assert seen[-1] == "Pass"
    answer = client.post(path, fields(page) | {"do": "draw"})
    assert answer.status_code == 422
    assert "can’t pass" in answer.content.decode()


def test_every_act_is_told_in_a_sentence(client) -> None:
    path = begun(client)
    code = path.split("/")[-2]
    told = set()
    for _move in range(120):
        page = client.get(path).content.decode()
        if "data-table" not in page:
            break
        told |= {
            re.sub(r"<[^>]+>|\d[\d-]*|[\u2068\u2069]", "", one)
            for one in re.findall(r"<li data-line[^>]*>(.*?)</li>", page)
        }
        client.post(path, fields(page) | move_of(code))
    text = "\n".join(told)
    for words in ("The tiles are dealt", "The computer plays", "You play", "Open ends", "scores", "left", "Score: you"):
        assert words in text, words


def test_a_page_costs_the_same_statements_early_and_late(client, django_assert_num_queries) -> None:
    game = start("double-six", "greedy", {})
    path = f"/play/{game.code}/"
    with django_assert_num_queries(1):
        client.get(path)
    for _move in range(9):
        client.post(path, fields(client.get(path).content.decode()) | move_of(game.code))
    with django_assert_num_queries(1):
        client.get(path)


def test_the_table_is_never_kept_by_a_cache(client) -> None:
    assert "no-store" in client.get(begun(client)).headers["Cache-Control"]


def test_home_and_every_page_lead_to_the_table(client, world) -> None:
    assert 'href="/play/"' in client.get("/").content.decode()
    assert 'href="/play/"' in client.get("/leagues/harbour/").content.decode()


def test_the_table_speaks_spanish(client) -> None:
    path = begun(client)
    page = client.get(path, headers={"accept-language": "es"}).content.decode()
    assert "Usted" in page
    assert "Your tiles" not in page


def test_four_play_muggins_by_forms_and_are_told_by_name(client) -> None:
    form = first_choices(client.get("/play/?game=muggins").content.decode())
    path = client.post("/play/?game=muggins", form | {"seats": "4", "target": "50"}).url
    code, told = path.split("/")[-2], ""
    for _move in range(400):
        page = client.get(path).content.decode()
        if "data-table" not in page:
            break
        told += page.split("data-events")[1]
        assert client.post(path, fields(page) | move_of(code)).status_code == 302
    assert re.search(r"\u2068(Alba|Bruno|Clara)\u2069 scores \d+ points?\.", told)
    assert re.search(r"Score: \u2068?you\u2069? \d+, \u2068Alba\u2069 \d+", told)
    assert "Verified" in page
    assert re.search(r"(Won against 3 computers|(Alba|Bruno|Clara) wins), \d+–\d+–\d+–\d+", page)


def test_where_three_play_all_fives_the_next_player_waits_for_a_muggins_call(client) -> None:
    hands = "A hand 6-5 6-2 5-2 4-1 3-1", "B hand 5-5 5-0 5-4 4-3 4-2", "C hand 2-1 1-1 6-1 0-0 5-3"
    game = saved(at(*hands, "B 5-5", ruleset="all-fives"))
    path = f"/play/{game.code}/"
    page = client.get(path).content.decode()
    assert 'data-state="pause"' in page
    assert "The next player waits: call muggins, or go on." in page
    assert client.post(path, fields(page) | {"do": "muggins"}).status_code == 302
    page = client.get(path).content.decode()
    assert "You call muggins. You score 10 points." in page
    assert client.post(path, fields(page) | {"do": "wait"}).status_code == 302
    assert 'data-state="turn"' in client.get(path).content.decode()


def test_too_few_tiles_for_four_are_refused_in_a_sentence(client) -> None:
    form = first_choices(client.get("/play/?game=muggins").content.decode())
    answer = client.post("/play/?game=muggins", form | {"seats": "4", "hand": "9"})
    assert answer.status_code == 422
    assert "There are not enough tiles for so many players." in answer.content.decode()
    assert not PracticeGame.objects.exists()
