"""The matches at the table on the first page: they come and go without a reload, and nothing moves under a finger."""

from dataclasses import replace
from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from league.matches.logs.submission import Fixture, schedule_matches
from league.matches.models import Game, Match
from tests.browser.fonts import every_font

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

# Where every card, heading and link of the page lies.
PLACES = """() => [...document.querySelectorAll('[data-match], main h2, main a')].map(one => {
  const {x, y, height} = one.getBoundingClientRect();
  return [one.textContent.trim().slice(0, 12), x, y, height].map(part => Math.round(part) || part).join(' ');
})"""
# What the page does by itself every few seconds, at once.
LOOK = "document.dispatchEvent(new Event('visibilitychange'))"


def at_the_table(world, count: int) -> list[Match]:
    now = timezone.now()
    agreed = Fixture(
        league=world.league, entrants=world.entrants[:2], ruleset="udl", options={}, published_at=now, best_of=3
    )
    return schedule_matches([replace(agreed, starts_at=now - timedelta(minutes=10))] * count)


def tallied(match: Match, points: list[int]) -> None:
    tally = {"points": points, "round": 3, "at": timezone.now().isoformat()}
    Game.objects.filter(match=match, number=1).update(tally=tally)


def over(match: Match) -> None:
    Match.objects.filter(pk=match.pk).update(starts_at=None)


@pytest.fixture
def home(world, visit):
    Match.objects.update(starts_at=None)

    def arrive(width: int = 390, language: str = "en") -> Page:
        page = visit(width=width, locale=language)
        page.goto("/")
        page.wait_for_load_state("networkidle")
        page.evaluate("window.stayed = true")
        return page

    return arrive


def shown(page: Page) -> list[str]:
    return page.locator("[data-match]").evaluate_all("all => all.map(one => one.dataset.match)")


def card(page: Page, match: Match):
    return page.locator(f"[data-match='{match.pk}']")


def news(page: Page):
    return page.locator("[data-news] button")


@pytest.mark.parametrize("width", [320, 390, 1280])
def test_a_score_is_written_into_its_card_and_nothing_moves(world, home, width) -> None:
    one, two = at_the_table(world, 2)
    page = home(width)
    before = shown(page)
    places = page.evaluate(PLACES)
    tallied(two, [85, 60])
    page.evaluate(LOOK)
    expect(card(page, two).get_by_text("85–60")).to_be_visible()
    assert shown(page) == before == [str(one.pk), str(two.pk)]
    assert page.evaluate(PLACES) == places
    assert page.evaluate("window.stayed")


@every_font
@pytest.mark.parametrize(("width", "language"), [(320, "en"), (320, "es"), (1280, "en")])
def test_what_begins_and_ends_is_told_where_a_place_is_kept_for_it(world, home, width, language) -> None:
    one, two = at_the_table(world, 2)
    page = home(width, language)
    places = page.evaluate(PLACES)
    over(one)
    [three] = at_the_table(world, 1)
    tallied(three, [60, 55])
    page.evaluate(LOOK)
    expect(news(page)).to_be_visible()
    expect(card(page, one)).to_have_class("match over")
    expect(card(page, two)).to_have_class("match")
    assert shown(page) == [str(one.pk), str(two.pk)]
    assert page.evaluate(PLACES) == places
    news(page).click()
    expect(card(page, three)).to_be_visible()
    assert shown(page) == [str(three.pk), str(two.pk)]
    expect(page.locator("#live")).to_be_focused()
    expect(news(page)).to_have_count(0)
    assert page.evaluate("window.stayed")


@pytest.mark.smoke
def test_the_first_match_of_an_evening_is_told_too(world, home) -> None:
    page = home()
    expect(page.get_by_text("No match is being played at this moment.")).to_be_visible()
    places = page.evaluate(PLACES)
    [one] = at_the_table(world, 1)
    page.evaluate(LOOK)
    expect(news(page)).to_have_text("1 new match")
    assert page.evaluate(PLACES) == places
    page.keyboard.press("Tab")
    news(page).focus()
    page.keyboard.press("Enter")
    expect(card(page, one)).to_be_visible()


def test_the_link_that_somebody_stands_on_keeps_the_focus(world, home) -> None:
    [one] = at_the_table(world, 1)
    page = home()
    link = card(page, one).get_by_role("link")
    link.focus()
    tallied(one, [85, 60])
    page.evaluate(LOOK)
    expect(card(page, one).get_by_text("85–60")).to_be_visible()
    over(one)
    page.evaluate(LOOK)
    expect(card(page, one).get_by_text("Over", exact=True)).to_be_visible()
    expect(link).to_be_focused()


def test_without_the_server_the_cards_stay_and_the_page_says_since_when_it_is_alone(world, home) -> None:
    [one] = at_the_table(world, 1)
    page = home()
    places = page.evaluate(PLACES)
    page.context.set_offline(True)
    page.evaluate(LOOK)
    expect(page.locator("[data-fresh]")).to_contain_text("Offline since")
    expect(page.locator("[data-cards]")).to_have_class("section live-now lost")
    expect(card(page, one)).to_be_visible()
    assert page.evaluate(PLACES) == places
    page.context.set_offline(False)
    page.evaluate(LOOK)
    expect(page.locator("[data-fresh]")).to_have_text("Updated just now")
    expect(page.locator("[data-cards]")).to_have_class("section live-now")


def test_a_page_looks_by_itself(world, home) -> None:
    """The control: nobody tells it to."""
    [one] = at_the_table(world, 1)
    tallied(one, [10, 5])
    page = home()
    tallied(one, [20, 5])
    expect(card(page, one).get_by_text("20–5")).to_be_visible()
