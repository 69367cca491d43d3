"""From an empty console to a published knock-out of thirteen, from pasted names: by how many clicks, and how long a
script takes for it.
"""

import re
from time import monotonic

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from league.competitions.models import Competition, Slot
from league.matches.models import Match
from tests.browser.conftest import sign_in
from tests.web import world as small

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

NAMES = """1. Ana Ruiz
2. Bo Chen
Carmen Silva, Mill Street
Dwight Baptiste
Elena Petrova
Femi Adeyemi
Grace O’Neill
Hugo Martín
Ines Costa
Jonas Falk
Keiko Mori
Luis Ortega
Mara Weiss
"""


class Hand:
    """Counts what an organizer does: every press of a button or link, every field that is filled."""

    def __init__(self, page: Page) -> None:
        self.page, self.clicks, self.fields, self.began = page, 0, 0, monotonic()

    def press(self, role: str, name: str, **where: object) -> None:
        self.clicks += 1
        self.page.get_by_role(role, name=name, **where).first.click()

    def choose(self, group: str, name: str) -> None:
        self.clicks += 1
        self.page.get_by_role("group", name=group).get_by_role("radio", name=name).check()

    def fill(self, label: str, text: str) -> None:
        """A click into the field counts, too."""
        self.clicks += 1
        self.fields += 1
        self.page.get_by_label(label).first.fill(text)

    def tell(self, what: str) -> None:
        print(f"\n{what}: {self.clicks} clicks, {self.fields} fields, {monotonic() - self.began:.1f} s for the script")


def violations(page: Page) -> list[tuple[str, str]]:
    found = Axe().run(page).response["violations"]
    return [(rule["id"], node["html"][:160]) for rule in found for node in rule["nodes"]]


@pytest.mark.smoke
@pytest.mark.parametrize("js", [True, False], ids=["with JavaScript", "without JavaScript"])
def test_from_pasted_names_to_a_published_knock_out_of_thirteen(world, visit, js) -> None:
    page = visit(js=js)
    sign_in(page, "owner")
    hand = Hand(page)
    hand.press("link", "Organize")
    hand.press("link", "New competition")
    hand.choose("Game", "UDL night")
    hand.fill("Name of the competition", "Friday Cup")
    hand.fill("Start", "2026-12-04T19:00")
    hand.fill("Tables", "6")
    hand.choose("Format", "knock-out")
    hand.fill("Players, one a line", NAMES)
    hand.press("button", "Preview")
    outlook = page.get_by_role("complementary", name="Summary")
    expect(outlook).to_contain_text("Players13")
    expect(outlook).to_contain_text("Rounds4")
    expect(outlook).to_contain_text("Matches12")
    expect(outlook).to_contain_text("Over by aboutFri 4 December 2026, 20:20")
    expect(page.get_by_text("11 new players")).to_be_visible()
    expect(page.get_by_text("2 known players")).to_be_visible()
    hand.press("button", "Create draft")
    expect(page.get_by_text("Draft: only officials see this")).to_be_visible()
    expect(page.get_by_role("heading", name="13 players")).to_be_visible()
    page.wait_for_load_state()  # the list is read at once
    assert [one.split("\n")[0] for one in page.locator(".matchday h3 > span:first-child").all_inner_texts()] == [
        "Round of 16",
        "Quarter-finals",
        "Semi-finals",
        "Final",
    ]
    hand.press("button", "Publish")
    expect(page.get_by_text("It is published: everybody sees it now.")).to_be_visible()
    hand.tell(f"a knock-out of 13, {'with' if js else 'without'} JavaScript")
    assert hand.clicks < 25

    made = Competition.objects.get(name="Friday Cup")
    assert made.published_at is not None
    assert Slot.objects.filter(matchday__stage__competition=made, match__published_at__isnull=False).count() == 5
    visitor = visit(js=js, width=390)
    visitor.goto("/competitions/harbour/friday-cup/")
    expect(visitor.get_by_role("heading", name="Friday Cup")).to_be_visible()


