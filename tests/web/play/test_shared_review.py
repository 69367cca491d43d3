"""Reviews of games of matches and of online games on their pages, by plain forms."""

import re

import pytest
from django.test import Client

from league.matches.logs.submission import verify_record
from league.play import reviews
from league.play.models import MoveReview
from league.play.online.acts import OnlineAct
from league.players.models import Player
from tests.league.play.online_games import dealt, do, step
from tests.league.world import World, make_world, person, played_log

pytestmark = pytest.mark.django_db
LINK = "Review of the moves"


@pytest.fixture(autouse=True)
def _few_samples(monkeypatch) -> None:
    monkeypatch.setattr(reviews, "SAMPLES", 4)


@pytest.fixture
def world() -> World:
    world = make_world()
    verify_record(world.submit(played_log()).pk)
    return world


def browser(user: object = None) -> Client:
    client = Client()
    if user is not None:
        client.force_login(user)
    return client


def text_of(page: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", "", page))


def paths(world: World) -> tuple[str, str]:
    match = f"/matches/{world.match.pk}/"
    return match, f"{match}games/1/moves/"


def make_all() -> None:
    for review in MoveReview.objects.all():
        reviews.carry_out(review.pk)


def make_public(world: World) -> None:
    _match, path = paths(world)
    for user in (world.alice, world.bob):
        browser(user).post(path)
        assert browser(user).post(path, {"do": "share"}).status_code == 302
    make_all()


def test_a_player_asks_on_the_page_of_the_match_and_reads_the_own_review(world) -> None:
    match, path = paths(world)
    alice = browser(world.alice)
    page = alice.get(match).content.decode()
    assert f'href="{path}"' in page
    assert "Review your moves" in page
    assert "Review this game" in alice.get(path).content.decode()
    assert alice.post(path)["Location"] == path
    waiting = alice.get(path).content.decode()
    assert 'http-equiv="refresh"' in waiting
    make_all()
    page = alice.get(path).content.decode()
    text = text_of(page)
    for words in ("Review: Ana Ruiz", "Luck", "Hand by hand", "Opponent", "Points left", "Only your side sees"):
        assert words in text
    assert "omputer" not in page.split("<article", 1)[1].split("</article>")[0]
    links = re.findall(rf'href="{match}\?rounds=(\d+)#(r[\d.]+)"', page)
    assert links
    replay = alice.get(match, {"rounds": links[0][0]}).content.decode()
    assert f'id="{links[0][1]}"' in replay


def test_others_get_it_once_both_agree(world) -> None:
    match, path = paths(world)
    others = [browser(user) for user in (world.charlie, world.referee, world.owner)]
    assert [one.get(path).status_code for one in others] == [403] * 3
    assert [one.post(path).status_code for one in others] == [403] * 3
    assert browser().get(path).status_code == browser().post(path).status_code == 302
    assert LINK not in browser().get(match).content.decode()
    make_public(world)
    assert [one.get(path).status_code for one in [*others, browser()]] == [200] * 4
    assert LINK in browser().get(match).content.decode()
    for letter, name, other in (("A", "Ana Ruiz", "Bo Chen"), ("B", "Bo Chen", "Ana Ruiz")):
        page = browser().get(path, {"seat": letter}).content.decode()
        assert f"Review: {name}" in text_of(page)
        assert other in page
        assert "<button" not in page.split("<article", 1)[1].split("</article>")[0]
    assert "Review: Ana Ruiz" in text_of(browser().get(path, {"seat": "F"}).content.decode())
    alice = browser(world.alice)
    assert "Keep it private" in alice.get(path).content.decode()
    alice.post(path, {"do": "hide"})
    assert [one.get(path).status_code for one in others] == [403] * 3
    assert LINK not in browser().get(match).content.decode()
    assert "The other players agree" in alice.get(path).content.decode()


def test_games_without_a_review_have_no_page(world) -> None:
    alice = browser(world.alice)
    for path in (f"/matches/{world.match.pk}/games/2/moves/", f"/matches/{world.fixture().pk}/games/1/moves/"):
        assert alice.get(path).status_code == alice.post(path).status_code == 404


def test_the_player_of_a_minor_s_game_is_told_why_it_stays_private(world) -> None:
    _match, path = paths(world)
    bob = browser(world.bob)
    bob.post(path)
    Player.objects.filter(pk=world.ana.player_id).update(born=2020)
    assert "are never public" in bob.get(path).content.decode()
    assert "are never public" in bob.post(path, {"do": "share"}, follow=True).content.decode()
    assert not MoveReview.objects.filter(public=True).exists()


def test_the_page_is_in_spanish(world) -> None:
    _match, path = paths(world)
    alice = browser(world.alice)
    alice.post(path)
    make_all()
    text = text_of(alice.get(path, headers={"Accept-Language": "es"}).content.decode())
    for words in ("Análisis: Ana Ruiz", "Rival", "Visibilidad", "Solo su lado ve este análisis."):
        assert words in text
    for words in ("Choices", "Draws", "Opponent", "Only your", "Agree to"):
        assert words not in text


def test_the_pages_take_the_same_statements_for_one_review_and_for_two(world, django_assert_num_queries) -> None:
    _match, path = paths(world)
    alice, visitor = browser(world.alice), browser()
    alice.post(path)
    with django_assert_num_queries(8):  # three of them for session and menu
        alice.get(path)
    make_public(world)
    with django_assert_num_queries(8):
        alice.get(path)
    with django_assert_num_queries(3):
        visitor.get(path)


def test_a_hostile_name_is_text(world) -> None:
    Player.objects.filter(pk=world.ana.player_id).update(name="<b>Ana</b>")
    _match, path = paths(world)
    alice = browser(world.alice)
    alice.post(path)
    page = alice.get(path).content.decode()
    assert "<b>Ana" not in page
    assert "&lt;b&gt;Ana" in page


def test_an_online_game_leads_the_holders_of_its_seats_to_their_reviews() -> None:
    seats = dealt("muggins", target="50")
    path = f"/play/online/{seats[0].game.code}/"
    players = [browser(person(f"friend{seat.number}")) for seat in seats]
    for player, seat in zip(players, seats, strict=True):
        player.get(f"{path}seat/{seat.key}/")
    assert players[0].get(f"{path}review/").status_code == 404
    step(seats)
    do(seats[0], OnlineAct("concede"))
    assert f'href="{path}review/"' in players[0].get(path).content.decode()
    assert "review/" not in browser().get(path).content.decode()
    assert browser().get(f"{path}review/").status_code == browser().post(f"{path}review/").status_code == 403
    for player in players:
        player.post(f"{path}review/")
        player.post(f"{path}review/", {"do": "share"})
    assert LINK in browser().get(path).content.decode()
    assert "Review: Ana" in text_of(browser().get(f"{path}review/").content.decode())
