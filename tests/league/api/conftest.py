"""What the tests of the API share: a played world, programs with tokens, and problems compared whole."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client

from league.accounts.models import User
from league.api.base.tokens import make_token
from league.api.models import TokenScope
from tests.league.api.played import Played, make_played

Program = Callable[..., Client]


@pytest.fixture(autouse=True)
def _plain_site(settings) -> None:
    """The API as in the embedded default, whatever the environment of this run asks for, and nothing counted yet."""
    settings.SECURE_SSL_REDIRECT = False
    settings.STORAGES = settings.STORAGES | {
        "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
    }
    settings.CACHES = {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}}
    cache.clear()


@pytest.fixture
def played(db) -> Played:
    return make_played()


@pytest.fixture
def shared_played(transactional_db) -> Played:
    """The same, committed, for tests with several threads."""
    return make_played()


def key_of(user: User, *scopes: str) -> str:
    return make_token(user, name="a program", scopes=scopes or TokenScope.values)[1]


@pytest.fixture
def program() -> Program:
    """A client with a token of somebody, with all scopes or those that are named."""

    def made(user: User | None = None, *scopes: str) -> Client:
        return Client(headers={"Authorization": f"Bearer {key_of(user, *scopes)}"} if user else {})

    return made


def problem_of(answer: Any) -> dict[str, Any]:
    """The problem in an answer, after a look at its form."""
    assert answer.headers["Content-Type"] == "application/problem+json"
    found = json.loads(answer.content)
    assert found["status"] == answer.status_code
    assert found["instance"] == answer.wsgi_request.path
    assert found["type"] == f"http://testserver/api/#{found['code']}"
    assert found["title"]
    assert found["detail"]
    return found
