"""A call on a phone whose page is open: shown and heard without a reload; and the phone says what it can't do."""

import json
import re
from datetime import timedelta

import pytest
from django.test import Client
from playwright.sync_api import Page, Route, expect

from league.competitions.models import Competition, PushSubscription
from league.competitions.push.keys import public_key
from league.matches.models import Match
from tests.browser.conftest import become
from tests.browser.hours import Hours
from tests.browser.test_hall import LISTEN, SOUNDS
from tests.league.push_service import PushBrowser
from tests.web.test_calls import evening

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

LOOK = 5.2
"""Seconds until an open page has asked the site again."""


def call(match: Match, hours: Hours) -> None:
    Match.objects.filter(pk=match.pk).update(called_at=hours.now)


@pytest.mark.smoke
def test_an_open_page_shows_counts_and_rings_a_call(world, visit, hours) -> None:
    match = evening(world)
    Match.objects.update(called_at=None)
    page = hours.show(visit(width=390, workers="block"))
    page.add_init_script(f"({LISTEN})()")
    become(page, "alice")
    page.goto(f"/matches/{match.pk}/")
    page.evaluate("window.stayed = true")
    page.get_by_text("Calls on this phone").click()
    expect(page.get_by_text("Sound off: this device will not ring")).to_be_visible()
    page.get_by_role("button", name="Turn the sound on").click()
    expect(page.get_by_text("Sound on", exact=True)).to_be_visible()
    hours.run(LOOK)
    assert page.evaluate(f"{SOUNDS}.length") == 0
    call(match, hours)
    hours.run(LOOK)
    expect(page.get_by_role("alert")).to_contain_text("Table 3 now")
    expect(page.locator("[data-left]")).to_have_text(re.compile(r"^14:5\d$"))
    rung = page.evaluate(SOUNDS)
    assert {pitch for _due, pitch in rung} > {988}  # the bell now, two tones a minute before the end
    Match.objects.filter(pk=match.pk).update(here_at=hours.now)
    hours.run(LOOK)
    expect(page.get_by_text("Table 3 now")).to_have_count(0)
    assert {pitch for _due, pitch in page.evaluate(SOUNDS)}.isdisjoint({988})
    assert page.evaluate("window.stayed")
    # After a reload browsers want a touch again, anywhere.
    page.reload()
    page.get_by_text("Calls on this phone").click()
    expect(page.get_by_text("Sound on", exact=True)).to_be_visible()


def test_a_call_is_silent_until_somebody_turns_the_sound_on(world, visit, hours) -> None:
    match = evening(world)
    Competition.objects.update(forfeit_after_min=1)
    page = hours.show(visit(workers="block"))
    page.add_init_script(f"({LISTEN})()")
    become(page, "alice")
    call(match, hours)
    page.goto("/")
    hours.run(LOOK)
    expect(page.get_by_role("region", name="Table calls").get_by_text("Table 3 now")).to_be_visible()
    assert page.evaluate("window.heard.length") == 0
    hours.run(timedelta(minutes=1).total_seconds())
    expect(page.get_by_text("Table 3 now")).to_be_hidden()


HALL = "http://hall.test"


def at_the_hall(page: Page, site: str) -> None:
    """Give the site an address without https that is not this machine's own."""

    def fetched(route: Route) -> None:
        route.fulfill(response=route.fetch(url=route.request.url.replace(HALL, site)))

    page.route(f"{HALL}/**", fetched)


def test_an_address_without_https_says_that_notifications_need_one(world, visit, live_server) -> None:
    evening(world)
    page = visit(width=390, workers="block")
    at_the_hall(page, live_server.url)
    become(page, "alice")
    page.context.add_cookies([one | {"domain": "hall.test"} for one in page.context.cookies()])
    page.goto(HALL)
    page.get_by_text("Calls on this phone").click()
    sentence = "Notifications need a secure address (https). Keep this page open: it sounds."
    expect(page.get_by_text(sentence)).to_be_visible()
    expect(page.get_by_role("button", name="Notify me")).to_be_hidden()


def test_an_iphone_without_notifications_is_told_of_the_home_screen(world, visit) -> None:
    evening(world)
    page = visit(width=390, workers="block")
    page.add_init_script("delete window.PushManager; navigator.standalone = false;")
    become(page, "alice")
    page.goto("/")
    page.get_by_text("Calls on this phone").click()
    expect(page.get_by_text("tap Share, then Add to Home Screen")).to_be_visible()


def test_one_button_starts_notifications_and_another_ends_them(world, visit) -> None:
    evening(world)
    phone = PushBrowser("https://push.example.org/x")
    given = {"endpoint": phone.endpoint, "keys": {"p256dh": phone.keys.p256dh, "auth": phone.keys.auth}}
    page = visit(width=390)
    page.add_init_script(
        f"""
        // Chromium has no push service in a test.
        let held = null;
        const made = {{ toJSON: () => ({json.dumps(given)}), unsubscribe: async () => {{ held = null; }} }};
        Object.defineProperty(Notification, 'permission', {{ get: () => 'granted' }});
        Notification.requestPermission = async () => 'granted';
        PushManager.prototype.getSubscription = async () => held;
        PushManager.prototype.subscribe = async asked => {{ window.asked = asked; held = made; return made; }};
        """
    )
    page.goto(f"/me/{world.entrants[0].door}/")
    page.get_by_role("button", name="Notify me").click()
    expect(page.get_by_text("Notifications on", exact=True)).to_be_visible()
    assert PushSubscription.objects.get().entrant == world.entrants[0]
    assert page.evaluate("window.asked") == {"userVisibleOnly": True, "applicationServerKey": public_key()}
    page.get_by_role("button", name="End notifications").click()
    expect(page.get_by_role("button", name="Notify me")).to_be_visible()
    assert not PushSubscription.objects.exists()


def test_the_worker_shows_a_call_and_opens_its_page(visit, db) -> None:
    """Run as a function: Chromium has no push service in a test."""
    script = Client().get("/worker.js").content.decode()
    page = visit()
    said = {"title": "Table 3 now", "text": "Ana – Bo. Be there by 20:14.", "address": "/matches/7/", "tag": "call-7"}
    shown, opened, focused = page.evaluate(
        f"""said => {{
          const told = {{}}, shown = [], opened = [];
          const open_pages = [{{ url: 'http://hall.test/', focus: () => opened.push('another page') }}];
          const self = {{
            addEventListener: (kind, act) => {{ told[kind] = act; }},
            registration: {{ showNotification: (...given) => shown.push(given) }},
            clients: {{ matchAll: async () => open_pages, openWindow: address => opened.push(address) }},
          }};
          {script}
          const event = more => ({{ waitUntil: async work => {{ await work; }}, ...more }});
          told.push(event({{ data: {{ json: () => said }} }}));
          const clicked = () => new Promise(done => told.notificationclick({{
            notification: {{ close: () => {{}}, data: shown[0][1].data }}, waitUntil: work => work.then(done),
          }}));
          return clicked().then(() => {{
            open_pages.push({{ url: 'http://hall.test/matches/7/', focus: () => opened.push('focused') }});
            return clicked();
          }}).then(() => [shown[0], opened[0], opened[1]]);
        }}""",
        said,
    )
    assert shown[0] == said["title"]
    assert (shown[1]["body"], shown[1]["tag"]) == (said["text"], said["tag"])
    assert (opened, focused) == (said["address"], "focused")
