"""What every page owes to everybody: no finding of axe, no sideways scrolling, large targets, a way by keyboard."""

import gzip
import re
from collections.abc import Iterator
from itertools import pairwise

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from league.players.models import Player
from tests.browser.conftest import sign_in
from tests.browser.places import Spot, furnish
from tests.web.world import PASSWORD

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

WIDTHS = (320, 390, 768, 1280)
# Pages that say no, with the status of an error.
WRONG = {"not found", "forbidden", "unknown card", "muggins refused", "spent invitation"}
AXE_AT = {390: "dark", 1280: "light"}
LEAST_TARGET = 32

SMALL_TARGETS = """least => [...document.querySelectorAll(
    'a, button, input:not([type=hidden]), select, textarea, summary')]
  .filter(one => one.checkVisibility() && !one.classList.contains('skip'))
  .filter(one => getComputedStyle(one).display !== 'inline')
  .map(one => [one.outerHTML.slice(0, 120), one.getBoundingClientRect().height])
  .filter(([, height]) => height < least - 0.5)"""

FETCHED = """[...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
  .map(one => [one.name, one.encodedBodySize])"""
PAGE_WEIGHT, SCRIPT_WEIGHT = 100_000, 35_000


def go(page: Page, spot: Spot, signed_in: dict[str, str]) -> None:
    """Open the spot as the one who looks at it; a change of person signs in anew."""
    if signed_in.get("as", "") != spot.user:
        page.context.clear_cookies()
        if spot.user:
            sign_in(page, spot.user)
        signed_in["as"] = spot.user
    page.goto(spot.path)
    if spot.text:
        page.get_by_label(spot.label).fill(spot.text)
        page.get_by_role("button", name=spot.button).click()
        expect(page.locator(spot.answer)).to_be_visible()


def test_every_page_keeps_what_it_owes(world, visit) -> None:
    """Axe in light and in dark, nothing sideways at any width, large targets, headings in steps, nothing refused by the
    page's own policy: in one walk, for opening the pages is what takes the time.
    """
    assert faults(visit(), furnish(world)) == []


def faults(page: Page, spots: list[Spot], spoil: str = "() => {}") -> list[tuple[object, ...]]:
    who, found, said = {}, [], []
    page.on("console", lambda message: said.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: said.append(str(error)))
    page.on("requestfailed", lambda request: said.append(request.url) if "ABORTED" not in request.failure else None)
    for spot in spots:
        said.clear()  # what axe itself asks for is not the page's
        page.emulate_media(color_scheme="light")
        go(page, spot, who)
        page.evaluate(spoil)
        # A browser logs an answer that is an error, such as a 404, by itself.
        if said and spot.name not in WRONG and not spot.text:
            found.append((spot.name, "logged", said[:]))
        levels = page.locator("h1, h2, h3, h4").evaluate_all("all => all.map(one => Number(one.tagName[1]))")
        if levels[:1] != [1] or levels.count(1) != 1 or any(after - before > 1 for before, after in pairwise(levels)):
            found.append((spot.name, "headings", levels))
        for width in WIDTHS:
            found += [(spot.name, *one) for one in faults_at(page, width)]
    return found


def faults_at(page: Page, width: int) -> Iterator[tuple[object, ...]]:
    page.set_viewport_size({"width": width, "height": 844})
    needed = page.evaluate("document.documentElement.scrollWidth")
    if needed > width:
        yield f"sideways at {width}", needed
    if tiny := page.evaluate(SMALL_TARGETS, LEAST_TARGET):
        yield f"small at {width}", tiny
    if scheme := AXE_AT.get(width):
        page.emulate_media(color_scheme=scheme)
        for rule, html in axe(page):
            yield f"axe in {scheme}", rule, html


def axe(page: Page) -> list[tuple[str, str]]:
    found = Axe().run(page).response["violations"]
    return [(rule["id"], node["html"][:160]) for rule in found for node in rule["nodes"]]


def test_the_walk_would_find_each_fault(visit) -> None:
    """The control: a page with every one of these faults is not let pass."""
    spoil = """() => {
        document.querySelector('main').insertAdjacentHTML('beforeend',
            '<h1>Twice</h1><div id="wide">.</div><input><button id="small">.</button>');
        document.querySelector('#wide').style.width = '2000px';
        document.querySelector('#small').style.cssText = 'height: 9px; min-height: 0; padding: 0';
        console.error('refused');
    }"""
    found = {fault for _spot, fault, *_ in faults(visit(), [Spot("home", "/")], spoil)}
    everywhere = {f"{fault} at {width}" for fault in ("sideways", "small") for width in WIDTHS}
    assert found == everywhere | {"logged", "headings", "axe in dark", "axe in light"}


