"""Sessions and forgery (RELIABILITY.md T-17).

A session from before sign-in is useless after it, an ended one stops at once, and forms and calls of other sites change
nothing.
"""

import pytest
from django.contrib.auth import get_user_model
from django.test import Client
from django.urls import reverse

from league.matches.models import Match, Record
from tests.volume import quarter
from tests.web import table_world
from tests.web.test_permission_table import TABLE
from tests.web.world import PASSWORD

ELSEWHERE = {"HTTP_ORIGIN": "https://elsewhere.example", "HTTP_REFERER": "https://elsewhere.example/page"}
SIMPLE = ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "application/json"]


def signed_in(**options: object) -> Client:
    client = Client(**options)
    client.force_login(get_user_model().objects.get(username="alice"))
    return client


def is_signed_in(session: str) -> bool:
    client = Client()
    client.cookies["sessionid"] = session
    return client.get("/account/").status_code == 200


def test_a_session_of_before_sign_in_is_not_the_one_after_it(world) -> None:
    client = Client()
    client.post(f"/t/{world.match.door}/", {"do": "side", "side": 1})
    planted = client.cookies["sessionid"].value
    assert client.post("/sign-in/", {"username": "alice", "password": PASSWORD}).status_code == 302
    own = client.cookies["sessionid"].value
    assert own != planted
    assert is_signed_in(own)
    assert not is_signed_in(planted)


def signs_out(client: Client) -> None:
    client.post("/sign-out/")


def is_closed(_client: Client) -> None:
    get_user_model().objects.filter(username="alice").update(is_active=False)


def gets_a_new_password(_client: Client) -> None:
    alice = get_user_model().objects.get(username="alice")
    alice.set_password("another long one")
    alice.save()


@pytest.mark.parametrize("end", [signs_out, is_closed, gets_a_new_password])
def test_a_session_that_was_ended_is_dead_with_the_next_request(world, end) -> None:
    client = signed_in()
    session = client.cookies["sessionid"].value
    assert is_signed_in(session)  # the control
    end(client)
    assert not is_signed_in(session)


def test_nobody_is_signed_in_by_another_site(world) -> None:
    form = {"username": "alice", "password": PASSWORD}
    client = Client(enforce_csrf_checks=True)
    assert client.post("/sign-in/", form, **ELSEWHERE).status_code == 403
    assert "sessionid" not in client.cookies
    assert Client().post("/sign-in/", form, **ELSEWHERE).status_code == 302  # the control


def test_the_cookie_stays_at_home_and_no_address_bears_a_session(world, settings) -> None:
    client = Client()
    client.post("/sign-in/", {"username": "alice", "password": PASSWORD})
    cookie = client.cookies["sessionid"]
    assert (cookie["samesite"], bool(cookie["httponly"])) == ("Lax", True)
    assert cookie.value not in client.get("/account/").content.decode()
    assert Client().get(f"/account/?sessionid={cookie.value}").status_code == 302


@pytest.mark.parametrize("kind", SIMPLE)
def test_a_call_of_another_site_enters_nothing(world, kind) -> None:
    body = b'{"kind": "score", "sheet": {"scores": [150, 95]}}'
    path = f"/api/v1/games/{world.game().code}/sheets"
    answer = signed_in(enforce_csrf_checks=True).post(path, body, content_type=kind, **ELSEWHERE)
    assert answer.status_code in {403, 415}
    assert not Record.objects.exists()


def test_a_call_without_that_check_would(world) -> None:
    """The control."""
    body = b'{"kind": "score", "sheet": {"scores": [150, 95]}}'
    path = f"/api/v1/games/{world.game().code}/sheets"
    assert signed_in().post(path, body, content_type="application/json", **ELSEWHERE).status_code == 201


def test_every_form_of_another_site_is_refused(db) -> None:
    people, own, _foreign = table_world.build()
    client = Client(enforce_csrf_checks=True)
    client.force_login(people["owner"])
    published = Match.objects.filter(published_at__isnull=False).count()
    taken = {}
    rows = quarter(TABLE, lambda row: row.name.partition(":")[0])
    for row in rows:
        answer = client.post(reverse(row.name, args=row.args(own)), row.data(own), **ELSEWHERE)
        if answer.status_code != 403:
            taken[row.name] = answer.status_code
    assert taken == {}
    assert len(rows) > 30
    unchecked = Client()
    unchecked.force_login(people["owner"])
    control = reverse("people:add", args=[own.slug])
    assert unchecked.post(control, {"name": "Cy", "since": "2026-11-21"}, **ELSEWHERE).status_code == 302
    assert Match.objects.filter(published_at__isnull=False).count() == published
