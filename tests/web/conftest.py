"""What the tests of the pages share: a small league, people who are signed in, and a real log."""

from collections.abc import Callable
from random import Random

import pytest
from django.core.cache import cache
from django.test import Client

from games.notation.reading import dumps
from league.accounts.models import User
from referee.playouts.pips import playout
from tests.web import world as small
from tests.web.world import World


@pytest.fixture(autouse=True)
def _plain_site(settings) -> None:
    """Pages as in the embedded default, whatever the environment of this run asks for."""
    settings.SECURE_SSL_REDIRECT = False
    settings.EMBEDDED = True
    settings.CACHES = {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache", "LOCATION": "tests"}}
    cache.clear()  # wrong passwords are counted there
    settings.STORAGES = settings.STORAGES | {
        "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
    }


@pytest.fixture
def world(db) -> World:
    return small.build()


@pytest.fixture
def browse() -> Callable[[User | None], Client]:
    """A client that is signed in as somebody, or as nobody."""

    def signed_in(user: User | None = None) -> Client:
        client = Client()
        if user:
            client.force_login(user)
        return client

    return signed_in


@pytest.fixture
def log() -> str:
    """A whole game between Ana Ruiz and Bo Chen that verifies."""
    return dumps(playout("udl", rng=Random(7), seats=("Ana Ruiz", "Bo Chen")).log)
