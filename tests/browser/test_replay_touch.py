"""The replay under fingers and keys: its poster, taps and swipes on the table, keys without the focus, key caps."""

import re

import pytest
from playwright.sync_api import expect

from league.matches.logs.submission import submit_log, verify_record
from tests.browser.test_replay import comes_into_sight
from tests.web import world as small
from tests.web.matches.test_replay import SHORT

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def address(world, log) -> str:
    record = submit_log(game=world.game(), user=world.alice, raw=log.encode()).record
    verify_record(record.pk)
    return f"/matches/{world.match.pk}/"


@pytest.mark.smoke
def test_a_page_opens_with_a_poster_and_its_button_plays_the_game(visit, address, hours) -> None:
    page = hours.show(visit())
    page.goto(address)
    hours.run(0.1)
    poster = page.locator("[data-poster]")
    expect(poster).to_have_text(re.compile(r"wins \d+–\d+"))
    # One scoreboard: the plates have the result, and no other element shows a score.
    final = page.locator(".plate .score").all_inner_texts()
    assert page.locator("[data-score]").count() == len(final) == 2
    poster.get_by_role("button", name="Play").click()
    expect(poster).to_be_hidden()
    expect(page.locator("[data-told]")).to_have_text("The tiles are dealt.")
    assert page.locator(".plate .score").all_inner_texts() == ["0", "0"]
    hours.run(3)
    expect(page.locator("[data-told]")).not_to_have_text("The tiles are dealt.")
    page.get_by_role("button", name="Pause").click()
    page.locator("[data-rounds]").select_option(index=page.locator("[data-rounds] option").count() - 1)
    page.get_by_role("button", name="To the end of the hand").click()
    assert page.locator(".plate .score").all_inner_texts() == final


def test_taps_and_swipes_on_the_table_step(visit, address) -> None:
    page = visit(width=390)
    page.goto(f"{address}#r1.3")
    current = page.locator('[aria-current="step"]')
    expect(current).to_have_attribute("id", "r1.3")
    comes_into_sight(page, "[data-board]")
    box = page.locator("[data-board]").bounding_box()
    left, middle, right = (box["x"] + box["width"] * part for part in (0.2, 0.5, 0.8))
    y = box["y"] + box["height"] / 2
    page.mouse.click(right, y)
    expect(current).to_have_attribute("id", "r1.4")
    page.mouse.click(left, y)
    expect(current).to_have_attribute("id", "r1.3")

    def swipe(start: float, end: float, down: float = 0) -> None:
        page.mouse.move(start, y)
        page.mouse.down()
        page.mouse.move(end, y + down)
        page.mouse.up()

    swipe(right, middle)
    expect(current).to_have_attribute("id", "r1.4")
    swipe(left, middle)
    expect(current).to_have_attribute("id", "r1.3")
    # A page that is scrolled turns no step.
    swipe(middle, middle + 5, down=80)
    expect(current).to_have_attribute("id", "r1.3")


def test_keys_work_wherever_the_focus_is_until_they_are_switched_off(visit, address) -> None:
    """A key of one letter that works everywhere can be switched off (WCAG 2.1.4)."""
    page = visit()
    page.goto(f"{address}#r1.2")
    current = page.locator('[aria-current="step"]')
    expect(current).to_have_attribute("id", "r1.2")
    heard = page.locator("[data-heard]")
    outside = page.locator(".headline")
    outside.evaluate("one => { one.tabIndex = -1; }")

    def leave() -> None:
        page.evaluate("document.activeElement.blur()")
        comes_into_sight(page, "[data-board]")

    leave()
    page.keyboard.press("s")
    expect(heard).to_contain_text("Score:")
    # Where the focus is nowhere, the keys that scroll belong to the page.
    page.keyboard.press("End")
    expect(current).to_have_attribute("id", "r1.2")
    page.locator("[data-board]").focus()
    page.keyboard.press("?")
    page.get_by_label("Letters, numbers and Space also work outside the replay").uncheck()
    page.keyboard.press("Escape")
    page.keyboard.press("e")
    expect(heard).to_contain_text("Open:")
    page.reload()
    expect(current).to_have_attribute("id", "r1.2")
    leave()
    page.keyboard.press("s")
    page.keyboard.press("Space")
    expect(heard).to_be_empty()
    expect(page.get_by_role("button", name="Pause")).to_have_count(0)
    page.keyboard.press("ArrowRight")
    expect(current).to_have_attribute("id", "r1.3")


def test_the_address_of_a_called_count_leads_to_its_play(world, visit) -> None:
    text = re.sub(r"^(0:09 B .*) call 15$", r"\1\n0:11 B call 15", SHORT, flags=re.MULTILINE) + "0:30 A concedes\n"
    text = text.replace("Ana Ruiz", "{a}").replace("Bo Chen", "{b}")
    verify_record(small.hand_in(world.game(), world.ref, text=text).pk)
    page = visit()
    page.goto(f"/matches/{world.match.pk}/#r1.3")
    expect(page.locator('[aria-current="step"]')).to_have_attribute("id", "r1.2")
    expect(page.locator("[data-told]")).to_contain_text("and calls 15.")
    page.get_by_role("button", name="One step on").click()
    expect(page.locator('[aria-current="step"]')).to_have_attribute("id", "r1.4")


def test_key_caps_are_shown_only_where_there_is_a_keyboard(visit, address) -> None:
    page = visit()
    page.goto(address)
    expect(page.locator(".stage-ear kbd").first).to_be_visible()
    phone = visit(width=390, touch=True)
    phone.goto(address)
    expect(phone.get_by_role("button", name="Open ends")).to_be_visible()
    expect(phone.locator(".stage-ear kbd").first).to_be_hidden()
    expect(phone.locator('[data-go="help"]')).to_be_hidden()
