"""One match on the screen of a hall, in a real browser: large enough to be read at five metres, and never still."""

import re
from dataclasses import replace
from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from league.matches.clock import services as timekeeping
from league.matches.logs.submission import Fixture, schedule_matches
from league.matches.models import Game, Match
from league.players.models import Player
from league.players.services import enrol
from tests.browser.fonts import every_font
from tests.browser.hours import Hours
from tests.browser.looking import unreadable
from tests.web import world as small

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

SIZES = ((1280, 720), (1920, 1080), (390, 844), (320, 568))
FIFTH = 0.2
# Five and six sides stand in three rows.
EIGHTH = 0.125
# Of each score: the box of its drawing, and how much of it the letters of the page's font fill, by their own measure.
DIGITS = """() => [...document.querySelectorAll('.board-digits')].map(one => {
  const box = one.getBoundingClientRect(), text = one.querySelector('text'), style = getComputedStyle(text);
  const pen = document.createElement('canvas').getContext('2d');
  pen.font = `${style.fontWeight} 100px ${style.fontFamily}`;
  const ink = pen.measureText(text.textContent).actualBoundingBoxAscent;
  const plate = one.closest('.board-plate').getBoundingClientRect();
  return {ink: ink * box.height / one.viewBox.baseVal.height / innerHeight,
    inside: box.left >= plate.left && box.right <= plate.right && box.top >= plate.top && box.bottom <= plate.bottom,
    left: box.left, right: box.right, top: box.top, bottom: box.bottom};
})"""
FITS = "[document.documentElement.scrollWidth <= innerWidth, document.documentElement.scrollHeight <= innerHeight]"


def tallied(match: Match, points: list[int]) -> None:
    tally = {"points": points, "round": 3, "at": timezone.now().isoformat()}
    Game.objects.filter(match=match, number=1).update(tally=tally)


LOOK = 5.2  # seconds, until a board has asked the server again


def board(visit, match: Match, hours: Hours | None = None, **kind: object) -> Page:
    page = visit(**kind)
    if hours:
        hours.show(page)
    page.goto(f"/matches/{match.pk}/scoreboard/")
    return page


def at_a_table(world, sides: int) -> Match:
    more = [enrol(league=world.league, name=f"Guest {number}", since=small.FIRST.date()) for number in range(1, 4)]
    agreed = Fixture(
        league=world.league,
        entrants=[*world.entrants, *more][:sides],
        ruleset="uno",
        options={},
        published_at=timezone.now(),
        best_of=3,
    )
    [made] = schedule_matches([replace(agreed, starts_at=timezone.now() - timedelta(minutes=10))])
    return made


def faults_of(page: Page, upright: float = FIFTH) -> list[object]:
    """`upright`: the least height of a digit on a telephone, as a part of the screen."""
    found: list[object] = []
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        scores = page.evaluate(DIGITS)
        least = upright if height > width else FIFTH
        found += [(width, one) for one in scores if one["ink"] < least or not one["inside"]]
        if page.evaluate(FITS) != [True, True]:
            found.append((width, "scrolls"))
        found += [(width, *one) for one in unreadable(page)]
    return found


@every_font
@pytest.mark.parametrize("points", [[5, 0], [150, 95], [100_000, 99_995]])
def test_every_digit_is_a_fifth_of_the_screen_and_nothing_scrolls_or_overlaps(world, visit, points) -> None:
    tallied(world.match, points)
    timekeeping.start_clock(world.game(), world.ref)
    page = board(visit, world.match)
    expect(page.get_by_text("Running", exact=True)).to_be_visible()
    assert faults_of(page) == []


@every_font
@pytest.mark.smoke
def test_a_name_as_long_as_a_name_can_be_moves_no_digit(world, visit) -> None:
    tallied(world.match, [150, 95])
    page = board(visit, world.match)
    before = page.evaluate(DIGITS)
    for letter, entrant in zip("WQ", world.entrants, strict=False):
        Player.objects.filter(pk=entrant.player_id).update(name=letter * 60)
    page.reload()
    assert page.evaluate(DIGITS) == before
    assert faults_of(page) == []


@every_font
@pytest.mark.parametrize("sides", [3, 4])
def test_a_table_of_three_or_four_fits_a_screen_and_a_telephone_with_digits_as_large(world, visit, sides) -> None:
    match = at_a_table(world, sides)
    tallied(match, [150, 95, 230, 5][:sides])
    page = board(visit, match)
    assert faults_of(page) == []
    for letter, side in zip("WQMO", match.sides.select_related("entrant"), strict=False):
        Player.objects.filter(pk=side.entrant.player_id).update(name=letter * 60)
    page.reload()
    assert faults_of(page) == []


@every_font
@pytest.mark.parametrize("sides", [5, 6])
def test_a_table_of_six_fits_a_telephone_with_smaller_digits(world, visit, sides) -> None:
    match = at_a_table(world, sides)
    tallied(match, [150, 95, 230, 5, 0, 495][:sides])
    assert faults_of(board(visit, match), upright=EIGHTH) == []


def test_small_digits_would_be_found(world, visit) -> None:
    """The control."""
    tallied(world.match, [150, 95])
    page = board(visit, world.match)
    page.wait_for_load_state("networkidle")
    page.context.set_offline(True)  # or the page would put itself in anew
    page.evaluate("document.querySelector('.board-digits').style.blockSize = '19vh'")
    page.evaluate("document.querySelector('.board-place').style.minBlockSize = '120vh'")
    found = faults_of(page)
    assert {width for width, *what in found if isinstance(what[0], dict)} == {width for width, _height in SIZES}
    assert (390, "scrolls") in found


def test_a_score_that_comes_in_is_seen_and_said_without_a_reload(world, visit, hours) -> None:
    page = board(visit, world.match, hours)
    page.evaluate("window.stayed = true")
    tallied(world.match, [85, 60])
    hours.run(LOOK)
    expect(page.locator(".board-digits text").first).to_have_text("85")
    expect(page.locator("[data-said]")).to_have_text("Ana Ruiz 85, Bo Chen 60. Live")
    expect(page.get_by_text("Live", exact=True)).to_be_visible()
    expect(page.get_by_text("Updated just now")).to_be_visible()
    assert page.evaluate("window.stayed")


def test_without_the_server_the_clock_counts_on_and_the_page_says_since_when_it_is_alone(world, visit, hours) -> None:
    timekeeping.start_clock(world.game(), world.ref)
    page = board(visit, world.match, hours)
    expect(page.get_by_text("Updated just now")).to_be_visible()
    page.context.set_offline(True)
    line = page.locator("[data-fresh]")
    hours.run(LOOK)
    expect(line).to_have_text(re.compile(r"^Offline since \d\d:\d\d:\d\d$"))
    expect(line).to_have_class(re.compile("stale"))
    shown = page.get_by_role("timer").inner_text()
    hours.run(1.5)
    assert page.get_by_role("timer").inner_text() < shown
    page.context.set_offline(False)
    hours.run(LOOK)
    expect(line).to_have_text("Updated just now")


def test_without_a_script_the_hour_stands_there(world, visit) -> None:
    page = board(visit, world.match, js=False)
    expect(page.locator("[data-fresh]")).to_have_text(re.compile(r"^As of \d\d:\d\d:\d\d$"))
