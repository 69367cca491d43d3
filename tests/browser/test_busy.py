"""What a form shows that takes its time, and that it is sent once (SCREENS.md: progress on anything over a second)."""

import threading
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from math import inf

import pytest
from playwright.sync_api import Error, Page, Route, expect

from league.web import following
from tests.browser.conftest import sign_in
from tests.browser.hours import Hours
from tests.browser.looking import axe
from tests.browser.test_budgets import OBSERVE
from tests.league.processes import until

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

PRESS = "document.querySelector('form[action*=\"/following/act/\"] button').click()"
# The browser stays on the page for good, as it does on a slow one until the answer is there.
HOLD = "addEventListener('submit', event => { if (!window.through) event.preventDefault(); })"
# What was told on the way to the next page, for that page to be asked.
NOTE = """sessionStorage.told = ''; new MutationObserver(() => {
        sessionStorage.told += event_text();
        window.told?.(event_text());
    })
    .observe(document.querySelector('[data-busy]'), {childList: true});
    function event_text() { return document.querySelector('[data-busy]').textContent; }"""
WORDS = "Working. This page continues automatically."


@dataclass
class Held:
    """What was asked to be followed. Nothing is answered before `go` is set; the last of so many presses sets it."""

    names: list[str] = field(default_factory=list)
    presses: float = inf
    go: threading.Event = field(default_factory=threading.Event)


@pytest.fixture
def asked(monkeypatch) -> Iterator[Held]:
    held, start = Held(), following._start

    def wait(request, answer, name):
        held.names.append(name)
        if len(held.names) >= held.presses:
            held.go.set()
        held.go.wait(60)
        start(request, answer, name)

    monkeypatch.setattr(following, "_start", wait)
    yield held
    held.go.set()


@pytest.fixture
def form(world, visit):
    """The page of a player, with the form to follow."""

    def opened(*, blocked: bool = False, hours: Hours | None = None, **kind: object) -> Page:
        page = visit(**kind)
        if hours:
            hours.show(page)
        if blocked:
            page.route("**/busy.js", lambda route: route.abort())
        page.add_init_script(OBSERVE)
        page.goto(f"/players/{world.entrants[0].player.code}/")
        page.wait_for_load_state("networkidle")
        return page

    return opened


def is_followed(page: Page) -> None:
    expect(page.get_by_role("button", name="Followed: stop")).to_be_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_form_that_takes_its_time_says_so_and_nothing_moves(form, scheme, hours) -> None:
    page = form(width=390, scheme=scheme, hours=hours)
    place = page.get_by_role("main").locator("[data-busy]")
    before = page.evaluate("document.documentElement.scrollHeight")
    page.evaluate(HOLD)
    assert page.evaluate(f"{PRESS}; document.querySelector('[data-busy]').textContent") == ""
    hours.run(1)
    expect(place).to_have_text(WORDS)
    expect(place).to_have_attribute("role", "status")
    expect(place.locator("progress")).to_be_visible()
    expect(page.locator("form[aria-busy=true]")).to_have_count(1)
    assert page.evaluate("[document.documentElement.scrollHeight, seen.shift]") == [before, 0]
    box = place.bounding_box()
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 390
    page.clock.resume()  # axe waits for timers of the page
    assert axe(page) == []


@pytest.mark.smoke
def test_a_second_press_sends_nothing(form, asked) -> None:
    page = form()
    # Playwright asks a page nothing while it waits for the next one: what is told there lets the answer come.
    page.expose_function("told", lambda words: asked.go.set() if words == WORDS else None)
    page.evaluate(NOTE)
    page.evaluate(f"for (let press = 0; press < 3; press++) {PRESS}")
    is_followed(page)
    assert len(asked.names) == 1
    assert page.evaluate("sessionStorage.told") == WORDS
    assert page.locator("[data-busy]").inner_text() == ""


