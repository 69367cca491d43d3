"""Lobby of a league: its players see who waits, and nobody else does."""

from datetime import timedelta
from importlib import import_module

import pytest
from django.apps import apps
from django.test import Client
from django.utils import timezone

from league.play.models import OnlineGame, OnlineSeat
from league.play.online import lobby, services
from league.play.online.acts import OnlineAct
from league.players.models import Player
from league.players.services import erase
from tests.league.play.online_games import do, fresh
from tests.league.world import World, make_world
from tests.web.play.test_fixtures import signed_in
from tests.web.play.test_online import rules_of_form

pytestmark = pytest.mark.django_db
PATH = "/play/leagues/harbour/"


@pytest.fixture
def world() -> World:
    return make_world()


def opened(world: World, ruleset: str = "udl") -> str:
    """Open a game as Ana, and return its address."""
    browser = signed_in(world.alice)
    form = rules_of_form(browser.get(f"{PATH}?game={ruleset}").content.decode())
    return str(browser.post(f"{PATH}?game={ruleset}", form)["Location"])


def test_a_member_opens_a_game_and_another_member_takes_the_free_seat(world) -> None:
    path = opened(world)
    code = path.split("/")[-2]
    bob = signed_in(world.bob)
    page = bob.get(PATH).content.decode()
    assert "Play with Ana Ruiz" in page
    assert "UDL Dominoes" in page
    assert bob.post(PATH, {"accept": code})["Location"] == path
    assert "I am ready" in bob.get(path).content.decode()
    assert [(seat.name, bool(seat.player)) for seat in OnlineGame.objects.get().seated()] == [
        ("Ana Ruiz", True),
        ("Bo Chen", True),
    ]
    assert "Play with" not in bob.get(PATH).content.decode()
    assert bob.post(PATH, {"accept": code})["Location"] == path  # the own seat again


def test_the_own_game_is_a_way_back(world) -> None:
    path = opened(world)
    alice = signed_in(world.alice)
    assert "To my game" in alice.get(PATH).content.decode()
    assert alice.post(PATH, {"accept": path.split("/")[-2]})["Location"] == path
    assert OnlineSeat.objects.count() == 1


def test_a_running_game_and_a_rematch_are_on_the_page_of_their_players(world) -> None:
    _first, again = rematch(world)
    alice, bob = signed_in(world.alice), signed_in(world.bob)
    code = again.game.code
    for browser in (alice, bob):
        page = browser.get(PATH).content.decode()
        assert page.count("To my game") == 1
        assert code in page
        assert browser.post(PATH, {"accept": code})["Location"] == f"/play/online/{code}/"
    for seat in OnlineSeat.objects.filter(game=again.game):
        services.agree_to_deal(code, seat.key, "words")
    OnlineSeat.objects.update(seen_at=timezone.now() - timedelta(hours=1))
    assert "To my game" in alice.get(PATH).content.decode()
    assert services.act(code, again.key, len(fresh(again).lines.splitlines()), OnlineAct("concede")).ended_at
    assert "To my game" not in alice.get(PATH).content.decode()


def test_a_seat_whose_player_has_left_is_shown_and_taken(world) -> None:
    code = opened(world).split("/")[-2]
    game = OnlineGame.objects.get()
    absent = timezone.now() - timedelta(minutes=2)
    OnlineSeat.objects.create(game=game, number=1, name="Cy", player="XY", seen_at=absent)
    bob = signed_in(world.bob)
    page = bob.get(PATH).content.decode()
    assert "Play with Ana Ruiz" in page
    assert "Cy" not in page
    assert bob.post(PATH, {"accept": code}).status_code == 302
    assert [seat.name for seat in game.seated()] == ["Ana Ruiz", "Bo Chen"]


def test_a_seat_is_given_back_by_its_button(world) -> None:
    path = opened(world)
    bob = signed_in(world.bob)
    bob.post(PATH, {"accept": path.split("/")[-2]})
    assert "Give my seat back" in bob.get(path).content.decode()
    assert bob.post(path, {"do": "leave-seat"}).status_code == 302
    assert [seat.name for seat in OnlineGame.objects.get().seated()] == ["Ana Ruiz"]
    assert "Play with Ana" in bob.get(PATH).content.decode()


def test_a_visitor_with_the_link_takes_no_seat_of_the_lobby(world) -> None:
    path = opened(world)
    page = Client().get(path).content.decode()
    assert "Join the game" not in page
    assert f'href="{PATH}"' in page
    assert Client().post(path, {"do": "join", "name": "Eve"}).status_code == 403
    assert OnlineSeat.objects.count() == 1


def test_the_page_shows_a_limited_number_of_games(world, monkeypatch) -> None:
    monkeypatch.setattr(lobby, "MOST_SHOWN", 2)
    for _game in range(3):
        opened(world)
    assert signed_in(world.bob).get(PATH).content.decode().count("Play with Ana") == 2


@pytest.mark.both
@pytest.mark.parametrize("code", ["\0", "A\0B", "é", " "])
def test_a_code_that_no_game_has_is_not_found(world, code) -> None:
    assert signed_in(world.bob).post(PATH, {"accept": code}).status_code == 404


def test_others_do_not_see_it(world) -> None:
    code = opened(world).split("/")[-2]
    assert Client().get(PATH).status_code == 302
    for user in (world.owner, world.referee):
        assert signed_in(user).get(PATH).status_code == 403
        assert signed_in(user).post(PATH, {"accept": code}).status_code == 403
    assert signed_in(world.alice).get("/play/leagues/nowhere/").status_code == 404


