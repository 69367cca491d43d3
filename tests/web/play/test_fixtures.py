"""A game of a competition played online: by its two players, with the rules of the match, and handed in as a log."""

from datetime import date
from random import Random

import pytest
from django.test import Client

from league.errors import Refused
from league.matches.logs.submission import verify_record
from league.matches.models import Record, Result
from league.play import tasks
from league.play.models import OnlineGame, OnlineSeat
from league.play.online import fixtures, services
from league.play.online.acts import OnlineAct
from league.players.models import Player
from league.players.services import enrol, erase
from referee import verify_text
from tests.league.play.online_games import do, fresh, play_to_end
from tests.league.world import World, make_world

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _known_deals(monkeypatch) -> None:
    chance = Random(22)
    monkeypatch.setattr("league.play.online.services.secrets.token_hex", lambda size: chance.randbytes(size).hex())


@pytest.fixture
def world() -> World:
    return make_world()


def signed_in(user: object) -> Client:
    browser = Client()
    browser.force_login(user)
    return browser


def seats_of(world: World) -> list[OnlineSeat]:
    """Open the game of the fixture for both players, and deal it."""
    seats = [fixtures.open_fixture(world.game.code, user) for user in (world.alice, world.bob)]
    for seat in seats:
        path = f"/play/online/{seat.game.code}/"
        browser = Client()
        browser.get(f"{path}seat/{seat.key}/")
        browser.post(path, {"do": "agree", "words": f"words of {seat.number}"})
    return seats


def test_the_page_of_the_match_has_the_button_for_its_players_alone(world) -> None:
    path = f"/matches/{world.match.pk}/"
    for user, shown in ((world.alice, True), (world.bob, True), (world.charlie, False), (world.owner, False)):
        assert ("Play online" in signed_in(user).get(path).content.decode()) == shown
    assert "Play online" not in Client().get(path).content.decode()


def test_both_players_get_their_seats_of_one_game(world) -> None:
    alice, bob = signed_in(world.alice), signed_in(world.bob)
    path = f"/play/fixtures/{world.game.code}/"
    first, second = alice.post(path), bob.post(path)
    assert first["Location"] == second["Location"] == alice.post(path)["Location"]
    for browser, name in ((alice, "Ana Ruiz"), (bob, "Bo Chen")):
        page = browser.get(first["Location"]).content.decode()
        assert "I am ready" in page
        assert name in page
    assert OnlineGame.objects.get().options == {}
    assert signed_in(world.charlie).post(path).status_code == 403
    assert Client().post(path).status_code == 302
    assert alice.post("/play/fixtures/NOSUCH00/").status_code == 404


def test_a_sign_in_on_the_way_leads_back_to_the_match(world) -> None:
    path = f"/play/fixtures/{world.game.code}/"
    asked = Client().post(path)["Location"]
    assert asked.endswith(f"next={path}")
    assert signed_in(world.alice).get(path)["Location"] == f"/matches/{world.match.pk}/"
    assert signed_in(world.alice).get("/play/fixtures/NOSUCH00/").status_code == 404


def test_the_waiting_page_says_what_to_do_if_nobody_comes(world, django_assert_num_queries) -> None:
    seat = fixtures.open_fixture(world.game.code, world.alice)
    path = f"/play/online/{seat.game.code}/"
    browser = Client()
    browser.get(f"{path}seat/{seat.key}/")
    browser.get(path)
    with django_assert_num_queries(5):
        page = browser.get(path).content.decode()
    assert "If the other player does not come" in page
    assert f'href="/matches/{world.match.pk}/"' in page
    assert "Give my seat back" not in page
    assert "If the other player" not in Client().get(path).content.decode()
    world.match.delete()
    assert browser.get(path).status_code == 200


def test_everybody_may_watch_from_the_page_of_the_match_while_the_game_is_on(world) -> None:
    path = f"/matches/{world.match.pk}/"
    assert "Watch online" not in Client().get(path).content.decode()
    seats = seats_of(world)
    page = Client().get(path).content.decode()
    assert f'href="/play/online/{seats[0].game.code}/"' in page
    play_to_end(seats)
    assert "Watch online" not in Client().get(path).content.decode()


