"""The hall's clock in a real browser: started at the desk, seen on the wall, heard on the laptop, with and without a
network.
"""

import re
from datetime import timedelta
from itertools import product

import pytest
from playwright.sync_api import Page, expect

from league.matches.clock import services as timekeeping
from league.matches.models import ClockEvent, Game, Match
from tests.browser.conftest import sign_in
from tests.browser.fonts import every_font
from tests.browser.hours import Hours

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

WALL = "/hall/harbour/"
SHOW = "/hall/harbour/?competition=autumn&show=clocks"
DESK = "/organize/harbour/clock/?competition=autumn"
LISTEN = """() => {
  window.heard = [];
  const start = OscillatorNode.prototype.start;
  OscillatorNode.prototype.start = function (when) {
    window.heard.push({ due: performance.now() + (when - this.context.currentTime) * 1000, pitch: this.frequency.value,
      node: this, stopped: false });
    return start.call(this, when);
  };
  const stop = OscillatorNode.prototype.stop;
  OscillatorNode.prototype.stop = function (when) {
    if (when === undefined) for (const one of window.heard) if (one.node === this) one.stopped = true;
    return stop.call(this, when);
  };
}"""
SOUNDS = "window.heard.filter(one => !one.stopped).map(one => [Math.round(one.due), Math.round(one.pitch)])"


LOOK = 5.2  # seconds, until a wall has asked the server again


def wall(visit, hours: Hours | None = None, **kind: object) -> Page:
    page = visit(**kind)
    if hours:
        hours.show(page)
    page.goto(WALL)
    return page


def desk(visit, hours: Hours) -> Page:
    page = hours.show(visit())
    sign_in(page, "ref")
    page.goto(DESK)
    return page


def length(seconds: int) -> None:
    Match.objects.update(options={"clock_s": seconds})


def digits(page: Page) -> str:
    return page.get_by_role("timer").first.inner_text()


def seconds(page: Page) -> int:
    minutes, rest = digits(page).split(":")
    return int(minutes) * 60 + int(rest)


def test_one_press_at_the_desk_is_seen_on_two_walls_at_the_same_second(world, visit, hours) -> None:
    length(600)
    run, one, two = desk(visit, hours), wall(visit, hours), wall(visit, hours, width=390)
    expect(one.get_by_text("No clock is running")).to_be_visible()
    run.get_by_role("button", name=re.compile("^Start 1 clock")).click()
    expect(run.get_by_text(re.compile("1 clock was started at"))).to_be_visible()
    hours.run(LOOK)
    for page in (one, two):
        expect(page.get_by_text("Running", exact=True)).to_be_visible()
    late = wall(visit, hours)
    hours.run(1)
    assert [digits(page) for page in (run, one, two, late)] == ["9:54"] * 4
    hours.run(0.8)
    assert [digits(page) for page in (run, one, two, late)] == ["9:53"] * 4
    run.get_by_role("button", name=re.compile("^Pause 1 clock")).click()
    expect(run.get_by_text("1 clock is paused.")).to_be_visible()
    hours.run(LOOK)
    for page in (one, two, late):
        expect(page.get_by_text("Paused", exact=True)).to_be_visible()
    assert len({digits(page) for page in (run, one, two, late)}) == 1


