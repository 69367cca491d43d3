"""Signing in and out."""

import pytest

from tests.web.world import PASSWORD


@pytest.mark.parametrize("name", ["alice", "ALICE", "alice@example.org", "Alice@Example.org"])
def test_one_signs_in_by_name_or_address(world, browse, name) -> None:
    client = browse()
    answer = client.post("/sign-in/", {"username": name, "password": PASSWORD}, follow=True)
    assert answer.redirect_chain == [("/", 302)]
    assert "Sign out" in answer.content.decode()


def test_a_wrong_password_says_so_keeps_the_name_and_tells_nothing_else(world, browse) -> None:
    answers = [browse().post("/sign-in/", {"username": name, "password": "wrong"}) for name in ("alice", "nobody")]
    for answer, name in zip(answers, ("alice", "nobody"), strict=True):
        html = answer.content.decode()
        assert answer.status_code == 422
        assert "No account has this name or address with this password." in html
        assert f'value="{name}"' in html
        assert 'value="wrong"' not in html


def test_one_comes_back_to_the_page_one_asked_for_and_nowhere_else(world, browse) -> None:
    form = {"username": "alice", "password": PASSWORD}
    assert browse().post("/sign-in/", form | {"next": "/submit/"}).url == "/submit/"
    assert browse().post("/sign-in/", form | {"next": "https://elsewhere.example/"}).url == "/"
    assert browse().post("/sign-in/", form | {"next": "//elsewhere.example/"}).url == "/"


def test_signing_out_takes_a_post(world, browse) -> None:
    client = browse(world.alice)
    assert client.get("/sign-out/").status_code == 405
    assert "Sign out" in client.get("/").content.decode()
    answer = client.post("/sign-out/", follow=True)
    assert "Sign in" in answer.content.decode()
    assert "Sign out" not in answer.content.decode()


def test_who_is_signed_in_already_is_sent_on(world, browse) -> None:
    assert browse(world.alice).get("/sign-in/").url == "/"
