"""Pages for what went wrong."""

import pytest
from django.test import Client, RequestFactory

from league.web.shared import errors


def test_a_nul_in_the_address_is_a_bad_request(db) -> None:
    answer = Client(raise_request_exception=False).get("/players/?q=%00")
    assert answer.status_code == 400
    assert "This request could not be read" in answer.content.decode()


def test_a_form_without_its_token_says_that_nothing_was_changed(world) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(world.alice)
    answer = client.post("/sign-out/")
    assert answer.status_code == 403
    assert "The form was too old or came from another site, so nothing was changed." in answer.content.decode()


def test_a_broken_page_says_so_without_asking_the_database(django_assert_num_queries, db, monkeypatch) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("broken on purpose")

    monkeypatch.setattr("league.web.home.home", broken)
    with django_assert_num_queries(0):
        answer = Client(raise_request_exception=False).get("/")
    assert answer.status_code == 500
    assert "Something broke on our side" in answer.content.decode()
    assert "broken on purpose" not in answer.content.decode()


@pytest.mark.parametrize("handler", [errors.bad_request, errors.forbidden, errors.not_found])
def test_every_error_page_is_whole(handler) -> None:
    html = handler(RequestFactory().get("/"), Exception("<b>why</b>")).content.decode()
    assert html.startswith("<!doctype html>")
    assert "<b>why</b>" not in html
    assert 'href="/"' in html


def test_an_address_of_forms_that_is_opened_says_so_and_does_nothing(world, browse) -> None:
    client = browse(world.alice)
    answer = client.get("/sign-out/", headers={"accept-language": "es"})
    assert (answer.status_code, answer["Allow"]) == (405, "POST")
    assert "Aquí solo se envían formularios" in answer.content.decode()
    assert "Sign out" in client.get("/").content.decode()


def test_a_method_that_the_api_does_not_know_stays_a_problem_of_the_api(db) -> None:
    answer = Client().post("/api/v1/leagues")
    assert answer.status_code in {401, 403, 405}
    assert answer["Content-Type"] == "application/problem+json"


@pytest.mark.parametrize("path", ["/nowhere/", "/players/?q=%00", "/sign-out/"])
def test_who_is_lost_can_search_and_go_home(db, path) -> None:
    html = Client(raise_request_exception=False).get(path).content.decode()
    assert 'role="search" action="/search/"' in html
    assert 'href="/competitions/"' in html


def test_a_broken_page_can_be_tried_again_in_the_theme_and_the_language_of_its_reader(world, monkeypatch) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("broken on purpose")

    monkeypatch.setattr("league.web.home.home", broken)
    client = Client(raise_request_exception=False)
    client.cookies["theme"], client.cookies["django_language"] = "contrast", "es"
    html = client.get("/").content.decode()
    assert 'data-theme="contrast"' in html
    assert 'lang="es"' in html
    assert '<a class="button" href="">' in html


def test_a_refusal_says_who_is_signed_in_and_has_the_menu(world, browse) -> None:
    html = browse(world.charlie).get(f"/submit/{world.game().code}/").content.decode()
    assert "You are signed in as <bdi>charlie</bdi>, who may not do this, and nothing was changed." in html
    assert 'href="/competitions/"' in html.split("<nav")[1].split("</nav>")[0]
    assert "Sign out" in html
