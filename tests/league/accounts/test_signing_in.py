"""Accounts: e-mail or user name, and whose name is whose."""

import pytest
from django.contrib.auth import authenticate
from django.db import IntegrityError, transaction

from league.accounts.codes import ALPHABET, new_code
from league.accounts.models import User


@pytest.fixture
def ana(db):
    return User.objects.create_user("ana", "Ana@Example.org", "six-six-leads")


@pytest.mark.parametrize("name", ["ana", "ANA", "ana@example.org", "Ana@example.ORG"])
def test_either_name_signs_in_in_any_case(ana, name):
    assert authenticate(username=name, password="six-six-leads") == ana


@pytest.mark.parametrize(
    ("name", "password"), [("ana", "other"), ("bo", "six-six-leads"), ("", "six-six-leads"), ("ana", ""), ("ana", None)]
)
def test_anything_else_does_not(ana, name, password):
    assert authenticate(username=name, password=password) is None


def test_an_account_that_was_switched_off_does_not_sign_in(ana):
    User.objects.update(is_active=False)
    assert authenticate(username="ana", password="six-six-leads") is None


def test_somebody_who_takes_anothers_address_as_user_name_locks_nobody_out(ana):
    rival = User.objects.create_user("ana@example.org", "rival@example.org", "five-five-leads")
    assert authenticate(username="ana@example.org", password="six-six-leads") == ana
    assert authenticate(username="ana@example.org", password="five-five-leads") == rival


def test_an_unknown_name_costs_a_hash_as_a_known_one_does(db, monkeypatch):
    hashed = []
    monkeypatch.setattr(User, "set_password", lambda _self, password: hashed.append(password))
    authenticate(username="nobody", password="secret")
    assert hashed == ["secret"]


def test_user_names_and_addresses_are_one_in_any_case_and_no_address_is_none(ana):
    for names in ({"username": "ANA", "email": "x@example.org"}, {"username": "x", "email": "ana@example.ORG"}):
        with pytest.raises(IntegrityError), transaction.atomic():
            User.objects.create(**names)
    User.objects.create(username="without")
    User.objects.create(username="without too")


def test_a_code_is_eight_characters_that_nobody_confuses():
    codes = {new_code() for _ in range(500)}
    assert len(codes) == 500
    assert {len(code) for code in codes} == {8}
    assert set("".join(codes)) <= set(ALPHABET)
    assert not set("ILOU") & set(ALPHABET)
