"""A match with a verified log, its two players, two officials and the owner, each with a browser."""

from collections.abc import Callable

import pytest
from django.test import Client

from tests.league.disputes import courtroom
from tests.league.world import World, make_world

Court = tuple[World, Callable[[str], Client]]


@pytest.fixture
def court() -> Court:
    """The world of `tests/league`, with an entered log; a browser for each account by its name there."""
    world = make_world()
    courtroom.logged(world)

    def browser(name: str) -> Client:
        client = Client()
        if name:
            client.force_login(getattr(world, name))
        return client

    return world, browser
