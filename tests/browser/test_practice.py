"""The practice table in a browser: two clicks a tile, drags, keys, and what a reader hears."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from league.play.models import PracticeGame
from tests.league.play.tables import at, in_play, saved

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
HANDS = "A hand 6-6 6-2 5-0 4-1 3-1 2-0 1-0", "B hand 6-3 6-5 5-4 4-3 4-2 2-1 1-1"


def line(page: Page) -> str:
    return str(page.locator("[data-table]").get_attribute("data-line"))


def click_on(page: Page, what: Locator) -> None:
    what.scroll_into_view_if_needed()
    box = what.bounding_box()
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


def moved_on(page: Page, before: str) -> None:
    page.wait_for_selector(f"[data-table]:not([data-line='{before}']), [data-replay]", state="attached")


def test_double_six_is_played_to_250_by_clicks_in_the_document_s_way(visit, live_server, monkeypatch) -> None:
    """Click a tile, a black frame shows it; click the tile on the table, the computer turns it; draw, next hand."""
    monkeypatch.setattr("league.play.terms.secrets.token_hex", lambda _bytes: "clicks")
    page, framed = visit(), 0
    page.emulate_media(reduced_motion="reduce")  # no tile falls, so that no click waits
    page.goto("/play/")
    page.get_by_text("Beginner").click()
    page.get_by_role("button", name="Play", exact=True).click()
    page.wait_for_selector("[data-table]")
    page.wait_for_load_state()  # a press before the script has begun is a form that is sent
    while page.locator("[data-table]").count():
        before, fitting = line(page), page.locator("[data-fits]")
        if page.get_by_role("button", name="Next hand").count():
            page.get_by_role("button", name="Next hand").click()
        elif fitting.count():
            tile = page.locator(".practice-tile:has([data-fits])").first
            tile.click()
            framed += "rgb(27, 27, 27) 0px 0px 0px 3px" in tile.evaluate("one => getComputedStyle(one).boxShadow")
            places = page.locator(".board .fits")
            click_on(page, places.first if places.count() else page.locator("[data-felt]"))
        else:
            page.locator("[data-draw]").click()
        moved_on(page, before)
    game = PracticeGame.objects.get()
    table = game.table()
    assert game.status == "verified"
    assert max(table.game.card.scores) >= 250
    assert framed >= sum(one.startswith("A ") and one[2].isdigit() for one in table.lines) > 20
    expect(page.locator("[data-poster]")).to_contain_text(re.compile(r"\d+–\d+"))


@pytest.mark.smoke
def test_a_game_is_played_by_keys_and_heard(visit) -> None:
    page = visit()
    page.goto(f"/play/{saved(at(*HANDS, seed='keys')).code}/")
    heard = page.locator("[data-aloud]")
    page.locator("[value='6-6']").focus()
    page.keyboard.press("h")
    expect(heard).to_have_text("You hold: 6-6, 6-2, 5-0, 4-1, 3-1, 2-0, 1-0.")
    page.keyboard.press("Space")
    page.keyboard.press("Enter")
    expect(heard).to_contain_text("You lead 6-6. Open ends 12.")
    expect(heard).to_contain_text(
        re.compile(r"The computer.* plays .* on 6-6\. Open ends 15\. It scores 15 points\. Your turn\.")
    )
    page.keyboard.press("e")
    expect(heard).to_contain_text("Sum 15")
    page.keyboard.press("s")
    expect(heard).to_contain_text("Score: you 0, the computer 15.")
    page.keyboard.press("d")
    expect(heard).to_contain_text("You draw")
    # A tile of one place goes there by Enter; the arrows choose the tile.
    page.locator("[value='6-2']").focus()
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowRight")
    expect(page.locator("[value='6-2']")).to_be_checked()
    page.keyboard.press("Enter")
    expect(heard).to_contain_text("You play 6-2 on 6-6. Open ends 5. You score 5 points.")


def test_a_tile_is_dragged_to_its_place(visit) -> None:
    page = visit(width=390)
    page.goto(f"/play/{saved(at(*HANDS, 'A 6-6', 'B 6-3 on 6-6')).code}/")
    before = line(page)
    page.locator(".practice-tile:has([data-fits])").first.hover()
    page.mouse.down()
    felt = page.locator("[data-felt]").bounding_box()
    page.mouse.move(felt["x"] + 40, felt["y"] + 60, steps=4)
    expect(page.locator(".practice-ghost")).to_be_visible()
    page.mouse.up()
    moved_on(page, before)
    expect(page.locator("[data-events]")).to_contain_text("You play")
    expect(page.locator(".practice-ghost")).to_have_count(0)


def test_a_move_that_another_tab_made_is_said_and_shown(visit) -> None:
    code = saved(in_play("tabs")).code
    one, other = visit(), visit()
    for page in (one, other):
        page.goto(f"/play/{code}/")
    before = line(one)
    one.locator("[data-draw]").click()
    moved_on(one, before)
    other.locator("[data-draw]").click()
    expect(other.locator("[role=alert]")).to_contain_text("was made already")
    assert line(other) == line(one)


def test_without_a_script_a_tile_is_framed_and_joined_by_a_button(visit) -> None:
    page = visit(js=False, width=390)
    page.goto(f"/play/{saved(at(*HANDS, 'A 6-6', 'B 6-3 on 6-6')).code}/")
    tile = page.locator(".practice-tile:has([value='6-2'])")
    tile.click()
    expect(page.locator("[value='6-2']")).to_be_checked()
    page.get_by_role("button", name="Play it on 6-6").click()
    expect(page.locator("[data-events]")).to_contain_text("You play 6-2 on 6-6. Open ends 5. You score 5 points.")
    page.locator("[value='4-1']").check(force=True)
    page.get_by_role("button", name="Play it on 6-6").click()
    expect(page.get_by_role("alert")).to_contain_text("4-1 does not match there.")