def test_axe_would_find_something(visit) -> None:
    """The control: a page with faults is not called clean."""
    page = visit()
    page.goto("/sign-in/")
    page.evaluate("document.querySelector('label').remove(); document.documentElement.removeAttribute('lang')")
    assert {rule["id"] for rule in Axe().run(page).response["violations"]} >= {"label", "html-has-lang"}


def test_the_longest_name_and_the_longest_line_stay_inside_a_telephone(world, visit) -> None:
    for letter, entrant in zip("WMQ", world.entrants, strict=True):
        Player.objects.filter(pk=entrant.player_id).update(name=letter * 60)
    page, who, wide = visit(width=320), {}, {}
    for spot in furnish(world, long_line="x" * 490):
        go(page, spot, who)
        needed = page.evaluate("document.documentElement.scrollWidth")
        if needed > 320:
            wide[spot.name] = needed
    assert wide == {}


def test_on_paper_the_ink_is_dark_whatever_the_screen(world, visit) -> None:
    page = visit(scheme="dark")
    spot = next(one for one in furnish(world) if one.name == "match provisional")
    go(page, Spot(spot.name, spot.path), {})
    page.emulate_media(media="print", color_scheme="dark")
    colour = page.get_by_role("heading", name="Rounds").evaluate("one => getComputedStyle(one).color")
    assert all(int(part) < 80 for part in re.findall(r"\d+", colour)), colour


def test_pages_ask_nothing_of_other_servers_and_are_light(world, visit, live_server) -> None:
    """At most 100 kB go over the wire, 35 of them scripts (SCREENS.md B-0)."""
    page, who = visit(), {}
    for spot in furnish(world)[:12]:
        go(page, spot, who)
        fetched = page.evaluate(FETCHED)
        assert fetched, spot.name
        assert all(url.startswith(live_server.url) for url, _size in fetched), spot.name
        weights = dict(fetched[:1]) | {url: packed(page, url) for url, _size in fetched[1:]}
        assert sum(weights.values()) < PAGE_WEIGHT, (spot.name, weights)
        assert sum(size for url, size in weights.items() if url.endswith(".js")) < SCRIPT_WEIGHT, (spot.name, weights)


def packed(page: Page, url: str) -> int:
    """Bytes of a file as it is sent where the site runs for real: the server of the tests does not compress files."""
    return len(gzip.compress(page.request.get(url).body()))


def test_a_page_is_sent_compressed(visit, live_server) -> None:
    answer = visit().request.get("/", headers={"Accept-Encoding": "gzip"})
    assert answer.headers["content-encoding"] == "gzip"


def test_the_keyboard_alone_signs_in_and_reaches_everything(world, visit) -> None:
    page = visit(width=1280)
    page.goto("/sign-in/")
    page.keyboard.press("Tab")
    expect(page.locator(":focus")).to_have_text("Skip to the content")
    page.keyboard.press("Enter")
    expect(page.locator("main")).to_be_focused()
    page.keyboard.press("Tab")
    page.keyboard.type("alice")
    page.keyboard.press("Tab")
    page.keyboard.type(PASSWORD)
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Sign out")).to_be_visible()


def test_every_stop_of_the_tab_key_is_seen(world, visit) -> None:
    """On the fullest page: each thing that can be used gets the focus once, in order, with an outline."""
    page = visit(width=390)
    spot = next(one for one in furnish(world) if one.name == "match provisional")
    go(page, spot, {})
    usable = page.locator("a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex='0']")
    expected = usable.evaluate_all("all => all.filter(one => one.checkVisibility()).map(one => one.outerHTML)")
    page.evaluate("document.activeElement.blur()")
    seen = []
    for _ in expected:
        page.keyboard.press("Tab")
        focus = page.locator(":focus")
        seen.append(focus.evaluate("one => one.outerHTML"))
        outline = focus.evaluate("one => getComputedStyle(one).outlineStyle")
        assert outline != "none", seen[-1]
    assert seen == expected
