"""Without a network the site says so itself, and keeps nothing that is anybody's own."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import sign_in
from tests.league.processes import until

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

READY = "navigator.serviceWorker.ready.then(one => one.active.state)"
SHELVES = """async () => Object.fromEntries(await Promise.all((await caches.keys()).map(async name => [name,
  (await (await caches.open(name)).keys()).map(one => new URL(one.url).pathname).sort()])))"""


def settle(page: Page, path: str = "/") -> None:
    """Until the worker has taken what it keeps, and looks after the page."""
    page.goto(path)
    page.evaluate(READY)
    page.goto(path)


@pytest.mark.smoke
def test_a_page_that_cannot_be_fetched_says_since_when_and_comes_back_by_itself(world, visit) -> None:
    page = visit(width=390)
    settle(page, "/players/")
    # It is noted after the page has been answered.
    page.wait_for_function("caches.match('/players/', { cacheName: 'seen' }).then(Boolean)")
    page.context.set_offline(True)
    page.goto("/players/")
    expect(page.get_by_role("heading", name="No network")).to_be_visible()
    expect(page.locator("[data-since]")).to_have_text(re.compile(r"Offline since \d\d:\d\d"))
    expect(page.locator("[data-seen]")).to_have_text(re.compile(r"This page was last seen at \d\d:\d\d"))
    expect(page.locator(".brand .tile")).to_have_css("display", "inline-block")  # it is dressed
    page.context.set_offline(False)
    expect(page.get_by_role("heading", name="Players", exact=True)).to_be_visible()


def test_a_device_that_never_says_that_it_is_online_comes_back_too(world, visit) -> None:
    page = visit()
    page.add_init_script(
        "const add = window.addEventListener;"
        "window.addEventListener = (name, ...rest) => name === 'online' || add(name, ...rest)"
    )
    settle(page, "/players/")
    page.context.set_offline(True)
    page.goto("/players/")
    expect(page.locator("[data-since]")).to_be_visible()
    page.context.set_offline(False)
    expect(page.get_by_role("heading", name="Players", exact=True)).to_be_visible()


def test_a_page_never_seen_is_not_said_to_have_been(world, visit) -> None:
    page = visit()
    settle(page)
    page.context.set_offline(True)
    page.goto("/leagues/")
    expect(page.locator("[data-since]")).to_be_visible()
    expect(page.locator("[data-seen]")).to_be_hidden()


def test_nothing_but_the_page_that_says_so_is_kept(world, visit) -> None:
    page = visit()
    sign_in(page, "alice")
    settle(page, "/account/")
    page.goto("/players/")
    shelves = page.evaluate(SHELVES)
    files = ["icon.svg", "offline.js", "site.css", "tokens.css"]
    assert shelves["offline"] == ["/offline/", *(f"/static/web/base/{name}" for name in files)]
    html = page.evaluate("caches.match('/offline/').then(one => one.text())")
    assert "alice" not in html


def test_an_address_that_is_a_secret_is_not_noted(world, visit) -> None:
    page = visit()
    settle(page)
    door = world.entrants[0].door
    page.goto(f"/me/{door}/")
    page.goto("/players/")
    assert until(lambda: "/players/" in page.evaluate(SHELVES)["seen"])  # the worker notes it when it likes
    noted = page.evaluate(SHELVES)["seen"]
    assert not [path for path in noted if door in path]


def test_the_page_is_kept_anew_in_the_language_and_the_theme_that_were_chosen(world, visit) -> None:
    page = visit()
    settle(page)
    # Not by the buttons: Chromium, driven on a busy machine, now and then never fetches the page after a form.
    chosen = {"django_language": "es", "theme": "contrast"}
    page.context.add_cookies([{"name": name, "value": value, "url": page.url} for name, value in chosen.items()])
    page.goto("/")
    expect(page.locator("html")).to_have_attribute("lang", "es")
    page.evaluate(
        """async () => {
        for (;;) {
            const html = await (await caches.match('/offline/')).text();
            if (html.includes('lang="es"') && html.includes('data-theme="contrast"')) return;
            await new Promise(done => setTimeout(done, 50));
        }
    }"""
    )
    page.context.set_offline(True)
    page.goto("/players/")
    expect(page.locator("html")).to_have_attribute("data-theme", "contrast")
    expect(page.locator("html")).to_have_attribute("lang", "es")
