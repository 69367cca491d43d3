"""What a page may cost (SCREENS.md B-0): bytes, and shifts on a slow telephone network as Chromium plays it, 1.6 Mbit/s
and 150 ms, with an empty cache. The largest paint and the answer to a touch depend on the machine:
tests/benchmarks/bench_paint.py measures them.
"""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from tests.browser.looking import FRAMES, go
from tests.browser.places import furnished
from tests.browser.spots import Spot
from tests.web import world as small
from tests.web.lives import two_lives

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

PAGE_WEIGHT, SCRIPT_WEIGHT = 100_000, 35_000
SHIFT = 0.02
OFTEN = ("home", "match provisional", "competition", "pairings by name", "player", "bracket on paper", "wall")
SLOW = {"offline": False, "latency": 150, "downloadThroughput": 1.6e6 / 8, "uploadThroughput": 0.75e6 / 8}

FETCHED = """[...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
  .map(one => [one.name, one.encodedBodySize])"""

OBSERVE = """
  window.seen = {shift: 0};
  new PerformanceObserver(list => list.getEntries().forEach(one => {
    if (!one.hadRecentInput) seen.shift += one.value;
  })).observe({type: 'layout-shift', buffered: true});
"""


@pytest.fixture
def heaviest() -> list[Spot]:
    """Of the public pages those that people open most, at their largest."""
    world, all_spots = furnished()
    spots = {one.name: one for one in all_spots}
    cup = small.knock_out(world, players=64, played=32, name="Cup of Sixty-Four")
    shown = [spots[name] for name in OFTEN]
    public = [Spot(one.name, one.path) for one in shown]
    lives = two_lives(world, 64)
    brackets = {"bracket of 64": cup, "both brackets of 64": lives}
    return [*public, *(Spot(name, f"/competitions/harbour/{one.slug}/bracket/") for name, one in brackets.items())]


def test_public_pages_ask_nothing_of_other_servers_and_are_light(visit, live_server) -> None:
    """At most 100 kB go over the wire, 35 of them scripts."""
    # What a worker hands on has lost the size that it was sent in.
    page, who, too_heavy, known = visit(workers="block"), {}, {}, {}
    public = [spot for spot in furnished()[1] if not spot.user and not spot.text]
    assert len(public) > 40
    for spot in public:
        go(page, spot, who)
        fetched = page.evaluate(FETCHED)
        assert fetched, spot.name
        assert all(url.startswith(live_server.url) for url, _size in fetched), spot.name
        # What is in the browser's cache already has no size this time.
        weights = {url: known.setdefault(url, size) for url, size in fetched}
        scripts = sum(size for url, size in weights.items() if url.partition("?")[0].endswith(".js"))
        if sum(weights.values()) > PAGE_WEIGHT or scripts > SCRIPT_WEIGHT:
            too_heavy[spot.name] = weights
    assert too_heavy == {}


def test_nothing_moves_while_a_page_comes_on_a_slow_network(heaviest, visit) -> None:
    assert {spot.name: moved for spot in heaviest if (moved := shift(visit, spot)) > SHIFT} == {}


def test_a_page_that_moves_would_be_found(world, visit) -> None:
    """The control: a block that comes late and pushes the rest down."""
    assert shift(visit, Spot("home", "/"), spoil) > SHIFT


def shift(visit: Callable[..., Page], spot: Spot, act: Callable[[Page], None] | None = None) -> float:
    """What a first visit of a telephone saw move, as browsers count it."""
    page = visit(width=390)
    page.add_init_script(OBSERVE)
    devtools = page.context.new_cdp_session(page)
    devtools.send("Network.enable")
    devtools.send("Network.emulateNetworkConditions", SLOW)
    page.goto(spot.path)
    page.wait_for_load_state("networkidle")
    if act:
        act(page)
    page.evaluate(FRAMES)  # a shift is told after the frame in which it was drawn
    seen = page.evaluate("seen.shift")
    page.context.close()
    return seen


def spoil(page: Page) -> None:
    page.wait_for_timeout(600)  # what moves within half a second of a press is taken for its answer
    page.evaluate(
        "() => { const one = document.createElement('div'); one.style.height = '300px';"
        "document.querySelector('header').after(one); }"
    )
