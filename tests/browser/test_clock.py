"""The clock in a real browser: its digits run between two looks, and the bell is heard of by everybody on the page."""

import re

import pytest
from playwright.sync_api import Page, expect

from league.matches.clock import services as timekeeping
from league.matches.models import ClockEvent, Match
from tests.browser.conftest import sign_in
from tests.browser.hours import Hours

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def digits(page: Page) -> str:
    return page.get_by_role("timer").inner_text()


def open_match(world, visit, user: str = "", hours: Hours | None = None, **kind: object) -> Page:
    page = visit(**kind)
    if hours:
        hours.show(page)
    if user:
        sign_in(page, user)
    page.goto(f"/matches/{world.match.pk}/")
    return page


def kinds() -> list[str]:
    return list(ClockEvent.objects.order_by("number").values_list("kind", flat=True))


def test_a_clock_is_started_paused_and_resumed_and_rings(world, visit, hours) -> None:
    Match.objects.update(options={"clock_s": 7})
    page, watcher = open_match(world, visit, "ref", hours), open_match(world, visit, hours=hours, width=390)
    assert digits(page) == digits(watcher) == "0:07"

    page.get_by_role("button", name="Start the clock").click()
    expect(page.get_by_text("The clock is running.")).to_be_visible()
    hours.run(2)
    expect(page.get_by_role("timer")).to_have_text("0:05")
    page.get_by_role("button", name="Pause").click()
    expect(page.get_by_role("button", name="Let it run again")).to_be_focused()
    hours.run(1.5)
    assert digits(page) == "0:05"
    expect(page.get_by_text("The clock is paused.")).to_be_visible()

    watcher.reload()
    assert digits(watcher) == "0:05"
    page.get_by_role("button", name="Let it run again").click()
    expect(page.get_by_role("button", name="Pause")).to_be_visible()
    watcher.reload()
    hours.run(6)
    for one in (page, watcher):
        expect(one.get_by_role("timer")).to_have_text("0:00")
        expect(one.get_by_text("The bell has rung")).to_be_visible()
        expect(one.locator("[data-clock-said]")).to_have_text(re.compile(r"^The bell: 0:07\."))
    assert kinds() == ["start", "pause", "resume", "bell"]

    page.get_by_label("The scores are level at").fill("115")
    page.get_by_role("button", name="Start overtime").click()
    expect(page.get_by_role("timer")).to_have_text("+0:00")
    hours.run(2.2)
    expect(page.get_by_role("timer")).to_have_text("+0:02")


@pytest.mark.smoke
def test_somebody_else_s_pause_is_seen_without_touching_the_page(world, visit) -> None:
    page, watcher = open_match(world, visit, "alice"), open_match(world, visit)
    page.get_by_role("button", name="Start the clock").click()
    expect(page.get_by_text("The clock is running.")).to_be_visible()
    watcher.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    expect(watcher.locator(".clock .badge", has_text="Running")).to_be_visible()
    page.get_by_role("button", name="Pause").click()
    expect(page.get_by_text("The clock is paused.")).to_be_visible()
    watcher.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    expect(watcher.locator(".clock .badge", has_text="Paused")).to_be_visible()
    expect(watcher.locator("[data-clock-said]")).to_have_text("Paused")


def test_a_warning_is_said_once_and_politely(world, visit, hours) -> None:
    Match.objects.update(options={"clock_s": 63})
    page = open_match(world, visit, "ref", hours)
    said = page.locator("[data-clock-said]")
    assert said.get_attribute("role") == "status"
    assert page.get_by_role("timer").get_attribute("aria-live") == "off"
    page.evaluate("""() => {
      window.heard = [];
      new MutationObserver(() => window.heard.push(document.querySelector('[data-clock-said]').textContent))
        .observe(document.querySelector('[data-clock-said]'), {childList: true, characterData: true, subtree: true});
    }""")
    page.get_by_role("button", name="Start the clock").click()
    expect(page.get_by_text("The clock is running.")).to_be_visible()
    hours.run(3.2)
    expect(said).to_have_text("1 minute left")
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    hours.run(1.5)
    assert page.evaluate("window.heard.filter(one => one === '1 minute left').length") == 1


def test_the_sound_is_off_until_somebody_turns_it_on(world, visit, hours) -> None:
    Match.objects.update(options={"clock_s": 4})
    page = open_match(world, visit, "ref", hours)
    page.evaluate("""() => {
      window.tones = 0;
      const start = OscillatorNode.prototype.start;
      OscillatorNode.prototype.start = function (when) { window.tones += 1; return start.call(this, when); };
    }""")
    sound = page.get_by_role("button", name="Sound at the bell")
    expect(sound).to_have_attribute("aria-pressed", "false")
    sound.click()
    expect(sound).to_have_attribute("aria-pressed", "true")
    page.get_by_role("button", name="Start the clock").click()
    expect(page.get_by_text("The clock is running.")).to_be_visible()
    expect(sound).to_have_attribute("aria-pressed", "true")
    hours.run(5)
    expect(page.get_by_text("The bell has rung")).to_be_visible()
    assert page.evaluate("window.tones") == 3


def test_a_server_that_is_away_is_told_and_the_digits_go_on(world, visit, hours) -> None:
    timekeeping.start_clock(world.game(), world.ref)
    page = open_match(world, visit, hours=hours)
    hours.settle()
    page.route("**/clock/", lambda route: route.abort())
    assert digits(page) == "15:00"
    hours.run(50)
    expect(page.get_by_text("No contact with the server")).to_be_visible()
    assert digits(page) == "14:10"


@pytest.mark.parametrize("user", ["ref", "alice"])
def test_without_javascript_the_clock_is_run_by_plain_forms(world, visit, user) -> None:
    page = open_match(world, visit, user, js=False, width=390)
    page.get_by_role("button", name="Start the clock").click()
    expect(page.get_by_text("The clock is running.")).to_be_visible()
    expect(page.get_by_role("timer")).to_have_text(re.compile(r"^14:5\d$|^15:00$"))
    expect(page.get_by_role("button", name="Sound at the bell")).to_have_count(0)
    page.get_by_role("button", name="Pause").click()
    expect(page.get_by_text("The clock is paused.")).to_be_visible()
    page.get_by_text("History of the clock").click()
    expect(page.locator(".clock-history")).to_contain_text(user)
    assert kinds() == ["start", "pause"]
