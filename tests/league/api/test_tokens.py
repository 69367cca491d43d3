"""Tokens: made once, kept as a digest, dead at once when revoked."""

from datetime import timedelta

import pytest
from allauth.account.forms import default_token_generator
from allauth.account.utils import user_pk_to_url_str
from django.contrib.auth.hashers import make_password
from django.contrib.auth.models import AnonymousUser
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from league.accounts.models import User
from league.accounts.services import erase_account
from league.api.base.tokens import make_token, revoke, token_with, tokens_of
from league.api.models import Token, TokenScope
from league.errors import NotAllowed, Refused
from league.matches.hash_chain import sha256
from tests.league.api.conftest import Program, key_of, problem_of
from tests.league.world import NOON, World, person


@pytest.fixture
def alice(db) -> User:
    return person("alice")


def status(key: str, scheme: str = "Bearer") -> int:
    return Client(headers={"Authorization": f"{scheme} {key}"}).get("/api/v1/leagues").status_code


def test_the_key_is_nowhere_in_the_database(alice: User) -> None:
    token, key = make_token(alice, name="  Score \x07 pad ", scopes=["confirm", "read"], days=90, now=NOON)
    assert key.startswith("dom_")
    assert len(key) == 47
    row = Token.objects.values().get(pk=token.pk)
    assert row == {
        "id": token.pk,
        "user_id": alice.pk,
        "name": "Score pad",
        "prefix": key[:10],
        "digest": sha256(key.encode()),
        "scopes": ["read", "confirm"],
        "created_at": NOON,
        "last_used_at": None,
        "expires_at": NOON + timedelta(days=90),
        "revoked_at": None,
    }
    assert key not in str(row.values())


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ({"name": " \x07"}, "no-name"),
        ({"name": "x" * 61}, "no-name"),
        ({"scopes": []}, "no-scope"),
        ({"scopes": ["read", "rule the world"]}, "no-scope"),
    ],
)
def test_what_is_no_token(alice: User, given: dict, code: str) -> None:
    with pytest.raises(Refused) as refused:
        make_token(alice, **{"name": "x", "scopes": ["read"], **given})
    assert refused.value.code == code
    assert Token.objects.count() == 0


def test_nobody_has_no_token(db) -> None:
    with pytest.raises(NotAllowed) as refused:
        make_token(AnonymousUser(), name="x", scopes=["read"])
    assert refused.value.code == "sign-in"


def test_dead_tokens_make_room(alice: User, settings) -> None:
    settings.API_TOKENS_A_USER = 1
    first, _key = make_token(alice, name="one", scopes=["read"])
    with pytest.raises(Refused) as refused:
        make_token(alice, name="two", scopes=["read"])
    assert refused.value.code == "too-many-tokens"
    revoke(first, user=alice)
    make_token(alice, name="two", scopes=["read"])


def test_a_revoked_token_opens_nothing_from_that_moment_on(alice: User) -> None:
    token, key = make_token(alice, name="x", scopes=["read"])
    _, other = make_token(alice, name="y", scopes=["read"])
    assert status(key) == 200
    assert revoke(token, user=alice) is True
    assert revoke(token, user=alice) is False
    assert (status(key), status(other)) == (401, 200)


def test_a_closed_account_s_tokens_open_nothing(alice: User) -> None:
    _, key = make_token(alice, name="x", scopes=["read"])
    User.objects.filter(pk=alice.pk).update(is_active=False)
    assert status(key) == 401
    User.objects.filter(pk=alice.pk).update(is_active=True)
    assert status(key) == 200


def test_the_tokens_of_an_erased_account_stay_dead(alice: User) -> None:
    """Even if somebody opened the account again: with its mark of erasure, and without it."""
    other = key_of(person("bob"))
    keys = [key_of(alice), key_of(alice)]
    revoke(tokens_of(alice).first(), user=alice)
    before = tokens_of(alice).first().revoked_at
    erase_account(alice)
    assert [status(key) for key in [*keys, other]] == [401, 401, 200]
    dead = sorted(tokens_of(alice).values_list("revoked_at", flat=True))
    assert len(dead) == 2
    assert dead[0] == before
    User.objects.filter(pk=alice.pk).update(is_active=True)
    assert [status(key) for key in keys] == [401, 401]
    User.objects.filter(pk=alice.pk).update(erased_at=None)
    assert [status(key) for key in keys] == [401, 401]


