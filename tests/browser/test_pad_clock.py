"""The game clock on two score pads (RELIABILITY.md A-13): wrong hours, a sleeping phone, a server that restarts."""

from datetime import timedelta

import pytest
from django.test import Client
from playwright.sync_api import Page

from league.matches.models import ClockEvent, Match
from league.matches.models.tally import TallyTap
from tests.browser.conftest import become
from tests.browser.hours import Hours
from tests.browser.pads import PHONE, Thumb
from tests.streaming import streaming

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

CLOCK_S = 150
ASLEEP_S = 90
STATE = "document.querySelector('#pad').dataset.clock"
# Sets a phone's hour; its timers do not notice.
AHEAD = timedelta(minutes=7)


class Phones:
    """Two phones and the hour of the server. `ahead`: by which the hour of each page is wrong."""

    def __init__(self, hours: Hours, pages: list[Page]) -> None:
        self.hours, self.pages, self.ahead = hours, pages, dict.fromkeys(pages, timedelta())

    def set_hour(self, page: Page, ahead: timedelta) -> None:
        self.ahead[page] = ahead
        page.clock.set_system_time(self.hours.now + ahead)

    def sleep(self, asleep: Page, seconds: int) -> None:
        """Let time pass without the timer of one phone."""
        self.hours.now += timedelta(seconds=seconds)
        for page in self.pages:
            if page is asleep:
                page.clock.set_system_time(self.hours.now + self.ahead[page])
            else:
                page.clock.run_for(seconds * 1000)

    def rung(self) -> list[bool]:
        return [page.evaluate(STATE) == "rung" for page in self.pages]


def test_wrong_hours_a_sleep_and_a_restart_change_no_order_and_the_bell_is_in_time(
    world, visit, hours, live_server
) -> None:
    Match.objects.filter(pk=world.match.pk).update(options={"clock_s": CLOCK_S})
    with streaming() as site:
        thumbs = []
        for user in ("ref", "owner"):
            page = hours.show(visit(width=PHONE["width"], touch=True))
            become(page, user)
            thumbs.append(Thumb(page).open(f"{site.url}/matches/{world.match.pk}/games/1/pad/"))
        (first, second), phones = thumbs, Phones(hours, [one.page for one in thumbs])
        phones.set_hour(second.page, AHEAD)
        hours.run(1)
        first.page.get_by_role("button", name="Start").click()
        hours.run(5)
        first.points(0, 10)
        phones.set_hour(first.page, timedelta(hours=1))
        hours.run(6)
        first.points(1, 5)
        hours.run(6)
        second.page.get_by_role("button", name="Take over", exact=True).click()
        hours.run(6)
        second.points(0, 15)
        hours.run(1)
        phones.sleep(first.page, ASLEEP_S)
        hours.run(2)
        port = site.port
        digits = [one.page.locator("[data-digits]").inner_text() for one in thumbs]
        assert digits[0] == digits[1]
    with streaming(port):
        second.points(1, 20)
        hours.run(6)
        bell = ClockEvent.objects.get(kind="start").at + timedelta(seconds=CLOCK_S)
        hours.run((bell - hours.now - timedelta(seconds=1)) / timedelta(seconds=1))
        assert phones.rung() == [False, False]
        hours.run(2)
        assert phones.rung() == [True, True]
        hours.run(6)
    taps = TallyTap.objects.order_by("number")
    assert list(taps.values_list("kind", "seat", "points")) == [
        ("points", 0, 10),
        ("points", 1, 5),
        ("take_over", None, 0),
        ("points", 0, 15),
        ("points", 1, 20),
    ]
    counted = [tap.clock_ms for tap in taps if tap.kind == "points"]
    assert counted == sorted(counted)
    for _reader in range(2):
        Client().get(f"/matches/{world.match.pk}/clock/")
    assert [event.at for event in ClockEvent.objects.filter(kind="bell")] == [bell]