def test_the_finished_game_is_a_verified_log_of_the_fixture(world) -> None:
    seats = seats_of(world)
    online = play_to_end(seats)
    path = f"/play/online/{online.code}/"
    assert fixtures.hand_in(online.pk)
    assert not fixtures.hand_in(online.pk)
    assert "did not take the log" not in Client().get(path).content.decode()
    records = Record.objects.order_by("pk")
    assert [(one.for_side, one.submitted_by) for one in records] == [(1, world.alice), (2, world.bob)]
    for record in records:
        verify_record(record.pk)
    result = Result.objects.get(game=world.game, current=True)
    assert result.record.verdict.status == "verified"
    assert (result.state, result.confirmed_how) == ("official", "agreed")
    assert list(result.scores.values()) == list(online.table().game.card.scores)
    sealed = result.record.sealed.text
    assert verify_text(sealed)[0].status == "verified"
    assert "Ana Ruiz" not in sealed
    assert "Deal.Secret" in sealed
    assert "Play online" not in signed_in(world.alice).get(f"/matches/{world.match.pk}/").content.decode()


def test_a_forfeit_and_a_game_given_up_are_results_too(world) -> None:
    seats = seats_of(world)
    do(seats[1], OnlineAct("concede"))
    fixtures.hand_in(seats[0].game_id)
    record = Record.objects.earliest("pk")
    verify_record(record.pk)
    assert (record.verdict.ended, record.verdict.winner) == ("concession", "A")


def test_a_match_of_uno_dominoes_is_played_online_too(world) -> None:
    game = world.fixture(ruleset="uno-dominoes", options={"target": 50}).games.get()
    seats = [fixtures.open_fixture(game.code, user) for user in (world.alice, world.bob)]
    for seat in seats:
        services.agree_to_deal(seat.game.code, seat.key, "words")
    online = play_to_end(seats)
    assert fixtures.hand_in(online.pk)
    for record in Record.objects.all():
        verify_record(record.pk)
    result = Result.objects.get(game=game, current=True)
    assert (result.record.verdict.status, result.state) == ("verified", "official")


def test_the_sweep_hands_in_what_was_missed_once(world) -> None:
    seats = seats_of(world)
    do(seats[0], OnlineAct("concede"))
    tasks.sweep_online()
    tasks.sweep_online()
    assert Record.objects.count() == 2
    assert fresh(seats[0]).handed_in_at


def test_a_game_that_has_a_log_is_not_played_again(world) -> None:
    world.submit()
    with pytest.raises(Refused) as caught:
        fixtures.open_fixture(world.game.code, world.alice)
    assert caught.value.code == "has-log"
    answer = signed_in(world.alice).post(f"/play/fixtures/{world.game.code}/", follow=True)
    assert "This game has been played." in answer.content.decode()


def test_a_log_that_the_fixture_does_not_take_is_not_tried_again(world) -> None:
    seats = seats_of(world)
    do(seats[0], OnlineAct("concede"))
    world.match.options = {"target": 100}
    world.match.save()
    assert not fixtures.hand_in(seats[0].game_id)
    assert not Record.objects.exists()
    assert fresh(seats[0]).handed_in_at
    page = Client().get(f"/play/online/{seats[0].game.code}/").content.decode()
    assert "The match did not take the log" in page
    assert f'href="/matches/{world.match.pk}/"' in page


def test_players_without_an_account_and_other_games_are_refused(world) -> None:
    Player.objects.filter(user=world.bob).update(user=None)
    with pytest.raises(Refused) as caught:
        fixtures.open_fixture(world.game.code, world.alice)
    assert caught.value.code == "no-account"
    third = enrol(league=world.league, name="Cy Diaz", since=date(2026, 1, 1))
    other = world.fixture(ruleset="all-fives", entrants=[world.ana, world.bo, third]).games.get()
    with pytest.raises(Refused) as caught:
        fixtures.open_fixture(other.code, world.alice)
    assert caught.value.code == "not-online"


def test_strangers_cannot_join_the_game_of_a_fixture(world) -> None:
    seat = fixtures.open_fixture(world.game.code, world.alice)
    answer = Client().post(f"/play/online/{seat.game.code}/", {"do": "join", "name": "Eve"})
    assert answer.status_code == 409
    assert OnlineSeat.objects.filter(name="Eve").count() == 0


def test_the_name_of_an_erased_player_goes(world) -> None:
    seat = fixtures.open_fixture(world.game.code, world.alice)
    player = Player.objects.get(code=seat.player)
    erase(player)
    assert OnlineSeat.objects.get(pk=seat.pk).name == player.code
