"""Limits on guesses at passwords, PINs, codes and tokens (A-19, T-18).

They lock nobody else out.
"""

import shutil

import pytest
from django.contrib.auth.hashers import MD5PasswordHasher
from django.core.cache import cache
from django.test import Client

from league.accounts import attempts
from league.accounts.models import Attempts, User
from league.api.base.tokens import make_token
from league.api.models import TokenScope
from league.matches.models import Match, Side
from league.players.services import renew_pin
from tests.league.processes import own_redis
from tests.volume import amount
from tests.web.world import PASSWORD, account


def sign_in(client: Client, name: str, password: str = PASSWORD) -> int:
    return client.post("/sign-in/", {"username": name, "password": password}).status_code


def wrong_pin(side: Side) -> str:
    return "0000" if side.entrant.pin != "0000" else "1111"


@pytest.fixture
def side(world) -> Side:
    return Side.objects.select_related("entrant").get(match=world.match, number=2)


def move(client: Client, match: Match, pin: str) -> int:
    """Enter the PIN of the second side; 302 is the right one."""
    return client.post(f"/t/{match.door}/", {"do": "move", "side": 2, "pin": pin}).status_code


@pytest.fixture(params=["cleared", "full", "Redis stopped"])
def no_cache(request, settings, tmp_path):
    """A function to call between guesses: it empties the cache."""
    if request.param == "cleared":
        yield cache.clear
        return
    if request.param == "full":
        settings.CACHES = {
            "default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache", "OPTIONS": {"MAX_ENTRIES": 1}}
        }
        yield lambda: None
        return
    if shutil.which("redis-server") is None:
        pytest.skip("no redis-server on the PATH to stop (apt install redis-server)")
    with own_redis(tmp_path) as server:
        settings.CACHES = {
            "default": {
                "BACKEND": "league.cache.ForgivingRedisCache",
                "LOCATION": server.url,
                "OPTIONS": {"socket_connect_timeout": 0.3, "socket_timeout": 0.3},
            }
        }
        cache.set("key", 1)
        assert cache.get("key") == 1
        server.kill()
        yield lambda: None


def test_passwords_and_pins_are_counted_without_a_cache(world, side, no_cache) -> None:
    seen = []
    for _ in range(25):
        seen.append(sign_in(Client(), "alice", "wrong"))
        no_cache()
    assert seen == [422] * 25
    assert sign_in(Client(), "alice") == 422
    for _ in range(25):
        assert move(Client(), world.match, wrong_pin(side)) == 422
        no_cache()
    assert move(Client(), world.match, side.entrant.pin) == 422


def test_without_the_count_guesses_would_go_on(world, side, monkeypatch) -> None:
    """The control."""
    monkeypatch.setattr(attempts, "count", lambda *_whose, **_more: None)
    for _ in range(25):
        sign_in(Client(), "alice", "wrong")
        move(Client(), world.match, wrong_pin(side))
    assert sign_in(Client(), "alice") == 302
    assert move(Client(), world.match, side.entrant.pin) == 302


def test_made_up_names_give_no_new_guesses(world) -> None:
    for _ in range(10):
        sign_in(Client(), "alice", "wrong")
    for number in range(amount(330)):
        sign_in(Client(), f"nobody{number}", "wrong")
    assert sign_in(Client(), "alice") == 422


def test_a_hall_signs_in_during_guesses_from_its_address(world) -> None:
    """Sign in 300 people, a quarter in the small form; one in twenty mistypes first."""
    people = [account(f"guest{number}") for number in range(amount(300))]
    home = Client()
    assert sign_in(home, "alice") == 302
    home.post("/sign-out/")
    passed = 0
    for number, one in enumerate(people):
        passed += sign_in(Client(), "alice", f"guess {number}") == 302
        sign_in(Client(), f"nobody{number}", "guess")
        phone = Client()
        if number % 20 == 0:
            sign_in(phone, one.username, "mistyped")
        assert sign_in(phone, one.username) == 302
    assert passed == 0
    count = Attempts.objects.get(key=attempts.PASSWORD.key((f"account {world.alice.pk}", "")))
    assert len(count.times) == 10  # guesses that were checked
    assert sign_in(home, "alice") == 302


def test_the_admin_site_has_no_door_of_its_own(world) -> None:
    User.objects.create_superuser("root", password=PASSWORD)
    answer = Client().get("/admin/login/?next=/admin/")
    assert (answer.status_code, answer["Location"]) == (302, "/sign-in/?next=%2Fadmin%2F")
    assert Client().post("/admin/login/", {"username": "root", "password": PASSWORD}).status_code == 302
    client = Client()
    client.post("/sign-in/?next=/admin/", {"username": "root", "password": PASSWORD})
    assert client.get("/admin/").status_code == 200


# --- PINs ---