@pytest.mark.parametrize("js", [True, False], ids=["with JavaScript", "without JavaScript"])
def test_an_error_takes_the_focus_and_what_was_typed_stays(world, visit, js) -> None:
    page = visit(js=js, width=390, scheme="dark")
    sign_in(page, "owner")
    page.goto("/organize/harbour/new/")
    page.get_by_label("Name of the competition").fill("Friday Cup")
    page.get_by_label("Players, one a line").fill(NAMES)
    page.get_by_text("More settings").click()
    page.get_by_label("House rules", exact=True).fill("goal=100")
    page.get_by_role("button", name="Create draft").click()
    rules = page.get_by_label("House rules", exact=True)
    expect(rules).to_be_focused()
    expect(rules).to_have_accessible_description(re.compile("no option 'goal'; the options are announce"))
    expect(page.get_by_label("Players, one a line")).to_have_value(NAMES)
    if js:
        assert violations(page) == []
    rules.fill("target=100")
    page.get_by_role("button", name="Preview").click()
    expect(page.get_by_role("complementary", name="Summary")).to_be_in_viewport()
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    if js:
        assert violations(page) == []


@pytest.mark.parametrize("js", [True, False], ids=["with JavaScript", "without JavaScript"])
def test_seeds_are_moved_by_keyboard_and_the_focus_stays_on_the_button(world, visit, js) -> None:
    page = visit(js=js)
    sign_in(page, "owner")
    page.goto("/organize/harbour/new/")
    page.get_by_label("Name of the competition").fill("Friday Cup")
    page.get_by_label("Players, one a line").fill("Ana Ruiz\nBo Chen\nCleo Diaz")
    page.get_by_role("button", name="Create draft").click()
    button = page.get_by_role("button", name="Move Cleo Diaz up")
    expect(button).to_be_visible()
    page.wait_for_load_state()  # a press before the script has begun is a form that is sent
    button.press("Enter")
    if js:  # the order is stored as a whole
        expect(page.get_by_label("Seed of Cleo Diaz")).to_have_value("2")
    else:
        expect(page.get_by_text("Everybody here? Then draw")).to_be_visible()
    expect(button).to_be_focused()
    button.press("Enter")
    expect(page.get_by_label("Seed of Cleo Diaz")).to_have_value("1")
    page.get_by_label("Seed of Cleo Diaz").fill("2")
    page.get_by_label("Seed of Cleo Diaz").press("Enter")
    expect(page.get_by_label("Seed of Cleo Diaz")).to_have_value("2")
    if js:
        page.get_by_role("button", name="Keep this order").click()
        expect(page.get_by_text("The order is stored.")).to_be_visible()
    draws = page.get_by_role("button", name="Draw", exact=True).or_(page.get_by_role("button", name="Redraw"))
    draws.click()
    expect(page.get_by_text("The draw is made.")).to_be_visible()


@pytest.mark.parametrize("js", [True, False], ids=["with JavaScript", "without JavaScript"])
def test_the_screen_of_tables_looks_again_by_itself_and_confirms(world, visit, js, hours) -> None:
    page = hours.show(visit()) if js else visit(js=False)
    sign_in(page, "owner")
    page.goto("/organize/harbour/tables/")
    card = page.get_by_role("listitem").filter(has=page.get_by_text("Ana Ruiz")).filter(has=page.get_by_text("Bo Chen"))
    link = card.get_by_role("link", name="Open the match")
    link.focus()
    small.played(world)
    confirm = page.get_by_role("button", name="Confirm 150–95")
    if js:
        hours.run(30)
    else:
        # What the browser does by itself after these seconds.
        assert page.locator("meta[http-equiv=refresh]").get_attribute("content") == "20"
        page.reload()
    expect(confirm).to_be_visible()
    expect(page).to_have_title("(1) All tables · Harbour · Domino League")
    if js:
        expect(link).to_be_focused()
        expect(page.locator("[data-said]")).to_have_text("1 match needs attention")
    confirm.click()
    expect(page.get_by_text("The result is confirmed now.")).to_be_visible()
    assert Match.objects.get(pk=world.match.pk).state == Match.State.DECIDED
    page.get_by_role("link", name="Stop updating").click()
    expect(page.get_by_role("link", name="Update automatically")).to_be_visible()
