"""The prepared reading of sessions and accounts lets in those that Django's own would."""

from datetime import timedelta

import pytest
from django.contrib.auth import get_user
from django.contrib.sessions.backends import db as django_store
from django.contrib.sessions.models import Session
from django.test import RequestFactory
from django.utils import timezone

from league.accounts.models import User
from league.accounts.sessions import SessionStore

pytestmark = [pytest.mark.django_db, pytest.mark.both]


@pytest.fixture
def ana() -> User:
    return User.objects.create_user("ana", password="six-six-leads")


def signed_in(client, user: User) -> str:
    client.force_login(user)
    return client.session.session_key


def who(key: str) -> object:
    """Return who a session is of, after the same answer of Django's own store."""
    request = RequestFactory().get("/")
    found = []
    for store in (django_store.SessionStore, SessionStore):
        request.session = store(key)
        found.append(get_user(request))
    assert found[0] == found[1]
    assert django_store.SessionStore(key).load() == SessionStore(key).load()
    return found[1]


def test_a_session_is_of_the_account_that_signed_in(client, ana) -> None:
    assert who(signed_in(client, ana)) == ana


def test_an_ended_session_is_of_nobody(client, ana) -> None:
    key = signed_in(client, ana)
    Session.objects.update(expire_date=timezone.now() - timedelta(seconds=1))
    assert not who(key).is_authenticated
    store = SessionStore(key)
    assert (store.load(), store.session_key) == ({}, None)


def test_an_unknown_session_is_of_nobody(ana) -> None:
    assert not who("nothing").is_authenticated


@pytest.mark.parametrize("change", [{"is_active": False}, {"password": "!"}])
def test_a_blocked_account_or_another_password_ends_its_sessions(client, ana, change) -> None:
    key = signed_in(client, ana)
    User.objects.filter(pk=ana.pk).update(**change)
    assert not who(key).is_authenticated


def test_a_removed_account_ends_its_sessions(client, ana) -> None:
    key = signed_in(client, ana)
    ana.delete()
    assert not who(key).is_authenticated