@pytest.mark.parametrize("how", ["on the page", "by a link", "by the command"])
def test_a_new_password_ends_every_token(alice: User, how: str) -> None:
    alice.set_password("six-six-leads")
    alice.save()
    keys = [make_token(alice, name=name, scopes=["read"])[1] for name in ("Screen", "Pad")]
    assert {status(key) for key in keys} == {200}
    if how == "on the page":
        client = Client()
        client.force_login(alice)
        new = {"oldpassword": "six-six-leads", "password1": "five-five-leads", "password2": "five-five-leads"}
        assert client.post("/account/password/", new).status_code == 302
    elif how == "by a link":
        key = default_token_generator.make_token(alice)
        client = Client()
        form = client.get(
            reverse("account_reset_password_from_key", args=[user_pk_to_url_str(alice), key]), follow=True
        )
        path = form.redirect_chain[-1][0]
        new = {"password1": "five-five-leads", "password2": "five-five-leads"}
        assert client.post(path, new).status_code == 302
    else:
        alice.set_password("five-five-leads")
        alice.save(update_fields=["password"])
    assert {status(key) for key in keys} == {401}
    assert status(make_token(alice, name="New", scopes=["read"])[1]) == 200


def test_rehashing_a_password_ends_no_token(alice: User, settings) -> None:
    """The control: Django rehashes a password at a sign-in after an update."""
    settings.PASSWORD_HASHERS = [
        "django.contrib.auth.hashers.MD5PasswordHasher",
        "django.contrib.auth.hashers.PBKDF2PasswordHasher",
    ]
    alice.password = make_password("six-six-leads", hasher="pbkdf2_sha256")
    alice.save()
    key = make_token(alice, name="Screen", scopes=["read"])[1]
    assert alice.check_password("six-six-leads")
    assert User.objects.get().password.startswith("md5")
    alice.first_name = "Ana"
    alice.save()
    assert status(key) == 200


def test_an_account_with_the_mark_of_erasure_opens_nothing_by_itself(alice: User) -> None:
    """Without the receiver: the token is not revoked."""
    key = key_of(alice)
    User.objects.filter(pk=alice.pk).update(erased_at=NOON)
    assert status(key) == 401
    User.objects.filter(pk=alice.pk).update(erased_at=None)
    assert status(key) == 200


def test_a_token_ends_on_its_day(alice: User) -> None:
    _, key = make_token(alice, name="x", scopes=["read"], days=1, now=NOON)
    assert token_with(key, NOON + timedelta(hours=23, minutes=59)) is not None
    assert token_with(key, NOON + timedelta(days=1)) is None
    assert status(key) == 200 if timezone.now() < NOON + timedelta(days=1) else 401


@pytest.mark.parametrize("key", ["dom_nothing", "", " ", "x" * 101, "é", "a b"])
def test_all_that_is_no_token_gets_one_answer(db, key: str) -> None:
    answer = Client(headers={"Authorization": f"Bearer {key}"}).get("/api/v1/leagues")
    assert problem_of(answer)["code"] == "invalid-token"
    assert answer.headers["WWW-Authenticate"] == 'Bearer realm="api"'


def test_another_scheme_is_nobody(alice: User) -> None:
    _, key = make_token(alice, name="x", scopes=["read"])
    assert status(key, "bearer") == 200
    assert status(key, "Basic") == 200
    answer = Client(headers={"Authorization": f"Basic {key}"}).post("/api/v1/games/AAAAAAAA/logs")
    assert answer.status_code == 401


def test_its_use_is_noted_once_a_minute(alice: User) -> None:
    token, key = make_token(alice, name="x", scopes=["read"], now=NOON)
    for seconds, noted in ((10, 10), (40, 10), (69, 10), (70, 70)):
        token_with(key, NOON + timedelta(seconds=seconds))
        token.refresh_from_db()
        assert token.last_used_at == NOON + timedelta(seconds=noted)