def test_an_invitation_of_a_player_who_has_left_is_not_shown(world) -> None:
    opened(world)
    player = Player.objects.get(user=world.bob)
    now = timezone.now()
    assert len(lobby.open_invitations(world.league, player, now)) == 1
    assert lobby.open_invitations(world.league, player, now + timedelta(minutes=3)) == []
    assert lobby.open_invitations(world.elsewhere, player, now) == []


def test_a_taken_seat_and_a_game_of_another_lobby_are_refused(world) -> None:
    code = opened(world).split("/")[-2]
    OnlineSeat.objects.create(game=OnlineGame.objects.get(), number=1, name="Cy", seen_at=timezone.now())
    bob = signed_in(world.bob)
    answer = bob.post(PATH, {"accept": code})
    assert answer.status_code == 409
    assert "All seats" in answer.content.decode()
    OnlineGame.objects.update(lobby=world.elsewhere)
    assert bob.post(PATH, {"accept": code}).status_code == 404


def test_a_wrong_value_is_shown_again(world) -> None:
    assert signed_in(world.alice).post(f"{PATH}?game=udl", {"move_time": "1"}).status_code == 422
    assert not OnlineGame.objects.exists()


def test_the_start_page_leads_to_the_lobbies_of_the_reader(world) -> None:
    assert PATH in signed_in(world.alice).get("/play/online/").content.decode()
    assert PATH not in Client().get("/play/online/").content.decode()


def test_the_statements_of_one_and_of_three_games(world, django_assert_num_queries) -> None:
    bob = signed_in(world.bob)
    bob.get(PATH)
    opened(world)
    with django_assert_num_queries(7):
        bob.get(PATH)
    for _again in range(2):
        opened(world)
    with django_assert_num_queries(7):
        bob.get(PATH)


def test_the_name_of_an_erased_player_goes(world) -> None:
    opened(world)
    player = Player.objects.get(user=world.alice)
    erase(player)
    assert OnlineSeat.objects.get().name == player.code


def test_a_name_of_heavy_letters_fits_the_log(world) -> None:
    family = "\U0001f468\u200d" * 5 + "\U0001f466"
    Player.objects.filter(user=world.alice).update(name=family * 20)
    path = opened(world)
    signed_in(world.bob).post(PATH, {"accept": path.split("/")[-2]})
    for seat in OnlineSeat.objects.all():
        services.agree_to_deal(seat.game.code, seat.key, "words")
    assert OnlineGame.objects.get().table().log.tags["Seat.A"] == family * 18


def rematch(world: World) -> tuple[OnlineSeat, OnlineSeat]:
    """Play a game of the lobby by giving it up, and open the rematch; return Ana's seats."""
    path = opened(world)
    signed_in(world.bob).post(PATH, {"accept": path.split("/")[-2]})
    seats = list(OnlineSeat.objects.select_related("game").order_by("number"))
    for seat in seats:
        services.agree_to_deal(seat.game.code, seat.key, "words")
    do(seats[1], OnlineAct("concede"))
    return seats[0], services.play_again(seats[0].game.code, seats[0].key)


def test_a_rematch_keeps_the_players_so_that_erasing_one_takes_the_name(world) -> None:
    first, again = rematch(world)
    player = Player.objects.get(user=world.alice)
    assert (again.player, again.name) == (player.code, "Ana Ruiz")
    assert len({seat.player for seat in again.game.seated()} - {""}) == 2
    erase(player)
    assert {seat.name for seat in OnlineSeat.objects.filter(key=first.key)} == {player.code}


def test_a_game_that_is_on_keeps_the_words_of_an_erased_player_until_its_end(world) -> None:
    """It draws by them; the finished game no longer opens its deal, and says so."""
    path = opened(world)
    signed_in(world.bob).post(PATH, {"accept": path.split("/")[-2]})
    seats = list(OnlineSeat.objects.select_related("game").order_by("number"))
    for seat in seats:
        services.agree_to_deal(seat.game.code, seat.key, f"words of {seat.number}")
    waiting = opened(world, "muggins").split("/")[-2]
    OnlineSeat.objects.filter(game__code=waiting).update(words="not dealt yet")
    seed, first = fresh(seats[0]).table().seed, fresh(seats[0]).table().boneyard
    erase(Player.objects.get(user=world.alice))
    assert (fresh(seats[0]).table().seed, fresh(seats[0]).table().boneyard) == (seed, first)
    assert not OnlineSeat.objects.filter(words="not dealt yet").exists()
    game = do(seats[1], OnlineAct("concede"))
    assert game.status == "verified"
    assert [seat.words for seat in fresh(seats[0]).seated()] == ["", "words of 1"]
    page = Client().get(path).content.decode()
    assert "this deal can no longer be checked" in page
    assert "Deal.Secret" not in page
    assert "deal --check" not in page


def test_a_finished_game_forgets_the_words_of_an_erased_player(world) -> None:
    first, _again = rematch(world)
    path = f"/play/online/{first.game.code}/"
    assert "deal --check" in Client().get(path).content.decode()
    erase(Player.objects.get(user=world.alice))
    assert [seat.words for seat in fresh(first).seated()] == ["", "words"]
    page = Client().get(path).content.decode()
    assert "this deal can no longer be checked" in page
    assert "Deal.Words" not in page


def test_rematches_from_before_get_their_players(world) -> None:
    copy_players = import_module("league.play.migrations.0005_players_of_rematches").copy_players
    first, again = rematch(world)
    bob = again.game.seated()[0]
    OnlineSeat.objects.filter(game=again.game).update(player="")
    OnlineSeat.objects.filter(pk=first.pk).update(name=first.player)  # erased meanwhile
    copy_players(apps, None)
    kept = OnlineSeat.objects.filter(game=again.game).order_by("number").values_list("name", "player")
    assert list(kept) == [("Bo Chen", bob.player), (first.player, first.player)]