@every_font
@pytest.mark.smoke
def test_the_digits_are_a_fifth_of_the_screen_and_more(world, visit) -> None:
    timekeeping.start_clock(world.game(), world.ref)
    for width, address in product((1024, 1280, 1920), (WALL, SHOW)):
        page = visit(width=width)
        page.set_viewport_size({"width": width, "height": width * 9 // 16})
        page.goto(address)
        page.wait_for_load_state("networkidle")  # the wall draws itself anew once it has asked
        box = page.get_by_role("timer").evaluate("one => one.getBoundingClientRect().toJSON()")
        assert box["height"] >= 0.2 * width * 9 // 16
        assert box["x"] + box["width"] <= width


def test_the_wall_counts_on_without_the_server_and_the_bell_fills_it(world, visit, hours) -> None:
    length(12)
    page = wall(visit, hours)
    timekeeping.start_clock(world.game(), world.ref)
    hours.run(LOOK)
    expect(page.get_by_text("Running", exact=True)).to_be_visible()
    page.context.set_offline(True)
    hours.run(LOOK)
    expect(page.get_by_text("Connection lost, counting on")).to_be_visible()
    hours.run(seconds(page))
    expect(page.locator("[data-bell]")).to_be_visible()
    assert digits(page) == "0:00"
    expect(page.locator("[data-bell]")).to_contain_text("Play stops")
    expect(page.locator("[data-said]")).to_have_text(re.compile("^The bell: 0:12"))
    page.keyboard.press("Escape")
    expect(page.locator("[data-bell]")).to_be_hidden()
    page.context.set_offline(False)
    hours.run(LOOK)
    expect(page.get_by_text("Connection lost, counting on")).to_be_hidden()
    expect(page.get_by_text("The bell has rung")).to_be_visible()


def test_a_wall_that_does_not_lose_the_server_says_nothing_of_it(world, visit, hours) -> None:
    """The control."""
    page = wall(visit, hours)
    hours.run(LOOK)
    expect(page.get_by_text("Connection lost, counting on")).to_be_hidden()


def test_the_sound_is_off_until_somebody_turns_it_on_and_is_set_to_the_second_of_the_bell(world, visit, hours) -> None:
    length(310)
    timekeeping.start_clock(world.game(), world.ref)
    page = hours.show(visit())
    page.add_init_script(f"({LISTEN})()")
    page.goto(WALL)
    expect(page.get_by_text("Sound off: this device will not ring")).to_be_visible()
    hours.run(1)
    assert page.evaluate("window.heard.length") == 0
    page.get_by_role("button", name="Turn the sound on").click()
    expect(page.get_by_text("Sound on", exact=True)).to_be_visible()
    now = page.evaluate("performance.now()")
    due = page.evaluate(SOUNDS)
    bell = Game.objects.get(rings_at__isnull=False).rings_at.timestamp() * 1000
    ends = page.evaluate("performance.now()") + bell - page.evaluate("Date.now()")
    tones = sorted(at for at, pitch in due if pitch == 988)
    strokes = sorted({at for at, pitch in due if pitch != 988})
    assert all(at > now for at in tones)
    for at, before in zip(tones, (300_000, 300_000 - 350, 60_000, 60_000 - 350), strict=True):
        assert abs(at - (ends - before)) < 400
    for at, after in zip(strokes[:1] + strokes[-1:], (0, 2_200), strict=True):
        assert abs(at - (ends + after)) < 400
    page.get_by_role("button", name="Try the bell").click()
    assert page.evaluate(f"{SOUNDS}.some(([due]) => due < performance.now() + 1000)")


def test_sounds_are_taken_back_when_the_clock_is_paused(world, visit, hours) -> None:
    timekeeping.start_clock(world.game(), world.ref)
    page = hours.show(visit())
    page.add_init_script(f"({LISTEN})()")
    page.goto(WALL)
    page.get_by_role("button", name="Turn the sound on").click()
    expect(page.get_by_text("Sound on", exact=True)).to_be_visible()
    assert page.evaluate(f"{SOUNDS}.length") > 0
    timekeeping.pause_clock(world.game(), world.ref)
    hours.run(LOOK)
    expect(page.get_by_text("Paused", exact=True)).to_be_visible()
    assert page.evaluate(f"{SOUNDS}.length") == 0
    page.get_by_role("button", name="Turn the sound off").click()
    expect(page.get_by_text("Sound off: this device will not ring")).to_be_visible()


def test_the_sound_stays_on_while_the_desk_presses_its_buttons(world, visit, hours) -> None:
    run = desk(visit, hours)
    run.get_by_role("button", name="Turn the sound on").click()
    run.get_by_role("button", name=re.compile("^Start 1 clock")).click()
    expect(run.get_by_text(re.compile("1 clock was started at"))).to_be_visible()
    expect(run.get_by_text("Sound on", exact=True)).to_be_visible()
    run.get_by_role("spinbutton").fill("2")
    hours.run(LOOK)
    assert run.get_by_role("spinbutton").input_value() == "2"  # nobody's typing is swept away
    run.get_by_role("button", name="Give minutes").click()
    expect(run.get_by_text("The time was given.")).to_be_visible()
    assert list(ClockEvent.objects.values_list("kind", "given_ms").order_by("number")) == [
        ("start", 0),
        ("give", 120_000),
    ]
    assert seconds(run) > 15 * 60


def test_without_a_script_the_wall_still_tells_the_time(world, visit, hours) -> None:
    timekeeping.start_clock(world.game(), world.ref)
    page = wall(visit, js=False)
    assert digits(page) == "15:00"
    hours.now += timedelta(seconds=75)
    page.reload()
    assert digits(page) == "13:45"
    expect(page.get_by_role("button", name="Turn the sound on")).to_be_hidden()
