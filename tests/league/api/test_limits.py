"""How often somebody may ask: by token or account, by address where nobody is known."""

import pytest
from django.test import Client
from rest_framework.settings import api_settings

from league.api.base import throttles
from tests.league.api.conftest import Program
from tests.league.world import World


@pytest.fixture(autouse=True)
def _tight(settings, monkeypatch) -> None:
    """Two a minute for nobody, three for somebody, in a minute that does not end."""
    settings.API_LIMITS = {**settings.API_LIMITS, "anonymous": 2, "known": 3}
    monkeypatch.setattr(throttles.time, "time", lambda: 1_800_000_010.5)


def ask(client: Client, times: int = 1, **more: str) -> list[int]:
    return [client.get("/api/v1/rulesets", **more).status_code for _ in range(times)]


def test_a_hall_shares_its_address_and_not_its_limit(world: World, program: Program) -> None:
    """One address: visitors share a limit, whoever has a token has one of their own."""
    assert ask(Client(), 3) == [200, 200, 429]
    alice, bob = program(world.alice), program(world.bob)
    assert ask(alice, 4) == [200, 200, 200, 429]
    assert ask(bob, 4) == [200, 200, 200, 429]
    assert ask(program(world.alice)) == [200]


def test_a_browser_counts_by_its_account(world: World) -> None:
    one, two = Client(), Client()
    one.force_login(world.alice)
    two.force_login(world.alice)
    assert ask(one, 2) + ask(two, 2) == [200, 200, 200, 429]


def test_other_addresses_are_others(db) -> None:
    assert ask(Client(), 3, REMOTE_ADDR="192.0.2.1") == [200, 200, 429]
    assert ask(Client(), 1, REMOTE_ADDR="192.0.2.2") == [200]


def test_a_forged_address_changes_nothing(db) -> None:
    """Without a proxy that is trusted, X-Forwarded-For is what anybody may write."""
    assert api_settings.NUM_PROXIES == 0
    answers = [ask(Client(), 1, HTTP_X_FORWARDED_FOR=f"192.0.2.{number}") for number in range(3)]
    assert answers == [[200], [200], [429]]


def test_the_next_minute_is_a_new_one(db, monkeypatch) -> None:
    answer = [Client().get("/api/v1/rulesets") for _ in range(3)][-1]
    assert (answer.status_code, answer.headers["Retry-After"]) == (429, "50")
    monkeypatch.setattr(throttles.time, "time", lambda: 1_800_000_060.0)
    assert ask(Client()) == [200]


def test_where_the_cache_is_away_everybody_may_ask(db, monkeypatch, caplog) -> None:
    class Gone:
        def add(self, *_: object) -> None:
            raise ConnectionError("Redis is away")

    monkeypatch.setattr(throttles, "cache", Gone())
    assert ask(Client(), 4) == [200] * 4
    assert "requests are not counted, the cache did not answer: Redis is away" in caplog.text


def test_limits_come_from_the_environment(settings) -> None:
    assert set(settings.API_LIMITS) == {"anonymous", "known", "submit", "confirm", "verify"}
