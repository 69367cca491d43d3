"""What every page owes to everybody: no finding of axe, no sideways scrolling, large targets, a way by keyboard."""

import re
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
LEAST_TARGET = 32

SMALL_TARGETS = """least => [...document.querySelectorAll(
    'a, button, input:not([type=hidden]), select, textarea, summary')]
  .filter(one => one.checkVisibility() && !one.classList.contains('skip'))
  .filter(one => getComputedStyle(one).display !== 'inline')
  .map(one => [one.outerHTML.slice(0, 120), one.getBoundingClientRect().height])
  .filter(([, height]) => height < least - 0.5)"""

FETCHED = """[...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
  .map(one => [one.name, one.decodedBodySize])"""


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


@pytest.mark.parametrize(("scheme", "width"), [("light", 1280), ("dark", 390)])
def test_axe_finds_nothing_on_any_page(world, visit, scheme, width) -> None:
    page, who, found = visit(scheme=scheme, width=width), {}, {}
    for spot in furnish(world):
        go(page, spot, who)
        results = Axe().run(page).response
        bad = [(rule["id"], node["html"][:160]) for rule in results["violations"] for node in rule["nodes"]]
        if bad:
            found[spot.name] = bad
    assert found == {}


def test_axe_would_find_something(visit) -> None:
    """The control: a page with faults is not called clean."""
    page = visit()
    page.goto("/sign-in/")
    page.evaluate("document.querySelector('label').remove(); document.documentElement.removeAttribute('lang')")
    assert {rule["id"] for rule in Axe().run(page).response["violations"]} >= {"label", "html-has-lang"}


@pytest.mark.parametrize("width", WIDTHS)
def test_no_page_scrolls_sideways_and_targets_are_large(world, visit, width) -> None:
    page, who, wide, small = visit(width=width), {}, {}, {}
    for spot in furnish(world):
        go(page, spot, who)
        needed = page.evaluate("document.documentElement.scrollWidth")
        if needed > width:
            wide[spot.name] = needed
        if tiny := page.evaluate(SMALL_TARGETS, LEAST_TARGET):
            small[spot.name] = tiny
    assert (wide, small) == ({}, {})


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


def test_headings_go_down_one_step_at_a_time(world, visit) -> None:
    page, who = visit(), {}
    for spot in furnish(world):
        go(page, spot, who)
        levels = [int(one.evaluate("one => one.tagName[1]")) for one in page.locator("h1, h2, h3, h4").all()]
        assert levels[0] == 1, spot.name
        assert levels.count(1) == 1, spot.name
        assert all(after - before <= 1 for before, after in pairwise(levels)), spot.name


def test_no_page_breaks_its_own_policy_or_logs_an_error(world, visit) -> None:
    page, who, said = visit(), {}, []
    page.on("console", lambda message: said.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: said.append(str(error)))
    page.on("requestfailed", lambda request: said.append(request.url) if "ABORTED" not in request.failure else None)
    spots = [spot for spot in furnish(world) if spot.name not in {"not found", "forbidden"} and not spot.text]
    for spot in spots:
        go(page, spot, who)
    assert said == []


def test_pages_ask_nothing_of_other_servers_and_are_light(world, visit, live_server) -> None:
    page, who = visit(), {}
    for spot in furnish(world)[:9]:
        go(page, spot, who)
        fetched = page.evaluate(FETCHED)
        assert fetched, spot.name
        assert all(url.startswith(live_server.url) for url, _size in fetched), spot.name
        # 100 kB compressed is the budget (SCREENS.md B-0); here it is met before compression.
        assert sum(size for _url, size in fetched) < 100_000, spot.name


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
