"""Pages that follow their stream: a public score is on the screen within a second."""

import re
import time
from collections.abc import Callable, Iterator
from datetime import timedelta
from functools import partial

import pytest
from django.db import transaction
from django.utils import timezone
from playwright.sync_api import Page, expect

from league.matches.models import Game, Match
from tests.browser.conftest import become
from tests.streaming import StreamingSite, streaming
from tests.volume import THOROUGH

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

# Beside other tests it takes longer, but less than the 5 s after which a page without a stream looks again.
WITHIN_S = 1.0 if THOROUGH else 4.0


@pytest.fixture
def site(live_server) -> Iterator[StreamingSite]:
    with streaming() as running:
        yield running


@pytest.fixture
def flowing(world, visit, site):
    """A page that was opened on the day before the start, once its stream flows."""

    def arrive(path: str, *, by: str = "", begins: timedelta = timedelta(hours=20)) -> Page:
        Match.objects.filter(pk=world.match.pk).update(starts_at=timezone.now() + begins)
        page = visit()
        if by:
            become(page, by)
        page.goto(f"{site.url}{path}")
        page.evaluate("window.stayed = true")
        page.wait_for_load_state("networkidle")
        assert site.streams.hub.topics, "no stream is open"
        return page

    return arrive


def tallied(match: Match, points: list[int]) -> None:
    tally = {"points": points, "round": 2, "at": timezone.now().isoformat()}
    Game.objects.filter(match=match, number=1).update(tally=tally)


def begun(match: Match) -> None:
    with transaction.atomic():
        Match.objects.filter(pk=match.pk).update(state=Match.State.PLAYING)
        tallied(match, [10, 0])


# Note in the page when an element is gone, or when a text is there, in milliseconds since 1970.
NOTE = """([gone, place, text]) => {
  const html = document.documentElement, old = gone && document.querySelector(gone);
  const came = () => old ? !old.isConnected
    : [...document.querySelectorAll(place)].some(one => one.textContent.includes(text));
  const look = () => { if (came()) html.dataset.came = Date.now(); else setTimeout(look, 5); };
  delete html.dataset.came;
  look();
}"""
PARTS = "[data-live], [data-tables], [data-hall]"


def assert_within_a_second(
    page: Page, act: Callable[[], None], *, gone: str = "", place: str = "", text: str = ""
) -> None:
    page.evaluate(NOTE, [gone, place, text])
    began = time.time()
    act()
    expect(page.locator("html")).to_have_attribute("data-came", re.compile("."))
    assert int(page.locator("html").get_attribute("data-came")) / 1000 - began < WITHIN_S


def test_a_page_opened_before_the_start_shows_the_first_score_within_a_second(world, flowing) -> None:
    page = flowing(f"/matches/{world.match.pk}/")
    for points, text in (([10, 0], "10–0"), ([10, 15], "10–15")):
        assert_within_a_second(page, partial(tallied, world.match, points), place="[data-tally]", text=text)
    assert page.evaluate("window.stayed")


COMPETITION = "/competitions/harbour/autumn/"
PAGES = {
    "competition": COMPETITION,
    "standings": f"{COMPETITION}standings/",
    "round": f"{COMPETITION}rounds/1/",
    "schedule": f"{COMPETITION}schedule/",
    "league": "/leagues/harbour/",
    "player": "/players/{player}/",
    "scoreboard": "/matches/{match}/scoreboard/",
    "hall": "/hall/harbour/?competition=autumn",
    "desk": "/organize/harbour/tables/",
}


@pytest.mark.parametrize("name", PAGES)
def test_a_change_puts_the_new_page_in_the_place_of_the_old_one(world, flowing, name) -> None:
    address = PAGES[name].format(player=world.entrants[0].player.code, match=world.match.pk)
    page = flowing(address, by="owner" if name == "desk" else "")
    assert_within_a_second(page, partial(begun, world.match), gone=PARTS)
    if page.locator("[data-tally]").count():
        assert_within_a_second(page, partial(tallied, world.match, [10, 15]), place="[data-tally]", text="10–15")
    assert page.evaluate("window.stayed")


def test_a_card_on_the_first_page_follows_the_stream(world, flowing) -> None:
    Match.objects.filter(pk=world.match.pk).update(starts_at=timezone.now(), state=Match.State.PLAYING)
    tallied(world.match, [10, 0])
    page = flowing("/", begins=timedelta(0))
    assert_within_a_second(page, partial(tallied, world.match, [10, 15]), place="[data-tally]", text="10–15")
