"""The hint and the review in a browser: by key and heard, then from a finished game to a step of its replay."""

import re

import pytest
from playwright.sync_api import expect

from league.house.levels import Level
from league.play import hints, reviews
from league.play.models import MoveReview
from tests.league.play.tables import at, played, saved, terms

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
HANDS = "A hand 5-2 5-0 6-2 4-1 3-1 2-0 1-0", "B hand 5-5 6-5 5-4 4-3 4-2 2-1 1-1"


@pytest.fixture(autouse=True)
def _few_samples(monkeypatch) -> None:
    monkeypatch.setattr(hints, "SAMPLES", 100)
    monkeypatch.setattr(reviews, "SAMPLES", 20)


@pytest.mark.parametrize("key", ["i", "?"])
def test_a_hint_is_asked_for_by_key_heard_and_played_by_enter(visit, key) -> None:
    page = visit()
    page.goto(f"/play/{saved(at(*HANDS, 'B 5-5', ruleset='muggins')).code}/")
    page.locator("[value='5-2']").focus()
    page.keyboard.press("Space")
    page.keyboard.press(key)
    heard = page.locator("[data-aloud]")
    expect(heard).to_contain_text(re.compile(r"Best: 5-0 on 5-5, expected \+\d+ points"))
    expect(page.locator("[data-hinted]")).to_be_visible()
    expect(page.locator("[value='5-0'][name='tile']")).to_be_checked()
    page.locator("[value='5-0'][name='tile']").focus()
    page.keyboard.press("Enter")
    expect(heard).to_contain_text("You play 5-0 on 5-5. Open ends 10.")
    expect(page.locator("[data-hinted]")).to_have_count(0)


def test_a_review_leads_to_the_step_of_its_replay(visit) -> None:
    game = saved(played(terms("rv", Level.CAREFUL, "udl", target="50")))
    page = visit(width=390)
    page.goto(f"/play/{game.code}/")
    page.get_by_role("link", name="Review your moves").click()
    page.get_by_role("button", name="Review this game").click()
    expect(page.get_by_role("heading", name="Review")).to_be_visible()
    reviews.carry_out(MoveReview.objects.get(practice=game).pk)
    expect(page.get_by_role("heading", name="Hand by hand")).to_be_visible(timeout=15000)
    page.wait_for_load_state()  # a page is as wide as its style sheets make it
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    row = page.locator(".review-hand tbody th a").first
    step = str(row.get_attribute("href")).split("#")[1]
    row.click()
    expect(page.locator("[data-replay]")).to_be_visible()
    assert page.url.endswith(f"#{step}")
    expect(page.locator("[data-told]")).to_contain_text("Player")