def test_a_pin_is_counted_over_matches_and_phones(world, side) -> None:
    others = [match for match in world.matches if match.sides.filter(entrant=side.entrant).exists()]
    assert len(others) > 1
    for number in range(20):
        match = others[number % len(others)]
        place = match.sides.get(entrant=side.entrant).number
        Client().post(f"/t/{match.door}/", {"do": "move", "side": place, "pin": wrong_pin(side)})
    answer = Client().post(f"/t/{world.match.door}/", {"do": "move", "side": 2, "pin": side.entrant.pin})
    assert "Too many wrong PINs for" in answer.content.decode()
    assert "get a new PIN at the desk" in answer.content.decode()


def test_the_guessed_player_still_has_phone_slip_and_new_pin(world, side) -> None:
    own, before = Client(), Client()
    assert move(before, world.match, side.entrant.pin) == 302  # a proved phone
    for _ in range(21):
        move(Client(), world.match, wrong_pin(side))
    assert move(before, world.match, side.entrant.pin) == 302
    own.get(f"/me/{side.entrant.door}/")
    assert "You are here for" in own.get(f"/t/{world.match.door}/").content.decode()
    assert move(own, world.match, side.entrant.pin) == 302
    assert move(Client(), world.match, side.entrant.pin) == 422
    assert move(Client(), world.match, renew_pin(side.entrant, by=world.owner).pin) == 302
    assert own.get(f"/me/{side.entrant.door}/").status_code == 200


def test_a_proved_phone_has_a_limit_too(world, side) -> None:
    known = Client()
    move(known, world.match, side.entrant.pin)
    new = renew_pin(side.entrant, by=world.owner)
    for _ in range(20):
        move(known, world.match, wrong_pin(Side.objects.get(pk=side.pk)))
    assert move(known, world.match, new.pin) == 422
    assert move(Client(), world.match, new.pin) == 302  # nor does it lock others out


# --- Codes and tokens ---


UNKNOWN = ["/t/AAAAAAAAAAAA/", "/t/AAAAAAAAAAAA/pad/", "/me/AAAAAAAAAAAAAAAA/"]


@pytest.mark.parametrize("address", UNKNOWN)
def test_unknown_codes_are_slowed_down_and_right_ones_are_not(world, side, address) -> None:
    seen = [Client().get(address) for _ in range(22)]
    assert [one.status_code for one in seen] == [404] * 20 + [429] * 2
    assert 1 <= int(seen[-1]["Retry-After"]) <= 5
    # A guesser in the hall keeps no phone of the hall out, not even a new one.
    for right in (f"/t/{world.match.door}/", f"/me/{side.entrant.door}/"):
        assert Client().get(right).status_code == 200
    assert Client(REMOTE_ADDR="10.1.2.3").get(address).status_code == 404


def test_a_phone_with_a_right_code_has_its_own_count(world) -> None:
    known = Client()
    known.post(f"/t/{world.match.door}/", {"do": "side", "side": 1})
    assert [known.get(UNKNOWN[0]).status_code for _ in range(22)] == [404] * 20 + [429] * 2
    assert Client().get(UNKNOWN[0]).status_code == 404


def test_unknown_tokens_are_slowed_down_and_a_right_one_is_not(world) -> None:
    _row, key = make_token(world.alice, name="Screen", scopes=[TokenScope.READ])
    path, wrong = "/api/v1/matches", {"HTTP_AUTHORIZATION": "Bearer dom_wrong"}
    seen = [Client().get(path, **wrong) for _ in range(22)]
    assert [one.status_code for one in seen] == [401] * 20 + [429] * 2
    assert 1 <= int(seen[-1]["Retry-After"]) <= 5
    assert seen[-1].json()["code"] == "throttled"
    assert Client().get(path, HTTP_AUTHORIZATION=f"Bearer {key}").status_code == 200


def test_a_forged_address_gives_no_new_guesses(world) -> None:
    for number in range(25):
        forged = {"HTTP_X_FORWARDED_FOR": f"10.0.0.{number}"}  # so a server passes on both spellings of the header
        answer = Client().get("/t/AAAAAAAAAAAA/", **forged)
    assert answer.status_code == 429


# --- Names that are not here ---


def test_unknown_names_cost_the_same_statements_and_hashes(world, django_assert_num_queries, monkeypatch) -> None:
    hashed: list[str] = []
    real = MD5PasswordHasher.encode
    monkeypatch.setattr(MD5PasswordHasher, "encode", lambda *given: hashed.append(given[1]) or real(*given))
    for name in ("alice", "nobody"):
        sign_in(Client(), name, "wrong")
    for name in ("alice", "nobody"):
        with django_assert_num_queries(6):
            sign_in(Client(), name, "wrong")
    assert hashed == ["wrong"] * 4