def test_without_the_script_a_second_press_is_sent(form, asked) -> None:
    """The control."""
    page = form(blocked=True)
    asked.presses = 2

    def first_has_come(route: Route) -> None:
        assert until(lambda: asked.names)
        route.fulfill()

    # Playwright asks a page nothing while it waits for the next one, but answers it.
    page.route("**/first-has-come", first_has_come)
    page.evaluate(f"{PRESS}; void fetch('/first-has-come').then(() => {PRESS})")
    is_followed(page)
    assert len(asked.names) == 2


def test_on_a_page_without_javascript_the_form_works(form) -> None:
    page = form(js=False)
    page.locator("form[action*='/following/act/'] button").click()
    is_followed(page)


def test_a_form_that_is_quick_shows_nothing(form, hours) -> None:
    page = form(hours=hours)
    page.evaluate(HOLD)
    page.evaluate(PRESS)
    hours.run(0.3)
    assert page.locator("[data-busy]").inner_text() == ""
    hours.run(0.2)
    expect(page.locator("[data-busy]")).to_have_text(WORDS)


def test_escape_stops_it_and_the_form_can_be_sent_again(form) -> None:
    page = form()
    page.evaluate(HOLD)
    page.evaluate(PRESS)
    expect(page.locator("[data-busy] progress")).to_have_count(1)
    page.keyboard.press("Escape")
    expect(page.locator("[data-busy] progress")).to_have_count(0)
    page.evaluate(f"window.through = true; {PRESS}")
    is_followed(page)


def test_who_wants_no_motion_gets_the_sentence_alone(form) -> None:
    page = form()
    page.emulate_media(reduced_motion="reduce")
    page.evaluate(HOLD)
    page.evaluate(PRESS)
    expect(page.locator("[data-busy]")).to_have_text(WORDS)
    expect(page.locator("[data-busy] progress")).to_be_hidden()


def test_a_form_that_its_own_script_sends_is_left_to_it(world, visit, hours) -> None:
    page = hours.show(visit())
    sign_in(page, "owner")
    page.evaluate("""() => {
        document.body.insertAdjacentHTML('beforeend', '<form method="post" id="own"><button>Own</button></form>');
        window.times = 0;
        document.addEventListener('submit', event => { event.preventDefault(); times += 1; });
        for (const _press of [1, 2]) document.querySelector('#own button').click();
    }""")
    hours.run(2)
    assert page.evaluate("[times, document.querySelector('[data-busy]').childElementCount]") == [2, 0]


def test_a_link_to_a_page_that_is_long_in_the_making_says_so_too(form, hours) -> None:
    page = form(hours=hours)
    page.evaluate("""() => {
        document.querySelector('main').insertAdjacentHTML('beforeend',
            '<p><a href="/" data-slow>Cards</a> <a href="/">Home</a></p>');
        addEventListener('click', event => event.preventDefault());
    }""")
    page.get_by_role("link", name="Home").click()
    page.get_by_role("link", name="Cards").click(modifiers=["ControlOrMeta"])
    hours.run(2)
    assert page.locator("[data-busy]").inner_text() == ""
    page.get_by_role("link", name="Cards").click()
    hours.run(2)
    expect(page.locator("[data-busy]")).to_have_text(WORDS)


RELOAD = "import(document.querySelector('script[src*=busy]').src).then((busy) => busy.reload())"


@pytest.mark.parametrize(("href", "seconds"), [("/nowhere/", 60), ("#here", 0), ("mailto:club@example.org", 0)])
def test_a_page_that_a_link_did_not_leave_loads_itself_again_in_the_end(form, hours, href: str, seconds: int) -> None:
    page = form(hours=hours)
    page.evaluate(
        """(href) => {
        window.before = true;
        document.body.insertAdjacentHTML('beforeend', `<a id="way" href="${href}">Way</a>`);
        addEventListener('click', event => event.preventDefault());  // as after a download
        document.getElementById('way').click();
    }""",
        href,
    )
    with page.expect_event("load") as loaded:
        page.evaluate(RELOAD)
        if seconds:
            hours.run(seconds - 2)
            assert page.evaluate("window.before")
            with suppress(Error):  # the page goes while its clock runs
                page.clock.run_for(4_000)
    assert not loaded.value.evaluate("window.before")
