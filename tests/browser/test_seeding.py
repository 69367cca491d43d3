"""Seeds dragged by mouse and moved by keys in Chromium, stored by one press; and the same without JavaScript."""

import pytest
from playwright.sync_api import Page, expect

from league.competitions.draw.plans import Plan, found
from league.competitions.models import Competition
from league.competitions.registration.entries import register
from league.players.services import enrol
from tests.browser.conftest import sign_in
from tests.web import world as small

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
SEEDS = "/organize/harbour/competitions/tuesday/seeds/"


@pytest.fixture
def cup(world) -> Competition:
    made = found(world.league, Plan(name="Tuesday", ruleset="udl"), user=world.owner)
    names = [f"Guest {letter}" for letter in "ABCDEF"]
    register(made, [enrol(league=world.league, name=name, since=small.FIRST.date()) for name in names])
    return made


def stored(cup) -> str:
    return "".join(str(one)[-1] for one in cup.registrations.order_by("seed"))


def shown(page: Page) -> str:
    return "".join(name[-1] for name in page.locator(".seeds .name").all_inner_texts())


def numbers(page: Page) -> list[str]:
    return page.locator("input.seed").evaluate_all("all => all.map(one => one.value)")


def grip(page: Page, letter: str):
    return page.get_by_role("button", name=f"Move Guest {letter}: arrow keys")


def drag(page: Page, letter: str, onto: str) -> None:
    """To just below the upper edge of the row of another one."""
    start, end = grip(page, letter).bounding_box(), grip(page, onto).bounding_box()
    page.mouse.move(start["x"] + 10, start["y"] + 10)
    page.mouse.down()
    page.mouse.move(end["x"] + 10, end["y"] + 30, steps=4)
    page.mouse.move(end["x"] + 10, end["y"] + 2, steps=4)
    page.mouse.up()


@pytest.mark.smoke
def test_seeds_are_dragged_and_moved_by_keys_and_stored_by_one_press(world, cup, visit) -> None:
    page = visit(width=800)
    sign_in(page, "owner")
    page.goto(SEEDS)
    drag(page, "E", "B")
    expect(page.get_by_text("This order is not stored yet.")).to_be_visible()
    assert (shown(page), numbers(page), stored(cup)) == ("AEBCDF", list("123456"), "ABCDEF")
    expect(page.locator("[data-told]")).to_have_text("Guest E: place 2 of 6")
    expect(grip(page, "E")).to_be_focused()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    expect(grip(page, "E")).to_be_focused()
    assert shown(page) == "ABCEDF"
    page.keyboard.press("End")
    assert shown(page) == "ABCDFE"
    page.get_by_role("button", name="Move Guest B up").click()
    assert (shown(page), stored(cup)) == ("BACDFE", "ABCDEF")
    page.get_by_label("Seed of Guest F").fill("1")
    page.get_by_label("Seed of Guest F").press("Enter")
    assert shown(page) == "FBACDE"
    page.get_by_role("button", name="Keep this order").click()
    expect(page.get_by_text("The order is stored.")).to_be_visible()
    page.wait_for_load_state()  # the list is read at once
    assert (stored(cup), shown(page)) == ("FBACDE", "FBACDE")
    expect(page.get_by_text("This order is not stored yet.")).to_be_hidden()


def test_escape_puts_a_dragged_one_back_and_the_stored_order_can_be_had_again(world, cup, visit) -> None:
    page = visit(width=390)
    sign_in(page, "owner")
    page.goto(SEEDS)
    page.locator(".seeds").evaluate("list => list.scrollIntoView({ block: 'center' })")
    box, end = grip(page, "E").bounding_box(), grip(page, "B").bounding_box()
    page.mouse.move(box["x"] + 10, box["y"] + 10)
    page.mouse.down()
    page.mouse.move(end["x"] + 10, end["y"] + 5, steps=5)
    assert shown(page) != "ABCDEF"
    page.keyboard.press("Escape")
    page.mouse.up()
    assert shown(page) == "ABCDEF"
    grip(page, "C").press("Home")
    assert shown(page) == "CABDEF"
    page.get_by_role("button", name="Back to the stored order").click()
    expect(page.get_by_text("This order is not stored yet.")).to_be_hidden()
    page.wait_for_load_state()  # the list is read at once
    assert (shown(page), stored(cup)) == ("ABCDEF", "ABCDEF")


def test_without_javascript_each_button_stores_and_nothing_can_be_dragged(world, cup, visit) -> None:
    page = visit(js=False)
    sign_in(page, "owner")
    page.goto(SEEDS)
    expect(page.locator("[data-grip]").first).to_be_hidden()
    page.get_by_role("button", name="Move Guest B up").click()
    assert stored(cup) == "BACDEF"
    page.get_by_label("Seed of Guest F").fill("1")
    page.get_by_role("button", name="Sort by these numbers").click()
    assert stored(cup) == "FBACDE"
