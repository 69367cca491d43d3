"""The show of a hall in a real browser: it turns, holds, follows, slides, and is read from the last row."""

import re
from datetime import timedelta
from io import BytesIO

import pytest
from django.utils import timezone
from PIL import Image
from playwright.sync_api import Page, expect

from league.competitions.draw.plans import Plan, found
from league.competitions.draw.publishing import publish
from league.competitions.draw.stages import draw
from league.competitions.models import Competition
from league.competitions.registration.entries import register
from league.matches.clock import services as timekeeping
from league.matches.models import Game, Match
from league.players.services import enrol
from tests.browser.fonts import every_font
from tests.browser.hours import Hours
from tests.browser.looking import unreadable
from tests.browser.paper import codes
from tests.web import world as small

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

SHOW = "/hall/harbour/?competition=autumn"
LOOK = 5.2  # seconds, until a page has asked the server again
# Every slide of a row: its player, by how many rows, and whether it goes on.
LISTEN = """() => {
  window.slid = [];
  const real = Element.prototype.animate;
  Element.prototype.animate = function (frames, options) {
    const rows = Number(frames[0].transform.match(/-?[0-9.]+/)[0]) / this.offsetHeight;
    window.slid.push([this.querySelector('.name').textContent.trim(), Math.round(rows)]);
    return real.call(this, frames, options);
  };
}"""
# Letters of the scene and the clock beside it, in hundredths of the screen's height; drawings by their own scale.
SMALL = """least => [...document.querySelectorAll('.show-scene *')].filter(one =>
    !one.closest('.hidden, [hidden], svg:not(.bracket)') && one.checkVisibility()
    && [...one.childNodes].some(node => node.nodeType === 3 && node.data.trim()))
  .map(one => {
    const size = parseFloat(getComputedStyle(one).fontSize);
    const scale = one.ownerSVGElement ? one.getScreenCTM().a : 1;
    return [one.textContent.trim().slice(0, 30), Math.round(1000 * size * scale / innerHeight) / 10];
  }).filter(([, size]) => size < least)"""
FITS = "[document.documentElement.scrollWidth <= innerWidth, document.documentElement.scrollHeight <= innerHeight]"
# Boxes of the crowd that lie beyond what the screen shows of them.
CUT = """() => [...document.querySelectorAll(
    '.show-match, .show-calls li, .wall-table-of tr, .show-side > *, .wall-table, .wall-clock > *')].filter(one => {
  const around = one.parentElement.closest('.show-part, .show-side, .wall-clock');
  const [box, part] = [one, around].map(part => part.getBoundingClientRect());
  return box.top < part.top - 1 || box.bottom > part.bottom + 1 || box.right > part.right + 1;
}).map(one => one.textContent.trim().slice(0, 40))"""
POINTS = """[...document.querySelectorAll('.show-match .points')]
  .map(one => parseFloat(getComputedStyle(one).fontSize) / innerHeight)"""


def show(visit, hours: Hours | None = None, query: str = "", **kind: object) -> Page:
    page = visit(**kind)
    if hours:
        hours.show(page)
    page.add_init_script(f"({LISTEN})()")
    page.goto(f"{SHOW}{query}")
    return page


def scene(page: Page) -> str:
    return re.search(r"of-(\w+)", page.locator("[data-show]").get_attribute("class"))[1]


def tally(match: Match, points: list[int]) -> None:
    score = {"points": points, "round": 2, "at": timezone.now().isoformat()}
    Game.objects.filter(match=match, number=1).update(tally=score)


def test_the_show_turns_holds_and_goes_on_at_a_key_and_a_tap(world, visit, hours) -> None:
    small.played(world, world.matches[0])
    timekeeping.start_clock(world.game(world.matches[1]), world.ref)
    page = show(visit, hours)
    seen = [scene(page)]
    for seconds in (12, 12, 20):
        hours.run(seconds + 0.5)
        seen.append(scene(page))
    assert seen == ["pairings", "clocks", "standings", "pairings"]
    page.keyboard.press(" ")
    expect(page.get_by_role("button", name="Go on")).to_have_attribute("aria-pressed", "true")
    tally(world.matches[1], [15, 40])
    hours.run(40)
    assert scene(page) == "pairings"
    expect(page.locator(f'[data-points-of="{world.matches[1].pk}"]')).to_have_text(["15", "40"])
    for go_on, name in (
        (lambda: page.keyboard.press("ArrowRight"), "clocks"),
        (lambda: page.locator("[data-show] h1").click(), "standings"),
        (lambda: page.keyboard.press("PageDown"), "pairings"),
    ):
        go_on()
        hours.settle()
        assert scene(page) == name
        assert f"at={name}" in page.url
    page.get_by_role("button", name="Go on").click()
    hours.run(13)
    assert scene(page) == "clocks"
    page.get_by_role("link", name="Show only this").click()
    hours.run(30)
    assert scene(page) == "clocks"


