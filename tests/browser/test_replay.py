"""The replay on the page of a match (SCREENS.md B-7): keys, slider, address, and the same without a script."""

import re

import pytest
from playwright.sync_api import Page, expect

from league.matches.services import submit_log, verify_record

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def address(world, log) -> str:
    record = submit_log(game=world.game(), user=world.alice, raw=log.encode()).record
    verify_record(record.pk)
    return f"/matches/{world.match.pk}/"


def laid(page: Page) -> int:
    """How many tiles lie on the table that is shown."""
    return page.locator("[data-board] .board .t:not(.off)").count()


def test_the_keys_step_through_a_game_and_the_address_follows(visit, address) -> None:
    page = visit(width=390)
    page.goto(f"{address}#r1.0")
    said = page.locator("[data-told]")
    expect(said).to_have_text("The tiles are dealt.")
    assert laid(page) == 0
    page.keyboard.press("ArrowRight")
    expect(said).to_contain_text("leads")
    assert laid(page) == 1
    assert page.url.endswith("#r1.1")
    expect(page.locator("[data-sum]")).to_contain_text("=")
    page.keyboard.press("ArrowLeft")
    assert laid(page) == 0
    # The other keys belong to the replay while the focus is in it.
    page.get_by_role("button", name="One step on").focus()
    page.keyboard.press("End")
    tiles = page.locator("[data-board] .board .t").count()
    assert laid(page) == tiles > 5
    page.keyboard.press("ArrowDown")
    assert re.search(r"#r2\.0$", page.url)
    page.keyboard.press("ArrowUp")
    assert page.url.endswith("#r1.0")
    page.keyboard.press("f")
    expect(page.locator("[data-board] .board")).to_have_class(re.compile("turned"))


def test_slider_round_and_links_lead_to_a_step(visit, address) -> None:
    page = visit()
    page.goto(address)
    # Who opens the page sees how the game ended.
    last = page.locator("[data-rounds] option").count()
    assert page.locator("[data-rounds]").input_value() == str(last - 1)
    page.locator("[data-rounds]").select_option("0")
    page.locator("[data-slide]").evaluate("one => { one.value = 3; one.dispatchEvent(new Event('input')); }")
    assert page.url.endswith("#r1.3")
    expect(page.locator('[id="r1.3"]')).to_have_attribute("aria-current", "step")
    score = page.locator("[data-score]").all_inner_texts()
    assert len(score) == 2
    page.locator('[id="r1.2"] .number').click()
    assert page.url.endswith("#r1.2")
    expect(page.locator("[data-told]")).to_have_text(page.locator('[id="r1.2"] .said').inner_text())


def test_it_plays_by_itself_and_stops(visit, address) -> None:
    page = visit()
    page.goto(f"{address}#r1.0")
    page.locator("[data-speed]").select_option("4")
    page.get_by_role("button", name="Play").click()
    expect(page.locator("[data-told]")).not_to_have_text("The tiles are dealt.")
    page.get_by_role("button", name="Pause").click()
    stood = page.url
    page.wait_for_timeout(700)
    assert page.url == stood


def test_a_replay_that_comes_while_the_page_is_open_is_shown(world, visit, log) -> None:
    record = submit_log(game=world.game(), user=world.alice, raw=log.encode()).record
    page = visit()
    page.goto(f"/matches/{world.match.pk}/")
    expect(page.locator("[data-replay]")).to_have_count(0)
    verify_record(record.pk)
    expect(page.locator("[data-board] .board")).to_be_visible(timeout=10_000)


def test_nothing_moves_when_a_tile_is_added(visit, address) -> None:
    page = visit()
    page.goto(f"{address}#r1.2")
    first = page.locator('[data-board] [data-n="0"]')
    before = first.bounding_box()
    for _step in range(6):
        page.keyboard.press("ArrowRight")
    assert first.bounding_box() == before


def test_without_a_script_every_round_is_told_and_drawn(visit, address) -> None:
    page = visit(js=False)
    page.goto(address)
    expect(page.locator("[data-stage]")).to_be_hidden()
    expect(page.locator(".told-board .board").first).to_be_visible()
    expect(page.locator('[id="r1.1"] .said')).to_contain_text("leads")
