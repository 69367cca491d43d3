"""The hint and the review on their pages, by plain forms."""

import re
from dataclasses import replace

import pytest
from django.core.cache import cache
from django.test import Client

from league.accounts import attempts
from league.house.levels import Level
from league.play import hints, reviews
from league.play.models import MoveReview, PracticeGame
from tests.league.play.tables import at, in_play, played, saved, step, terms
from tests.league.play.uno_tables import played_uno, uno_terms

pytestmark = pytest.mark.django_db
HANDS = "A hand 5-2 5-0 6-2 4-1 3-1 2-0 1-0", "B hand 5-5 6-5 5-4 4-3 4-2 2-1 1-1"


@pytest.fixture(autouse=True)
def _few_samples(monkeypatch) -> None:
    cache.clear()
    monkeypatch.setattr(hints, "SAMPLES", 100)
    monkeypatch.setattr(reviews, "SAMPLES", 20)


def text_of(page: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", "", page))


def test_the_hint_names_the_best_play_and_chooses_its_tile(client) -> None:
    table = at(*HANDS, "B 5-5", ruleset="muggins")
    path = f"/play/{saved(table).code}/"
    assert 'value="hint"' in client.get(path).content.decode()
    answer = client.post(path, {"line": len(table.lines), "do": "hint"})
    assert answer.status_code == 200
    page = answer.content.decode()
    assert re.search(
        r"Best: 5-0 on 5-5, expected \+\d+ points for the rest of the hand\. Next: 5-2 on 5-5", text_of(page)
    )
    assert re.search(r'value="5-0"[^>]* checked', page)
    assert len(saved(table).lines.splitlines()) == len(table.lines)


def test_a_hint_for_an_earlier_table_shows_the_table_as_it_is(client) -> None:
    path = f"/play/{saved(in_play('stale')).code}/"
    answer = client.post(path, {"line": "1", "do": "hint"})
    assert answer.status_code == 409
    assert "data-hinted" not in answer.content.decode()


def test_between_two_hands_there_is_no_hint(client) -> None:
    table = in_play("between")
    while table.live:
        step(table)
    path = f"/play/{saved(table).code}/"
    assert 'value="hint"' not in client.get(path).content.decode()
    assert client.post(path, {"line": len(table.lines), "do": "hint"}).status_code == 422


def test_a_game_of_uno_leads_to_its_review_which_names_colours(client) -> None:
    game = saved(played_uno(uno_terms(13, seats=2, target="100")))
    path = f"/play/{game.code}/"
    assert f'href="{path}review/"' in client.get(path).content.decode()
    client.post(f"{path}review/")
    reviews.carry_out(MoveReview.objects.get(practice=game).pk)
    page = client.get(f"{path}review/").content.decode()
    assert 'class="review-sum"' in page
    assert "g7-r4 in red" in text_of(page)


def reviewed(client: Client, ruleset: str = "udl") -> tuple[str, str]:
    game = saved(played(terms("rv2", Level.CAREFUL, ruleset)))
    path = f"/play/{game.code}/review/"
    assert client.post(path).status_code == 302
    reviews.carry_out(MoveReview.objects.get(practice=game).pk)
    return path, client.get(path).content.decode()


def test_a_finished_game_leads_to_its_review(client) -> None:
    game = saved(played(terms("over", target="50")))
    path = f"/play/{game.code}/"
    assert f'href="{path}review/"' in client.get(path).content.decode()
    page = client.get(f"{path}review/").content.decode()
    assert "Review this game" in page
    assert client.post(f"{path}review/").url == f"{path}review/"
    waiting = client.get(f"{path}review/").content.decode()
    assert "The computer reviews your game" in waiting
    assert 'http-equiv="refresh"' in waiting


@pytest.mark.parametrize("ruleset", ["double-six", "udl"])
def test_a_review_shows_luck_choices_and_each_decision_with_its_step(client, ruleset) -> None:
    path, page = reviewed(client, ruleset)
    text = text_of(page)
    for words in ("Luck", "Your choices", "were the best move", "Result", "Hand by hand", "Hand 1", "Points left"):
        assert words in text
    assert 'http-equiv="refresh"' not in page
    replay = path.removesuffix("review/")
    links = re.findall(rf'href="{replay}\?rounds=(\d+)#(r[\d.]+)"', page)
    assert links
    for hand, step_of in links:
        assert f'id="{step_of}"' in client.get(replay, {"rounds": hand}).content.decode()


def test_what_was_not_announced_is_told(client) -> None:
    _path, page = reviewed(client)
    missed = re.findall(
        r"\d-\d: you did not announce \d+ points|\d-\d: muggins missed, the computer left \d+ points", text_of(page)
    )
    assert missed
    assert "Not announced" in text_of(page)


def test_an_unfinished_game_has_no_review(client) -> None:
    path = f"/play/{saved(in_play('unfinished')).code}/review/"
    assert client.get(path).status_code == 404
    assert client.post(path).status_code == 404
    assert client.get("/play/NOSUCHGAME/review/").status_code == 404


def test_a_review_takes_one_statement_and_a_hint_few(client, django_assert_num_queries) -> None:
    path, _page = reviewed(client)
    with django_assert_num_queries(1):
        client.get(path)
    table = in_play("statements")
    hinted, ask = f"/play/{saved(table).code}/", {"line": len(table.lines), "do": "hint"}
    with django_assert_num_queries(10):  # seven for the limit; one keeps the line; the table is shown with it
        client.post(hinted, ask)
    with django_assert_num_queries(6):  # four for the limit
        client.post(hinted, ask)


def test_a_move_after_a_hint_is_marked(client) -> None:
    game = saved(played(terms("rv2", Level.CAREFUL, "udl")))
    reviews.ask(game.code)
    reviews.carry_out(MoveReview.objects.get(practice=game).pk)
    path = f"/play/{game.code}/review/"
    assert "after a hint" not in client.get(path).content.decode()
    decision = reviews.review_of_practice(game.code).view.hands[0].decisions[0]
    number = [entry.line for entry in game.table().log.entries].index(decision.line)
    PracticeGame.objects.update(hinted=[number])
    assert client.get(path).content.decode().count("after a hint") == 1


def test_hints_have_a_limit(client, monkeypatch) -> None:
    monkeypatch.setattr(attempts, "HINT", replace(attempts.HINT, most=lambda: 1))
    table = in_play("limit")
    path, ask = f"/play/{saved(table).code}/", {"line": len(table.lines), "do": "hint"}
    assert client.post(path, ask).status_code == 200
    refused = client.post(path, ask)
    assert refused.status_code == 429
    assert "Too many hints" in refused.content.decode()
    assert client.post(path, ask, REMOTE_ADDR="192.0.2.7").status_code == 200