def test_a_lost_network_leaves_the_last_picture_and_says_since_when(world, visit, hours) -> None:
    small.played(world, world.matches[0])
    page = show(visit, hours)
    hours.run(1)
    expect(page.get_by_text("Updated just now")).to_be_visible()
    page.context.set_offline(True)
    hours.run(30)
    assert scene(page) == "pairings"
    expect(page.get_by_text("Ana Ruiz").first).to_be_visible()
    expect(page.get_by_text(re.compile("^Offline since"))).to_be_visible()
    page.context.set_offline(False)
    hours.run(13)
    assert scene(page) == "standings"
    expect(page.get_by_text(re.compile("^Updated"))).to_be_visible()


def test_a_call_comes_at_once_and_a_held_scene_stays(world, visit, hours) -> None:
    small.played(world, world.matches[0])
    one, held, only = show(visit, hours), show(visit, hours), show(visit, hours, "&show=pairings")
    held.keyboard.press(" ")
    Match.objects.filter(pk=world.matches[1].pk).update(called_at=hours.now, table=world.league.tables.get(name="2"))
    hours.run(LOOK + 1)
    assert [scene(page) for page in (one, held, only)] == ["calls", "pairings", "pairings"]
    expect(one.get_by_text("Please go to your table")).to_be_visible()


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_rows_slide_to_their_new_places_unless_motion_is_reduced(world, visit, hours, motion) -> None:
    small.played(world, world.matches[0])
    page = hours.show(visit())
    page.emulate_media(reduced_motion=motion)
    page.add_init_script(f"({LISTEN})()")
    page.goto(f"{SHOW}&show=standings")
    names = page.locator("tr[data-row] .name")
    before = names.all_inner_texts()
    hours.run(1)
    assert page.evaluate("window.slid") == [], "nothing has changed yet"
    seated = [str(side.entrant) for side in world.matches[0].sides.all()]
    [idle] = [name for name in before if name not in seated]
    for match in world.matches[1:]:
        winner = match.sides.filter(entrant__player__name=idle).values_list("number", flat=True)[0]
        small.enter(small.hand_in(world.game(match), world.ref), winner=winner)
    hours.run(LOOK)
    after = names.all_inner_texts()
    assert after != before
    moved = {name: before.index(name) - after.index(name) for name in before if before.index(name) != after.index(name)}
    assert dict(page.evaluate("window.slid")) == (moved if motion == "no-preference" else {})


def full(world) -> Competition:
    """Sixteen tables of a Swiss round with long and short names, calls, clocks, results and a live score."""
    names = ["Maximiliana Fernández de Córdoba y Valenzuela", "Bo Li", "Juan José Martínez Fernández"]
    names += [f"Player Number {number}" for number in range(3, 32)]
    people = [enrol(league=world.league, name=name, since=small.FIRST.date()) for name in names]
    tables = tuple(str(number) for number in range(1, 17))
    plan = Plan(name="Full", ruleset="udl", format="swiss", rounds=3, tables=tables)
    cup = found(world.league, plan, user=world.owner)
    register(cup, people)
    draw(cup, user=world.owner)
    publish(cup, user=world.owner)
    matches = list(Match.objects.filter(slot__matchday__stage__competition=cup).order_by("pk"))
    for match in matches[:3]:
        small.played(world, match, official=match != matches[0])
    tally(matches[3], [105, 95])
    now = timezone.now()
    for minutes, match in enumerate(matches[3:10]):
        timekeeping.start_clock(match.games.get(number=1), world.ref, now - timedelta(minutes=2 * minutes))
    Match.objects.filter(pk__in=[match.pk for match in matches[10:]]).update(called_at=now)
    return cup


@every_font
def test_each_scene_is_read_from_the_last_row_and_nothing_is_cut(world, visit) -> None:
    cup, knock_out = full(world), small.knock_out(world)
    spots = [(cup.slug, one) for one in ("calls", "pairings", "clocks", "standings")] + [(knock_out.slug, "bracket")]
    page, faults = visit(), []
    for slug, name in spots:
        page.goto(f"/hall/harbour/?competition={slug}&show={name}")
        page.wait_for_load_state("networkidle")
        for width, height in ((1920, 1080), (1280, 720)):
            page.set_viewport_size({"width": width, "height": height})
            found_here = [*page.evaluate(SMALL, 2.15), *page.evaluate(CUT), *unreadable(page)]
            if page.evaluate(FITS) != [True, True]:
                found_here.append("scrolls")
            picture = Image.open(BytesIO(page.screenshot()))
            read = [one.text for one in codes(picture)]
            if len(read) != 1 or not read[0].endswith(f"/competitions/harbour/{slug}/"):
                found_here.append(f"code: {read}")
            faults += [(name, width, one) for one in found_here]
    assert faults == []
    page.goto(f"/hall/harbour/?competition={cup.slug}&show=pairings")
    assert min(page.evaluate(POINTS)) > 0.06