def test_a_busy_program_costs_one_statement(alice: User, django_assert_num_queries) -> None:
    _, key = make_token(alice, name="x", scopes=["read"])
    token_with(key, timezone.now())
    with django_assert_num_queries(1):
        token_with(key, timezone.now())


def test_tokens_are_their_owner_s_alone(world: World) -> None:
    token, _key = make_token(world.alice, name="x", scopes=["read"])
    assert list(tokens_of(world.alice)) == [token]
    assert list(tokens_of(world.bob)) == []
    assert list(tokens_of(AnonymousUser())) == []
    with pytest.raises(NotAllowed):
        revoke(token, user=world.bob)


# --- The page ---


@pytest.fixture
def page(alice: User) -> Client:
    client = Client()
    client.force_login(alice)
    return client


URL = "/account/tokens/"


def test_the_page_makes_a_token_and_shows_its_key_once(page: Client, alice: User) -> None:
    assert "You have no token yet." in page.get(URL).content.decode()
    answer = page.post(URL, {"name": "Score pad", "scopes": ["read", "submit"], "days": "90"})
    token = Token.objects.get()
    html = answer.content.decode()
    [key] = [part for part in html.split('"') if part.startswith("dom_")]
    assert (answer.status_code, status(key), token.scopes) == (200, 200, [TokenScope.READ, TokenScope.SUBMIT])
    assert (token.expires_at - token.created_at).days == 90
    assert "no-store" in answer.headers["Cache-Control"]
    later = page.get(URL).content.decode()
    assert key not in later
    assert f"{token.prefix}…" in later
    assert "submit logs" in later


def test_the_page_takes_a_token_without_an_end(page: Client) -> None:
    page.post(URL, {"name": "x", "scopes": ["read"], "days": "0"})
    assert Token.objects.get().expires_at is None


def test_after_a_mistake_the_form_keeps_what_was_given(page: Client) -> None:
    answer = page.post(URL, {"name": "Score pad", "days": "365"})
    html = answer.content.decode()
    assert answer.status_code == 422
    assert "Choose at least one thing that the token may do." in html
    assert 'value="Score pad"' in html
    assert '<option value="365" selected>' in html
    assert Token.objects.count() == 0


def test_the_page_revokes(page: Client, alice: User) -> None:
    token, key = make_token(alice, name="x", scopes=["read"])
    assert page.get(f"{URL}{token.pk}/revoke/").status_code == 405
    answer = page.post(f"{URL}{token.pk}/revoke/", follow=True)
    assert "The token “x” is revoked." in answer.content.decode()
    assert status(key) == 401


def test_somebody_else_s_token_is_not_there(page: Client, world_bob: User) -> None:
    token, key = make_token(world_bob, name="x", scopes=["read"])
    assert page.post(f"{URL}{token.pk}/revoke/").status_code == 404
    assert page.post(f"{URL}987654/revoke/").status_code == 404
    assert status(key) == 200
    assert token.prefix not in page.get(URL).content.decode()


@pytest.fixture
def world_bob(db) -> User:
    return person("bob")


def test_the_page_is_for_those_who_are_signed_in(db) -> None:
    for answer in (Client().get(URL), Client().post(URL), Client().post(f"{URL}1/revoke/")):
        assert answer.status_code == 302
        assert "/sign-in" in answer.url or "/login" in answer.url


def test_the_form_is_protected_against_forgery(alice: User) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(alice)
    assert client.post(URL, {"name": "x", "scopes": ["read"], "days": "0"}).status_code == 403
    assert Token.objects.count() == 0


def test_a_name_is_shown_as_text(page: Client, alice: User) -> None:
    make_token(alice, name="<script>alert(1)</script>", scopes=["read"])
    html = page.get(URL).content.decode()
    assert "<script>alert" not in html
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in html


def test_the_list_costs_the_same_for_one_and_for_three(page: Client, alice: User, django_assert_num_queries) -> None:
    for number in (1, 3):
        while Token.objects.count() < number:
            make_token(alice, name=f"token {number}", scopes=["read"])
        with django_assert_num_queries(4):
            page.get(URL)


def test_a_token_does_not_open_the_page(alice: User, program: Program) -> None:
    assert program(alice).get(URL).status_code == 302
