"""Everything is done by plain forms and links where no script runs."""

import re

import pytest
from playwright.sync_api import expect

from league.matches.models import ClockEvent
from tests.browser.conftest import sign_in, sign_in_by_form
from tests.browser.looking import go
from tests.browser.places import furnished
from tests.web import world as small
from tests.web.world import PASSWORD

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

PARTS = 3  # of the pages, so that workers share the walk
DEAD_BUTTONS = """[...document.querySelectorAll('main button, main input[type=button]')]
  .filter(one => one.checkVisibility({visibilityProperty: true}) && !(one.form && one.type === 'submit'))
  .map(one => one.outerHTML.slice(0, 120))"""


@pytest.mark.parametrize("part", range(PARTS))
def test_no_page_shows_a_button_that_needs_a_script(visit, part) -> None:
    page, who, dead = visit(js=False, width=390), {}, {}
    for spot in furnished()[1][part::PARTS]:
        go(page, spot, who)
        page.evaluate("stop()")  # a page that refreshes itself would cut off the way to the next one
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        if found := page.evaluate(DEAD_BUTTONS):
            dead[spot.name] = found
    assert dead == {}


def test_a_button_that_needs_a_script_would_be_found(world, visit) -> None:
    """The control: the bell's sound, which a script alone can make and shows."""
    page = visit()
    sign_in(page, "ref")
    page.goto(f"/matches/{world.match.pk}/")
    expect(page.get_by_role("button", name="Sound at the bell")).to_be_visible()
    (found,) = page.evaluate(DEAD_BUTTONS)
    assert "data-sound" in found


@pytest.mark.smoke
def test_a_new_account_is_given_its_player_by_a_link(world, visit) -> None:
    owner, cleo = visit(js=False), visit(js=False, width=390)
    sign_in(owner, "owner")
    owner.goto(f"/leagues/harbour/players/{world.entrants[2].player.code}/")
    owner.get_by_role("button", name="Make a link").click()
    cleo.goto(owner.locator(".link").inner_text())
    cleo.get_by_role("main").get_by_role("link", name="Create an account").click()
    cleo.get_by_label("User name").fill("cleo")
    cleo.locator("input[type=password]").fill(PASSWORD)
    cleo.get_by_role("button", name="Create an account").click()
    cleo.get_by_role("button", name="Yes, this is me").click()
    cleo.goto(f"/players/{world.entrants[2].player.code}/")
    expect(cleo.get_by_text("This is you", exact=True)).to_be_visible()
    cleo.get_by_role("button", name="español").click()
    expect(cleo.get_by_role("button", name="English")).to_be_visible()
    expect(cleo.locator("html")).to_have_attribute("lang", "es")


@pytest.mark.smoke
def test_a_referee_gives_time_and_takes_a_mistaken_start_back(world, visit) -> None:
    page = visit(js=False, width=390)
    sign_in_by_form(page, "ref")
    page.goto(f"/matches/{world.match.pk}/")
    page.get_by_role("button", name="Start the clock").click()
    page.get_by_text("Started by mistake?").click()
    page.get_by_label("Events").fill("Wrong table")
    page.get_by_role("button", name="Take the start back").click()
    page.get_by_role("button", name="Start the clock").click()
    page.get_by_text("Give time").click()
    page.get_by_label("Minutes").fill("2")
    page.get_by_role("button", name="Give this time").click()
    page.get_by_role("button", name="Stop: the game is over").click()
    expect(page.get_by_role("button", name="Stop: the game is over")).to_have_count(0)
    kinds = ClockEvent.objects.order_by("number").values_list("kind", flat=True)
    assert list(kinds) == ["start", "cancel", "start", "give", "stop"]


def test_a_player_s_path_through_the_bracket_is_a_link(world, visit) -> None:
    small.knock_out(world)
    page = visit(js=False, width=390)
    page.goto("/competitions/")
    page.get_by_role("link", name="Cup Harbour").click()
    page.get_by_role("link", name="Bracket", exact=True).click()
    page.get_by_label("Follow a player").select_option(label="Ana Ruiz")
    page.get_by_role("button", name="Show the path").click()
    expect(page.locator("mark", has_text="Ana Ruiz").first).to_be_visible()
    expect(page).to_have_url(re.compile(rf"\?player={world.entrants[0].player.code}$"))
